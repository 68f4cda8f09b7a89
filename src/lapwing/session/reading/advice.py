"""Advice on whether to stop asking, with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lapwing.active import ActiveSearch
from lapwing.checks import between
from lapwing.session.asking.reasons import positive_words
from lapwing.session.log.auditing.estimates import remaining_error
from lapwing.session.log.auditing.plans import MOST_STAKED, AuditPlanner, plans_audits
from lapwing.session.log.auditing.recall import unlabelled
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.claims import SMALL_IS_GOOD
from lapwing.session.reading.certificates import certificate
from lapwing.session.reading.class_measures import imbalance_words
from lapwing.session.reading.finding import hidden_words, recall_of, search_of

MANY_WRONG = 0.03
"""The share of wrong answers from which on it is said what they do to the bound."""
FEWEST_TO_TELL = 50
"""Labels from which on it is said that a target seems out of reach."""


@dataclass(frozen=True, slots=True)
class Advice:
    """Whether to stop, and why or what is still missing."""

    stop: bool
    why: str
    note: str = ""
    """What else to know, such as that one class is rare."""

    @property
    def words(self) -> str:
        """The reason and the note."""
        return f"{self.why}. {self.note[0].upper()}{self.note[1:]}" if self.note else self.why

    def __str__(self) -> str:
        return f"{'stop' if self.stop else 'go on'}: {self.words}"


def advice(
    dialogue: Dialogue,
    *,
    by: str = "me",
    target_error: float = 0.1,
    confidence: float = 0.95,
    budget: int | None = None,
    target_recall: float | None = None,
) -> Advice:
    """Stop when the budget is used, the error is shown to be below the target, or none is left.

    A session that is to find a class stops when the target recall is shown to be reached instead.
    """
    labels = len(dialogue.state.labels)
    if budget is not None and labels >= budget:
        return Advice(True, f"the budget of {budget} labels is used")
    if isinstance(dialogue.strategy, ActiveSearch):
        target = dialogue.header.get("target_recall") if target_recall is None else target_recall
        return _search_advice(dialogue, by, target, confidence)
    if target_recall is not None:
        search_of(dialogue)  # says how to begin one
    if "certify" in dialogue.header:
        return _certified_advice(dialogue, by, dialogue.header["certify"], confidence)
    found = _error_advice(dialogue, by, target_error, confidence)
    outlook = "" if found.stop else _outlook(dialogue, target_error)
    notes = (outlook, "" if found.stop else _noise(dialogue), imbalance_words(dialogue))
    return replace(found, note="; ".join(filter(None, notes)))


def _noise(dialogue: Dialogue) -> str:
    """Say what the bound means where second looks show that many answers are wrong."""
    rate = dialogue.state.looks.rate
    if rate < MANY_WRONG:
        return ""
    return (
        f"second looks say that about {rate:.0%} of the answers are wrong; a spot check answered "
        "wrongly counts as a wrong prediction, so the bound hardly falls below that"
    )


def _outlook(dialogue: Dialogue, target_error: float) -> str:
    """Say so if too many predictions seem wrong for audits to prove the target soon."""
    state, header = dialogue.state, dialogue.header
    planned = plans_audits(header) and float(header["target_error"]) == target_error
    left = np.flatnonzero(dialogue.labels < 0)
    if not planned or len(state.labels) < FEWEST_TO_TELL or not len(left):
        return ""
    dialogue.learn()
    planner = AuditPlanner(state, header, left)
    expected = planner.expected() * len(left) / dialogue.graph.n_nodes
    if expected < (1.0 if planner.due else MOST_STAKED) * target_error:
        return ""
    return (
        f"about {expected:.0%} of all nodes seem to be wrong now, too near {target_error:.0%} for "
        "spot checks to prove it soon, so questions come first that teach the learner"
    )


def _search_advice(
    dialogue: Dialogue, by: str, target_recall: float | None, confidence: float
) -> Advice:
    """Whether to stop looking for a class."""
    if target_recall is not None:
        between("target_recall", target_recall, 0, 1)
    recall = recall_of(dialogue, confidence=confidence)
    what = positive_words(dialogue)
    if not unlabelled(dialogue.state.labels, dialogue.header, dialogue.graph.n_nodes):
        return Advice(True, "every node has been asked about, so nothing is hidden")
    if target_recall is not None and recall.found and recall.reaches(target_recall):
        sure = f"with {confidence:.0%} confidence"
        why = f"{sure}, at least {target_recall:.0%} of all {what} nodes have been found"
        return Advice(True, why)
    if not dialogue.state.open and len(dialogue.candidates(by)) == 0:
        return Advice(True, "there is no node left to ask about")
    return Advice(False, hidden_words(dialogue, recall))


def _certified_advice(
    dialogue: Dialogue, by: str, claim: Mapping[str, Any], confidence: float
) -> Advice:
    """Whether to stop because what is to be certified is proven."""
    of, target = claim["of"], float(claim["target"])
    if not unlabelled(dialogue.state.labels, dialogue.header, dialogue.graph.n_nodes):
        return Advice(True, "every node has been asked about, so no error is left")
    if of is not None and of not in dialogue.classes:
        return Advice(False, f"no node of class {of} is known yet")
    found = certificate(
        dialogue, claim["measure"], of=of, part=claim["part"], confidence=confidence
    )  # fmt: skip
    side = "below" if claim["measure"] in SMALL_IS_GOOD else "at least"
    if found.reaches(target):
        return Advice(
            True, f"with {confidence:.0%} confidence, {found.what} is {side} {target:.0%}"
        )
    if not dialogue.state.open and len(dialogue.candidates(by)) == 0:
        return Advice(True, "there is no node left to ask about")
    return Advice(False, f"{found.what} is not shown to be {side} {target:.0%} yet")


def _error_advice(dialogue: Dialogue, by: str, target_error: float, confidence: float) -> Advice:
    """Whether to stop because the error is small enough."""
    estimate = dialogue.error_estimate(confidence=confidence)
    if estimate.left == 0:
        return Advice(True, "every node has been asked about, so no error is left")
    if estimate.below(target_error):
        nodes = f"all {estimate.n_nodes:,} nodes" if estimate.n_nodes else "the nodes left"
        why = (
            f"with {confidence:.0%} confidence, fewer than {target_error:.0%} of {nodes} are wrong"
        )
        return Advice(True, why)
    if not dialogue.state.open and len(dialogue.candidates(by)) == 0:
        return Advice(True, "there is no node left to ask about")
    return Advice(False, progress_words(dialogue, target_error, confidence))


def progress_words(dialogue: Dialogue, target_error: float, confidence: float) -> str:
    """Say how far it is to the target."""
    if dialogue.error_estimate(confidence=confidence).below(target_error):
        return f"the bound is below {target_error:.0%}"
    if not float(dialogue.header.get("audit_share", 1.0)):
        return "without spot checks the error stays unknown"
    left = checks_left(dialogue, target_error, confidence)
    if left is None:
        return f"no number of spot checks brings the bound below {target_error:.0%}"
    checks = "1 more spot check" if left == 1 else f"{left:,} more spot checks"
    return f"{checks} without an error would bring the bound below {target_error:.0%}"


def checks_left(dialogue: Dialogue, target: float, confidence: float) -> int | None:
    """Return the number of further spot checks without an error that bring the bound below.

    Returns None if asking about every remaining node would not be enough.
    """

    def below(more: int) -> bool:
        state, header, n_nodes = dialogue.state, dialogue.header, dialogue.graph.n_nodes
        return remaining_error(state, header, n_nodes, confidence, more).below(target)

    never = set(dialogue.header.get("forbidden", ())) - set(dialogue.state.labels)
    most = dialogue.graph.n_nodes - len(never) - len(dialogue.state.labels)
    low, high = 0, min(1, most)
    while high < most and not below(high):
        low, high = high, min(2 * high, most)
    if high < 1 or (high == most and not below(high)):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if below(middle) else (middle, high)
    return high
