"""Answers that look wrong, and what each person mixes up."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from lapwing.active import suspicion
from lapwing.checks import between
from lapwing.session.log.confusion import PersonErrors, confusions
from lapwing.session.log.dialogue import Dialogue
from lapwing.types import Array, Nodes

FOLDS = 10
"""Parts into which the answers are divided; each is judged by a learner that knows the others."""
FEWEST = 150
"""Labels from which on people are told about odd answers: fewer say too little about each other."""
EVERY = 25
"""Answers after which they are looked for again."""
LIKELY = 0.5
"""How likely an answer must be wrong to be called odd."""


@dataclass(frozen=True, slots=True)
class OddAnswer:
    """A label that the other labels speak against: how likely it is `wrong`, what is `likelier`."""

    node: Hashable
    label: str
    likelier: str
    wrong: float
    by: tuple[str, ...]

    def __str__(self) -> str:
        who = " and ".join(self.by)
        return (
            f"{self.node}: {self.label} by {who} is {self.wrong:.0%} likely wrong, "
            f"rather {self.likelier}"
        )


def held_out_chances(dialogue: Dialogue) -> tuple[Nodes, Array]:
    """The nodes with labels, and their probabilities by learners that do not know these labels.

    The labels of each class are dealt out to ten parts, and a copy of the learner forgets one part
    at a time. A class without a label elsewhere gets the probability 0.
    """
    with dialogue._lock:
        state = dialogue.state
        labels, count = dict(state.labels), len(state.classes)
        nodes = sorted(labels, key=labels.__getitem__)
        chances = np.zeros((len(nodes), count))
        for part in range(min(FOLDS, len(nodes))):
            left_out = nodes[part::FOLDS]
            found = state.learner_without(left_out).predict_proba(np.array(left_out))
            chances[part::FOLDS, : found.shape[1]] = found
    return np.array(nodes, dtype=np.intp), chances


def odd_answers(dialogue: Dialogue, *, least: float = LIKELY) -> list[OddAnswer]:
    """Return the answers that are at least so likely wrong, the likeliest first.

    `lapwing.active.suspicion` judges each answer by a learner that does not know it. The only
    answer of a class is not judged: nothing else tells what the class is like. About two of three
    odd answers are wrong where one answer in ten is (`bench.goals`); the person decides.
    """
    between("least", least, 0, 1)
    nodes, chances = held_out_chances(dialogue)
    state, names, classes = dialogue.state, dialogue.graph.names, dialogue.classes
    labels = np.array([state.labels[node] for node in nodes.tolist()], dtype=np.intp)
    alone = np.bincount(labels, minlength=len(classes))[labels] < 2
    judged = np.flatnonzero(~alone)
    wrong = suspicion(chances[judged], labels[judged]).wrong
    order = judged[np.argsort(-wrong, kind="stable")]
    likely = np.sort(wrong)[::-1]
    others = chances.copy()
    others[np.arange(len(labels)), labels] = -1.0
    return [
        OddAnswer(
            names[node],
            classes[labels[place]],
            classes[int(others[place].argmax())],
            float(chance),
            tuple(state.votes.answers(node)),
        )
        for place, node, chance in zip(
            order.tolist(), nodes[order].tolist(), likely.tolist(), strict=True
        )
        if chance >= least
    ]


def is_time_to_look(n_labels: int) -> bool:
    """Whether odd answers are looked for after this many labels, unasked.

    Examples
    --------
    >>> [count for count in range(0, 240) if is_time_to_look(count)]
    [150, 175, 200, 225]
    """
    return n_labels >= FEWEST and n_labels % EVERY == 0


def odd_words(found: list[OddAnswer]) -> str:
    """How many answers look odd, in words; "" if none does."""
    if not found:
        return ""
    return "1 answer looks odd" if len(found) == 1 else f"{len(found)} answers look odd"


def people_errors(dialogue: Dialogue) -> dict[str, PersonErrors]:
    """What each person mixes up, judged by the other answers and by the learner without them."""
    nodes, chances = held_out_chances(dialogue)
    said = {node: dialogue.state.votes.answers(node) for node in nodes.tolist()}
    return confusions(said, dict(zip(nodes.tolist(), chances, strict=True)), dialogue.classes)
