"""Answers that look wrong, and what each person mixes up."""

from __future__ import annotations

from collections.abc import Hashable
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lapwing.checks import between
from lapwing.session.log.confusion import PersonErrors, confusions
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.second_looks import held_out_chances, judged
from lapwing.types import Array

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


class SecondOpinion:
    """The answers of a session at one moment, to be judged by learners that do not know them.

    Making it copies what is needed; judging takes longer and keeps nobody from answering.

    Examples
    --------
    >>> from lapwing import Graph, Session
    >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]))
    >>> session.tell({"a": "red", "b": "red", "c": "red"})
    >>> SecondOpinion(session.dialogue).odd_answers()
    []
    """

    def __init__(self, dialogue: Dialogue) -> None:
        with dialogue._lock:
            state, self.names = dialogue.state, dialogue.graph.names
            self.labels, self.classes = dict(state.labels), tuple(state.classes)
            self.said = {node: state.votes.answers(node) for node in self.labels}
            self.unconfirmed, self.looks = set(state.unconfirmed), deepcopy(state.looks)
            self.learner_without = state.copied_learner()
            self.chosen = set(filter(state.was_chosen, self.labels))

    @cached_property
    def chances(self) -> dict[int, Array]:
        """The probabilities of each node with a label, by a learner that does not know it."""
        return held_out_chances(self.labels, len(self.classes), self.learner_without)

    def odd_answers(self, least: float = LIKELY) -> list[OddAnswer]:
        """The answers that are at least so likely wrong, the likeliest first.

        `lapwing.active.suspicion` judges each answer. The only answer of a class is not judged:
        nothing else tells what the class is like; nor is one that a second person is to confirm
        unseen. The person decides; some odd answers are right, and a second look that says the same
        makes them less odd.
        """
        between("least", least, 0, 1)
        found = judged(
            self.labels, self.looks, self.chances, len(self.classes), self.chosen.__contains__
        )
        odd = []
        for node, row, wrong in zip(found.nodes, found.chances, found.suspicion.wrong, strict=True):
            label = self.labels[node]
            instead = int(np.where(np.arange(len(row)) == label, -1.0, row).argmax())
            if wrong >= least and instead != label and node not in self.unconfirmed:
                said = (self.names[node], self.classes[label], self.classes[instead])
                odd.append(OddAnswer(*said, float(wrong), tuple(self.said[node])))
        return sorted(odd, key=lambda each: -each.wrong)

    def people_errors(self) -> dict[str, PersonErrors]:
        """What each person mixes up, judged by the other answers and a learner without them."""
        return confusions(self.said, self.chances, self.classes)


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
