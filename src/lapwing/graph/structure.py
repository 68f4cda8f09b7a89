"""Properties of a graph that has been built."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.card import card
from lapwing.checks import many_nodes, one_node
from lapwing.graph.construction import Notes
from lapwing.graph.growth import Overlay
from lapwing.graph.names import Names
from lapwing.graph.node_table import NodeTable
from lapwing.types import Array, Nodes

HASHED = 2**20
"""Entries that are converted at a time for the digest."""
SHOWN_NAMES = 6
"""How many names of nodes a notebook shows."""


class Structure:
    """Nodes, edges, names, degrees, components and digest of a graph; see `Graph`."""

    _overlay: Overlay
    _changes: int
    _names: Names
    _node_table: NodeTable | None = None
    notes: Notes

    @cached_property
    def _adjacency(self) -> sparse.csr_array:
        """Build the matrix when it is first read, applying all recorded changes."""
        return frozen(self._overlay.matrix(self._changes))

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric weight matrix in CSR form; its arrays are read-only."""
        return self._adjacency

    @property
    def names(self) -> Names:
        """The names of the nodes, in index order."""
        return self._names

    @property
    def node_table(self) -> NodeTable:
        """The node table: further columns about the nodes; not part of `hash`."""
        return NodeTable({}, self.n_nodes) if self._node_table is None else self._node_table

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self._names)

    @property
    def n_edges(self) -> int:
        """The number of undirected edges."""
        return int(self._adjacency.nnz // 2)

    def index(self, name: Hashable) -> int:
        """Return the index of the node with that name."""
        return self._names.index(name)

    def indices(self, names: Iterable[Hashable]) -> Nodes:
        """Return the indices of several names."""
        return np.array([self._names.index(name) for name in names], dtype=np.intp)

    def neighbors(self, node: int) -> Nodes:
        """Return the neighbours of a node, in increasing order."""
        node = one_node(node, self.n_nodes)
        start, stop = self._adjacency.indptr[node : node + 2]
        return np.asarray(self._adjacency.indices[start:stop], dtype=np.intp)

    @cached_property
    def degrees(self) -> Array:
        """The sum of each node's edge weights."""
        adjacency = self._adjacency
        if adjacency.nnz and adjacency.data.strides == (0,):
            return read_only(np.diff(adjacency.indptr) * adjacency.data[0])
        return read_only(np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel())

    @cached_property
    def components(self) -> Nodes:
        """The component of each node; components are numbered in order of appearance."""
        if not self.n_nodes:
            return read_only(np.empty(0, dtype=np.intp))
        return read_only(_joined(self._adjacency.indptr, self._adjacency.indices))

    @property
    def n_components(self) -> int:
        """The number of connected components."""
        return int(self.components.max()) + 1 if self.n_nodes else 0

    @cached_property
    def hash(self) -> str:
        """A stable digest of structure and weights (not names), used as the key of caches."""
        digest = hashlib.sha256(f"lapwing graph {self.n_nodes}".encode())
        for array, kind in (
            (self._adjacency.indptr, "<i8"),
            (self._adjacency.indices, "<i8"),
            (self._adjacency.data, "<f8"),
        ):
            for first in range(0, len(array), HASHED):
                part = array[first : first + HASHED]
                digest.update(np.ascontiguousarray(part, dtype=kind).data)
        return digest.hexdigest()

    def edges(self) -> tuple[Nodes, Nodes, Array]:
        """Return each edge once: the smaller ends, the larger ends and the weights.

        Examples
        --------
        >>> from lapwing import Graph
        >>> Graph.from_edges([(0, 1), (2, 1)]).edges()
        (array([0, 1]), array([1, 2]), array([1., 1.]))
        """
        upper = sparse.coo_array(sparse.triu(self._adjacency, 1))
        rows, cols = upper.coords
        order = np.lexsort((cols, rows))
        return rows[order].astype(np.intp), cols[order].astype(np.intp), upper.data[order]

    def checked(self, nodes: Any) -> Nodes:
        """Return the nodes as an index array; raise if one is not in the graph (such as -1)."""
        return many_nodes([nodes] if np.ndim(nodes) == 0 else nodes, self.n_nodes)

    def __len__(self) -> int:
        return self.n_nodes

    def __repr__(self) -> str:
        def counted(count: int, word: str) -> str:
            return f"{count:,} {word}{'' if count == 1 else 's'}"

        parts = (
            counted(self.n_nodes, "node"),
            counted(self.n_edges, "edge"),
            counted(self.n_components, "component"),
        )
        return f"Graph({', '.join(parts)})"

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        found = _facts(self._adjacency, self._names, self.components, self.notes)
        if self.node_table:
            found.append(("node table", ", ".join(self.node_table)))
        return card("Graph", found)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Make the array read-only and return it."""
    array.flags.writeable = False
    return array


def frozen(adjacency: sparse.csr_array) -> sparse.csr_array:
    """Return the matrix with sorted rows and read-only arrays; equal weights are stored once.

    Weights that are all the same become a view of one number, with as many elements as entries.

    Examples
    --------
    >>> frozen(sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))).data.strides
    (0,)
    """
    matrix = sparse.csr_array(adjacency)
    matrix.has_sorted_indices = adjacency.has_sorted_indices
    matrix.sort_indices()
    matrix.data = stored_once(matrix.data)
    for array in (matrix.data, matrix.indices, matrix.indptr):
        read_only(array)
    return matrix


def stored_once(weights: Array) -> Array:
    """Return the weights, as a view of one number if they are all the same."""
    if not len(weights) or weights.strides == (0,) or weights[0] != weights[-1]:
        return weights
    for first in range(0, len(weights), HASHED):
        if not (weights[first : first + HASHED] == weights[0]).all():
            return weights
    return np.broadcast_to(weights[:1].copy(), len(weights))


def _facts(
    adjacency: sparse.csr_array, names: Names, components: Nodes, notes: Notes
) -> list[tuple[str, str]]:
    """Return names and values for display, including the first few node names."""
    n, weights = adjacency.shape[0], adjacency.data
    found = [("nodes", f"{n:,}"), ("edges", f"{adjacency.nnz // 2:,}")]
    if n == 0:
        return found
    counts, sizes = np.diff(adjacency.indptr), np.bincount(components)
    largest = "" if len(sizes) == 1 else f", the largest has {sizes.max():,} nodes"
    found += [
        ("components", f"{len(sizes):,}{largest}"),
        ("neighbours", f"{counts.min()} to {counts.max():,}, median {np.median(counts):g}"),
    ]
    if len(weights) and weights.min() != weights.max():
        found.append(("weights", f"{weights.min():.3g} to {weights.max():.3g}"))
    first = ", ".join(str(names[node]) for node in range(min(n, SHOWN_NAMES)))
    more = ", ..." if n > SHOWN_NAMES else ""
    return [*found, ("names", first + more), ("input", str(notes))]


@njit(cache=True, nogil=True)
def _joined(indptr: Nodes, indices: NDArray[np.int32]) -> Nodes:
    """The component of each node: all nodes of one point, through smaller ones, to its first."""
    n = len(indptr) - 1
    smaller, component = np.arange(n), np.empty(n, dtype=np.intp)
    for node in range(n):
        first = node
        for k in range(indptr[node], indptr[node + 1]):
            other = int(indices[k])
            if other > node:
                continue
            while smaller[other] != other:
                smaller[other] = smaller[smaller[other]]
                other = int(smaller[other])
            if other < first:
                smaller[first] = other
                first = other
            else:
                smaller[other] = first
    count = 0
    for node in range(n):
        if smaller[node] == node:
            component[node] = count
            count += 1
        else:
            component[node] = component[smaller[node]]
    return component
