"""Learners over a grid of penalties, and their neighbours' votes, mixed by how well each did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.errors import InputError
from lapwing.learner import Learner, Trace
from lapwing.linalg.products import dot
from lapwing.linalg.triangle import triangle_lower, triangle_times
from lapwing.online.margins import add
from lapwing.online.neighbourhood import (
    Neighbourhood,
    empty_neighbourhood,
    remember,
    votes,
    with_room,
)
from lapwing.online.sslgc import exceeds, thresholds
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes

GRID = (0.001, 0.01, 0.1, 1.0, 10.0)
"""The penalties that Gu et al. (2013) search."""
LEAST = 0.01
"""No class is given less than this, before shares are made."""


class Experts(NamedTuple):
    """The state that compiled code works on: one ridge regression a penalty, and neighbours."""

    features: Array
    inverses: Array
    weights: Array
    losses: Array
    neighbours: Neighbourhood


class Mixture(Learner):
    r"""Ridge regression with every penalty at once, and nearest labels: nothing to tune.

    Experts are `OLLGC` learning from every label, one for each penalty of the paper's grid, and
    the votes of the 20 nearest labelled rows. Each expert gives every class a probability:
    ridge regression by the model of Gu et al. (2013), Section 4.2, :math:`(1 + w^\top m) / 2`, cut
    below at 0.01 and made to sum to 1. The answer is their average under weights
    :math:`\exp(-\text{loss so far})`, where the loss is Brier's, for which such weights lose at
    most the logarithm of the number of experts more than the best (Vovk and Zhdanov 2009, up to
    the step from averaging to their substitution).

    A label costs :math:`O(G d^2 + K G d)` for a grid of G penalties; memory is
    :math:`O(n d + G d^2 + K G d)`. The nearest labels are searched in cells around random nodes,
    at most about 256 labels a node: exact up to that many labels, near enough beyond.

    Parameters
    ----------
    features
        One row a node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    n_classes
        How many classes there are; None lets them appear.
    penalties
        The grid of mu.
    kappa
        A node is queried when its uncertainty :math:`q / (1 + q)` under the smallest penalty
        exceeds :math:`t^{-\kappa}`, as in `SSLGC`, or when a coin says so; None queries all.
    probe
        The coin's probability. What a learner queries out of uncertainty is unlike the rest, so
        only the rounds of the coin charge the experts. Without `kappa` all rounds do.
    seed
        Draws the cells' centres and throws the coins.

    Notes
    -----
    Kappa is no grid: it is the price of a label, which only the user knows.

    References
    ----------
    Vovk, Zhdanov. *Prediction with expert advice for the Brier game.* JMLR 10, 2009.

    Examples
    --------
    Two triangles joined by an edge.

    >>> from lapwing import Graph, embed
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Mixture(embed.laplacian(graph, bias=2.0))
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> learner.scores(2).round(2)
    array([0.63, 0.37])
    """

    def __init__(
        self,
        features: Array,
        n_classes: int | None = None,
        *,
        penalties: Sequence[float] = GRID,
        kappa: float | None = None,
        probe: float = 0.02,
        seed: int = 0,
    ) -> None:
        if len(penalties) == 0 or not all(mu > 0 for mu in penalties):
            raise InputError(f"penalties must be positive numbers, got {penalties}")
        if kappa is not None and not 0 <= kappa <= 1:
            raise InputError(f"kappa must lie in [0, 1], got {kappa}")
        if not 0 <= probe <= 1:
            raise InputError(f"probe must lie in [0, 1], got {probe}")
        d = features.shape[1]
        self.penalties = tuple(sorted(penalties))
        self.kappa = kappa
        self.probe = probe
        self.t = 1
        self.rng = np.random.default_rng(seed)
        self.coin = self.rng.random()
        self.grows = n_classes is None
        self.state = Experts(
            features=features,
            inverses=np.array([np.eye(d) / mu for mu in self.penalties]),
            weights=np.zeros((len(penalties), (n_classes or 0) + 1, d)),
            losses=np.zeros(len(penalties) + 1),
            neighbours=with_room(empty_neighbourhood(features, seed), 0, n_classes or 0),
        )

    @property
    def n_classes(self) -> int:
        return int(self.state.weights.shape[1]) - 1

    @property
    def trust(self) -> Array:
        """The weight of each penalty's ridge regression, and last of the nearest labels."""
        return np.asarray(shares(self.state.losses))

    def scores(self, nodes: Index) -> Array:
        wanted = np.asarray(nodes, dtype=np.intp)
        shape = (*wanted.shape, self.n_classes)
        if self.state.neighbours.size[0] == 0:
            return np.zeros(shape)
        return np.asarray(mixed_shares(self.state, wanted.ravel(), self.n_classes)).reshape(shape)

    def queries(self, node: int) -> bool:
        if self.kappa is None:
            return True
        limit = thresholds(self.t, 1, self.kappa)[0]
        return bool(self.coin < self.probe or exceeds(uncertainty(self.state, node), limit))

    def learn(self, node: int, label: int | None) -> None:
        given = UNKNOWN if label is None else label
        self.rounds(np.array([node]), np.array([given]), np.array([label is not None]), always=True)

    def stream(self, nodes: Nodes, labels: Nodes, *, always: bool = False) -> Trace:
        return self.rounds(nodes, labels, np.ones(len(nodes), dtype=bool), always=always)

    def rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        """Play a recorded stream; where `shown` is false no label is given."""
        before, after = self.n_classes, max(self.n_classes, int(labels.max(initial=-1)) + 1)
        if after > before and not self.grows:
            raise InputError(
                f"labels must lie in 0..{before - 1}, got {after - 1}; "
                "n_classes=None lets classes appear"
            )
        late = np.repeat(self.state.weights[:, -1:], after - before, axis=1)
        weights = np.concatenate([self.state.weights[:, :-1], late, self.state.weights[:, -1:]], 1)
        room = with_room(self.state.neighbours, len(nodes), after)
        state = self.state._replace(weights=weights, neighbours=room)
        limits = np.full(len(nodes), -1.0)
        if self.kappa is not None and not always:
            limits = thresholds(self.t, len(nodes), self.kappa)
        known, guesses, queried, wrong = mixture_rounds(
            state, nodes, labels, shown, limits, self._charged(len(nodes)), before
        )
        self.t += len(nodes)
        self.state = state._replace(
            weights=np.concatenate([weights[:, :known], weights[:, -1:]], axis=1),
            neighbours=room._replace(counts=room.counts[:known]),
        )
        return Trace(guesses, queried, after * queried, wrong, after * queried)

    def _charged(self, rounds: int) -> Mask:
        """Throw the coins of so many rounds: those in which the experts are charged."""
        if self.kappa is None:
            return np.ones(rounds, dtype=bool)
        coins = np.concatenate([[self.coin], self.rng.random(rounds)])
        self.coin = float(coins[-1])
        return coins[:-1] < self.probe


