"""How well the views of a pool have guessed, and the weights that follow from it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lapwing.learner import JudgesNeighbours
from lapwing.learner.slips import Slips, said_chances
from lapwing.online.pool.balance import Shares
from lapwing.online.pool.reading.memo import Memo
from lapwing.online.pool.roster import SHARES
from lapwing.online.pool.views import Guess, View
from lapwing.online.pool.worth import CHOSEN
from lapwing.types import Array, Mask

ALIKE = 4.0
"""First weight of a view that expects neighbours to be alike, at most; others have 1."""
NOTHING = 0.15
"""First weight of the view that neither neighbours nor attributes tell the class."""
EVEN = 0.05
"""Weight of an even guess when guesses are compared."""


class Given(NamedTuple):
    """The probability of a node's label before it came: near-far's, and the mixture's.

    And the classes that had labels then, this one among them.
    """

    by_edges: float
    by_all: float
    known: tuple[int, ...]


class TrackRecord(JudgesNeighbours):
    """The weights of a pool's views, from the guesses that it noted before each answer."""

    views: Sequence[View]
    noted: Mapping[int, Guess]
    given: Mapping[int, Given]
    """What was given to each node's label before it came."""

    chosen: set[int]
    """Nodes that a strategy chose; all others count as drawn at random."""

    memo: Memo
    """What was computed since the last change."""

    first_trust: float
    """How far neighbours are expected to be alike before any label (`neighbour_prior`)."""

    slips: Slips
    """How likely labels are wrong."""

    @property
    @abstractmethod
    def n_classes(self) -> int:
        """Number of classes."""

    @property
    @abstractmethod
    def labels(self) -> Mapping[int, int]:
        """What was learned: node to class."""

    @property
    def losses(self) -> Array:
        """The log loss of near-far and of each view over the labels received.

        A label that a strategy chose counts half. Labels may be wrong (`slips`).
        """
        return self._lost(CHOSEN)

    def _lost(self, chosen: float) -> Array:
        return self.memo.made(("lost", chosen), lambda: self._added_losses(chosen))

    def _logs(self) -> Array:
        """The log likelihood that each view gave to what was said, one row per label."""
        given = np.array([guess.shares for guess in self.noted.values()])
        return np.log(said_chances(given, self.slips.of(self.noted)[:, None], self.n_classes))

    def _added_losses(self, chosen: float) -> Array:
        if not self.noted:
            return np.zeros(1 + len(self.views))
        logs = self.memo.made("logs", self._logs)
        counts = np.where([node in self.chosen for node in self.noted], chosen, 1.0)
        return np.asarray(-counts @ logs)

    @property
    def prior(self) -> Array:
        """The weights before any label: views that expect neighbours to be alike have more.

        Unless they are expected to differ.
        """
        weights = np.where(self._alike, ALIKE * self.first_trust, 1.0)
        weights[self._nothing] = NOTHING
        return np.asarray(weights / weights.sum())

    @property
    def _alike(self) -> Mask:
        """Which views expect neighbours to be alike: near-far and perhaps others."""
        return np.array([True, *[view.name.startswith("neighbours") for view in self.views]])

    @property
    def _nothing(self) -> Mask:
        """Which views expect nothing to tell the class."""
        return np.array([False, *[view.name == SHARES for view in self.views]])

    @property
    def trust(self) -> Array:
        """The weight of near-far, then of each view."""
        return self.memo.made("trust", lambda: self._weights(self.losses))

    def _weights(self, losses: Array) -> Array:
        weights = self.prior * np.exp(losses.min() - losses)
        return np.asarray(weights / weights.sum())

    def _mixed(self, views: Array) -> Array:
        """The mean of the views under their weights; a view of zeros does not count."""
        trust = np.where(views.any(axis=2), self.trust[:, None], 0.0)
        total = trust.sum(axis=0)
        share = np.divide(trust, total, out=np.zeros_like(trust), where=total > 0)
        return np.asarray(np.einsum("vm,vmk->mk", share, views))

    def shares(self) -> Shares:
        """The share of each class among the labels."""
        return self.memo.made("shares", self._counted_shares)

    def _counted_shares(self) -> Shares:
        counts = np.bincount(list(self.labels.values()), minlength=self.n_classes)
        return Shares.among(counts.astype(np.float64))

    @property
    def regret(self) -> float:
        """The log loss of the mixture over the labels received, minus its best view's.

        The mixture's loss is minus the logarithm of the mean of the views' likelihoods; where some
        labels count half, it is at most that.
        """
        losses = self.losses
        return float(-np.log(self.prior @ np.exp(losses.min() - losses)))

    @property
    def regret_bound(self) -> float:
        """The upper bound of the regret: minus the logarithm of the best view's first weight."""
        return float(-np.log(self.prior[np.argmin(self.losses)]))

    @property
    def neighbour_trust(self) -> float:
        """The weight of the views that expect neighbours to be alike, between 0 and 1.

        Class shares are left aside. Here every label counts in full: what strategies choose is to
        show whether choosing helps.
        """
        return self.memo.made("neighbour trust", self._neighbour_trust)

    def _neighbour_trust(self) -> float:
        if not self.views:
            return 1.0
        weights = self._weights(self._lost(1.0))
        return float(weights[self._alike].sum() / weights[~self._nothing].sum())

    def mark_chosen(self, node: int) -> None:
        """Note, before its label comes, that a strategy chose this node."""
        self.chosen.add(node)
        if node in self.labels:
            self.memo.clear()

    def lead_over_shares(self, drawn: Sequence[int], *, by_edges: bool = True) -> float:
        """Return the log loss of class shares on nodes drawn at random, minus near-far's.

        Minus the mixture's unless `by_edges`. Each guesses a node before its label comes: the
        shares from the earlier ones of these nodes alone, the others from all labels. Every guess
        is mixed with 5% of an even one. Both are judged on labels of classes that had one already,
        and among these: nobody can guess a class that is new.
        """
        even, lead = 1.0 / max(self.n_classes, 1), 0.0
        counts = np.full(self.n_classes, even)
        for node in drawn:
            label, given = self.labels.get(node), self.given.get(node)
            if label is None:
                continue
            if given is not None:
                said = given.by_edges if by_edges else given.by_all
                shares = counts[label] / counts[list(given.known)].sum()
                lead += np.log((said + EVEN * even) / (shares + EVEN * even))
            counts[label] += 1.0
        return float(lead)
