"""Answer `UNKNOWN` for nodes that no label can reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import Learner, Trace, WrapsLearner, within_reach
from lapwing.linalg.push.spare_space import lengthened
from lapwing.types import UNKNOWN, Array, Index, Nodes


class Reached(WrapsLearner):
    """A learner that answers `UNKNOWN` in every component in which no label is known yet.

    Labels say nothing about other components of the graph. Without this class, the constant column
    of the rows would predict the most common class there. Everything else is passed on to the inner
    learner.

    Examples
    --------
    >>> from lapwing import Graph, make
    >>> pairs = Graph.from_edges([(0, 1), (2, 3)])
    >>> learner = make("ollgc", pairs)
    >>> learner.learn(0, 0)
    >>> learner.predict(np.arange(4))
    array([ 0,  0, -1, -1])
    """

    def __init__(self, inner: Learner, components: Nodes) -> None:
        super().__init__(inner)
        self.components = components
        self.told = np.zeros(self.n_nodes, dtype=bool)
        self.labelled = np.zeros(int(components.max(initial=-1)) + 1, dtype=bool)

    def __repr__(self) -> str:
        return f"Reached({self.inner!r})"

    def grow(self, graph: Graph) -> None:
        super().grow(graph)
        self.components = graph.components
        self.told = lengthened(self.told, self.n_nodes)
        self.labelled = np.zeros(graph.n_components, dtype=bool)
        self.labelled[self.components[self.told]] = True

    def _scores(self, nodes: Index) -> Array:
        reached = within_reach(self.components[nodes], self.labelled)
        return np.where(reached[..., None], self.inner._scores(nodes), 0.0)

    def _learn(self, node: int, label: int | None) -> None:
        self.inner._learn(node, label)
        if label is not None:
            self.told[node] = self.labelled[self.components[node]] = True

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        trace = self.inner._stream(nodes, labels, always=always)
        places = self.components[nodes]
        first = np.full(len(self.labelled), len(nodes))
        np.minimum.at(first, places[trace.queried], np.flatnonzero(trace.queried))
        known = within_reach(places, self.labelled) | (first[places] < np.arange(len(nodes)))
        self.labelled[places[trace.queried]] = True
        self.told[nodes[trace.queried]] = True
        return replace(trace, guesses=np.where(known, trace.guesses, UNKNOWN))
