"""What wrong answers do to the bound on the error, and how nodes asked twice correct it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lapwing.active import ErrorEstimate, error_estimate
from lapwing.session.log.state import State

RISK_OF_PAIRS = 0.2
"""The share of the risk that is left to the bound on wrong answers."""


def paired_answers(state: State) -> list[bool]:
    """Whether the first two people disagreed, for each node that was drawn to be asked twice.

    Only such draws are a fair sample: nodes on which people happened to disagree are not.
    """
    both = (list(state.votes.answers(node).values())[:2] for node in state.drawn_twice)
    return [pair[0] != pair[1] for pair in both if len(pair) == 2]


def fewest_wrong(disagreed: Sequence[bool], confidence: float) -> float:
    """Return a share of wrong answers that is exceeded, with this confidence.

    Two people disagree only if one of them is wrong, so at least half as many answers are wrong as
    pairs disagree. The bound on the pairs is that of `lapwing.active.error_estimate`.

    Examples
    --------
    >>> round(fewest_wrong(([True] + [False] * 3) * 10, 0.95), 3)
    0.037
    >>> fewest_wrong([], 0.95)
    0.0
    """
    if not disagreed:
        return 0.0
    agreed = error_estimate([not each for each in disagreed], confidence=confidence)
    return (1.0 - agreed.upper) / 2.0


def risk_split(confidence: float) -> tuple[float, float]:
    """The confidences of the bound on the error and of that on wrong answers, to hold together.

    Examples
    --------
    >>> [round(each, 3) for each in risk_split(0.95)]
    [0.96, 0.99]
    """
    risk = 1.0 - confidence
    return 1.0 - risk * (1.0 - RISK_OF_PAIRS), 1.0 - risk * RISK_OF_PAIRS


def allowing_for_wrong_answers(
    estimate: ErrorEstimate, disagreed: Sequence[bool], n_classes: int, confidence: float
) -> ErrorEstimate:
    r"""Correct a bound from audits for answers that are wrong themselves.

    An audit that is answered wrongly counts as a wrong prediction. If a share e of the answers is
    wrong, whatever the prediction, and each other class is as likely, then of all audits the share
    :math:`p (1 - e K / (K - 1)) + e` disagrees with the prediction, where p is the error. So p is
    at most :math:`(u - e) / (1 - e K / (K - 1))` if at most the share u disagrees and at least the
    share e of the answers is wrong. `estimate` must have the first confidence of `risk_split`.

    Examples
    --------
    >>> plain = error_estimate(([True] + [False] * 9) * 10, confidence=0.96)
    >>> print(plain)
    error about 10.0%, with 96% confidence at most 22.1% (100 audits)
    >>> print(allowing_for_wrong_answers(plain, ([True] + [False] * 3) * 10, 5, 0.95))
    error about 7.3%, with 95% confidence at most 19.8% (100 audits; at least 3.0% of the answers
    are wrong, as people disagreed on 10 of 40 nodes asked twice: spot checks answered wrongly are
    not held against the predictions)
    """
    wrong = fewest_wrong(disagreed, risk_split(confidence)[1])
    if wrong == 0.0 or not estimate.audits:
        return replace(estimate, confidence=confidence)
    kept = 1.0 - wrong * n_classes / max(n_classes - 1, 1)

    def corrected(share: float) -> float:
        return min(max(share - wrong, 0.0) / kept, share) if kept > 0.0 else share

    said = (
        f"at least {wrong:.1%} of the answers are wrong, as people disagreed on {sum(disagreed)} "
        f"of {len(disagreed)} nodes asked twice: spot checks answered wrongly are not held against "
        "the predictions"
    )
    return replace(
        estimate,
        estimate=corrected(estimate.estimate),
        lower=0.0,
        upper=corrected(estimate.upper),
        confidence=confidence,
        covers=f"{estimate.covers}; {said}" if estimate.covers else said,
    )
