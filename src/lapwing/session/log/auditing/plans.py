"""When audits are due in a session with a target, how they are drawn, and what they prove."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from lapwing.active import (
    AuditPlan,
    ErrorEstimate,
    StakedAudit,
    aimed_draw,
    audit_plan,
    log_wealth,
    staked_estimate,
)
from lapwing.active.posterior import surprise, surprise_of
from lapwing.learner.decisions import decided
from lapwing.session.log.auditing.recall import unlabelled
from lapwing.session.log.state import State
from lapwing.types import Array, Mask, Nodes

CONFIDENCE = 0.95
"""The confidence for which audits are planned."""
GOAL = -float(np.log1p(-CONFIDENCE))
PRIOR = 1.0
"""The learner's doubt counts as much as the audits in which it expects so many errors."""
LEAST_EXPECTED, MOST_STAKED = 0.2, 0.75
"""Of the target: no smaller error is expected by doubt alone, and stakes suppose no larger one."""
OPTIMISM = 0.5
"""What doubt says is multiplied by this to decide whether to try audits."""
FADING = 2.0
"""An audit counts less in what is expected, by this power, as further labels are chosen."""
CALIBRATION, MOST_DOUBT = 1.0, 3.0
"""Expected errors that are added to those found and to those expected; the largest correction."""
PATIENCE = 4.0
"""Audits are due once the number expected to be needed is at most so many times the labels."""
FEWEST_LABELS = 10
TAUGHT, MOST_HOPED = 10, 1.5
"""From this number of labels per class on, audits teach about as much as chosen ones. They are due
then unless more than so many times the target is expected."""
EXPECTED_BEFORE = 0.5
"""Of the target, for the stakes on audits to come."""
CERTIFYING_SHARE = 0.5
"""The share of audits where another measure than the error is to be certified."""
LARGE, SAMPLE = 20_000, 4_000
"""Above this many nodes, doubt is read at a sample, and audits are uniform draws."""


def plans_audits(header: Mapping[str, Any]) -> bool:
    """Whether audits are planned for a target, rather than drawn as a share of the questions.

    Examples
    --------
    >>> plans_audits({"audit_share": 0.2}), plans_audits({"target_error": 0.1})
    (False, True)
    """
    return "target_error" in header and float(header.get("audit_share", 1.0)) > 0.0


def most_wrong(header: Mapping[str, Any], state: State) -> int:
    """Return the smallest number of wrong guesses that is still to be refuted.

    It is that of the target, then of half of it and so on, for those who go on.
    """
    audits, level = staked_audits(state), _missing(header, state)
    record = np.array(audits, dtype=np.float64).T
    while audits and level > 1 and log_wealth(record, level) >= GOAL:
        level = (level + 1) // 2
    return level


def _missing(header: Mapping[str, Any], state: State) -> int:
    """Return the smallest number of wrong guesses that misses the target."""
    nodes = int(header["n_nodes"]) + state.recall.added
    askable = unlabelled(state.labels, header, nodes) + len(state.labels)
    return int(np.ceil(float(header["target_error"]) * askable - 1e-9))


def staked_audits(state: State, *, since_growth: bool = False) -> list[StakedAudit]:
    """The answered audits of a session in the order in which they were drawn."""
    found = []
    for node, pool in sorted(state.recall.answered.items(), key=lambda each: each[1].number):
        later, detail = state.recall.added - pool.added, pool.detail
        if node not in state.labels or (later and since_growth):
            continue
        found.append(
            StakedAudit(
                state.labels[node] != pool.guess,
                float(detail["chance"]),
                float(detail["least"]),
                float(detail["stake"]),
                int(detail["left"]),
                int(detail["aside"]) + later,
            )
        )
    return found


def staked_error(
    state: State, header: Mapping[str, Any], n_nodes: int, confidence: float, more: int = 0
) -> ErrorEstimate:
    """Estimate the error from audits with stakes, or as it would be after `more` without an error.

    On a graph that has grown, nodes added after an audit count as wrong in it. Audits since the
    last growth are looked at alone too; each way has half of the risk, and the better one counts.
    """
    left = unlabelled(state.labels, header, n_nodes)
    total = left + len(state.labels)

    def after(since_growth: bool, sure: float) -> ErrorEstimate:
        audits = staked_audits(state, since_growth=since_growth)
        audits += _without_error(header, state, audits, left, more)
        return staked_estimate(audits, left=max(left - more, 0), n_nodes=total, confidence=sure)

    if not state.recall.added:
        return after(False, confidence)
    sure = 1.0 - (1.0 - confidence) / 2.0
    every, since = after(False, sure), after(True, sure)
    better = every if every.upper <= since.upper else since
    note = f"{since.audits} of them since the graph grew"
    if since.audits == 0:
        latest = n_nodes - (state.grown.boundary or 0)
        note = f"the {latest:,} nodes added last have no audit of their own"
    covers = f"{better.covers}; {note}" if better.covers else note
    return replace(better, audits=every.audits, confidence=confidence, covers=covers)


