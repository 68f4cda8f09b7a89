"""Which labels are held out together, so that every expert is judged on labels it did not see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapwing.batch.known_labels import KnownLabels
from lapwing.types import Array, Mask, Nodes

MOST_ALONE = 30
"""Up to this many labels, each is held out alone."""
FEW, MANY = 10, 5
"""Number of folds beyond that, and with more than `ENOUGH` labels."""
ENOUGH = 300
LARGE = 200_000
"""On larger graphs, one part of the labels is held out once: the labels are many there."""
MOST_HELD = 4_000
"""The largest number of labels held out on such a graph."""


@dataclass(frozen=True, eq=False)
class Holdout:
    """Labelled nodes, their 0/1 classes and the fold of each; -1 is never held out.

    An expert is fitted once without each fold and once, last, to all labels.

    Examples
    --------
    >>> known = KnownLabels(np.arange(4), np.eye(2)[[0, 0, 1, 1]], n_nodes=9)
    >>> held = held_out(known, seed=0)
    >>> held.fold.tolist(), held.weights[0].tolist(), held.counts[0].tolist()
    ([0, 1, 2, 3], [0.0, 1.0, 1.0, 1.0], [1.0, 2.0])
    """

    known: KnownLabels
    fold: Nodes
    n_folds: int
    places: Nodes
    """The component of each label."""

    @property
    def nodes(self) -> Nodes:
        """The labelled nodes."""
        return self.known.nodes

    @property
    def targets(self) -> Array:
        """A 0/1 row per label."""
        return self.known.indicator

    @cached_property
    def labels(self) -> Nodes:
        """The class of each labelled node."""
        return np.asarray(self.targets.argmax(axis=1), dtype=np.intp)

    @cached_property
    def weights(self) -> Array:
        """1 where a fit uses a label: a row per fold, and a last row of ones."""
        used = np.ones((self.n_folds + 1, len(self.fold)))
        inside = self.fold >= 0
        used[self.fold[inside], np.flatnonzero(inside)] = 0.0
        return used

    @cached_property
    def counts(self) -> Array:
        """The number of labels of each class in each fit."""
        return np.asarray(self.weights @ self.targets)

    @cached_property
    def seen(self) -> Mask:
        """The classes that each fit has seen."""
        return np.asarray(self.counts > 0)

    @cached_property
    def judged(self) -> Nodes:
        """Positions of the labels that are held out and whose class has another label.

        A label without a path to another that is not held out with it says nothing about
        neighbours: it is not judged, unless that is true of all.
        """
        rest = self.seen[self.fold, self.labels] & (self.fold >= 0)
        _, place = np.unique(self.places, return_inverse=True)
        in_place = np.bincount(place)[place]
        _, both = np.unique(np.stack([place, self.fold]), axis=1, return_inverse=True)
        company = in_place > np.bincount(both.ravel())[both.ravel()]
        return np.flatnonzero(rest & company if (rest & company).any() else rest)

    @property
    def judged_in(self) -> Nodes:
        """The fold of each judged label."""
        return self.fold[self.judged]

    @cached_property
    def judged_seen(self) -> Mask:
        """For each judged label, the classes that the fit without it has seen."""
        return self.seen[self.judged_in]


def held_out(known: KnownLabels, components: Nodes | None = None, *, seed: int) -> Holdout:
    """Choose the folds: one label each for up to 30 labels, ten up to 300, then five.

    Each class is spread evenly over the folds. On a graph of more than 200,000 nodes a fifth of the
    labels, at most 4,000, is held out once. `components` holds the component of each node; None
    stands for a connected graph.
    """
    count = len(known.nodes)
    places = np.zeros_like(known.nodes) if components is None else components[known.nodes]
    if count <= MOST_ALONE:
        return Holdout(known, np.arange(count), count, places)
    rng = np.random.default_rng(seed)
    labels = known.indicator.argmax(axis=1)
    order = rng.permutation(count)
    order = order[np.argsort(labels[order], kind="stable")]
    fold = np.empty(count, dtype=np.intp)
    if known.n_nodes > LARGE:
        every = max(5, -(-count // MOST_HELD))
        fold[order] = np.where(np.arange(count) % every == every - 1, 0, -1)
        return Holdout(known, fold, 1, places)
    n_folds = FEW if count <= ENOUGH else MANY
    fold[order] = np.arange(count) % n_folds
    return Holdout(known, fold, n_folds, places)
