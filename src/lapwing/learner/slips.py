"""Labels that may be wrong, and learners that allow for them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lapwing.checks import one_node
from lapwing.learner.capabilities import CanWithdraw
from lapwing.types import Array


@dataclass(frozen=True, slots=True)
class Slips:
    """How likely labels are wrong, whatever their nodes: `each` of some nodes, `rate` of others.

    Examples
    --------
    >>> Slips(0.1, {7: 0.01}).of([3, 7]).tolist()
    [0.1, 0.01]
    """

    rate: float = 0.0
    each: Mapping[int, float] = field(default_factory=dict)

    def of(self, nodes: Iterable[int]) -> Array:
        """How likely the label of each of these nodes is wrong."""
        return np.array([self.each.get(node, self.rate) for node in nodes], dtype=np.float64)


NO_SLIPS = Slips()


def slip_after(times: Array, rate: float) -> Array:
    """How likely the last of several answers is wrong, by the answers alone; one row per node.

    A row says how often each class was named, the class that stands first. Answers are wrong with
    probability `rate`, each for itself, and then name any other class alike.

    Examples
    --------
    Asked once, twice with the same answer, and twice with different ones:

    >>> times = np.array([[1, 0, 0], [2, 0, 0], [1, 1, 0]])
    >>> slip_after(times, 0.1).round(3).tolist()
    [0.1, 0.006, 0.514]
    """
    others = max(times.shape[1] - 1, 1)
    amiss = times.sum(axis=1, keepdims=True) - times
    chances = (1.0 - rate) ** times * (rate / others) ** amiss
    return np.asarray(1.0 - chances[:, 0] / np.maximum(chances.sum(axis=1), 1e-300))


def said_chances(right: Array, slips: Array, n_classes: int | Array) -> Array:
    r"""The probability that a class is said, where it is right with some probability p.

    It is :math:`(1 - e) p + e (1 - p) / (K - 1)` if a share e of what is said is wrong, all other
    classes alike.

    Examples
    --------
    >>> said_chances(np.array([0.9, 0.0]), np.array([0.1, 0.1]), 3).round(3).tolist()
    [0.815, 0.05]
    """
    other = slips / np.maximum(np.asarray(n_classes) - 1, 1)
    return np.asarray(other + (1.0 - slips - other) * right)


class CanDoubt(CanWithdraw):
    """A learner that allows for wrong labels, in what it learns about its own guesses.

    How sure it may be, and whom it trusts, it learns from its guesses before labels came. A guess
    that missed a wrong label was perhaps right, so the likelihood of a label is that of
    `said_chances`. Labels that are doubted teach nothing else; but what was guessed before they
    came still counts, as to leave out what surprised would make the learner too sure.
    """

    def expect_slips(self, slips: Slips) -> None:
        """Expect labels to be wrong so often, from now on."""
        self._expect_slips(slips)

    def doubt(self, node: int) -> None:
        """Forget this node's label, but not how it was guessed."""
        self._doubt(one_node(node, self.n_nodes))

    @abstractmethod
    def _expect_slips(self, slips: Slips) -> None: ...

    @abstractmethod
    def _doubt(self, node: int) -> None: ...
