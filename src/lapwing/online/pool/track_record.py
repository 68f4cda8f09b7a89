"""How well the views of a pool have guessed, and the weights that follow from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from scipy.special import betainc

from lapwing.learner import JudgesNeighbours
from lapwing.online.pool.views import Guess, View
from lapwing.types import Array

ALIKE = 4.0
"""First weight of a view that expects neighbours to be alike; others have 1."""
MARGIN, SUREST = 0.1, 0.95
"""Neighbours are worth asking by if they beat the largest class's share by so much."""


class TrackRecord(JudgesNeighbours):
    """The weights of a pool's views, from the guesses that it noted before each answer."""

    views: Sequence[View]
    noted: Mapping[int, Guess]

    @property
    @abstractmethod
    def labels(self) -> Mapping[int, int]:
        """What was learned: node to class."""

    @property
    def losses(self) -> Array:
        """The log loss of near-far and of each view over the labels received."""
        shares = [guess.shares for guess in self.noted.values()]
        if not shares:
            return np.zeros(1 + len(self.views))
        return np.asarray(-np.log(np.array(shares)).sum(axis=0))

    @property
    def prior(self) -> Array:
        """The weights before any label: views that expect neighbours to be alike have more."""
        alike = [True, *[view.name.startswith("neighbours") for view in self.views]]
        weights = np.where(alike, ALIKE, 1.0)
        return np.asarray(weights / weights.sum())

    @property
    def trust(self) -> Array:
        """The weight of near-far, then of each view."""
        losses = self.losses
        weights = self.prior * np.exp(losses.min() - losses)
        return np.asarray(weights / weights.sum())

    @property
    def regret(self) -> float:
        """The log loss of the mixture over the labels received, minus its best view's.

        The mixture's loss is minus the logarithm of the mean of the views' likelihoods.
        """
        losses = self.losses
        return float(-np.log(self.prior @ np.exp(losses.min() - losses)))

    @property
    def regret_bound(self) -> float:
        """The upper bound of the regret: minus the logarithm of the best view's first weight."""
        return float(-np.log(self.prior[np.argmin(self.losses)]))

    @property
    def neighbour_trust(self) -> float:
        """The weight of the views that expect neighbours to be alike, between 0 and 1."""
        return float(self.trust[self.prior > self.prior.min()].sum()) if self.views else 1.0

    def neighbour_worth(self, fair: Sequence[int]) -> float:
        """Return the probability that near-far's guesses beat the largest class by a margin.

        The posterior of its share of right guesses on nodes drawn at random, from a Beta(2, 1)
        prior, against the largest class's share of them (a quarter, as if of four labels, before
        any) and 0.1. A class that was new counts as a wrong guess. Without any such node, it is 1.
        """
        drawn = [node for node in fair if node in self.labels]
        if not drawn:
            return 1.0
        right = sum(self.noted[node].is_near_right for node in drawn if node in self.noted)
        counts = np.bincount([self.labels[node] for node in drawn])
        goal = min((counts.max() + 1.0) / (counts.sum() + 4.0) + MARGIN, SUREST)
        return float(betainc(1.0 + len(drawn) - right, 2.0 + right, 1.0 - goal))
