"""A partitioned graph: what its folder says of it, and its blocks when they are needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.cluster.partition.blocks import RowBlock, check_hashes, read_block
from lapwing.cluster.partition.dictionary import (
    as_names,
    codes_file,
    codes_of,
    names_file,
    read_names,
)
from lapwing.cluster.partition.manifest import FILE, DamagedBlockError, Manifest, digest_of
from lapwing.graph import Graph


class PartitionedGraph:
    """A graph in a folder of row blocks; nothing but its manifest is read to open it.

    Inside, nodes are numbered in the order of the blocks; `codes` and `names` translate.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from lapwing.cluster import write_partitioned
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("x", "y")])
    >>> with TemporaryDirectory() as folder:
    ...     _ = write_partitioned(graph, Path(folder) / "graph.parts", blocks=2)
    ...     parts = PartitionedGraph(Path(folder) / "graph.parts")
    ...     parts.verify()
    ...     print(parts, parts.names(parts.codes(["c", "x"])))
    PartitionedGraph(5 nodes, 3 edges, 2 blocks) ['c' 'x']
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.folder = Path(path).absolute()
        self.manifest = Manifest.read(self.folder)

    @staticmethod
    def is_in(path: str | PathLike[str]) -> bool:
        """Whether a folder holds a partitioned graph."""
        return (Path(path) / FILE).is_file()

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self.manifest.n_nodes

    @property
    def n_edges(self) -> int:
        """The number of undirected edges."""
        return self.manifest.n_edges

    @property
    def n_blocks(self) -> int:
        """The number of blocks."""
        return len(self.manifest.blocks)

    @property
    def firsts(self) -> NDArray[np.int64]:
        """The first node of each block, and the number of nodes at the end."""
        return np.array([*(each.first for each in self.manifest.blocks), self.n_nodes])

    def block(self, number: int, *, mapped: bool = True) -> RowBlock:
        """Open one block."""
        return read_block(self.folder, number, self.manifest.blocks[number], mapped=mapped)

    def blocks(self) -> Iterator[RowBlock]:
        """Open one block after the other."""
        return (self.block(number) for number in range(self.n_blocks))

    def verify(self, numbers: Iterable[int] | None = None) -> None:
        """Raise for the first block whose files are not those that were written, and name it."""
        wanted = range(self.n_blocks) if numbers is None else list(numbers)
        check_hashes(self.folder, wanted, self.manifest.blocks)
        for number in wanted:
            if digest_of(self.names_file(number)) != self.manifest.blocks[number].names_hash:
                raise DamagedBlockError(
                    f"{self.names_file(number)}: the names of block {number} are damaged"
                )
        if numbers is None:
            for part, said in enumerate(self.manifest.dictionary):
                if digest_of(codes_file(self.folder, part)) != said:
                    raise DamagedBlockError(f"{codes_file(self.folder, part)}: is damaged")

    def names_file(self, number: int) -> Path:
        """The file with the names of a block's nodes."""
        return names_file(self.folder, number)

    def codes(self, names: Iterable[Hashable]) -> NDArray[np.int64]:
        """Return the nodes of some names; raises if there is no such node."""
        wanted = as_names(names, self.manifest.names)
        return codes_of(self.folder, len(self.manifest.dictionary), wanted)

    def names(self, nodes: Any) -> NDArray[Any]:
        """Return the names of some nodes; only their blocks' names are read."""
        wanted = np.asarray(nodes, dtype=np.int64)
        found = np.empty(len(wanted), dtype=object)
        where = self.block_of(wanted)
        for number in np.unique(where).tolist():
            mine = np.flatnonzero(where == number)
            names = read_names(self.names_file(number))
            found[mine] = names[wanted[mine] - self.manifest.blocks[number].first]
        return found if self.manifest.names == "text" else found.astype(np.int64)

    def block_of(self, nodes: Any) -> NDArray[np.int64]:
        """Return the block of each node."""
        return np.asarray(np.searchsorted(self.firsts, nodes, side="right") - 1)

    def to_graph(self) -> Graph:
        """Return the whole graph in memory, its nodes in the order of the blocks."""
        parts = list(self.blocks())
        ends = np.concatenate([block.columns for block in parts])
        counts = np.concatenate([np.diff(block.starts) for block in parts])
        data = np.concatenate(
            [
                np.ones(len(block.ends)) if block.weights is None else block.weights
                for block in parts
            ]
        ).astype(np.float64)
        starts = np.concatenate([[0], np.cumsum(counts)])
        matrix = sparse.csr_array((data, ends, starts), shape=(self.n_nodes, self.n_nodes))
        names = np.concatenate([read_names(self.names_file(k)) for k in range(self.n_blocks)])
        return Graph.from_scipy(matrix, names=names.tolist())

    def __repr__(self) -> str:
        return (
            f"PartitionedGraph({self.n_nodes:,} nodes, {self.n_edges:,} edges, "
            f"{self.n_blocks:,} blocks)"
        )
