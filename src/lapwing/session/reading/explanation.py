"""Why a node has its label: the evidence of a prediction, by name."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from lapwing.learner import CanExplain, Evidence
from lapwing.session.asking.question import Neighbor
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.reading.readings import neighbors_shown
from lapwing.types import UNKNOWN

MOST_SAMPLED = 2_000
"""Nodes over which is measured how much each part counts."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a node's label rests on.

    `label` is what people said or what is predicted, with its `confidence`; `runner_up` is the
    second class. `parts` are kinds of evidence and their shares; `labels` the labelled nodes that
    count most: name, label, share; `features` are words and columns with their effect; `neighbors`
    are its neighbours with labels or predictions. `note` says what is missing. `str` puts all of it
    in words.
    """

    node: Hashable
    label: str | None
    confidence: float
    runner_up: str | None
    is_told: bool
    parts: tuple[tuple[str, float], ...]
    labels: tuple[tuple[Hashable, str, float], ...]
    features: tuple[tuple[str, float], ...]
    neighbors: tuple[Neighbor, ...]
    note: str

    def __str__(self) -> str:
        """Return the explanation as lines of text."""
        if self.is_told:
            first = f"{self.node} is {self.label}: so it was answered"
        elif self.label is None:
            first = f"nothing is known about {self.node}"
        else:
            second = f", then {self.runner_up}" if self.runner_up else ""
            first = f"{self.node} is probably {self.label} ({self.confidence:.0%}){second}"
        lines = [first]
        if self.parts:
            lines.append("evidence: " + ", ".join(f"{n} {s:.0%}" for n, s in self.parts))
        if self.labels:
            told = (f"{name} {label} ({share:.0%})" for name, label, share in self.labels)
            lines.append("labels that count most: " + ", ".join(told))
        if self.features:
            lines.append("attributes: " + ", ".join(name for name, _ in self.features))
        if self.neighbors:
            near = (
                f"{n.node} {n.label or f'{n.guess}?'}" for n in self.neighbors if n.label or n.guess
            )
            lines.append("neighbours: " + (", ".join(near) or "nothing is known of them"))
        return "\n".join([*lines, *([self.note] if self.note else [])])


def explanation(dialogue: Dialogue, node: int) -> Explanation:
    """Explain a node's label, told or predicted; an open audit is not explained.

    The learner's guess for an audit stays hidden until it is answered, so only the neighbours'
    labels are returned for such a node.
    """
    names, classes = dialogue.graph.names, dialogue.classes
    asked = dialogue.state.open.get(node)
    blind = asked is not None and bool(asked.detail.get("audit"))
    told = int(dialogue.labels[node])
    chances = np.zeros(len(classes))
    found = dialogue.chances(node)
    if not blind:
        chances[: len(found)] = found
    order = np.argsort(-chances, kind="stable").tolist()
    evidence = Evidence(note="drawn at random to check the predictions: hidden until answered")
    if not blind:
        learner = dialogue.learner
        evidence = learner.evidence(node) if isinstance(learner, CanExplain) else Evidence()
    best = told if told != UNKNOWN else order[0] if order and chances[order[0]] > 0 else UNKNOWN
    next_best = [k for k in order if k != best and chances[k] > 0]
    return Explanation(
        node=names[node],
        label=None if best == UNKNOWN else classes[best],
        confidence=1.0 if told != UNKNOWN else float(chances.max(initial=0.0)),
        runner_up=classes[next_best[0]] if next_best else None,
        is_told=told != UNKNOWN,
        parts=evidence.parts,
        labels=tuple(
            (names[other], classes[dialogue.state.labels[other]], share)
            for other, share in evidence.labels
        ),
        features=evidence.features,
        neighbors=neighbors_shown(dialogue, dialogue.graph.neighbors(node), blind=blind),
        note=evidence.note,
    )


def counted_evidence(dialogue: Dialogue) -> dict[str, float]:
    """Return how much each kind of evidence counts in the predictions, the largest share first.

    Measured over at most 2,000 nodes; empty for a learner that cannot tell.
    """
    learner, n = dialogue.learner, dialogue.graph.n_nodes
    if not isinstance(learner, CanExplain):
        return {}
    return learner.counted(np.arange(0, n, max(n // MOST_SAMPLED, 1)))
