"""The loop of questions and answers with a person at the keyboard."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from lapwing.cli.compiling import preparing
from lapwing.cli.label.keys import ENTER, keys
from lapwing.cli.label.screen import KEYS, help_panel, question_panel
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import console, worded
from lapwing.session import Asked, Dialogue
from lapwing.types import UNKNOWN

PROMPT = "→ "
"""Shown when a key is awaited; the echo of the answer completes the line."""


def answered_by_keys(session: Dialogue, rules: Rules, show: Sequence[str] = ()) -> None:
    """Ask a person until they stop; Ctrl-C stops too, and no answer is lost."""
    gc.collect()
    gc.freeze()  # what was loaded stays: nobody waits while it is searched for garbage
    left = None
    try:
        with keys() as (key, discard):
            left = Conversation(session, rules, key, discard, tuple(show)).held()
    except KeyboardInterrupt:
        pass
    finally:
        gc.unfreeze()
    if left == 0:
        console.print("Every node that may be asked about has been asked about.")
    console.print(
        f"\n{len(session.state.labels)} labels kept in session {session.name!r}; "
        f"{session.error_estimate(confidence=rules.confidence)}. "
        "Run the same command to continue."
    )


@dataclass
class Conversation:
    """A person's answers to a session's questions, key by key.

    `key` waits for the next key; `discard` forgets keys typed before the question was shown.
    """

    session: Dialogue
    rules: Rules
    key: Callable[[], str]
    discard: Callable[[], None]
    show: tuple[str, ...] = ()
    blind: set[int] = field(default_factory=set)
    advised: bool = False

    def held(self) -> int | None:
        """Ask until there is nothing left to ask (0) or the person stops (None)."""
        while (question := self._asked()) is not None:
            if question.audit:
                self.blind.add(question.node)
            self._show(question)
            if not self._settled(question):
                return None
            self._advise()
        return 0

    def _asked(self) -> Asked | None:
        with preparing("choosing the next question"):
            return self.session.ask(self.rules.by)

    def _show(self, question: Asked) -> None:
        console.print(
            question_panel(self.session, question, self._guess(question), self.rules, self.show)
        )

    def _guess(self, question: Asked) -> int | None:
        """The guess that the person may see: none on a spot check, asked again or not."""
        return None if question.node in self.blind else question.guess

    def _settled(self, question: Asked) -> bool:
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

    def _action(self, pressed: str, question: Asked) -> Callable[[], bool] | None:
        """What a key does; it returns whether the question is settled."""
        classes, guess = self.session.classes, self._guess(question)
        if pressed in KEYS[: len(classes)]:
            return lambda: self._told(question, classes[KEYS.index(pressed)])
        if pressed in ENTER and guess not in (None, UNKNOWN):
            return lambda: self._told(question, classes[question.guess])
        return {
            "s": lambda: self._skipped(question),
            "+": lambda: self._named(question),
            "u": lambda: self._undone(),
            "\x7f": lambda: self._undone(),
            "?": lambda: self._helped(question),
        }.get(pressed)

    def _told(self, question: Asked, label: str) -> bool:
        """Record an answer, then echo it: an answer on the screen is an answer on disk."""
        self.session.tell(question.node, label, self.rules.by)
        echo = Text.assemble(worded(label, "bold"), " for ", self._name(question.node))
        if question.audit:
            echo.append(_outcome(self.session, question, label))
        console.print(echo, soft_wrap=True)
        return True

    def _skipped(self, question: Asked) -> bool:
        self.session.skip(question.node, self.rules.by)
        console.print(Text.assemble("skipped ", self._name(question.node)), soft_wrap=True)
        return True

    def _undone(self) -> bool:
        """Take the last answer back and ask about its node again."""
        node = self.session.undo(self.rules.by)
        if node is None:
            console.print("There is no answer of yours to take back.", style="dim")
            return False
        console.print(Text.assemble("took back the answer for ", self._name(node)))
        self.session.reask(node, self.rules.by)
        return True

    def _named(self, question: Asked) -> bool:
        """Answer with a class typed by name and ended by Enter; an empty name changes nothing."""
        console.print("Name of the class, then Enter: ", end="")
        name = ""
        while (pressed := self.key()) not in (*ENTER, ""):
            name = name[:-1] if pressed == "\x7f" else name + pressed
        console.print(worded(name))
        return bool(name.strip()) and self._told(question, name.strip())

    def _helped(self, question: Asked) -> bool:
        console.print(help_panel())
        self._show(question)
        return False

    def _advise(self) -> None:
        advice = self.rules.enough(self.session)
        if advice and not self.advised:
            console.print(f"You can stop: {advice}.", style="bold green")
            self.advised = True

    def _name(self, node: int) -> Text:
        return worded(self.session.graph.names[node], "bold")


def _outcome(session: Dialogue, question: Asked, label: str) -> str:
    """What a spot check found, told once it is answered."""
    if question.guess == UNKNOWN:
        return " (spot check: there was no guess)"
    guess = session.classes[question.guess]
    said = "right" if guess == label else f"wrong, it was {worded(guess).plain}"
    return f" (spot check: the guess was {said})"
