"""Write a graph that is in memory as a partitioned graph."""

from __future__ import annotations

from dataclasses import asdict
from itertools import pairwise
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.cluster.partition.blocks import RowBlock, localised, write_block
from lapwing.cluster.partition.dictionary import (
    as_names,
    codes_file,
    hash_parts,
    names_file,
    write_codes,
    write_names,
)
from lapwing.cluster.partition.files import swapped_folder
from lapwing.cluster.partition.manifest import (
    FILE,
    BlockEntry,
    Manifest,
    NameKind,
    digest_of,
)
from lapwing.cluster.partition.order import balanced_cuts, neighbourly_order
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io.tables import check_writable
from lapwing.io.writable_names import kind_of

ENTRIES = 8_000_000
"""Entries of the adjacency in a block, unless the number of blocks is given."""
LEAST_BLOCKS = 8
PART = 1_000_000
"""Names in a part of the dictionary."""


def write_partitioned(
    graph: Graph, path: str | PathLike[str], *, blocks: int | None = None, ordered: bool = True
) -> Manifest:
    """Write a graph as a folder of row blocks that workers open, with a dictionary of its names.

    Nodes are put into an order that keeps neighbours together (`neighbourly_order`), unless
    `ordered` is false. The folder is complete or does not exist.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("x", "y")])
    >>> with TemporaryDirectory() as folder:
    ...     manifest = write_partitioned(graph, Path(folder) / "graph.parts", blocks=2)
    >>> manifest.n_edges, manifest.n_components, len(manifest.blocks)
    (3, 2, 2)
    """
    n, adjacency = graph.n_nodes, graph.adjacency
    kind: NameKind = "integers" if n == 0 or kind_of(graph.names) is int else "text"
    wanted = checked_blocks(blocks, n, adjacency.nnz)
    with swapped_folder(Path(path), check_replaceable) as folder:
        order = neighbourly_order(adjacency, wanted) if ordered else np.arange(n)
        place = np.empty(n, dtype=np.int64)
        place[order] = np.arange(n)
        least = np.full(max(graph.n_components, 1), n, dtype=np.int64)
        np.minimum.at(least, graph.components, place)
        counts = np.diff(adjacency.indptr)[order]
        cuts = balanced_cuts(counts + 4, wanted)
        weighted = bool(adjacency.nnz) and bool((adjacency.data != 1.0).any())
        names = as_names(graph.names, kind)
        entries = []
        for number, (first, stop) in enumerate(pairwise(cuts)):
            nodes = order[first:stop]
            block = _block(graph, nodes, place, first, weighted, least)
            digest = write_block(folder, number, block)
            write_names(names_file(folder, number), names[nodes])
            entries.append(
                BlockEntry(first, stop - first, len(block.ends), len(block.halo), digest,
                           digest_of(names_file(folder, number)))
            )  # fmt: skip
        sizes = np.bincount(graph.components) if n else np.zeros(1, dtype=int)
        manifest = Manifest(
            n, graph.n_edges, graph.n_components, int(sizes.max()), kind, weighted,
            tuple(entries), _write_codes(folder, names, place), asdict(graph.notes),
        )  # fmt: skip
        manifest.write(folder)
    return manifest


def _block(
    graph: Graph,
    nodes: NDArray[np.int64],
    place: NDArray[np.int64],
    first: int,
    weighted: bool,
    least: NDArray[np.int64],
) -> RowBlock:
    """The rows of some nodes, in their order, with columns in the new order.

    A row's entries are sorted by the nodes' new numbers, whether these lie inside or outside: so
    sums over them are rounded alike however many blocks there are.
    """
    rows = graph.adjacency[nodes]
    rows = sparse.csr_array((rows.data, place[rows.indices], rows.indptr), shape=rows.shape)
    rows.sort_indices()
    ends, halo = localised(first, len(nodes), rows.indices)
    weights = slim_weights(rows.data) if weighted else None
    components = least[graph.components[nodes]] if len(nodes) else np.empty(0, dtype=np.int64)
    return RowBlock(first, rows.indptr.astype(np.int64), ends, halo, weights, components)


def slim_weights(weights: NDArray[np.float64]) -> NDArray[np.float32] | NDArray[np.float64]:
    """Return the weights in single precision if that loses nothing.

    Examples
    --------
    >>> slim_weights(np.array([0.5, 2.0])).dtype, slim_weights(np.array([0.1])).dtype
    (dtype('float32'), dtype('float64'))
    """
    with np.errstate(over="ignore"):
        single = weights.astype(np.float32)
    return single if bool((single == weights).all()) else weights


def _write_codes(
    folder: Path, names: NDArray[np.generic], place: NDArray[np.int64]
) -> tuple[str, ...]:
    parts = dictionary_parts(len(names))
    where = hash_parts(names, parts)
    for part in range(parts):
        mine = np.flatnonzero(where == part)
        write_codes(codes_file(folder, part), names[mine], place[mine])
    return tuple(digest_of(codes_file(folder, part)) for part in range(parts))


def dictionary_parts(n_nodes: int) -> int:
    """How many parts the dictionary of so many names has."""
    return max(-(-n_nodes // PART), 1)


def checked_blocks(blocks: int | None, n_nodes: int, entries: int) -> int:
    """Return the number of blocks: as given, or so that each fits in a little memory."""
    if blocks is None:
        return max(min(max(LEAST_BLOCKS, -(-entries // ENTRIES)), n_nodes), 1)
    if blocks < 1:
        raise InputError(f"blocks must be at least 1, got {blocks}")
    return min(blocks, max(n_nodes, 1))


def check_replaceable(path: Path) -> None:
    """Raise unless a partitioned graph can be written there; another folder is not replaced."""
    held = (path / FILE).is_file()
    if path.exists() and not held and (not path.is_dir() or any(path.iterdir())):
        raise InputError(f"{path}: exists and is not a partitioned graph: name another folder")
    check_writable(path / FILE)
