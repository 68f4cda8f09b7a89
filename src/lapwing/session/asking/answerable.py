"""What people do in a session: ask, tell, skip, give back, take back."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, overload

from lapwing.session.asking.question import Question
from lapwing.session.reading.readable import ReadableSession
from lapwing.session.reading.readings import question_of


class AnswerableSession(ReadableSession):
    """The half of `Session` that asks and takes in answers; the log records each of its calls."""

    @overload
    def ask(self, count: None = None, *, by: str | None = None) -> Question | None: ...
    @overload
    def ask(self, count: int, *, by: str | None = None) -> list[Question]: ...
    def ask(
        self, count: int | None = None, *, by: str | None = None
    ) -> Question | list[Question] | None:
        """The next question, or the one still open; None if none is left.

        With `count`, a list of up to this many questions about different nodes.
        """
        person = self.by if by is None else by
        asked = self.dialogue.ask_several(1 if count is None else count, person)
        questions = [question_of(self.dialogue, each, person, self.shown) for each in asked]
        return questions if count is not None else next(iter(questions), None)

    def reask(self, node: Any, *, by: str | None = None, blind: bool = False) -> Question:
        """Put one node to a person again, instead of the question open for them.

        For a fair second look (`odd_answers`), `blind` hides the guess until it is answered.
        """
        person = self.by if by is None else by
        asked = self.dialogue.reask(self._index(node), person, blind=blind)
        return question_of(self.dialogue, asked, person, self.shown)

    def tell(self, node: Any, label: str | int | None = None, *, by: str | None = None) -> None:
        """Record an answer, or several as a dictionary of labels by node name, all or none."""
        if isinstance(node, Mapping):
            answers = {self._index(name): each for name, each in node.items()}
        else:
            answers = {self._index(node): label}
        self.dialogue.tell_many(answers, self.by if by is None else by)

    def skip(self, node: Any, *, by: str | None = None) -> None:
        """Do not ask this person about this node again."""
        self.dialogue.skip(self._index(node), self.by if by is None else by)

    def release(self, node: Any, *, by: str | None = None) -> None:
        """Take a question back that nobody answered, so that it can be put to anybody again."""
        self.dialogue.release(self._index(node), self.by if by is None else by)

    def withdraw(self, node: Any, *, by: str | None = None) -> None:
        """Take back a person's answer."""
        self.dialogue.withdraw(self._index(node), self.by if by is None else by)

    def undo(self, *, by: str | None = None) -> Hashable | None:
        """Take back a person's latest answer that stands; its node, or None."""
        index = self.dialogue.undo(self.by if by is None else by)
        return None if index is None else self.graph.names[index]
