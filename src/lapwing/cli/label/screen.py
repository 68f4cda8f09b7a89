"""The screen of ``lapwing label``: the node, its neighbours, the guess and the keys."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from lapwing.cli.label.attributes import attribute_lines
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import worded
from lapwing.session import Question, Session
from lapwing.session.opening.goals import is_search

DIGITS = "1234567890"
KEYS = DIGITS + "acdefghijklmnprtvwxyz"
"""Keys for classes, in order; the letters left out have meanings of their own."""
HELP = (
    ("1 2 3 ...", "answer with the class shown beside the key"),
    ("Enter", "accept the guess; not on a spot check, where the guess is hidden"),
    ("+", "answer with another class: type its name, then Enter"),
    ("s", "skip this node; you will not be asked about it again"),
    ("u, Backspace", "take back your last answer and ask about that node again"),
    ("o", "look again at answers that look odd, which you can also do later"),
    ("?", "show this help"),
    ("q, Ctrl-C", "stop; every answer is kept, and the same command continues"),
)


def question_panel(session: Session, question: Question, rules: Rules) -> Group:
    """One question; on a spot check nothing that the learner thinks is shown."""
    lines = [
        worded(question.node, "bold"),
        *attribute_lines(question),
        _thought(session, question),
        *([] if question.blind else [worded(question.reason, "dim")]),
        Text(),
        _neighbours(question),
        Text(),
        _choices(session.classes),
        Text(
            ("" if question.guess is None else "Enter accept · ")
            + "+ other class · s skip · u undo · ? help · q quit",
            style="dim",
        ),
    ]
    count = session.n_labels
    panel = Panel(
        Group(*lines),
        title=Text(_title(question)),
        subtitle=Text(f"{count} {'label' if count == 1 else 'labels'}"),
        title_align="left",
        subtitle_align="left",
    )
    measured = rules.measured(session)
    below = f"{measured[0].upper()}{measured[1:]}. {rules.progress(session)}"
    return Group(panel, Text(below, style="dim"))  # a frame would cut it


def _title(question: Question) -> str:
    if question.again:
        return "Second look"
    return "Spot check" if question.blind else "Question"


def help_panel() -> Panel:
    """What every key does."""
    table = Table.grid(padding=(0, 2))
    for key, meaning in HELP:
        table.add_row(Text(key, style="bold"), Text(meaning))
    return Panel(table, title=Text("Keys"), title_align="left")


def _thought(session: Session, question: Question) -> Text:
    if question.again and question.blind:
        return Text("your answer looked odd; the guess is hidden until you answer")
    if question.blind:
        what = "how many are still hidden" if is_search(session.header) else "the error"
        return Text(f"drawn at random to measure {what}; the guess is hidden until you answer")
    if question.guess is None:
        return Text("no guess yet")
    sure = "" if question.confidence is None else f", {question.confidence:.0%} sure"
    return Text.assemble("guess: ", worded(question.guess, "bold"), sure)


def class_keys(classes: Sequence[str]) -> dict[str, str]:
    """The class of each key: a class named by one digit has that key, the others the next free.

    Examples
    --------
    >>> class_keys(["fraud", "fine"])
    {'1': 'fraud', '2': 'fine'}
    >>> class_keys(["0", "1", "other"])
    {'0': '0', '1': '1', '2': 'other'}
    """
    own = {name for name in classes if len(name) == 1 and name in DIGITS}
    free = iter([key for key in KEYS if key not in own])
    return {key: name for name in classes if (key := name if name in own else next(free, ""))}


def _choices(classes: Sequence[str]) -> Text:
    if not classes:
        return Text("no class yet: press + to name one", style="dim")
    shown = Text()
    for key, name in class_keys(classes).items():
        shown.append(key, "bold").append(" ").append_text(worded(name)).append("   ")
    if len(classes) > len(KEYS):
        shown.append(f"and {len(classes) - len(KEYS)} more: press + and type the name")
    return shown


def _neighbours(question: Question) -> Table | Text:
    """The neighbours, those with labels first; predictions (with ?) only where they may show."""
    if not question.neighbors:
        return Text("no neighbours", style="dim")
    table = Table.grid(padding=(0, 2))
    for near in question.neighbors:
        said = Text()
        if near.label is not None:
            said = worded(near.label, "bold")
        elif near.guess is not None:
            said = worded(near.guess, "dim").append("?")
        table.add_row(worded(near.node), said)
    more = question.n_neighbors - len(question.neighbors)
    if more:
        table.add_row(Text(f"and {more:,} more neighbours", style="dim"))
    return table
