"""Graphs beyond one machine's memory: partitioned on disk, out of core, or on a Dask cluster."""

from lapwing.cluster.connection import Cluster, connect
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.partition.manifest import DamagedBlockError
from lapwing.cluster.partition.writing import write_partitioned

__all__ = ["Cluster", "DamagedBlockError", "PartitionedGraph", "connect", "write_partitioned"]
