"""How well one class is predicted: precision and recall from the audits."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from lapwing.active import error_estimate
from lapwing.session.log.auditing.plans import plans_audits
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.reading.certificates import certificate
from lapwing.session.reading.finding import class_index

FEWEST_AUDITS, LOPSIDED = 20, 0.9
"""Audits needed to speak of imbalance, and the share of the largest class from which on."""


@dataclass(frozen=True, slots=True)
class AuditedShare:
    """A share, estimated from `audits`, with a lower and an upper bound."""

    estimate: float
    lower: float
    upper: float
    audits: int
    confidence: float

    def __str__(self) -> str:
        if not self.audits:
            return "unknown: no audit is about it yet"
        return (
            f"about {self.estimate:.0%}, with {self.confidence:.0%} confidence at least "
            f"{self.lower:.0%} ({self.audits} {'audit' if self.audits == 1 else 'audits'})"
        )


@dataclass(frozen=True, slots=True)
class ClassMeasures:
    """How well a class is predicted on the nodes not asked about.

    `precision` is the share of nodes predicted as this class that belong to it, `recall` the share
    of nodes of this class that are predicted as it.
    """

    label: str
    precision: AuditedShare
    recall: AuditedShare

    def __str__(self) -> str:
        return f"{self.label}: precision {self.precision}; recall {self.recall}"


def class_measures(dialogue: Dialogue, label: Any, *, confidence: float = 0.95) -> ClassMeasures:
    """Return precision and recall of a class.

    An audit is a uniform draw, so those predicted as the class are uniform draws of the nodes
    predicted as it, and those that belong to it are uniform draws of its nodes: each has a bound of
    its own (`error_estimate`), which holds at any time if the learner does not get worse.
    """
    wanted = class_index(dialogue, label)
    if plans_audits(dialogue.header):
        return _weighted(dialogue, wanted, confidence)
    predicted: list[bool] = []
    belonging: list[bool] = []
    for node, pool in dialogue.state.recall.answered.items():
        truth = dialogue.state.labels.get(node)
        if truth is None or pool.detail.get("tilted"):
            continue
        if pool.guess == wanted:
            predicted.append(truth != wanted)
        if truth == wanted:
            belonging.append(pool.guess != wanted)
    return ClassMeasures(
        dialogue.classes[wanted],
        _share_right(predicted, confidence),
        _share_right(belonging, confidence),
    )


def _weighted(dialogue: Dialogue, wanted: int, confidence: float) -> ClassMeasures:
    """Both from audits that were not all drawn with equal probability; nodes asked count too."""
    state, name = dialogue.state, dialogue.classes[wanted]
    answered = {v: pool for v, pool in state.recall.answered.items() if v in state.labels}
    counts = (
        sum(pool.guess == wanted for pool in answered.values()),
        sum(state.labels[node] == wanted for node in answered),
    )
    shares = []
    for measure, count in zip(("precision", "recall"), counts, strict=True):
        found = certificate(dialogue, measure, of=name, confidence=confidence)
        shares.append(AuditedShare(found.estimate, found.bound, 1.0, count, confidence))
    return ClassMeasures(name, *shares)


def _share_right(wrong: list[bool], confidence: float) -> AuditedShare:
    found = error_estimate(wrong, confidence=confidence)
    estimate = 1.0 - found.estimate
    return AuditedShare(
        estimate, 1.0 - found.upper, 1.0 - found.lower, found.audits, found.confidence
    )


def imbalance_words(dialogue: Dialogue) -> str:
    """Say that the error hides a rare class, if nearly all audits found the same class; else ""."""
    state = dialogue.state
    counted: defaultdict[int, float] = defaultdict(float)
    for node, pool in state.recall.answered.items():
        if node in state.labels and not pool.detail.get("tilted"):
            detail = pool.detail
            drawn = float(detail["chance"]) * int(detail["left"]) if "stake" in detail else 1.0
            counted[state.labels[node]] += 1.0 / drawn
    audits = sum(counted.values())
    if len(state.recall.answered) < FEWEST_AUDITS or len(dialogue.classes) < 2:
        return ""
    largest = max(counted, key=lambda label: counted[label])
    count = counted[largest]
    if count < LOPSIDED * audits:
        return ""
    rare = [name for k, name in enumerate(dialogue.classes) if k != largest]
    what = rare[0] if len(rare) == 1 else "the other classes"
    return (
        f"about {count / audits:.0%} of all nodes are {dialogue.classes[largest]}, so a small "
        f"error says little about {what}: certify recall instead ({_offer(rare)}), or begin "
        "a session to find them"
    )


def _offer(rare: list[str]) -> str:
    return f"recall:{rare[0]}>=0.9" if len(rare) == 1 else "class-error<0.2"
