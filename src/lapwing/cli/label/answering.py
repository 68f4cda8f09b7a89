"""The loop of questions and answers with a person at the keyboard."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from rich.text import Text

from lapwing.cli.compiling import preparing
from lapwing.cli.label.keys import ENTER, keys
from lapwing.cli.label.screen import class_keys, help_panel, question_panel
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import console, worded
from lapwing.learner import evidence_words
from lapwing.session import Question, Session
from lapwing.session.reading.odd_answers import OddAnswer, is_time_to_look, odd_words

PROMPT = "→ "
"""Shown when a key is awaited; the echo of the answer completes the line."""


def answered_by_keys(session: Session, rules: Rules) -> None:
    """Ask a person until they stop; Ctrl-C stops too, and no answer is lost."""
    gc.collect()
    gc.freeze()  # what was loaded stays: nobody waits while it is searched for garbage
    left = None
    try:
        with keys() as (key, discard):
            left = Conversation(session, rules, key, discard).held()
    except KeyboardInterrupt:
        pass
    finally:
        gc.unfreeze()
    if left == 0:
        console.print("Every node that may be asked about has been asked about.")
    console.print(
        f"\n{session.n_labels} labels kept in session {session.name!r}; "
        f"{rules.measured(session)}. "
        "Run the same command to continue."
    )
    if told := evidence_words(session.evidence()):
        console.print(f"{told[0].upper()}{told[1:]}.", style="dim")


@dataclass
class Conversation:
    """A person's answers to a session's questions, key by key.

    `key` waits for the next key; `discard` forgets keys typed before the question was shown.
    """

    session: Session
    rules: Rules
    key: Callable[[], str]
    discard: Callable[[], None]
    advised: bool = False
    odd: deque[Hashable] = field(default_factory=deque)

    def held(self) -> int | None:
        """Ask until there is nothing left to ask (0) or the person stops (None)."""
        while (question := self._asked()) is not None:
            self._show(question)
            if not self._settled(question):
                return None
            self._advise()
        return 0

    def _asked(self) -> Question | None:
        if self.odd:
            return self.session.reask(self.odd.popleft(), by=self.rules.by, blind=True)
        with preparing("choosing the next question"):
            return self.session.ask(by=self.rules.by)

    def _show(self, question: Question) -> None:
        console.print(question_panel(self.session, question, self.rules))

    def _settled(self, question: Question) -> bool:
        """Do what the keys say until the question is settled; False to stop."""
        self.discard()
        while True:
            console.print(PROMPT, end="")
            pressed = self.key()
            if pressed in ("", "q", "\x04"):
                return False
            act = self._action(pressed, question)
            if act is None:
                console.print(
                    Text.assemble(worded(pressed), " does nothing here; ? lists the keys"),
                    style="dim",
                )
            elif act():
                return True

    def _action(self, pressed: str, question: Question) -> Callable[[], bool] | None:
        """What a key does; it returns whether the question is settled."""
        classes, guess = class_keys(self.session.classes), question.guess
        if pressed in classes:
            return lambda: self._told(question, classes[pressed])
        if pressed in ENTER and guess is not None:
            return lambda: self._told(question, guess)
        return {
            "s": lambda: self._skipped(question),
            "+": lambda: self._named(question),
            "o": lambda: self._looked_again(question),
            "u": lambda: self._undone(),
            "\x7f": lambda: self._undone(),
            "?": lambda: self._helped(question),
        }.get(pressed)

    def _told(self, question: Question, label: str) -> bool:
        """Record an answer, then echo it: an answer on the screen is an answer on disk."""
        self.session.tell(question.node, label, by=self.rules.by)
        echo = Text.assemble(worded(label, "bold"), " for ", self._name(question.node))
        if question.audit:
            echo.append(_outcome(question, label))
        console.print(echo, soft_wrap=True)
        return True

    def _skipped(self, question: Question) -> bool:
        self.session.skip(question.node, by=self.rules.by)
        console.print(Text.assemble("skipped ", self._name(question.node)), soft_wrap=True)
        return True

    def _undone(self) -> bool:
        """Take the last answer back and ask about its node again."""
        node = self.session.undo(by=self.rules.by)
        if node is None:
            console.print("There is no answer of yours to take back.", style="dim")
            return False
        console.print(Text.assemble("took back the answer for ", self._name(node)))
        self.session.reask(node, by=self.rules.by)
        return True

    def _looked_again(self, question: Question) -> bool:
        """Ask again about this person's answers that look odd, the oddest first."""
        if question.again:
            return False
        mine = [each for each in self._odd_answers() if self.rules.by in each.by]
        self.odd.extend(each.node for each in mine)
        console.print(f"{odd_words(mine) or 'No answer of yours looks odd'}.")
        return bool(mine)

    def _odd_answers(self) -> list[OddAnswer]:
        with preparing("judging each answer by the others"):
            return self.session.odd_answers()

    def _named(self, question: Question) -> bool:
        """Answer with a class typed by name and ended by Enter; an empty name changes nothing."""
        console.print("Name of the class, then Enter: ", end="")
        name = ""
        while (pressed := self.key()) not in (*ENTER, ""):
            name = name[:-1] if pressed == "\x7f" else name + pressed
        console.print(worded(name))
        return bool(name.strip()) and self._told(question, name.strip())

    def _helped(self, question: Question) -> bool:
        console.print("help")
        console.print(help_panel())
        self._show(question)
        return False

    def _advise(self) -> None:
        advice = self.rules.enough(self.session)
        if advice and not self.advised:
            console.print(f"You can stop: {advice}.", style="bold green")
            self.advised = True
        if not self.odd and is_time_to_look(self.session.n_labels):
            said = odd_words([each for each in self._odd_answers() if self.rules.by in each.by])
            if said:
                console.print(f"{said}: press o to look again.", style="bold yellow")

    def _name(self, node: Hashable) -> Text:
        return worded(node, "bold")


def _outcome(question: Question, label: str) -> str:
    """What a spot check found, told once it is answered."""
    if question.guess is None:
        return " (spot check: there was no guess)"
    said = "right" if question.guess == label else f"wrong, it was {worded(question.guess).plain}"
    return f" (spot check: the guess was {said})"
