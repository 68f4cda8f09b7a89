"""A mixture of learners over a grid of penalties and nearest labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapwing.checks import between
from lapwing.deprecation import warn_former
from lapwing.errors import InputError
from lapwing.learner import GrowsWithRows, Trace
from lapwing.online.linear.new_classes import n_classes_after
from lapwing.online.linear.recorded_learner import RecordedLearner
from lapwing.online.mixture.experts import (
    Experts,
    mixed_shares,
    mixture_rounds,
    trust_of,
    uncertainty,
)
from lapwing.online.mixture.neighbourhood import (
    empty_neighbourhood,
    unit_rows_of,
    varying,
    with_room,
)
from lapwing.online.sslgc import exceeds, query_limits
from lapwing.types import Array, Index, Mask, Nodes

GRID = (0.001, 0.01, 0.1, 1.0, 10.0)
"""The penalties that Gu et al. (2013) search."""


class Mixture(RecordedLearner, GrowsWithRows):
    r"""Mix ridge regressions over a grid of penalties with the nearest labels: nothing to tune.

    Experts are `OLLGC` learning from every label, one for each penalty of the paper's grid, and the
    votes of the 20 nearest labelled rows. Each expert gives every class a probability: ridge
    regression by the model of Gu et al. (2013), Section 4.2, :math:`(1 + w^\top m) / 2`, clipped at
    0.01 from below and normalised. The answer is their average under weights
    :math:`\exp(-\text{loss so far})`, where the loss is Brier's, for which such weights lose at
    most the logarithm of the number of experts more than the best (Vovk and Zhdanov 2009, up to the
    step from averaging to their substitution).

    A label costs :math:`O(G d^2 + K G d)` for a grid of G penalties; memory is :math:`O(n d + G d^2
    + K G d)`. The nearest labels are searched in cells around random nodes, at most about 256
    labels per node: exact up to that many labels, approximate beyond.

    Parameters
    ----------
    features
        One row per node, shape ``(n, d)``, from :mod:`lapwing.embed`.
    n_classes
        Number of classes; None adds them as their labels appear.
    penalties
        The grid of mu.
    kappa
        A node is queried when its uncertainty :math:`q / (1 + q)` under the smallest penalty
        exceeds :math:`t^{-\kappa}`, as in `SSLGC`, or by a coin flip; None queries all.
    probe
        The probability of the coin flip. Nodes queried for their uncertainty are not
        representative, so the experts' losses only count rounds of the coin. Without `kappa`, all
        rounds count.
    seed
        Seed of the cells' centres and of the coin flips.

    Notes
    -----
    There is no grid for kappa: it is the price of a label, which only you know.

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
        between("kappa", 0.0 if kappa is None else kappa, 0, 1)
        between("probe", probe, 0, 1)
        d = features.shape[1]
        self._varies = varying(features)
        self.penalties = tuple(sorted(penalties))
        self.kappa = kappa
        self.probe = probe
        self.t = 1
        self.rng = np.random.default_rng(seed)
        self.coin = self.rng.random()
        self.fixed_classes, self.n_nodes = n_classes, len(features)
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
        """The weight of each penalty's ridge regression, followed by that of the nearest labels."""
        return np.asarray(trust_of(self.state.losses))

    def _take_rows(self, rows: Array) -> None:
        near = self.state.neighbours
        near = near._replace(rows=unit_rows_of(rows, self._varies))
        self.state = self.state._replace(features=rows, neighbours=near)
        self.n_nodes = len(rows)

    def _scores(self, nodes: Index) -> Array:
        wanted = np.asarray(nodes, dtype=np.intp)
        shape = (*wanted.shape, self.n_classes)
        if self.state.neighbours.size[0] == 0:
            return np.zeros(shape)
        found = np.asarray(mixed_shares(self.state, wanted.ravel(), self.n_classes)).reshape(shape)
        if self.domain is None:
            return found
        placed = np.asarray(self.state.features[wanted].any(axis=-1))
        return np.where(placed[..., None], found, 0.0)

    def _queries(self, node: int) -> bool:
        if self.kappa is None or self.coin < self.probe:
            return True
        return bool(exceeds(uncertainty(self.state, node), query_limits(self.t, 1, self.kappa)[0]))

    def limits(self, rounds: int, *, always: bool = False) -> Array:
        """A former way to read the thresholds of the next rounds; use `query_limits`."""
        warn_former("Mixture.limits", "lapwing.online.sslgc.query_limits")
        return query_limits(self.t, rounds, self.kappa, always=always)

    def _rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        before = self.n_classes
        after = n_classes_after(before, labels)
        late = np.repeat(self.state.weights[:, -1:], after - before, axis=1)
        weights = np.concatenate([self.state.weights[:, :-1], late, self.state.weights[:, -1:]], 1)
        room = with_room(self.state.neighbours, len(nodes), after)
        state = self.state._replace(weights=weights, neighbours=room)
        limits = query_limits(self.t, len(nodes), self.kappa, always=always)
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
        """Draw the rounds in which the experts' losses count."""
        if self.kappa is None:
            return np.ones(rounds, dtype=bool)
        coins = np.concatenate([[self.coin], self.rng.random(rounds)])
        self.coin = float(coins[-1])
        return coins[:-1] < self.probe
