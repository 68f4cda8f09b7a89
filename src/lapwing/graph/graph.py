"""An undirected weighted graph, immutable once built."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.card import card
from lapwing.errors import GraphError, UnknownNodeError
from lapwing.graph.build import Combine, Directed, Notes, first_bad_weight, symmetric_csr
from lapwing.graph.convert import (
    as_networkx,
    edge_index_arrays,
    networkx_edges,
    table_columns,
)
from lapwing.graph.facts import facts
from lapwing.graph.names import Names
from lapwing.graph.pairs import endpoints_of
from lapwing.types import Array, Nodes


class Graph:
    """A symmetric CSR adjacency with positive weights and no self-loops, and the nodes' names.

    Nodes are indices 0..n-1 everywhere inside lapwing; `names` and `index` translate at the
    door. Make one with `from_edges`, `from_scipy`, `from_networkx`, `from_table`,
    `from_edge_index` or `lapwing.read_graph`. `notes` tells what was done to the input.

    Examples
    --------
    Two triangles joined by an edge.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> graph
    Graph(6 nodes, 7 edges, 1 component)
    >>> graph.degrees.tolist()
    [2.0, 2.0, 3.0, 3.0, 2.0, 2.0]
    """

    _adjacency: sparse.csr_array
    _names: Names
    notes: Notes

    def __init__(
        self,
        adjacency: Any,
        names: Iterable[Hashable] | None = None,
        *,
        directed: Directed = None,
    ) -> None:
        matrix = sparse.coo_array(adjacency)
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            shape = " x ".join(map(str, matrix.shape))
            raise GraphError(f"adjacency must be square, got {shape}")
        n = matrix.shape[0]
        known = Names(range(n) if names is None else names)
        if len(known) != n:
            raise GraphError(f"graph has {n} nodes, so it needs {n} names, got {len(known)}")
        (rows, cols), weights = matrix.coords, matrix.data.astype(np.float64)
        _check_weights(rows, cols, weights, known)
        if directed is None:
            _check_symmetric(matrix, known)
        checked, notes = symmetric_csr(n, rows, cols, weights, directed=directed or "max")
        if directed is None:
            notes = Notes(notes.self_loops, 0, notes.zero_weights)
        self._set(checked, known, notes)

    def _set(self, adjacency: sparse.csr_array, names: Names, notes: Notes) -> None:
        names.check_distinct()
        self._adjacency, self._names, self.notes = _frozen(adjacency), names, notes

    @classmethod
    def _trusted(cls, adjacency: sparse.csr_array, names: Names, notes: Notes) -> Self:
        """A graph from what is known to be symmetric, sorted, positive and without loops."""
        graph = cls.__new__(cls)
        graph._set(adjacency, names, notes)
        return graph

    @classmethod
    def from_edges(
        cls,
        edges: Any,
        *,
        weights: Any = None,
        names: Iterable[Hashable] | None = None,
        parallel: Combine = "sum",
        directed: Directed = None,
    ) -> Self:
        """A graph from pairs of nodes: a list of pairs or (u, v, weight), or an ``(m, 2)`` array.

        Without `names`, the endpoints are the names: integers in rising order, anything else
        in order of appearance. With `names` the nodes are exactly those (isolated ones too);
        integer endpoints then are positions in `names`, unless the names are integers.

        Examples
        --------
        >>> Graph.from_edges([("a", "b"), ("b", "c")], weights=[1.0, 2.5]).names
        ('a', 'b', 'c')
        >>> Graph.from_edges([("a", "b"), ("c", "d")]).names
        ('a', 'b', 'c', 'd')
        >>> Graph.from_edges([(0, 1)], names=["a", "b", "alone"])
        Graph(3 nodes, 1 edge, 2 components)
        """
        sources, targets, weights, known = endpoints_of(edges, weights, names)
        if weights is not None:
            _check_weights(sources, targets, weights, known)
        adjacency, notes = symmetric_csr(
            len(known), sources, targets, weights, parallel=parallel, directed=directed
        )
        return cls._trusted(adjacency, known, notes)

    @classmethod
    def from_scipy(
        cls,
        adjacency: Any,
        *,
        names: Iterable[Hashable] | None = None,
        directed: Directed = None,
    ) -> Self:
        """A graph from any SciPy sparse or dense square matrix of weights.

        Examples
        --------
        >>> Graph.from_scipy(np.array([[0, 2], [2, 0]])).n_edges
        1
        """
        return cls(adjacency, names, directed=directed)

    @classmethod
    def from_networkx(
        cls, graph: Any, *, weight: str = "weight", directed: Directed = "max"
    ) -> Self:
        """A graph from a networkx one, or anything with its `nodes` and `edges`.

        An edge without the weight attribute weighs 1; `directed` says how a DiGraph's two
        directions become one and does nothing to an undirected graph.
        """
        edges, weights = networkx_edges(graph, weight)
        return cls.from_edges(
            edges,
            weights=weights,
            names=list(graph.nodes),
            directed=directed if graph.is_directed() else None,
        )

    @classmethod
    def from_table(
        cls,
        table: Any,
        *,
        source: str | None = None,
        target: str | None = None,
        weight: str | None = None,
        directed: Directed = None,
    ) -> Self:
        """A graph from a pandas, polars or Arrow table with one edge a row.

        Without column names, the first two columns are the ends, and a column called
        ``weight``, if any, the weights.
        """
        sources, targets, weights = table_columns(table, source, target, weight)
        return cls.from_edges((sources, targets), weights=weights, directed=directed)

    @classmethod
    def from_edge_index(
        cls,
        edge_index: Any,
        *,
        edge_weight: Any = None,
        num_nodes: int | None = None,
        directed: Directed = "max",
    ) -> Self:
        """A graph from PyG's ``(2, m)`` `edge_index`, which lists both directions of an edge.

        Examples
        --------
        >>> Graph.from_edge_index([[0, 1, 1, 2], [1, 0, 2, 1]]).n_edges
        2
        """
        ends, weights, n = edge_index_arrays(edge_index, edge_weight, num_nodes)
        return cls.from_edges(ends, weights=weights, names=range(n), directed=directed)

    def to_networkx(self) -> Any:
        """The same graph in networkx, weights in the attribute ``weight``."""
        return as_networkx(self._adjacency, self._names)

    def to_scipy(self) -> sparse.csr_array:
        """A copy of the adjacency that may be written to."""
        return self._adjacency.copy()

    def edges(self) -> tuple[Nodes, Nodes, Array]:
        """Each edge once: the smaller ends, the larger ends, the weights.

        Examples
        --------
        >>> Graph.from_edges([(0, 1), (2, 1)]).edges()
        (array([0, 1]), array([1, 2]), array([1., 1.]))
        """
        upper = sparse.coo_array(sparse.triu(self._adjacency, 1))
        rows, cols = upper.coords
        order = np.lexsort((cols, rows))
        return rows[order].astype(np.intp), cols[order].astype(np.intp), upper.data[order]

    @property
    def adjacency(self) -> sparse.csr_array:
        """The symmetric weight matrix in CSR form; its arrays cannot be written to."""
        return self._adjacency

    @property
    def names(self) -> Names:
        """The nodes' names, in index order."""
        return self._names

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return int(self._adjacency.shape[0])

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
        return _read_only(np.asarray(self._adjacency.sum(axis=1), dtype=np.float64).ravel())

    @cached_property
    def components(self) -> Nodes:
        """Each node's component; component 0 holds node 0, and so on in order of appearance."""
        _, labels = csgraph.connected_components(self._adjacency, directed=False)
        return _read_only(np.asarray(labels, dtype=np.intp))

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

    def subgraph(self, nodes: Sequence[int] | Nodes) -> Graph:
        """The graph on some nodes, in the order given, with the edges between them.

        Examples
        --------
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.subgraph([2, 1]).names
        ('c', 'b')
        """
        kept = self.checked(nodes)
        if len(np.unique(kept)) < len(kept):
            raise GraphError("a subgraph's nodes must be distinct")
        return Graph._trusted(self._adjacency[kept][:, kept], self._names.taken(kept), Notes())

    def largest_component_nodes(self) -> Nodes:
        """The nodes of the largest component (the first of them if several are as large)."""
        if self.n_nodes == 0:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(self.components == np.argmax(np.bincount(self.components)))

    def largest_component(self) -> Graph:
        """The graph on its largest component."""
        return self if self.n_components <= 1 else self.subgraph(self.largest_component_nodes())

    def checked(self, nodes: Any) -> Nodes:
        """The nodes as an index array; an error for one that is not in the graph (-1 is not)."""
        array = np.atleast_1d(np.asarray(nodes))
        if array.size == 0:
            return array.astype(np.intp)
        if array.dtype.kind not in "iu":
            raise UnknownNodeError(f"nodes must be integer indices, got {array.dtype}")
        outside = (array < 0) | (array >= self.n_nodes)
        if outside.any():
            raise UnknownNodeError(
                f"nodes must lie in 0..{self.n_nodes - 1}, got {array[np.argmax(outside)]}"
            )
        return array.astype(np.intp)

    def __len__(self) -> int:
        return self.n_nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self.hash == other.hash and self.names == other.names

    def __hash__(self) -> int:
        return hash(self.hash)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

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
        return card("Graph", facts(self._adjacency, self._names, self.components, self.notes))


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _frozen(adjacency: sparse.csr_array) -> sparse.csr_array:
    matrix = sparse.csr_array(adjacency)
    matrix.sort_indices()
    for array in (matrix.data, matrix.indices, matrix.indptr):
        _read_only(array)
    return matrix


def _check_weights(sources: Nodes, targets: Nodes, weights: Array, names: Names) -> None:
    bad = first_bad_weight(weights)
    if bad is not None:
        ends = (names[int(sources[bad])], names[int(targets[bad])])
        raise GraphError(
            f"edge weights must be positive and finite, edge {bad} {ends!r} has {weights[bad]}"
        )


def _check_symmetric(matrix: sparse.coo_array, names: Names) -> None:
    matrix = sparse.csr_array(matrix)
    difference = abs(matrix - matrix.T)
    if difference.nnz and difference.max() > 1e-12 * abs(matrix).max():
        at = int(np.argmax(difference.tocoo().data))
        i, j = (int(c[at]) for c in difference.tocoo().coords)
        raise GraphError(
            f"adjacency must be symmetric, weight of {(names[i], names[j])!r} is {matrix[i, j]:g} "
            f"one way and {matrix[j, i]:g} the other; "
            'a directed graph needs directed="max" or directed="sum"'
        )
