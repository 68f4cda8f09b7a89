"""Combine nearby labels with a node's position in the graph, for few labels."""

from __future__ import annotations

from functools import cache

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import (
    CanDoubt,
    CanGrow,
    CanMakeRoom,
    CanPostpone,
    HowItGrows,
    Learner,
    Slips,
)
from lapwing.linalg.push.masses import mean_mass, own_mass
from lapwing.online.near_far.spectral_regression import Far
from lapwing.online.near_far.spectral_rows import SpectralRows
from lapwing.online.near_far.temperature import Temperature
from lapwing.online.push import PushLGC
from lapwing.online.push.member import EXACT, SMALL
from lapwing.types import Array, Index, Nodes

ALPHA, EPS = 0.95, 1e-3
"""How far a label's mass spreads, and its tolerance on a graph of unit degrees."""
SMOOTHING = 25.0
"""Number of labels at whose mean mass nearby labels count half."""
REFIT = 50
"""The regression is fitted again when one label in this many is new."""
LEAST = 1e-3
"""Added to every probability before its logarithm."""
CLOSE = 1.25
"""The tolerance follows a growing graph when it is off by more than this factor."""


class NearFar(Learner, CanDoubt, CanMakeRoom, CanGrow, CanPostpone):
    r"""For labelling sessions: accurate and calibrated from the first labels on.

    *Near*: with :math:`F_{vk}` the mass that labels of class k have at v (personalised PageRank
    by pushes, as `PushLGC`; in units of what one label leaves on a node on average),
    :math:`p^{near}_{vk} = (F_{vk} + \lambda / K) / (\sum_j F_{vj} + \lambda)`. *Far*:
    :math:`p^{far}_v` is logistic regression on unit rows of the normalised Laplacian's smoothest
    directions. The answer is

    .. math:: p_{vk} \propto (p^{near}_{vk}\, p^{far}_{vk})^t ,

    with the temperature t learned from the predictions for each node before its answer, with more
    weight on the latest (`Temperature`). Where labels are sparse, the rows decide; where they are
    dense, the nearby labels, which count twice on a graph without rows. A label costs local work
    and one small regression (at each of the first 50 labels, at every second up to 100, and so on;
    at once when a class is new, or a label is changed or withdrawn).

    As long as all m labels say the same class, its probability is (m + 1) / (m + 2) wherever a
    label can be reached: nothing tells yet how many nodes have another.

    When the graph grows, the masses follow exactly; rows follow by interpolation, and their
    eigenvectors are refreshed from where they are when more than 2% of the edge weight has changed
    since (`SpectralRows`; `history` says when).

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes; None adds classes as they appear.
    rank
        Number of eigenvectors: 0 for none; None for 24 to 32, on tiny graphs one per five nodes
        (`lapwing.embed.learning_rows.usual_rank`). They are spread over the graph at large.

    Departures: our own method; measured in `bench.active` against each library's own predictor.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = NearFar(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> learner.predict_proba(1).round(1)
    array([0.8, 0.2])
    """

    def __init__(
        self, graph: Graph, n_classes: int | None = None, *, rank: int | None = None
    ) -> None:
        if rank is not None and rank != 0 and rank < 2:
            raise InputError(f"rank must be 0 or at least 2, got {rank}")
        n = graph.n_nodes
        self.graph, self.n_nodes, self.fixed_classes = graph, n, n_classes
        self.near = PushLGC(graph, n_classes, alpha=ALPHA, eps=EPS)
        self._rank = rank
        self._set_units()
        self._far = Far(SpectralRows(graph, rank))
        self.heat = Temperature()
        self.labels: dict[int, int] = {}
        self._factor, self._changed, self._behind = self.heat.value(), 0, False
        self._postponed = False
        self._own: dict[int, float] = {}
        if n > SMALL:
            _load_compiled()

    def _set_units(self) -> None:
        """Set the unit of masses, and what depends on the size of the graph and its degrees."""
        n, state = self.n_nodes, self.near.state
        scale = float(np.sqrt(state.total_weight / n)) if state.total_weight and n else 1.0
        self._unit = (1.0 - ALPHA) * scale
        self.smoothing = SMOOTHING * mean_mass(n)
        eps = EXACT if n <= SMALL else EPS / scale
        if not 1.0 / CLOSE < eps / self.near.members[0].eps < CLOSE:
            self.near.set_eps(eps)

    @property
    def n_classes(self) -> int:
        return self.near.n_classes

    @property
    def grows(self) -> HowItGrows:
        return "exactly" if self._rank == 0 else "by interpolation"

    @property
    def history(self) -> tuple[str, ...]:
        """When rows were refreshed or computed again because the graph had changed too much."""
        return self._far.domain.history

    def _grow(self, graph: Graph, change: Change) -> None:
        """Follow a change: exactly in the masses of nearby labels, by interpolation in the rows."""
        several = not self._postponed and len(set(self.labels.values())) > 1
        if several:
            self.far.domain.rows  # noqa: B018 - made now, whether or not anything was read so far
        self.near.grow(graph)
        self.n_nodes, self._own = change.n_nodes, {}
        self._set_units()
        if self._postponed:
            self._far.begin(graph)
        else:
            self._far.grow(graph, keep=several)
        self._behind = bool(self.labels)

    def _make_room(self, n_classes: int) -> None:
        """Reserve columns for this many classes; they become known with their first labels."""
        self.near._make_room(n_classes)

    def _scores(self, nodes: Index) -> Array:
        return self._predict_proba(nodes)

    def _predict_proba(self, nodes: Index) -> Array:
        """Calibrated probabilities, rows summing to 1; zeros where no label can be reached."""
        seen = set(self.labels.values())
        if not seen:
            return np.zeros((*np.shape(nodes), self.n_classes))
        spread = self.near._scores(nodes)
        if len(seen) == 1:
            return self._one_class(seen.pop(), spread)
        return self._whole(nodes, spread, self._near(nodes, spread), seen)

    def near_and_whole(self, nodes: Nodes) -> tuple[Array, Array]:
        """Return `near_chances` and `predict_proba`, once two classes are known."""
        spread = self.near._scores(nodes)
        near = self._near(nodes, spread)
        return near, self._whole(nodes, spread, near, set(self.labels.values()))

    def _whole(self, nodes: Index, spread: Array, near: Array, seen: set[int]) -> Array:
        z = self._factor * self._both(nodes, near)
        if len(seen) < self.n_classes:
            z[..., [k not in seen for k in range(self.n_classes)]] = -np.inf
        chances = np.exp(z - z.max(axis=-1, keepdims=True))
        chances /= chances.sum(axis=-1, keepdims=True)
        return np.where(np.asarray(spread.any(axis=-1))[..., None], chances, 0.0)

    def _one_class(self, label: int, spread: Array) -> Array:
        """The rule of succession while every label is the same: m labels, (m + 1) / (m + 2).

        Other classes share the rest; before there are any, rows sum to less than 1.
        """
        sure = (len(self.labels) + 1.0) / (len(self.labels) + 2.0)
        chances = np.full(spread.shape, (1.0 - sure) / max(self.n_classes - 1, 1))
        chances[..., label] = sure
        return np.where(np.asarray(spread.any(axis=-1))[..., None], chances, 0.0)

    def _learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        known, guessed = set(self.labels.values()), node not in self.labels
        thought = self._thoughts(node, self.near._scores(node)) if len(known) > 1 else np.empty(0)
        self.near.tell_outside_rounds(node, label)
        self.labels[node] = label
        if not (guessed and self.heat.knows(node, label)):
            self.heat.forget(node)
            if guessed and label in known and len(thought):
                self.heat.note(node, thought, label)
        self._follow(at_once=label not in known or not guessed)

    def _withdraw(self, node: int) -> None:
        """Forget a node's label, as if it had never been given."""
        self.heat.forget(node)
        self._doubt(node)

    def _doubt(self, node: int) -> None:
        """Forget a node's label, but not how it was guessed."""
        self.near._withdraw(node)
        self.labels.pop(node, None)
        self._follow(at_once=True)

    def _expect_slips(self, slips: Slips) -> None:
        self.heat.slips = slips
        self._factor = self.heat.value()

    def near_chances(self, nodes: Index) -> Array:
        """Return the probabilities from nearby labels alone, before the temperature."""
        return self._near(nodes, self.near._scores(nodes))

    def _near(self, nodes: Index, spread: Array) -> Array:
        state = self.near.state
        alone = state.rows.start[nodes] == state.rows.stop[nodes]
        degrees = np.where(alone, 1e-300, state.diagonal[nodes])
        mass = self._unit * spread / np.sqrt(degrees)[..., None]
        return np.asarray(
            (mass + self.smoothing / self.n_classes)
            / (mass.sum(axis=-1, keepdims=True) + self.smoothing)
        )

    def near_chances_without(self, nodes: Nodes) -> Array:
        """Return `near_chances` of nodes that have a label, each as if it had none."""
        spread = np.array(self.near._scores(nodes))
        state, scratch, eps = self.near.state, self.near.asking.scratch, self.near.members[0].eps
        for at, node in enumerate(nodes.tolist()):
            if node not in self._own:
                self._own[node] = own_mass(state.system, node, eps / 4, scratch)
            spread[at, self.labels[node]] -= self._own[node]
        return self._near(nodes, np.maximum(spread, 0.0))

    @property
    def has_position(self) -> bool:
        """Whether rows of a node's position in the graph at large are there to be used."""
        return not self._postponed and self.far.sees

    @property
    def position_rows(self) -> Array:
        """Rows of a node's position in the graph at large."""
        return self._far.rows

    def far_chances(self, nodes: Index) -> Array:
        """Return the probabilities from the rows alone; those from nearby labels without rows."""
        return (
            self.far.chances(nodes, self.n_classes)
            if self.has_position
            else self.near_chances(nodes)
        )

    def _thoughts(self, nodes: Index, spread: Array) -> Array:
        """Return the sum of the logarithms of near and far probabilities."""
        return self._both(nodes, self._near(nodes, spread))

    def _both(self, nodes: Index, near: Array) -> Array:
        far = self.far.chances(nodes, self.n_classes) if self.has_position else near
        return np.asarray(np.log(near + LEAST) + np.log(far + LEAST))

    def _follow(self, *, at_once: bool = False) -> None:
        """Fit the regression and the temperature again, at once or after enough labels."""
        self._changed += 1
        if at_once or self._changed * REFIT >= len(self.labels):
            self._behind = True
            self._factor, self._changed = self.heat.value(), 0

    def postpone(self) -> None:
        """Learn from neighbours only, and make the rows in the background."""
        if self._rank != 0:
            self._postponed = True
            self._far.begin(self._far.domain.graph)

    @property
    def is_made(self) -> bool:
        """Whether the rows are made and not yet used."""
        return self._postponed and self._far.is_made

    def adopt(self) -> None:
        """Use the rows from now on."""
        self._postponed, self._behind = False, True

    @property
    def far(self) -> Far:
        """The regression, fitted when it is read: giving an answer does not wait for it."""
        if self._behind:
            self._behind = False
            self._far.fit(self.labels)
        return self._far


@cache
def _load_compiled() -> None:
    """Load compiled code in advance, on a graph of two nodes, so that no answer waits for it."""
    tiny = NearFar(Graph.from_edges([(0, 1)]))
    tiny.learn(0, 0)
    tiny.learn(1, 1)
    tiny.predict(np.arange(2))
