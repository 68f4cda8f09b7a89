"""New graphs from old ones: edges and nodes added, edges removed, indices kept."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Literal, Self

import numpy as np

from lapwing.checks import one_of
from lapwing.errors import GraphError
from lapwing.graph.checks import check_weights
from lapwing.graph.construction import Combine, Notes
from lapwing.graph.edge_pairs import endpoints_in
from lapwing.graph.growth import Change, Overlay, changed, difference, new_weights
from lapwing.graph.names import Names
from lapwing.graph.structure import Structure, frozen


class ChangingStructure(Structure):
    """A graph that makes others by adding and removing; it never changes itself."""

    def with_edges(
        self, edges: Any, weights: Any = None, *, parallel: Combine | Literal["replace"] = "sum"
    ) -> Self:
        """The graph with these edges too; names it does not know become new nodes at the end.

        Old nodes keep their indices. An edge that is there already gets heavier by the new
        weight, as if both had been given to `from_edges`; ``parallel="max"`` keeps the larger of
        the two, ``"replace"`` takes the new one. The cost is that of the new edges until the
        matrix is read, and then one copy of it.

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
        """The graph without these edges, each of which must be there; no node goes.

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
        """The graph with more nodes, joined to nothing yet; old nodes keep their indices.

        Examples
        --------
        >>> from lapwing import Graph
        >>> Graph.from_edges([("a", "b")]).with_nodes(["c"]).names
        ('a', 'b', 'c')
        """
        grown = self._names.grown(list(names))
        none = np.empty(0, dtype=np.intp)
        change = Change(len(grown), none, none, np.empty(0))
        return self._after(self._writable(), change, grown, Notes())

    def change_since(self, earlier: ChangingStructure) -> Change:
        """What must change in an earlier graph to make it this one, which has its nodes first.

        Examples
        --------
        >>> from lapwing import Graph
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> path.with_edges([("c", "d")]).change_since(path).weights
        array([1.])
        """
        n = earlier.n_nodes
        if n > self.n_nodes:
            raise GraphError(f"the graph must hold all {n} nodes it had, got {self.n_nodes}")
        if self._overlay is earlier._overlay and earlier._changes < self._changes:
            return Change.joined(self._overlay.log[earlier._changes : self._changes])
        if tuple(self._names[:n]) != tuple(earlier._names[:n]):
            raise GraphError("the nodes it had must keep their names and indices")
        return difference(earlier.adjacency, self.adjacency)

    def _writable(self) -> Overlay:
        """Where this graph's changes are written down: its own place if another has written."""
        if self._changes < len(self._overlay.log):
            return Overlay(self._adjacency)
        return self._overlay

    def _after(self, overlay: Overlay, change: Change, names: Names, notes: Notes) -> Self:
        graph = type(self).__new__(type(self))
        if overlay.is_full(len(change)):
            matrix = changed(overlay.matrix(len(overlay.log)), change)
            graph._overlay, graph._changes = Overlay(frozen(matrix)), 0
        else:
            graph._overlay, graph._changes = overlay, overlay.write(change)
        graph._names, graph.notes = names, notes
        if self._node_table is not None:
            graph._node_table = self._node_table.grown(len(names))
        return graph