@njit(cache=True)
def shares(losses: Array) -> Array:
    """Weights exp(-loss), made to sum to 1."""
    found: Array = np.exp(losses.min() - losses)
    return np.asarray(found / found.sum())


@njit(cache=True)
def opinions(state: Experts, node: int, share: Array) -> None:
    """Write the probability that each expert gives each class, shape ``(experts, classes)``."""
    x = state.features[node]
    n_ridges, n_classes = state.inverses.shape[0], share.shape[1]
    for e in range(n_ridges):
        total = 0.0
        for k in range(n_classes):
            share[e, k] = max(0.5 + 0.5 * dot(x, state.weights[e, k]), LEAST)
            total += share[e, k]
        for k in range(n_classes):
            share[e, k] /= total
    votes(state.neighbours, node, share[n_ridges])


@njit(cache=True)
def averaged(share: Array, trust: Array, mixed: Array) -> None:
    """Write the experts' average."""
    mixed[:] = 0.0
    for e in range(share.shape[0]):
        add(mixed, share[e], trust[e])


@njit(cache=True)
def mixed_shares(state: Experts, nodes: Nodes, n_classes: int) -> Array:
    """The mixture's probabilities, one row a node."""
    share, found = np.empty((len(state.losses), n_classes)), np.empty((len(nodes), n_classes))
    trust = shares(state.losses)
    for i in range(len(nodes)):
        opinions(state, nodes[i], share)
        averaged(share, trust, found[i])
    return found


@njit(cache=True)
def uncertainty(state: Experts, node: int) -> float:
    """Compute q = m'A^-1 m under the smallest penalty, which is the largest of all."""
    x = state.features[node]
    return float(triangle_times(state.inverses[0], x, np.empty(x.shape[0])))


@njit(cache=True)
def charge(losses: Array, share: Array, label: int) -> None:
    """Add each expert's Brier loss."""
    for e in range(share.shape[0]):
        losses[e] += 1.0 - 2.0 * share[e, label] + dot(share[e], share[e])


@njit(cache=True)
def taught(state: Experts, node: int, label: int) -> None:
    """Let all experts learn the label."""
    x, v = state.features[node], np.empty(state.features.shape[1])
    for e in range(state.inverses.shape[0]):
        scale = 1.0 / (1.0 + triangle_times(state.inverses[e], x, v))
        triangle_lower(state.inverses[e], v, scale)
        for k in range(state.weights.shape[1]):
            w = state.weights[e, k]
            sign = 1.0 if k == label else -1.0
            add(w, v, scale * (sign - dot(x, w)))
    remember(state.neighbours, node, label)


@njit(cache=True)
def mixture_rounds(
    state: Experts,
    nodes: Nodes,
    labels: Nodes,
    shown: Mask,
    limits: Array,
    charged: Mask,
    known: int,
) -> tuple[int, Nodes, Mask, Nodes]:
    """Classes known at the end, guesses, queries and one-vs-rest mistakes over a stream.

    A negative limit asks without a look; where `charged`, the label is asked for, too, and the
    experts pay for their opinions.
    """
    n, n_after = len(nodes), state.weights.shape[1] - 1
    guesses, wrong = np.full(n, UNKNOWN), np.zeros(n, np.intp)
    queried = np.zeros(n, np.bool_)
    share, mixed = np.empty((len(state.losses), n_after)), np.zeros(n_after)
    for t in range(n):
        mixed[:] = 0.0
        if known > 0:
            opinions(state, nodes[t], share[:, :known])
            averaged(share[:, :known], shares(state.losses), mixed[:known])
        if state.neighbours.size[0] > 0:
            guesses[t] = np.argmax(mixed[:known])
        for k in range(n_after):
            wrong[t] += (mixed[k] > 0.5) != (labels[t] == k)
        asked = limits[t] < 0.0 or charged[t]
        queried[t] = shown[t] and (asked or exceeds(uncertainty(state, nodes[t]), limits[t]))
        if queried[t]:
            if charged[t] and labels[t] < known:
                charge(state.losses, share[:, :known], labels[t])
            taught(state, nodes[t], labels[t])
            known = max(known, labels[t] + 1)
    return known, guesses, queried, wrong
