"""What a graph tells of itself, once it is built."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.card import card
from lapwing.checks import many_nodes
from lapwing.graph.construction import Notes
from lapwing.graph.facts import facts
from lapwing.graph.growth import Overlay
from lapwing.graph.names import Names
from lapwing.graph.node_table import NodeTable
from lapwing.types import Array, Nodes


class Structure:
    """Nodes, edges, names, degrees, components and a digest; `Graph` says how one is made."""

    _overlay: Overlay
    _changes: int
    _names: Names
    _node_table: NodeTable | None = None
    notes: Notes

    @cached_property
    def _adjacency(self) -> sparse.csr_array:
        """Made when it is first read: changes written down before are made now."""
        return frozen(self._overlay.matrix(self._changes))

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric weight matrix in CSR form; its arrays cannot be written to."""
        return self._adjacency

    @property
    def names(self) -> Names:
        """The nodes' names, in index order."""
        return self._names

    @property
    def node_table(self) -> NodeTable:
        """What is known of the nodes besides edges and classes; not part of `hash`."""
        return NodeTable({}, self.n_nodes) if self._node_table is None else self._node_table

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self._names)

    @property
    def n_edges(self) -> int:
        """How many undirected edges there are."""
        return int(self._adjacency.nnz // 2)

    def index(self, name: Hashable) -> int:
        """The index of the node of that name."""
        return self._names.index(name)

    def indices(self, names: Iterable[Hashable]) -> Nodes:
        """The indices of several names."""
        return np.array([self._names.index(name) for name in names], dtype=np.intp)

    def neighbors(self, node: int) -> Nodes:
        """The nodes joined to one node, in rising order."""
        start, stop = self._adjacency.indptr[node : node + 2]
        return np.asarray(self._adjacency.indices[start:stop], dtype=np.intp)

    @cached_property
    def degrees(self) -> Array:
        """The sum of each node's edge weights."""
        return read_only(np.asarray(self._adjacency.sum(axis=1), dtype=np.float64).ravel())

    @cached_property
    def components(self) -> Nodes:
        """Each node's component; component 0 holds node 0, and so on in order of appearance."""
        _, labels = csgraph.connected_components(self._adjacency, directed=False)
        return read_only(np.asarray(labels, dtype=np.intp))

    @property
    def n_components(self) -> int:
        """How many connected components there are."""
        return int(self.components.max()) + 1 if self.n_nodes else 0

    @cached_property
    def hash(self) -> str:
        """A stable digest of structure and weights (not of names): the key of every cache."""
        digest = hashlib.sha256(f"lapwing graph {self.n_nodes}".encode())
        for array, kind in (
            (self._adjacency.indptr, "<i8"),
            (self._adjacency.indices, "<i8"),
            (self._adjacency.data, "<f8"),
        ):
            digest.update(np.ascontiguousarray(array, dtype=kind).data)
        return digest.hexdigest()

    def edges(self) -> tuple[Nodes, Nodes, Array]:
        """Each edge once: the smaller ends, the larger ends, the weights.

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
        """The nodes as an index array; an error for one that is not in the graph (-1 is not)."""
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
        """What a notebook shows."""
        found = facts(self._adjacency, self._names, self.components, self.notes)
        if self.node_table:
            found.append(("node table", ", ".join(self.node_table)))
        return card("Graph", found)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """The same array, which cannot be written to from now on."""
    array.flags.writeable = False
    return array


def frozen(adjacency: sparse.csr_array) -> sparse.csr_array:
    """The matrix with sorted rows, and arrays that cannot be written to."""
    matrix = sparse.csr_array(adjacency)
    matrix.sort_indices()
    for array in (matrix.data, matrix.indices, matrix.indptr):
        read_only(array)
    return matrix
