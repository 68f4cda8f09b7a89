"""Bounds of error, recall, precision and F1 from audits drawn with known probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from lapwing.checks import at_least, one_of, strictly_between
from lapwing.errors import InputError
from lapwing.types import Array

ShareKind = Literal["accuracy", "recall", "precision", "f1"]
STAKES = np.linspace(0.1, 0.99, 10)
"""Shares of the largest stake that cannot lose everything; all are played with equal money."""
LEVELS = np.arange(1, 200) / 200.0
"""The levels that are tried, in steps of half a point."""


class ClassAudit(NamedTuple):
    """An audit as seen from one class.

    `missed`: a node of the class that was predicted as another; `claimed`: a node of another class
    that was predicted as this one; `belongs`: a node of the class. All are false for nodes outside
    the part of the graph that is measured. For the accuracy, `missed` says that the guess was
    wrong. `known` nodes of the class were labelled when the audit was drawn. `least` is the
    smallest probability of a node that could be missed (or claimed). `predicted` nodes were
    labelled or predicted as the class then; -1 if nobody counted. The rest is as in `StakedAudit`.
    """

    missed: bool
    claimed: bool
    belongs: bool
    known: int
    chance: float
    least: float
    left: int
    aside: int = 0
    predicted: int = -1


class MeasuredShare(NamedTuple):
    """A share by the audits: an estimate, and a lower bound that holds at any time."""

    estimate: float
    lower: float


def measured_share(
    audits: Sequence[ClassAudit],
    measure: ShareKind,
    *,
    total: float,
    confidence: float = 0.95,
) -> MeasuredShare:
    r"""Return a lower bound of accuracy, recall, precision or F1 over all nodes.

    Nodes with a label count as right. With the numbers of missed nodes M, of claimed nodes C, of
    nodes of the class P and of nodes predicted as it D, each measure is at least l if

    - accuracy: :math:`M \le (1 - l) N` (M: wrong guesses, N: nodes)
    - recall: :math:`M \le (1 - l) P`
    - precision: :math:`C \le (1 - l) D`
    - F1: :math:`l\,C + (2 - l)\,M \le 2 (1 - l) P`

    The left side is a sum over nodes without a label, and so is the unknown part of P: an audit's
    value over its probability has the sum as its mean. Where D was counted at an audit, P is
    replaced by D - C + M there: recall is at least l if :math:`l M + (1 - l) C \le (1 - l) D`, and
    F1 if :math:`l M + (2 - l) C \le 2 (1 - l) D`. Then every audit without an error speaks for the
    claim; otherwise only those do that happen to find a node of the class. "The measure is below l"
    is refuted by betting, as in `staked_estimate`, for ten stakes at once. The bound holds at any
    time, whatever was asked, provided that further labels do not raise M (or C). Cost: O(audits)
    for each of 199 levels.

    Parameters
    ----------
    audits
        In the order in which they were drawn.
    measure
        What to bound.
    total
        N for the accuracy, D for the precision, the labelled nodes of the class now for the others.
    confidence
        Between 0 and 1.

    References
    ----------
    Waudby-Smith, Ramdas. *Estimating means of bounded random variables by betting.* JRSS B 2024.

    Examples
    --------
    30 of 200 nodes were labelled before, 20 of them of the class; then 40 audits were all right,
    every second one of the class:

    >>> audits = [ClassAudit(False, False, t % 2 == 0, 20 + (t + 1) // 2, 1 / (170 - t),
    ...                      1 / (170 - t), 170 - t) for t in range(40)]
    >>> measured_share(audits, "recall", total=40)
    MeasuredShare(estimate=1.0, lower=0.84)
    >>> measured_share(audits, "accuracy", total=200).lower
    0.92
    """
    one_of("measure", measure, ("accuracy", "recall", "precision", "f1"))
    strictly_between("confidence", confidence, 0, 1)
    at_least("total", total, 0)
    for each in audits:
        if not (0.0 < each.chance <= 1.0 and 0.0 < each.least <= 1.0):
            raise InputError(f"an audit's chance must lie between 0 and 1, got {each}")
    if not audits:
        return MeasuredShare(0.0, 0.0)
    record = np.array(audits, dtype=np.float64).T
    goal = -float(np.log1p(-confidence))
    lower = 0.0
    for level in LEVELS:
        if _log_wealth(record, measure, float(level), total) < goal:
            break
        lower = float(level)
    return MeasuredShare(max(_estimate(record, measure, total), lower), lower)


def _log_wealth(record: Array, measure: ShareKind, level: float, total: float) -> float:
    """Return the logarithm of the wealth won against "the measure is below this level"."""
    missed, claimed, belongs, known, chance, least, _, aside, predicted = record
    per_node = 2.0 if measure == "f1" else 1.0
    allowed, counts = per_node * (1.0 - level), measure in ("recall", "f1")
    if measure == "f1":
        cost = level * claimed + (2.0 - level) * missed
    else:
        cost = claimed if measure == "precision" else missed
    most = np.full(len(cost), 2.0 - level if measure == "f1" else 1.0)
    supposed = allowed * known if counts else np.full(len(cost), allowed * total)
    value = cost - allowed * belongs if counts else cost
    if counts:
        counted = predicted >= 0.0
        supposed = np.where(counted, allowed * predicted, supposed)
        value = np.where(counted, level * missed + (per_node - level) * claimed, value)
        most = np.where(counted, max(level, per_node - level), most)
    before = supposed if measure != "precision" else np.zeros(len(cost))
    room = most / least + most * aside - before
    found = np.cumsum(cost[::-1])[::-1]
    won = (supposed + found - most * aside - value / chance) / np.maximum(room, 1e-9)
    if (room <= 0.0).any():
        return float("inf")
    with np.errstate(divide="ignore"):
        wealth = np.log(np.maximum(1.0 + STAKES[:, None] * won, 0.0)).sum(axis=1)
    return float(np.logaddexp.reduce(wealth) - np.log(len(STAKES)))


def _estimate(record: Array, measure: ShareKind, total: float) -> float:
    """Return the measure by the latest half of the audits."""
    recent = record[:, -max(20, record.shape[1] // 2) :]
    missed, claimed, belongs = (recent[:3] / recent[4]).mean(axis=1)
    if measure in ("accuracy", "precision"):
        wrong, of = (claimed if measure == "precision" else missed), total
    elif measure == "recall":
        wrong, of = missed, total + belongs
    else:
        wrong, of = claimed + missed, 2.0 * (total + belongs - missed) + claimed + missed
    return float(np.clip(1.0 - wrong / of, 0.0, 1.0)) if of > 0 else 0.0
