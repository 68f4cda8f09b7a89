"""The screen of ``lapwing label``: the node, its neighbours, the guess and the keys."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lapwing.cli.label.attributes import attribute_lines
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import worded
from lapwing.session import Asked, Dialogue
from lapwing.session.reasons import reason
from lapwing.types import UNKNOWN

KEYS = "1234567890acdefghijklmnoprtvwxyz"
"""Keys for classes, in order; the letters left out have meanings of their own."""
MOST_NEIGHBOURS = 8
HELP = (
    ("1 2 3 ...", "answer with the class shown beside the key"),
    ("Enter", "accept the guess; not on a spot check, where the guess is hidden"),
    ("+", "answer with another class: type its name, then Enter"),
    ("s", "skip this node; you will not be asked about it again"),
    ("u, Backspace", "take back your last answer and ask about that node again"),
    ("?", "show this help"),
    ("q, Ctrl-C", "stop; every answer is kept, and the same command continues"),
)


def question_panel(
    session: Dialogue,
    question: Asked,
    guess: int | None,
    rules: Rules,
    show: Sequence[str] = (),
) -> Group:
    """One question. With `guess` None nothing that the learner thinks is shown.

    `show` names the columns of the node table to print.
    """
    blind = guess is None
    lines = [
        worded(session.graph.names[question.node], "bold"),
        *attribute_lines(session.graph, question.node, show),
        _thought(session, question, guess),
        Text() if blind else worded(reason(session, question), "dim"),
        Text(),
        _neighbours(session, question.node, blind=blind),
        Text(),
        _choices(session),
        Text(
            ("" if guess in (None, UNKNOWN) else "Enter accept · ")
            + "+ other class · s skip · u undo · ? help · q quit",
            style="dim",
        ),
    ]
    count = len(session.state.labels)
    title = "Spot check" if blind else "Question"
    state = f"{count} {'label' if count == 1 else 'labels'} · "
    error = session.error_estimate(confidence=rules.confidence)
    panel = Panel(
        Group(*lines),
        title=Text(title),
        subtitle=Text(state + str(error)),
        title_align="left",
        subtitle_align="left",
    )
    return Group(panel, Text(rules.progress(session), style="dim"))


def help_panel() -> Panel:
    """What every key does."""
    table = Table.grid(padding=(0, 2))
    for key, meaning in HELP:
        table.add_row(Text(key, style="bold"), Text(meaning))
    return Panel(table, title=Text("Keys"), title_align="left")


def _thought(session: Dialogue, question: Asked, guess: int | None) -> Text:
    if guess is None:
        return Text("drawn at random to measure the error; the guess is hidden until you answer")
    if guess == UNKNOWN:
        return Text("no guess yet")
    sure = "" if question.confidence is None else f", {question.confidence:.0%} sure"
    return Text.assemble("guess: ", worded(session.classes[guess], "bold"), sure)


def _choices(session: Dialogue) -> Text:
    if not session.classes:
        return Text("no class yet: press + to name one", style="dim")
    shown = Text()
    for key, name in zip(KEYS, session.classes, strict=False):
        shown.append(key, "bold").append(" ").append_text(worded(name)).append("   ")
    if len(session.classes) > len(KEYS):
        shown.append(f"and {len(session.classes) - len(KEYS)} more: press + and type the name")
    return shown


def _neighbours(session: Dialogue, node: int, *, blind: bool) -> Table | Text:
    """The neighbours, those with labels first; predictions (with ?) only where they may show."""
    graph, labels = session.graph, session.labels
    near = graph.neighbors(node)
    if len(near) == 0:
        return Text("no neighbours", style="dim")
    order = near[np.argsort(labels[near] == UNKNOWN, kind="stable")][:MOST_NEIGHBOURS]
    guesses = np.full(len(order), UNKNOWN) if blind else session.learner.predict(order)
    table = Table.grid(padding=(0, 2))
    for other, guess in zip(order.tolist(), guesses.tolist(), strict=True):
        said = Text()
        if labels[other] != UNKNOWN:
            said = worded(session.classes[labels[other]], "bold")
        elif guess != UNKNOWN:
            said = worded(session.classes[guess], "dim").append("?")
        table.add_row(worded(graph.names[other]), said)
    if len(near) > len(order):
        table.add_row(Text(f"and {len(near) - len(order):,} more neighbours", style="dim"))
    return table
