"""The loop of questions and answers: with a person at the keys, or with a file that knows."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Group
from rich.panel import Panel
from rich.table import Table

from lapwing.cli.label.keys import keys
from lapwing.cli.output import console, progress
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.session import Question, Session
from lapwing.types import UNKNOWN

NAMES = "1234567890acdefghijklmnoprtvwxyz"
"""Keys for classes, in order; the letters left out have meanings of their own."""
HELP = "[dim]s skip · u undo · b back to the last · + new class · q stop[/dim]"
MOST_NEIGHBOURS = 8


@dataclass(frozen=True, slots=True)
class Answering:
    """Who answers, and when it is enough."""

    by: str
    budget: int | None
    target: float
    confidence: float

    def enough(self, session: Session) -> str | None:
        """Why one may stop now, if so."""
        if self.budget is not None and len(session.state.labels) >= self.budget:
            return f"the budget of {self.budget} labels is used"
        estimate = session.error_estimate(confidence=self.confidence)
        if estimate.below(self.target):
            return f"with {self.confidence:.0%} confidence the error is below {self.target:.0%}"
        return None


def answered_by_oracle(session: Session, rules: Answering, found: Dataset) -> dict[str, Any]:
    """Answer every question from known labels until it is enough; what came of it."""
    if not found.classes or found.multilabel:
        raise InputError(f"{found.name} must have one known label a node to answer from")
    reason = "every node with a known label was asked"
    with progress() as bar:
        task = bar.add_task("asking", total=rules.budget)
        while (question := session.ask(rules.by)) is not None:
            truth = int(found.labels[question.node])
            if truth == UNKNOWN:
                session.skip(question.node, rules.by)
            else:
                session.tell(question.node, str(found.classes[truth]), rules.by)
            bar.update(task, completed=len(session.state.labels))
            if (enough := rules.enough(session)) is not None:
                reason = enough
                break
    return _outcome(session, rules, found) | {"stopped": reason}


def _outcome(session: Session, rules: Answering, found: Dataset) -> dict[str, Any]:
    rest = np.flatnonzero((session.labels == UNKNOWN) & (found.labels != UNKNOWN))
    index = {str(name): k for k, name in enumerate(found.classes)}
    told = np.array([index.get(name, UNKNOWN) for name in session.classes] + [UNKNOWN])
    guesses = told[session.learner.predict(rest)] if len(rest) else rest
    estimate = session.error_estimate(confidence=rules.confidence)
    return {
        "session": session.name,
        "learner": session.header["learner"],
        "strategy": session.header["strategy"],
        "n_nodes": session.graph.n_nodes,
        "labels": len(session.state.labels),
        "audits": estimate.audits,
        "estimated_error": estimate.estimate if estimate.audits else None,
        "error_at_most": estimate.upper,
        "confidence": rules.confidence,
        "accuracy": float((guesses == found.labels[rest]).mean()) if len(rest) else None,
        "unknown": int((guesses == UNKNOWN).sum()),
    }


def answered_by_keys(session: Session, rules: Answering) -> None:
    """Ask a person until they stop; Ctrl-C stops too, and loses nothing."""
    advised = False
    gc.collect()
    gc.freeze()  # what was loaded stays: nobody shall wait while it is looked through for garbage
    try:
        with keys() as key:
            while (question := session.ask(rules.by)) is not None:
                console.print(_screen(session, question))
                if not _answered(session, rules, question, key):
                    break
                advice = rules.enough(session)
                if advice and not advised:
                    console.print(f"[bold green]You may stop: {advice}.[/bold green]")
                    advised = True
    except KeyboardInterrupt:
        pass
    finally:
        gc.unfreeze()
    console.print(
        f"\n{len(session.state.labels)} labels kept in session {session.name!r}; "
        f"{session.error_estimate(confidence=rules.confidence)}. The same command goes on."
    )


def _answered(session: Session, rules: Answering, question: Question, key: Any) -> bool:
    """Do what the keys say until the question is settled; False to stop."""
    by = rules.by
    while True:
        pressed = key()
        if pressed in ("", "q", "\x04"):
            return False
        if pressed in NAMES[: len(session.classes)]:
            session.tell(question.node, session.classes[NAMES.index(pressed)], by)
            return True
        if pressed == "s":
            session.skip(question.node, by)
            return True
        if pressed == "+":
            return _named(session, question, key, by)
        if pressed in ("u", "b", "\x7f"):
            undone = session.undo(by)
            if undone is not None:
                console.print(
                    f"Took back the answer for [bold]{session.graph.names[undone]}[/bold]."
                )
            if undone is not None and pressed != "u":
                session.reask(undone, by)
            return True


def _named(session: Session, question: Question, key: Any, by: str) -> bool:
    """A new class, typed and ended by Enter; an empty or known name changes nothing."""
    console.print("Name of the new class, then Enter: ", end="")
    name = ""
    while (pressed := key()) not in ("\n", "\r", ""):
        name = name[:-1] if pressed == "\x7f" else name + pressed
    console.print(name)
    if name.strip():
        session.tell(question.node, name.strip(), by)
    return True


def _screen(session: Session, question: Question) -> Panel:
    """The node, what surrounds it, what the learner thinks, and the keys."""
    table = Table.grid(padding=(0, 2))
    for line in _neighbours(session, question.node):
        table.add_row(*line)
    choices = "  ".join(
        f"[bold]{NAMES[k]}[/bold] {name}" for k, name in enumerate(session.classes[: len(NAMES)])
    )
    keys_shown = choices or "[dim]no class yet: press + to name one[/dim]"
    state = f"{len(session.state.labels)} labels · {session.error_estimate()}"
    title = f"[bold]{session.graph.names[question.node]}[/bold] {_guess(session, question)}"
    shown = Group(table, "", keys_shown, HELP)
    return Panel(shown, title=title, subtitle=state, title_align="left", subtitle_align="left")


def _guess(session: Session, question: Question) -> str:
    if question.guess == UNKNOWN:
        return "(no guess yet)"
    sure = "" if question.confidence is None else f", {question.confidence:.0%}"
    return f"(guess: {session.classes[question.guess]}{sure})"


def _neighbours(session: Session, node: int) -> list[tuple[str, ...]]:
    graph, labels = session.graph, session.labels
    near = graph.neighbors(node)
    order = near[np.argsort(labels[near] == UNKNOWN, kind="stable")][:MOST_NEIGHBOURS]
    guesses = session.learner.predict(order) if len(order) else order
    lines: list[tuple[str, ...]] = []
    for other, guess in zip(order.tolist(), guesses.tolist(), strict=True):
        name = str(graph.names[other])
        if labels[other] != UNKNOWN:
            lines.append((name, f"[bold]{session.classes[labels[other]]}[/bold]"))
        else:
            lines.append((name, f"[dim]{session.classes[guess]}?[/dim]" if guess >= 0 else ""))
    if len(near) > len(order):
        lines.append((f"[dim]and {len(near) - len(order)} more neighbours[/dim]",))
    if not lines:
        lines.append(("[dim]no neighbours[/dim]",))
    return lines
