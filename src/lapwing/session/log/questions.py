"""Questions to people: which nodes to ask about next, and the learner's guesses for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from scipy.special import expit

from lapwing.active import (
    ActiveSearch,
    CanAvoidHubs,
    CanChooseSeveral,
    Representative,
    Strategy,
)
from lapwing.learner import JudgesNeighbours, Learner
from lapwing.session.log.auditing.estimates import AUDIT_SHARE, audit_share
from lapwing.session.log.auditing.plans import AuditPlanner, plans_audits
from lapwing.session.log.auditing.recall import drawn_audit, search_audit_share, unlabelled
from lapwing.session.log.events import Event
from lapwing.session.log.state import State
from lapwing.types import UNKNOWN, Nodes

BEHIND, GROWTH = 4.5, 0.375
"""Half of all questions are audits if the learner is so far behind the audits' class shares, in log
loss; so much nearer with each audit."""
PART, FEWEST = 0.1, 20
"""While it is behind, strategies choose from this part of the candidates, drawn at random."""
PROVEN, NOT_REFUTED = 1.0, 0.0
"""Hubs are asked about once the learner is so far ahead of the audits' class shares; in a session
with a target, which soon asks for audits only, as long as it is not behind."""


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
    again = disputed[np.isin(disputed, candidates)] if len(disputed) else disputed
    chosen = [Choice(node, False) for node in again[:count].tolist()]
    left = np.setdiff1d(candidates, again) if len(again) else candidates
    useful: list[int] = []
    asker = _asker(strategy, state.learner)
    searches = isinstance(asker, ActiveSearch)
    planner = AuditPlanner(state, header, left) if plans_audits(header) and not searches else None
    by_edges = not isinstance(asker, Representative)
    lead = None if searches else _lead(state, header, by_edges=by_edges)
    while len(chosen) < count and len(left):
        rng = np.random.default_rng([int(header.get("seed", 0)), state.n_turns + len(chosen)])
        if isinstance(asker, ActiveSearch):
            share = search_audit_share(
                audit_share(header, state.audits), asker, left, header.get("target_recall")
            )
        elif planner is not None:
            share = 1.0 if planner.due else _share_before(state, header, lead, by_edges=by_edges)
        else:
            share = _audit_share(state, header, lead, by_edges=by_edges)
        if rng.random() < share:
            draw = (
                partial(drawn_audit, rng, asker) if planner is None else partial(planner.drawn, rng)
            )
            node, drawn = draw(left)
            chosen.append(Choice(node, True, drawn))
        else:
            useful = [n for n in useful if n in left]
            if not useful:
                ahead = PROVEN if planner is None else NOT_REFUTED
                within = left if lead is None else _considered(asker, left, lead, ahead, rng)
                useful = _useful(state, asker, within, count - len(chosen))
            node = useful.pop(0)
            chosen.append(Choice(node, False))
        if len(chosen) < count:
            left = left[left != node]
    return chosen


def _asker(strategy: Strategy, learner: Learner) -> Strategy:
    """The strategy that chooses now.

    A search leaves it to the usual one while nothing is found, and what compares nodes by the
    learner's rows to the reach of doubt while there are none.
    """
    if isinstance(strategy, Representative):
        return strategy if strategy.compares(learner) else strategy.reach
    if not isinstance(strategy, ActiveSearch):
        return strategy
    strategy.refresh()
    return strategy if strategy.knows_positive else _asker(strategy.usual, learner)


def _lead(state: State, header: Mapping[str, Any], *, by_edges: bool) -> float | None:
    """How far the learner is ahead of the class shares of the audits; None if nobody can tell.

    Where a strategy chooses by edges, what the learner knows by edges alone counts.
    """
    learner = state.learner
    if audit_share(header, state.audits) == 0.0 or not isinstance(learner, JudgesNeighbours):
        return None
    return learner.lead_over_shares(_fair_sample(state), by_edges=by_edges)


def _fair_sample(state: State) -> list[int]:
    """The labelled nodes that were drawn at random, all alike."""
    return [node for node in state.labels if node in state.fair]


def _share_before(
    state: State, header: Mapping[str, Any], lead: float | None, *, by_edges: bool
) -> float:
    """The share of audits before they are due: only those that tell whether labels mislead."""
    return 0.0 if lead is None else _audit_share(state, header, lead, by_edges=by_edges)


def _audit_share(
    state: State, header: Mapping[str, Any], lead: float | None, *, by_edges: bool
) -> float:
    """The share of audits: more where chosen labels mislead.

    Chosen labels are worse than random ones where the learner guesses audits no better than their
    class shares would. Then questions drift towards draws at random, which are audits. So they do
    where a strategy chooses nodes whose labels spread over edges, and neighbours differ. To find
    out in time, an audit is due when there are fewer than the share of them by more than one.
    """
    share, learner = audit_share(header, state.audits), state.learner
    if lead is None or not isinstance(learner, JudgesNeighbours):
        return share
    asked = sum(node in state.asked for node in state.labels)
    if len(state.audits) < float(header.get("audit_share", AUDIT_SHARE)) * asked - 1.0:
        return 1.0
    misled = float(expit(GROWTH * len(_fair_sample(state)) - lead - BEHIND))
    return max(share, misled, 1.0 - learner.neighbour_trust if by_edges else 0.0)


def _considered(
    strategy: Strategy, candidates: Nodes, lead: float, ahead: float, rng: np.random.Generator
) -> Nodes:
    """The candidates that a strategy chooses from, so that its choice stays close to a fair sample.

    Hubs are left out until the learner's lead over the audits' class shares is so far `ahead`.
    While it is behind, nine in ten of the others are left out, too, by chance: where labels depend
    on a node's place, a strategy that may choose any node asks about the same class again and
    again.
    """
    if lead >= ahead or not isinstance(strategy, CanAvoidHubs):
        return candidates
    within = strategy.without_hubs(candidates)
    count = max(FEWEST, round(PART * len(within)))
    if lead >= 0.0 or count >= len(within):
        return within
    return np.sort(rng.choice(within, size=count, replace=False))


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


def question_detail(
    state: State, header: Mapping[str, Any], n_nodes: int, choice: Choice, place: int
) -> dict[str, Any]:
    """What the log records of a question, the `place`-th of those asked together."""
    node, audit, drawn = choice
    guess, confidence = opinion(state.learner, node)
    detail: dict[str, Any] = {"guess": guess, "confidence": confidence, "audit": audit}
    if drawn:
        detail |= {**drawn, "aside": unlabelled(state.labels, header, n_nodes) - drawn["left"]}
    if node in state.unconfirmed:
        detail |= {"second": True, "twice": True}
    elif asked_twice(header, state.n_turns + place):
        detail["twice"] = True
    return detail


def opinion(learner: Learner, node: int) -> tuple[int, float]:
    """Return the learner's guess for a node and its probability."""
    guess = int(learner.predict(node))
    if guess == UNKNOWN:
        return guess, 0.0
    return guess, float(np.max(learner.predict_proba(node)))


def _useful(state: State, strategy: Strategy, candidates: Nodes, count: int) -> list[int]:
    """Nodes that the strategy prefers."""
    if count > 1 and isinstance(strategy, CanChooseSeveral):
        return list(map(int, strategy.several(candidates, count, state.learner)))
    return [int(strategy(state.learner, candidates))]
