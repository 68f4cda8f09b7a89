"""An undirected weighted graph, immutable once built."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.graph.changes import ChangingStructure
from lapwing.graph.checks import check_symmetric, check_weights, copied_if_valid
from lapwing.graph.construction import Combine, Directed, Notes, symmetric_csr
from lapwing.graph.conversion import (
    as_networkx,
    edge_index_arrays,
    networkx_columns,
    networkx_edges,
    table_columns,
)
from lapwing.graph.edge_pairs import endpoints_of
from lapwing.graph.growth import Overlay
from lapwing.graph.names import Names
from lapwing.graph.node_table import NodeTable
from lapwing.graph.structure import frozen
from lapwing.types import Nodes


class Graph(ChangingStructure):
    """An undirected weighted graph: a symmetric CSR adjacency and the names of its nodes.

    Weights are positive and there are no self-loops. Inside lapwing, nodes are always indices
    0..n-1; `names` and `index` translate between indices and names. Make a graph with `from_edges`,
    `from_scipy`, `from_networkx`, `from_table`, `from_edge_index` or `lapwing.read_graph`. `notes`
    says what was changed in the input.

    Examples
    --------
    Two triangles joined by an edge.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> graph
    Graph(6 nodes, 7 edges, 1 component)
    >>> graph.degrees.tolist()
    [2.0, 2.0, 3.0, 3.0, 2.0, 2.0]
    """

    read_from: Mapping[str, Any] | None = None
    """Where `lapwing.read_graph` found the graph, and how it was read; None for any other."""

    def __init__(
        self,
        adjacency: Any,
        names: Iterable[Hashable] | None = None,
        *,
        directed: Directed = None,
    ) -> None:
        valid = copied_if_valid(adjacency) if directed is None else None
        matrix = sparse.coo_array(adjacency) if valid is None else valid
        if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
            shape = " x ".join(map(str, matrix.shape))
            raise GraphError(f"adjacency must be square, got {shape}")
        n = matrix.shape[0]
        known = Names(range(n) if names is None else names)
        if len(known) != n:
            raise GraphError(f"names must have one entry per node, {n} in all, got {len(known)}")
        if valid is not None:
            self._set(valid, known, Notes())
            return
        (rows, cols), weights = matrix.coords, matrix.data.astype(np.float64)
        check_weights(rows, cols, weights, known)
        if directed is None:
            check_symmetric(matrix, known)
        checked, notes = symmetric_csr(n, rows, cols, weights, directed=directed or "max")
        if directed is None:
            notes = Notes(notes.self_loops, 0, notes.zero_weights)
        self._set(checked, known, notes)

    def _set(self, adjacency: sparse.csr_array, names: Names, notes: Notes) -> None:
        names.check_distinct()
        self._overlay, self._changes = Overlay(frozen(adjacency)), 0
        self._names, self.notes = names, notes

    @classmethod
    def _trusted(cls, adjacency: sparse.csr_array, names: Names, notes: Notes) -> Self:
        """Make a graph from a matrix known to be symmetric, sorted, positive and loop-free."""
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
        """Make a graph from a list of (u, v) or (u, v, weight), or from an ``(m, 2)`` array.

        Without `names`, the endpoints are the names: integers in increasing order, anything else in
        order of appearance. With `names`, the nodes are exactly those, including isolated ones;
        integer endpoints are then positions in `names`, unless the names are integers themselves.

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
            check_weights(sources, targets, weights, known)
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
        """Make a graph from a square matrix of weights, SciPy sparse or dense.

        A CSR matrix that is a graph's adjacency already (sorted, symmetric, positive, without
        loops) is checked in one pass and copied; any other is built anew.

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
        """Make a graph from a networkx graph, or anything else with `nodes` and `edges`.

        Node data become the node table. An edge without the weight attribute weighs 1. `directed`
        says how the two directions of a DiGraph are combined; it has no effect on an undirected
        graph.
        """
        edges, weights = networkx_edges(graph, weight)
        made = cls.from_edges(
            edges,
            weights=weights,
            names=list(graph.nodes),
            directed=directed if graph.is_directed() else None,
        )
        columns = networkx_columns(graph)
        return made.with_node_table(columns) if columns else made

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
        """Make a graph from a pandas, polars or Arrow table with one edge per row.

        By default the first two columns are the ends, and a column called ``weight``, if there is
        one, holds the weights.
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
        """Make a graph from PyG's ``(2, m)`` `edge_index`, which lists each edge both ways.

        Examples
        --------
        >>> Graph.from_edge_index([[0, 1, 1, 2], [1, 0, 2, 1]]).n_edges
        2
        """
        ends, weights, n = edge_index_arrays(edge_index, edge_weight, num_nodes)
        return cls.from_edges(ends, weights=weights, names=range(n), directed=directed)

    def with_node_table(self, columns: Mapping[str, Any], *, notes: str = "") -> Self:
        """Return the same graph with a node table: named columns with one value per node.

        The table does not affect equality or the graph's hash. Use `lapwing.read_nodes` to make the
        columns from a file or table with rows in any order.

        Examples
        --------
        >>> path = Graph.from_edges([("a", "b")]).with_node_table({"age": [31, 47]})
        >>> path.node_table.row(path.index("b"))
        {'age': 47}
        """
        if isinstance(columns, Mapping) and not (columns or notes or self.node_table):
            return self
        graph = type(self).__new__(type(self))
        graph.__dict__.update(self.__dict__)
        kept = notes or (columns.notes if isinstance(columns, NodeTable) else "")
        graph._node_table = NodeTable(columns, self.n_nodes, notes=kept)
        return graph

    def to_networkx(self) -> Any:
        """Return the graph as a networkx graph, with weights in the attribute ``weight``.

        The node table's values become the nodes' attributes; missing ones are left out.
        """
        graph = as_networkx(self._adjacency, self._names)
        if len(self.node_table):
            graph.add_nodes_from((name, self.node_table.present(k)) for k, name in enumerate(graph))
        return graph

    def to_scipy(self) -> sparse.csr_array:
        """Return a writable copy of the adjacency."""
        return self._adjacency.copy()

    def subgraph(self, nodes: Sequence[int] | Nodes) -> Graph:
        """Return the graph on some nodes, in the given order, with the edges between them.

        Examples
        --------
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.subgraph([2, 1]).names
        ('c', 'b')
        """
        kept = self.checked(nodes)
        if len(np.unique(kept)) < len(kept):
            raise GraphError("a subgraph's nodes must be distinct")
        graph = Graph._trusted(self._adjacency[kept][:, kept], self._names.taken(kept), Notes())
        table = self._node_table
        return graph if table is None else graph.with_node_table(table.taken(kept))

    def largest_component_nodes(self) -> Nodes:
        """Return the nodes of the largest component (the first one if there is a tie)."""
        if self.n_nodes == 0:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(self.components == np.argmax(np.bincount(self.components)))

    def largest_component(self) -> Graph:
        """Return the graph on its largest component."""
        return self if self.n_components <= 1 else self.subgraph(self.largest_component_nodes())

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