def _without_error(
    header: Mapping[str, Any], state: State, audits: list[StakedAudit], left: int, more: int
) -> list[StakedAudit]:
    """Audits to come that find no error, drawn as the latest was."""
    level, known = most_wrong(header, state), len(audits)
    errors = sum(each.wrong for each in audits)
    share = min(audits[-1].least * audits[-1].left, 1.0) if audits else 1.0
    found = []
    for done in range(min(more, left)):
        nodes = left - done
        target = max(level, 1) / nodes
        expected = (PRIOR + errors) / (PRIOR / (EXPECTED_BEFORE * target) + known + done)
        stake = (1.0 - min(expected / target, MOST_STAKED)) / max(nodes / share - level, 1.0)
        found.append(StakedAudit(False, 1.0 / nodes, share / nodes, stake, nodes))
    return found


class AuditPlanner:
    """What the learner and the audits so far say about the next audit.

    The error expected is (1 + wrong audits) / (1 / mean doubt + audits): doubt counts as much as
    the audits in which it expects one error. Doubt is corrected by how often guesses were wrong so
    far, at all questions, and an audit counts less the more labels were chosen after it. Audits are
    due once they can be expected to prove the target with no more than four times the labels known;
    here what doubt says is halved, as audits soon tell whether it was too large. From ten labels
    per class on they teach about as much as chosen labels, and are due unless one and a half times
    the target is expected. None of this matters for what audits prove: stake and chances are set
    before the answer.
    """

    def __init__(self, state: State, header: Mapping[str, Any], left: Nodes) -> None:
        self._state, self._left = state, left
        self._goal: Mapping[str, Any] | None = header.get("certify")
        self._nodes = int(header["n_nodes"]) + state.recall.added
        self._forbidden = list(header.get("forbidden", ()))
        self._aside = unlabelled(state.labels, header, self._nodes) - len(left)
        self._level = most_wrong(header, state)

    @cached_property
    def _chances(self) -> Array:
        """The probabilities of each candidate's classes; of a sample if there are many."""
        left = self._left
        if len(left) > LARGE:
            left = left[np.linspace(0, len(left) - 1, SAMPLE).astype(np.intp)]
        return self._state.learner.predict_proba(left)

    @cached_property
    def _doubts(self) -> Array:
        """The corrected doubt about each candidate; of a sample if there are many."""
        return np.minimum(surprise_of(self._chances) * self._correction(), 1.0)

    def _correction(self) -> float:
        """How many guesses were wrong for each that was expected to be."""
        wrong, doubt = CALIBRATION, CALIBRATION
        for node, label in self._state.labels.items():
            asked = self._state.asked.get(node)
            if asked is not None and int(asked.detail["guess"]) >= 0:
                wrong += int(asked.detail["guess"]) != label
                doubt += 1.0 - float(asked.detail["confidence"] or 0.0)
        return min(wrong / doubt, MOST_DOUBT)

    @cached_property
    def _seen(self) -> tuple[float, float]:
        """The errors that audits found and their number, both fading as labels are chosen."""
        state = self._state
        audits = sorted(state.recall.answered.items(), key=lambda each: each[1].number)
        now = max(len(state.labels) - len(audits), 1)
        wrong = count = 0.0
        for place, (node, pool) in enumerate(audits):
            weight = min(max(pool.labelled - place, 1) / now, 1.0) ** FADING
            drawn = float(pool.detail["chance"]) * int(pool.detail["left"])
            wrong += weight * (state.labels.get(node) != pool.guess) / drawn
            count += weight
        return wrong, count

    def expected(self, optimism: float = 1.0) -> float:
        """The share of wrong guesses expected among the candidates."""
        doubt = max(float(self._doubts.mean()), LEAST_EXPECTED * self._level / len(self._left))
        wrong, count = self._seen
        return (optimism * PRIOR + wrong) / (PRIOR / doubt + count)

    def plan(self, left: Nodes, optimism: float = 1.0, *, by_doubt: bool = True) -> AuditPlan:
        """How to draw the next audit from these nodes: uniformly, unless doubt may count."""
        level = self._level - self._aside - (len(self._left) - len(left))
        expected = min(self.expected(optimism), MOST_STAKED * max(level, 1) / len(left))
        if self._goal is not None:
            doubts = np.minimum(surprise(self._state.learner, left) * self._correction(), 1.0)
            weights, able = self._aim(left, self._goal)
            return aimed_draw(weights, able, doubts, expected, level)
        if len(self._left) > LARGE or not by_doubt:
            return audit_plan(np.ones(len(left)), expected, level)
        return audit_plan(self._doubts[np.isin(self._left, left)], expected, level)

    def _aim(self, left: Nodes, goal: Mapping[str, Any]) -> tuple[Array, Mask]:
        """How much each node may tell about the measure to certify, and which can count against it.

        The best weights are the square roots of the expected squares of what an audit adds. Only
        nodes predicted as a class can lower its precision. What lowers its recall are the others,
        but those predicted as it show how many there are.
        """
        state, of, target = self._state, goal.get("of"), float(goal["target"])
        able = np.ones(len(left), dtype=bool)
        if of is None or of not in state.classes:
            weights = np.sqrt(surprise(state.learner, left))
        else:
            wanted, chances = state.classes.index(of), state.learner.predict_proba(left)
            held = chances[:, wanted] if wanted < chances.shape[1] else np.zeros(len(left))
            guessed = state.learner.predict(left) == wanted
            able = guessed if goal["measure"] == "precision" else able
            weights = np.where(guessed, (1 - target) * np.sqrt(1 - held), target * np.sqrt(held))
        if goal.get("nodes") is not None:
            able &= np.isin(left, np.asarray(goal["nodes"]))
        return weights, able

    def _predicted(self) -> list[int]:
        """How many nodes without a label are predicted as each class, in the part to certify."""
        free, state = np.ones(self._nodes, dtype=bool), self._state
        free[[*state.labels, *self._forbidden]] = False
        if self._goal is not None and self._goal.get("nodes") is not None:
            free &= np.isin(np.arange(self._nodes), np.asarray(self._goal["nodes"]))
        if len(self._left) <= LARGE and not np.setdiff1d(np.flatnonzero(free), self._left).size:
            guesses = decided(self._chances)[free[self._left]]
        else:
            guesses = state.learner.predict(np.flatnonzero(free))
        return [int(n) for n in np.bincount(guesses[guesses >= 0], minlength=len(state.classes))]

    @cached_property
    def due(self) -> bool:
        """Whether to ask for audits only, from now on, as long as they promise to get there."""
        labels = len(self._state.labels)
        if labels < FEWEST_LABELS:
            return False
        if self._goal is not None:
            return len(self._state.recall.answered) < CERTIFYING_SHARE * labels
        hoped = self.expected(OPTIMISM) * len(self._left) / max(self._level - self._aside, 1)
        if labels >= TAUGHT * len(self._state.classes) and hoped < MOST_HOPED:
            return True
        if hoped >= MOST_STAKED:
            return False
        growth = self.plan(self._left, OPTIMISM).growth
        return growth > 0.0 and self._to_win() <= growth * PATIENCE * labels

    def _to_win(self) -> float:
        """The logarithm of the factor by which the wealth must still grow."""
        audits = staked_audits(self._state)
        if not audits:
            return GOAL
        return GOAL - log_wealth(np.array(audits, dtype=np.float64).T, self._level)

    def drawn(self, rng: np.random.Generator, left: Nodes) -> tuple[int, dict[str, Any]]:
        """Draw an audit, and say how.

        Before audits are due, they tell whether chosen labels mislead. Only uniform draws do.
        """
        plan = self.plan(left, by_doubt=self.due)
        place = plan.draw(rng)
        detail: dict[str, Any] = {
            "chance": float(plan.chances[place]),
            "least": float(plan.chances.min()),
            "stake": plan.stake,
            "left": len(left),
        }
        if self._goal is not None:
            able = self._aim(left, self._goal)[1]
            detail["least_able"] = float(plan.chances[able].min()) if able.any() else 1.0
        if "least_able" in detail or len(left) <= LARGE:
            detail["predicted"] = self._predicted()
        return int(left[place]), detail
