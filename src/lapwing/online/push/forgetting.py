"""Forgetting: labels and edges that fade with a half-life."""

from __future__ import annotations

from typing import Literal

import numpy as np

from lapwing.checks import one_of, positive
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.growth import Change, weights_before
from lapwing.learner import CanGrow, CanTellTime, CanWithdraw, HowItGrows, Learner
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.kernel_columns import scratch_arrays
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array, Index

FADED = 2.0**-40
"""A label that has faded this far is withdrawn."""
RESCALED = 2.0**10
"""New edges are scaled up to this factor; then all edges are scaled down."""


class Forgetting(Learner, CanWithdraw, CanGrow, CanTellTime):
    """A push learner whose labels and edges count less as they age.

    A label that is t old counts as :math:`2^{-t / h}` of a new one, h the half-life, and an edge
    likewise. Nothing is approximated: after every event, the scores are those of the current graph
    with faded weights and labels, up to the learner's residual bound. Labels fade by the same
    residuals by which they are told, one small change for each label. Edges fade at no cost at all:
    the diffusions depend on ratios of weights only, so new edges are scaled up instead of old ones
    down. When an edge's weight rises, the rise is new and the rest keeps its age; when it drops,
    all of it drops alike.

    Parameters
    ----------
    learner
        A push learner, such as `PushLGC`, `PushRidge` or `Auto`, without labels yet.
    labels, edges
        The half-lives; None: they do not fade.
    clock
        ``"events"``: every round and every growth is one unit of time. ``"time"``: time passes with
        `advance`.

    Examples
    --------
    >>> from lapwing.online.push import PushLGC
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> learner = Forgetting(PushLGC(star), labels=10.0, clock="time")
    >>> learner.learn(1, 0)
    >>> learner.advance(10.0)
    >>> learner.learn(2, 1)
    >>> scores = learner.scores(3)
    >>> round(float(scores[1] / scores[0]), 6)
    2.0
    """

    def __init__(
        self,
        learner: PushLearner,
        *,
        labels: float | None = None,
        edges: float | None = None,
        clock: Literal["events", "time"] = "events",
    ) -> None:
        for name, value in (("labels", labels), ("edges", edges)):
            if value is not None:
                positive(name, value)
        one_of("clock", clock, ("events", "time"))
        if learner.state.label_weight.any():
            raise InputError("a learner that is to forget must have no labels yet")
        self.inner, self.graph = learner, learner.graph
        self.n_nodes, self.fixed_classes, self.signed = (
            learner.n_nodes,
            learner.fixed_classes,
            learner.signed,
        )
        self._half_lives, self.clock = (labels, edges), clock
        self.now = self._origin = 0.0
        self._told: dict[int, float] = {}

    @property
    def n_classes(self) -> int:
        return self.inner.n_classes

    @property
    def grows(self) -> HowItGrows:
        return "exactly"

    def advance(self, now: float) -> None:
        """Set the time; every label fades accordingly."""
        if not (np.isfinite(now) and now >= self.now):
            raise InputError(f"time must not go back: it is {self.now}, got {now}")
        self.now = float(now)
        self._fade()

    def strength(self, node: int) -> float:
        """How much of a node's label is left, between 0 and 1."""
        half_life = self._half_lives[0]
        if node not in self._told:
            return 0.0
        return (
            1.0 if half_life is None else float(2.0 ** ((self._told[node] - self.now) / half_life))
        )

    def _fade(self) -> None:
        if self._half_lives[0] is None:
            return
        state, base = self.inner.state, self.inner.asking.label_weight
        for node in list(self._told):
            left = self.strength(node)
            if left < FADED:
                self._withdraw(node)
            else:
                state.fade(node, base * left, left)
        state.settle()

    def _tick(self) -> None:
        if self.clock == "events":
            self.advance(self.now + 1.0)

    def _scores(self, nodes: Index) -> Array:
        return self.inner._scores(nodes)

    def _predict_proba(self, nodes: Index) -> Array:
        return self.inner._predict_proba(nodes)

    def _queries(self, node: int) -> bool:
        return self.inner._queries(node)

    def _learn(self, node: int, label: int | None) -> None:
        self._tick()
        if label is not None:
            self._renew(node)
        self.inner._learn(node, label)
        if label is not None:
            self._told[node] = self.now

    def _renew(self, node: int) -> None:
        """Let a faded label count fully before another is told, which replaces it."""
        if node in self._told:
            self.inner._withdraw(node)

    def _withdraw(self, node: int) -> None:
        self._told.pop(node, None)
        self.inner._withdraw(node)

    def _grow(self, graph: Graph, change: Change) -> None:
        self._tick()
        new = graph.names[self.n_nodes :]
        inner = self.inner.graph.with_nodes(new) if len(new) else self.inner.graph
        self.inner.grow(self._scaled(inner, change))
        self.n_nodes = graph.n_nodes
        self._fade()

    def _scaled(self, inner: Graph, change: Change) -> Graph:
        """The learner's own graph after a change, with new weights scaled up."""
        scale = self._scale()
        if scale > RESCALED:
            halvings = np.floor(np.log2(scale))
            lower = inner.adjacency * 2.0**-halvings
            self._begin_again_on(Graph.from_scipy(lower, names=inner.names))
            inner = self.inner.graph
            self._origin += (self._half_lives[1] or 1.0) * halvings
            scale = self._scale()
        plain, held = (
            weights_before(self.graph.adjacency, change),
            weights_before(inner.adjacency, change),
        )
        risen = change.weights > plain
        lowered = np.divide(change.weights, plain, out=np.zeros_like(held), where=plain > 0)
        after = np.where(risen, held + scale * (change.weights - plain), held * lowered)
        return inner.with_change(Change(change.n_nodes, change.sources, change.targets, after))

    def _begin_again_on(self, graph: Graph) -> None:
        """Solve the diffusions from scratch on another scale, once in ten half-lives."""
        before, learner = self.inner.state, self.inner
        alpha, ridge, tolerance, lazy = before.members
        state = Diffusions(
            graph.adjacency,
            alpha=alpha,
            ridge=ridge,
            tolerance=tolerance,
            lazy=float(lazy[0]),
            n_classes=before.room,
        )
        state.n_classes = before.n_classes
        learner.state, learner.graph, learner.n_nodes = state, graph, graph.n_nodes
        learner.asking = learner.asking._replace(
            label_weight=state.mean_weight, scratch=scratch_arrays(graph.n_nodes)
        )
        for node in self._told:
            state.tell(node, before.targets[node], state.mean_weight)
        learner.recount()

    def _scale(self) -> float:
        half_life = self._half_lives[1]
        return 1.0 if half_life is None else float(2.0 ** ((self.now - self._origin) / half_life))
