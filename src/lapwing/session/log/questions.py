"""Questions to people: which nodes to ask about next, and the learner's guesses for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from lapwing.active import ActiveSearch, CanChooseSeveral, Strategy
from lapwing.learner import JudgesNeighbours, Learner
from lapwing.session.log.audit_plans import AuditPlanner, plans_audits
from lapwing.session.log.audits import audit_share
from lapwing.session.log.events import Event
from lapwing.session.log.recall_audits import drawn_audit, search_audit_share
from lapwing.session.log.state import State
from lapwing.types import UNKNOWN, Nodes

FIRST_DRAW = 10.0
"""Strategies choose among so many candidates drawn at random while nothing is known of neighbours;
the number is multiplied by the likelihood ratio of neighbours against class shares."""
LARGEST_LEAD = 30.0


@dataclass(frozen=True, slots=True)
class Asked:
    """A node to ask about, and the learner's guess (`UNKNOWN` if it has none)."""

    node: int
    guess: int
    confidence: float | None
    audit: bool = False
    again: bool = False

    @classmethod
    def of(cls, asked: Event) -> Self:
        """The question that an event of kind asked put.

        Examples
        --------
        >>> detail = {"guess": 1, "confidence": 0.75, "audit": True}
        >>> Asked.of(Event(1, "asked", "2026-01-01T00:00:00Z", "ann", node=3, detail=detail))
        Asked(node=3, guess=1, confidence=0.75, audit=True, again=False)
        """
        detail = asked.detail
        node = -1 if asked.node is None else asked.node
        audit = bool(detail.get("audit", False))
        again = bool(detail.get("again", False))
        return cls(node, int(detail["guess"]), detail["confidence"], audit, again)


def free_nodes(state: State, header: Mapping[str, Any], n_nodes: int, by: str) -> Nodes:
    """Nodes to ask this person about: not skipped, answered, open or forbidden.

    They have no label, or one that a second person is to confirm.
    """
    free = np.ones(n_nodes, dtype=bool)
    free[list(state.labels)] = False
    free[list(state.unconfirmed)] = True
    skipped, never = list(state.skipped.get(by, ())), list(header.get("forbidden", ()))
    for nodes in (state.votes.answered(by), list(state.open), skipped, never):
        free[nodes] = False
    return np.flatnonzero(free)


class Choice(NamedTuple):
    """A node to ask about, whether it is an audit, and how that was drawn if not uniformly."""

    node: int
    audit: bool
    drawn: Mapping[str, Any] = {}


def choices(
    state: State, header: Mapping[str, Any], strategy: Strategy, candidates: Nodes, count: int
) -> list[Choice]:
    """Several nodes to ask about, disputed and unconfirmed first, and which are audits.

    Whether a question is an audit, and about which node, follows from the seed and the number of
    the turn that asks it: a log played again asks the same.
    """
    disputed = np.array([*state.votes.disputed(), *state.unconfirmed], dtype=np.intp)
    again = disputed[np.isin(disputed, candidates)]
    chosen = [Choice(node, False) for node in again[:count].tolist()]
    left = np.setdiff1d(candidates, again) if len(again) else candidates
    useful: list[int] = []
    asker = _asker(strategy)
    searches = isinstance(asker, ActiveSearch)
    drawn = np.inf if searches else _drawn(state, header)
    planner = AuditPlanner(state, header, left) if plans_audits(header) and not searches else None
    while len(chosen) < count and len(left):
        rng = np.random.default_rng([int(header.get("seed", 0)), state.n_turns + len(chosen)])
        if isinstance(asker, ActiveSearch):
            share = search_audit_share(audit_share(header, state.audits), asker)
        elif planner is not None:
            share = 1.0 if drawn < 2.0 or planner.due else 0.0
        else:
            share = 1.0 if drawn < 2.0 else audit_share(header, state.audits)
        if rng.random() < share:
            draw = (
                partial(drawn_audit, rng, asker) if planner is None else partial(planner.drawn, rng)
            )
            node, detail = draw(left)
            chosen.append(Choice(node, True, detail))
        else:
            useful = [n for n in useful if n in left]
            if drawn < len(left):
                among = np.sort(rng.choice(left, size=int(drawn), replace=False))
                useful = _useful(state, asker, among, 1)
            elif not useful:
                useful = _useful(state, asker, left, count - len(chosen))
            node = useful.pop(0)
            chosen.append(Choice(node, False))
        left = left[left != node]
    return chosen


def _asker(strategy: Strategy) -> Strategy:
    """The strategy that chooses now: a search leaves it to the usual one while nothing is found."""
    if not isinstance(strategy, ActiveSearch):
        return strategy
    strategy.refresh()
    return strategy if strategy.knows_positive else strategy.usual


def _drawn(state: State, header: Mapping[str, Any]) -> float:
    """The number of candidates, drawn at random, that a strategy chooses among.

    Strategies choose nodes whose labels spread to neighbours. Where neighbours differ, that asks
    about the same class again and again, and chosen labels are worse than random ones. The best of
    ten random nodes is almost as good as the best of all and cannot be far from a fair sample; from
    there on the labels decide: the better neighbours guess them, the larger the number, and below
    two the question is a draw at random, which is an audit. Without audits nothing is drawn.
    """
    learner = state.learner
    if audit_share(header, state.audits) == 0.0 or not isinstance(learner, JudgesNeighbours):
        return np.inf
    return float(FIRST_DRAW * np.exp(min(learner.lead_over_shares, LARGEST_LEAD)))


def asked_twice(header: Mapping[str, Any], number: int) -> bool:
    """Whether the question of this event is put to two people; it follows from the seed.

    Examples
    --------
    >>> [asked_twice({"twice": share}, 7) for share in (0.0, 1.0)]
    [False, True]
    """
    share = float(header.get("twice", 0.0))
    rng = np.random.default_rng([int(header.get("seed", 0)), number, 2])
    return share > 0 and bool(rng.random() < share)


def opinion(learner: Learner, node: int) -> tuple[int, float]:
    """Return the learner's guess for a node and its probability."""
    guess = int(learner.predict(node))
    if guess == UNKNOWN:
        return guess, 0.0
    return guess, float(np.max(learner.predict_proba(node)))


def _useful(state: State, strategy: Strategy, candidates: Nodes, count: int) -> list[int]:
    """Nodes that the strategy prefers."""
    if count > 1 and isinstance(strategy, CanChooseSeveral):
        return list(map(int, strategy.several(candidates, count)))
    return [int(strategy(state.learner, candidates))]
