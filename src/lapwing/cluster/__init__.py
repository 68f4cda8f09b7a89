"""Graphs beyond one machine's memory: partitioned on disk, out of core, or on a Dask cluster."""

from lapwing.cluster.connection import Cluster, connect
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.jobs import Running, classify_partitioned, embed_partitioned
from lapwing.cluster.labels import SparseLabels, labels_of, read_sparse_labels
from lapwing.cluster.partition.manifest import DamagedBlockError
from lapwing.cluster.partition.writing import write_partitioned
from lapwing.cluster.reading.convert import convert_parquet
from lapwing.cluster.whole_session import WholeQuestion, WholeSession

__all__ = [
    "Cluster",
    "DamagedBlockError",
    "PartitionedGraph",
    "Running",
    "SparseLabels",
    "WholeQuestion",
    "WholeSession",
    "classify_partitioned",
    "connect",
    "convert_parquet",
    "embed_partitioned",
    "labels_of",
    "read_sparse_labels",
    "write_partitioned",
]
