"""Audits: questions drawn at random, which measure the error without bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from lapwing.active import ErrorEstimate, error_estimate
from lapwing.session.log.answer_noise import (
    allowing_for_wrong_answers,
    paired_answers,
    risk_split,
)
from lapwing.session.log.auditing.plans import plans_audits, staked_error
from lapwing.session.log.state import State

AUDIT_SHARE = 0.2
"""The default share of all questions."""
PROVING_SHARE, PROVEN = 0.5, 10


def audit_share(header: Mapping[str, Any], audits: Sequence[bool]) -> float:
    """Return the probability that the next question is an audit, given earlier audits.

    This is the share in the header until ten audits in a row found no error; from then on it is at
    least one half, because more labels would hardly help and only the proof is missing. The share
    depends only on the past, and every audit is a uniform draw, so the bound of `error_estimate`
    remains valid.

    Examples
    --------
    >>> audit_share({}, [True] * 3), audit_share({}, [True] * 3 + [False] * 10)
    (0.2, 0.5)
    >>> audit_share({"audit_share": 0.0}, [])
    0.0
    """
    share = float(header.get("audit_share", AUDIT_SHARE))
    proving = (
        share > 0
        and not plans_audits(header)
        and len(audits) >= PROVEN
        and not any(audits[-PROVEN:])
    )
    return max(share, PROVING_SHARE) if proving else share


def remaining_error(
    state: State, header: Mapping[str, Any], n_nodes: int, confidence: float, more: int = 0
) -> ErrorEstimate:
    """Estimate the error of predictions on nodes not asked about, from the audits.

    Forbidden nodes without a label are not counted. With `more`, return the estimate as it would be
    after this many further audits without an error. Where some nodes are asked twice, what people
    disagree about corrects it for wrong answers (`allowing_for_wrong_answers`).
    """
    if not header.get("twice"):
        return _as_answered(state, header, n_nodes, confidence, more)
    plain = _as_answered(state, header, n_nodes, risk_split(confidence)[0], more)
    pairs, count = paired_answers(state), max(len(state.classes), 2)
    return allowing_for_wrong_answers(plain, pairs, count, confidence)


def _as_answered(
    state: State, header: Mapping[str, Any], n_nodes: int, confidence: float, more: int
) -> ErrorEstimate:
    """The estimate that takes every answer for right."""
    if plans_audits(header):
        return staked_error(state, header, n_nodes, confidence, more)
    never = sum(node not in state.labels for node in set(header.get("forbidden", ())))
    if state.grown.boundary is not None:
        return _in_strata(state, never, n_nodes, confidence, more)
    askable = n_nodes - never
    left = [max(askable - labelled, 1) for labelled in state.labelled]
    now = askable - len(state.labels)
    left += [now - done for done in range(more + 1)]
    audits = [*state.audits, *[False] * more]
    return _estimate_of(tuple(audits), tuple(left), confidence, askable)


@lru_cache(maxsize=64)
def _estimate_of(
    audits: tuple[bool, ...], left: tuple[int, ...], confidence: float, askable: int
) -> ErrorEstimate:
    """The estimate, kept: a status asks for the same ones several times, for each person."""
    return error_estimate(audits, confidence=confidence, left=left, n_nodes=askable)


def _in_strata(
    state: State, never: int, n_nodes: int, confidence: float, more: int
) -> ErrorEstimate:
    """The estimate on a graph that has grown: one bound for the nodes added last, one for the rest.

    Each holds with half of the risk, so that both hold together.
    """
    strata, boundary = state.grown, state.grown.boundary or 0
    askable = (boundary - never, n_nodes - boundary)
    known = (len(state.labels) - strata.new_labels, strata.new_labels)
    now = [max(nodes - labelled, 0) for nodes, labelled in zip(askable, known, strict=True)]
    extra_new = round(more * now[1] / max(sum(now), 1))
    found = []
    for nodes, drawn, still, extra in (
        (askable[0], strata.old, now[0], min(more - extra_new, now[0])),
        (askable[1], strata.new, now[1], min(extra_new, now[1])),
    ):
        left = [max(nodes - each.labelled, 1) for each in drawn]
        left += [still - done for done in range(extra + 1)]
        audits = [state.audits[each.place] for each in drawn] + [False] * extra
        sure = 1.0 - (1.0 - confidence) / 2.0
        found.append(error_estimate(audits, confidence=sure, left=left, n_nodes=max(nodes, 0)))
    old, new = found
    total = (old.left or 0) + (new.left or 0)

    def share(name: str) -> float:
        parts = [getattr(part, name) * (part.left or 0) for part in (old, new)]
        return float(sum(parts) / total) if total else 0.0

    return ErrorEstimate(
        estimate=share("estimate"),
        lower=share("lower"),
        upper=share("upper"),
        audits=old.audits + new.audits,
        confidence=confidence,
        left=total,
        n_nodes=sum(askable),
        covers=f"the {askable[1]:,} nodes added last have {_counted(new.audits)} of their own",
    )


def _counted(audits: int) -> str:
    return "no audit" if audits == 0 else f"{audits} audit{'' if audits == 1 else 's'}"
