"""What a session claims about its nodes: the error of its predictions, or what a search found."""

from __future__ import annotations

from typing import Any

from lapwing.session import Session
from lapwing.session.opening.goals import is_search
from lapwing.session.reading.finding import search_facts


def claims_of(session: Session) -> dict[str, Any]:
    """Return the claims by name: recall and what is hidden for a search, else the error.

    Examples
    --------
    >>> from lapwing import Graph
    >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]), ["red", "blue"])
    >>> claims_of(session)["error_at_most"]
    1.0
    """
    if is_search(session.header):
        claim = session.recall()
        return {
            **search_facts(session.dialogue, claim),
            "recall": str(claim),
            "audits": claim.audits,
        }
    estimate = session.error_estimate()
    return {
        "estimated_error": estimate.estimate if estimate.audits else None,
        "error_at_most": estimate.upper,
        "bound": str(estimate),
        "audits": estimate.audits,
    }
