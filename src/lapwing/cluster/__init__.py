"""Graphs beyond one machine's memory: partitioned on disk, out of core, or on a Dask cluster."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
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

_MODULE_OF = {
    "Cluster": "connection",
    "DamagedBlockError": "partition.manifest",
    "PartitionedGraph": "graph",
    "Running": "jobs",
    "SparseLabels": "labels",
    "WholeQuestion": "whole_session",
    "WholeSession": "whole_session",
    "classify_partitioned": "jobs",
    "connect": "connection",
    "convert_parquet": "reading.convert",
    "embed_partitioned": "jobs",
    "labels_of": "labels",
    "read_sparse_labels": "labels",
    "write_partitioned": "partition.writing",
}
"""Where each name comes from: a worker starts sooner if it imports only what it needs."""


def __getattr__(name: str) -> Any:
    """A public name, imported on first use."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'lapwing.cluster' has no attribute {name!r}")
    value = getattr(import_module(f"lapwing.cluster.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
