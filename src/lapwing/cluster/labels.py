"""Labels of a partitioned graph's nodes: those of the table alone, never one per node."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.known_labels import KnownLabels
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.partition.dictionary import CodePart, as_names, codes_file, hash_parts
from lapwing.errors import InputError, ReadError
from lapwing.io.columns import Column
from lapwing.io.files import plain_file
from lapwing.io.formats import TEXT, format_of
from lapwing.io.label_rows import Row, parquet_rows, text_rows
from lapwing.io.text.layout import TableOptions
from lapwing.types import Array


@dataclass(frozen=True)
class SparseLabels:
    """Some nodes, their 0/1 classes, and the names of the classes."""

    nodes: NDArray[np.int64]
    indicator: Array
    classes: tuple[str, ...]

    def known(self, n_nodes: int) -> KnownLabels:
        """Return the labels as methods take them."""
        return KnownLabels(self.nodes, self.indicator, n_nodes)


def labels_of(graph: PartitionedGraph, labels: Mapping[Hashable, Any]) -> SparseLabels:
    """Return labels given as ``{node name: class}``; classes are sorted.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lapwing import Graph
    >>> from lapwing.cluster import write_partitioned
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_partitioned(Graph.from_edges([("a", "b"), ("b", "c")]), folder + "/path")
    ...     labels_of(PartitionedGraph(folder + "/path"), {"a": "red", "c": "blue"}).classes
    ('blue', 'red')
    """
    codes = graph.codes(labels)
    rows = [Row(int(code), value, None) for code, value in zip(codes, labels.values(), strict=True)]
    return _gathered_rows(rows, "labels")


def read_sparse_labels(
    path: str | PathLike[str],
    graph: PartitionedGraph,
    *,
    node_column: Column = None,
    label_column: Column = None,
    delimiter: str | None = None,
    header: bool | None = None,
    format: str | None = None,
) -> SparseLabels:
    """Read a table of nodes and labels, as `read_labels` does, for a partitioned graph."""
    file = Path(path)
    kind = format_of(file, format)
    asked = TableOptions(node_column, label_column, False, delimiter, header)
    nodes = _NodesOnDisk(graph)
    with plain_file(file) as plain:
        if kind == "parquet":
            rows = parquet_rows(plain, file, asked, nodes)
        elif kind in TEXT:
            rows = text_rows(plain, file, asked, nodes)
        else:
            raise InputError(f"{file}: labels must be csv, tsv, txt or parquet, got {kind}")
    return _gathered_rows(rows, file)


def _gathered_rows(rows: list[Row], shown: str | Path) -> SparseLabels:
    classes = sorted({row.label for row in rows})
    code = {label: k for k, label in enumerate(classes)}
    found: dict[int, int] = {}
    for row in rows:
        if found.setdefault(row.node, code[row.label]) != code[row.label]:
            raise ReadError(shown, "a node has two different labels", line=row.line)
    nodes = np.array(sorted(found), dtype=np.int64)
    indicator = np.zeros((len(nodes), len(classes)))
    indicator[np.arange(len(nodes)), [found[int(node)] for node in nodes]] = 1.0
    return SparseLabels(nodes, indicator, tuple(map(str, classes)))


class _NodesOnDisk:
    """The names of a partitioned graph, looked up in its dictionary one at a time."""

    def __init__(self, graph: PartitionedGraph) -> None:
        self._positions = _Positions(graph)

    @property
    def names(self) -> _NodesOnDisk:
        return self

    def positions(self) -> Mapping[Hashable, int]:
        return self._positions


class _Positions(Mapping[Hashable, int]):
    """From names to nodes; the parts of the dictionary are read when they are needed."""

    def __init__(self, graph: PartitionedGraph) -> None:
        self._graph, self._parts = graph, len(graph.manifest.dictionary)
        self._kind, self._held = graph.manifest.names, dict[int, CodePart]()

    def __getitem__(self, name: Hashable) -> int:
        if isinstance(name, str) != (self._kind == "text"):
            raise KeyError(name)
        wanted = as_names([name], self._kind)
        part = int(hash_parts(wanted, self._parts)[0])
        if part not in self._held:
            self._held[part] = CodePart(codes_file(self._graph.folder, part))
        code = int(self._held[part].of(wanted)[0])
        if code < 0:
            raise KeyError(name)
        return code

    def __iter__(self) -> Iterator[Hashable]:
        raise TypeError("the names of a partitioned graph are looked up, not listed")

    def __len__(self) -> int:
        return self._graph.n_nodes
