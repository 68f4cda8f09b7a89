"""Add edges and nodes to a graph, or remove edges; node indices stay the same."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Literal, Self

import numpy as np

from lapwing.checks import one_of, several
from lapwing.errors import GraphError
from lapwing.graph.checks import check_weights
from lapwing.graph.construction import Combine, Notes
from lapwing.graph.edge_pairs import endpoints_in
from lapwing.graph.growth import Change, Overlay, changed, difference, new_weights
from lapwing.graph.names import Names
from lapwing.graph.structure import Structure, frozen


class ChangingStructure(Structure):
    """Methods of `Graph` that return a changed copy; the graph itself never changes."""

    def with_edges(
        self, edges: Any, weights: Any = None, *, parallel: Combine | Literal["replace"] = "sum"
    ) -> Self:
        """Return the graph with these edges added; unknown names become new nodes at the end.

        Existing nodes keep their indices. The new weight of an edge that already exists is added to
        the old one, as if both had been given to `from_edges`; ``parallel="max"`` keeps the larger
        of the two and ``"replace"`` takes the new one. The cost depends on the number of new edges
        only; the matrix is copied once, when it is next read.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.with_edges([("c", "d"), ("a", "b")]).edges()
        (array([0, 1, 2]), array([1, 2, 3]), array([2., 1., 1.]))
        """
        one_of("parallel", parallel, ("sum", "max", "replace"))
        sources, targets, given, names = endpoints_in(edges, weights, self._names, may_grow=True)
        values = np.ones(len(sources)) if given is None else given
        check_weights(sources, targets, values, names)
        overlay = self._writable()
        change, notes = new_weights(overlay, len(names), (sources, targets, values), parallel)
        return self._after(overlay, change, names, notes)

    def without_edges(self, edges: Any) -> Self:
        """Return the graph without these edges, each of which must exist; all nodes stay.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.without_edges([("c", "b")])
        Graph(3 nodes, 1 edge, 2 components)
        """
        sources, targets, _, names = endpoints_in(edges, None, self._names, may_grow=False)
        low, high = np.minimum(sources, targets), np.maximum(sources, targets)
        overlay = self._writable()
        missing = np.flatnonzero(overlay.weights(low, high) == 0.0)
        if len(missing):
            ends = names[int(sources[missing[0]])], names[int(targets[missing[0]])]
            raise GraphError(f"there is no edge {ends!r} to remove")
        pairs = np.unique(np.stack([low, high], axis=1), axis=0)
        change = Change(self.n_nodes, pairs[:, 0], pairs[:, 1], np.zeros(len(pairs)))
        return self._after(overlay, change, names, Notes())

    def with_nodes(self, names: Iterable[Hashable]) -> Self:
        """Return the graph with more nodes, without edges yet; existing nodes keep their indices.

        Examples
        --------
        >>> from lapwing import Graph
        >>> Graph.from_edges([("a", "b")]).with_nodes(["c"]).names
        ('a', 'b', 'c')
        """
        grown = self._names.grown(several("names", names))
        none = np.empty(0, dtype=np.intp)
        change = Change(len(grown), none, none, np.empty(0))
        return self._after(self._writable(), change, grown, Notes())

    def with_change(self, change: Change, names: Sequence[Hashable] = ()) -> Self:
        """Return the graph with new weights for some edges, by index, and new nodes at the end.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> longer = path.with_edges([("c", "d")])
        >>> path.with_change(longer.change_since(path), names=["d"]) == longer
        True
        """
        grown = self._names.grown(list(names)) if names else self._names
        if change.n_nodes != len(grown):
            raise GraphError(f"a change to {change.n_nodes} nodes must name them, got {len(grown)}")
        return self._after(self._writable(), change, grown, Notes())

    def change_since(self, earlier: ChangingStructure) -> Change:
        """Return the changes that turn an earlier graph into this one.

        This graph must start with the nodes of the earlier one, in the same order.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.with_edges([("c", "d")]).change_since(path).weights
        array([1.])
        """
        if not isinstance(earlier, ChangingStructure):
            raise GraphError(f"the earlier graph must be a Graph, got {earlier!r:.80}")
        n = earlier.n_nodes
        if n > self.n_nodes:
            raise GraphError(
                f"the graph must keep all {n} nodes of the earlier one, got {self.n_nodes}"
            )
        known = self._overlay.log_since(earlier._overlay, earlier._changes, self._changes)
        if known:
            return Change.joined(known)
        if tuple(self._names[:n]) != tuple(earlier._names[:n]):
            raise GraphError("nodes of the earlier graph must keep their names and indices")
        return difference(earlier.adjacency, self.adjacency)

    def has_edge(self, u: int, v: int) -> bool:
        """Whether an edge joins the nodes with these indices.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.has_edge(1, 0), path.has_edge(0, 2)
        (True, False)
        """
        u, v = self.checked([u, v]).tolist()
        if self._changes == len(self._overlay.log):
            return self._overlay.weight(u, v) > 0.0
        return bool(self.adjacency[u, v] > 0.0)

    def _writable(self) -> Overlay:
        """Return the overlay that records changes; a new one if another graph already used it."""
        if self._changes < len(self._overlay.log):
            return Overlay(self._adjacency)
        return self._overlay

    def _after(self, overlay: Overlay, change: Change, names: Names, notes: Notes) -> Self:
        graph = type(self).__new__(type(self))
        if overlay.is_full(len(change)):
            log = [*overlay.log, change]
            matrix = changed(overlay.base, Change.joined(log))
            graph._overlay, graph._changes = Overlay(frozen(matrix), (overlay.key, log)), 0
        else:
            graph._overlay, graph._changes = overlay, overlay.write(change)
        graph._names, graph.notes = names, notes
        if self._node_table is not None:
            graph._node_table = self._node_table.grown(len(names))
        return graph
