"""Online projections: one algorithm with three switches."""

from __future__ import annotations

from typing import Literal

import numpy as np

from lapwing.checks import at_least, one_of
from lapwing.learner import CanUpdateAlways
from lapwing.online.kernel.columns import KernelColumns
from lapwing.online.kernel.kernel_learner import KernelLearner
from lapwing.types import Array, Nodes

ProjectionOrder = Literal["last", "mistakes", "all"]
STRATEGIES = ("last", "mistakes", "all")


class Projections(KernelLearner, CanUpdateAlways):
    """Move the hypothesis to the nearest function that agrees with some of the labels seen.

    Algorithm 2 of Herbster, Pontil and Wainer (2005). `strategy` chooses the rounds U_t to agree
    with: "last" {t}, "mistakes" those predicted wrongly and t, "all" {1, ..., t}. On a mistake
    (y g(i) <= 0), or in every round when `aggressive`, g is projected

    - not `cyclic`: onto the functions with g(i) = y_i for all i in U_t, at once;
    - `cyclic`: onto the half-space y_t g(t) >= 1, then again and again onto that of some i in
      U_t with y_i g(i) < 0 until there is none.

    A projection costs O(d) on rows and one column on columns; "mistakes" and "all" without
    `cyclic` solve a system of |U_t| equations anew (`MNI` does that in O(t^2)).

    Parameters
    ----------
    kernel, c, start
        As for every `KernelLearner`; the paper's kernel is L+, without b and c.
    strategy, cyclic, aggressive
        The three switches. `aggressive` can be changed between rounds, as Act-st does.
    max_sweeps
        The largest number of passes over U_t in a cyclic round.

    Notes
    -----
    Departures: a margin of 0 counts as a mistake, as in the algorithm's updates. If a node appears
    again with another label, U_t keeps the later one. If no function agrees with all of U_t (rows
    of low rank), the projection is onto the least-squares solutions, and a cyclic round ends after
    `max_sweeps`; `unfinished` counts those rounds. Each cyclic pass goes through U_t in the order
    of presentation (the paper says "some").

    References
    ----------
    Herbster, Pontil, Wainer. *Online learning over graphs.* ICML 2005.

    Examples
    --------
    Two triangles joined by an edge: one label colours both.

    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Projections(laplacian(graph, rank=None))
    >>> learner.learn(0, +1)
    >>> learner.margin(np.arange(6)).round(2)
    array([ 1.  ,  0.52,  0.28, -0.44, -0.68, -0.68])
    >>> round(learner.progress, 3)
    1.44
    """

    def __init__(
        self,
        kernel: Array | KernelColumns,
        *,
        strategy: ProjectionOrder = "last",
        cyclic: bool = False,
        aggressive: bool = False,
        c: float = 0.0,
        start: Array | None = None,
        max_sweeps: int = 200,
    ) -> None:
        one_of("strategy", strategy, STRATEGIES)
        at_least("max_sweeps", max_sweeps, 1)
        super().__init__(kernel, c=c, start=start)
        self.strategy, self.cyclic, self.aggressive = strategy, cyclic, aggressive
        self.max_sweeps = max_sweeps
        self.labels: dict[int, int] = {}
        self.mistakes: dict[int, None] = {}
        self.progress = 0.0
        self.projected = 0
        self.unfinished = 0

    def _learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        margin = label * float(self.span.values(node))
        self.labels[node] = label
        if margin <= 0:
            self.mistakes[node] = None
        if margin > 0 and not self.aggressive:
            return
        if self.cyclic:
            self._into_half_space(node)
            self._cycle(self._agreeing(node))
        elif self.strategy == "last":
            self._onto(node, float(label))
        else:
            self._onto_all(self._agreeing(node))

    def _agreeing(self, node: int) -> Nodes:
        """The nodes of U_t."""
        chosen = {"last": [], "mistakes": [*self.mistakes], "all": [*self.labels]}[self.strategy]
        return np.array([*dict.fromkeys([*chosen, node])], dtype=np.intp)

    def _onto(self, node: int, target: float) -> None:
        """Project onto g(node) = target."""
        norm = float(self.span.norms(node))
        if norm > 0:
            amount = (target - float(self.span.values(node))) / norm
            self.span.add(node, amount)
            self.projected += 1
            self.progress += amount**2 * norm

    def _into_half_space(self, node: int) -> None:
        """Project onto y g(node) >= 1."""
        label = self.labels[node]
        if label * self.span.values(node) < 1:
            self._onto(node, float(label))

    def _cycle(self, nodes: Nodes) -> None:
        signs = np.array([self.labels[node] for node in nodes.tolist()])
        for _ in range(self.max_sweeps):
            wrong = nodes[signs * self.span.values(nodes) < 0].tolist()
            if not wrong:
                return
            for node in wrong:
                if self.labels[node] * self.span.values(node) < 0:
                    self._into_half_space(node)
        self.unfinished += 1

    def _onto_all(self, nodes: Nodes) -> None:
        """Project onto g(i) = y_i for all these nodes."""
        targets = np.array([self.labels[node] for node in nodes.tolist()], dtype=np.float64)
        gram = np.stack([self.span.inner(node, nodes) for node in nodes.tolist()])
        amounts = np.linalg.lstsq(gram, targets - self.span.values(nodes), rcond=1e-10)[0]
        for node, amount in zip(nodes.tolist(), amounts.tolist(), strict=True):
            self.span.add(node, amount)
        self.progress += float(amounts @ gram @ amounts)
