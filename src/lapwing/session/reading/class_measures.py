"""How well one class is predicted: precision and recall from the audits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from lapwing.active import error_estimate
from lapwing.session.log.dialogue import Dialogue
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


def _share_right(wrong: list[bool], confidence: float) -> AuditedShare:
    found = error_estimate(wrong, confidence=confidence)
    estimate = 1.0 - found.estimate
    return AuditedShare(
        estimate, 1.0 - found.upper, 1.0 - found.lower, found.audits, found.confidence
    )


def imbalance_words(dialogue: Dialogue) -> str:
    """Say that the error hides a rare class, if nearly all audits found the same class; else ""."""
    state = dialogue.state
    counted = Counter(
        state.labels[node]
        for node, pool in state.recall.answered.items()
        if node in state.labels and not pool.detail.get("tilted")
    )
    audits = sum(counted.values())
    if audits < FEWEST_AUDITS or len(dialogue.classes) < 2:
        return ""
    ((largest, count),) = counted.most_common(1)
    if count < LOPSIDED * audits:
        return ""
    rare = [name for k, name in enumerate(dialogue.classes) if k != largest]
    what = rare[0] if len(rare) == 1 else "the other classes"
    return (
        f"{count / audits:.0%} of the spot checks are {dialogue.classes[largest]}, so a small "
        f"error says little about {what}: look at their recall, or begin a session to find them"
    )
