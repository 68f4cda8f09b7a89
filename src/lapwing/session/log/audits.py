"""The share of questions drawn at random, to measure the error without bias."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lapwing.active import ErrorEstimate, error_estimate
from lapwing.session.log.state import State

AUDIT_SHARE = 0.2
"""The default share of all questions."""
PROVING_SHARE, PROVEN = 0.5, 10


def audit_share(header: Mapping[str, Any], audits: Sequence[bool]) -> float:
    """Return the probability that the next question is an audit, given earlier audits.

    What the header says, until ten audits in a row found no error: then little is left to learn
    and what remains is to show it, so it is at least a half. The share follows from what happened
    before, and every audit is a uniform draw, so the bound of `error_estimate` holds as it did.

    Examples
    --------
    >>> audit_share({}, [True] * 3), audit_share({}, [True] * 3 + [False] * 10)
    (0.2, 0.5)
    >>> audit_share({"audit_share": 0.0}, [])
    0.0
    """
    share = float(header.get("audit_share", AUDIT_SHARE))
    proving = share > 0 and len(audits) >= PROVEN and not any(audits[-PROVEN:])
    return max(share, PROVING_SHARE) if proving else share


def remaining_error(
    state: State, header: Mapping[str, Any], n_nodes: int, confidence: float, more: int = 0
) -> ErrorEstimate:
    """Estimate the error of predictions on nodes not asked about, from the audits.

    Nodes that may not be asked, and have no label, are not counted among those left. With `more`,
    what the estimate would be after so many further audits without an error.
    """
    never = sum(node not in state.labels for node in set(header.get("forbidden", ())))
    askable = n_nodes - never
    left = [max(askable - labelled, 1) for labelled in state.labelled]
    now = askable - len(state.labels)
    left += [now - done for done in range(more + 1)]
    audits = [*state.audits, *[False] * more]
    return error_estimate(audits, confidence=confidence, left=left, n_nodes=askable)
