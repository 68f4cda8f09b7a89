"""What happens in a demo: a simulated person answers a session's questions."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from lapwing.cli.label.oracle import known_label
from lapwing.data import Dataset
from lapwing.session import Question, Session
from lapwing.types import UNKNOWN, Nodes


@dataclass
class Story:
    """A session whose questions are answered from known labels, and what came of each."""

    session: Session
    found: Dataset
    questions: list[Question] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    truth: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)

    def answer(self) -> bool:
        """Ask one question and answer it; False if there is none left to answer."""
        while (question := self.session.ask()) is not None:
            label = known_label(self.found, question.node)
            if label is None:
                self.session.skip(question.node)
                continue
            self.session.tell(question.node, label)
            self.questions.append(question)
            self.answers.append(label)
            return True
        return False

    def measure(self) -> None:
        """Note the error, claimed and true, after the last answer."""
        self.labels.append(self.session.n_labels)
        self.truth.append(self._true_error())
        self.upper.append(self.session.error_estimate().upper)

    def guesses(self) -> Nodes:
        """The class of every node, in the data set's numbering."""
        index = {str(name): k for k, name in enumerate(self.found.classes)}
        told = self.session.predict(list(self.found.graph.names))
        kinds = [UNKNOWN if label is None else index.get(label, UNKNOWN) for label in told]
        return np.array(kinds, dtype=np.intp)

    def asked(self) -> Nodes:
        """The nodes asked about, in order."""
        names = self.found.graph.names
        return np.array([names.index(each.node) for each in self.questions], dtype=np.intp)

    def caption(self, position: int) -> str:
        """What was guessed, what was answered; a star marks a spot check."""
        question = self.questions[position]
        mark = "*" if question.audit else ""
        return f"{question.guess or '?'}→{self.answers[position]}{mark}"

    def _true_error(self) -> float:
        rest = self.found.labels != UNKNOWN
        rest[self.asked()] = False
        wrong = self.guesses() != self.found.labels
        return float(wrong[rest].mean()) if rest.any() else 0.0
