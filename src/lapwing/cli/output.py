"""The output of commands: a JSON object or text; progress goes to stderr."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from numbers import Integral, Real
from threading import Event, Timer
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Kinds of characters that could act on a terminal, or hide what a name really is."""
PATIENCE = 1.0
"""Seconds after which a wait is explained."""
JOINERS = "\u200c\u200d"
"""Formatting characters that words and emoji need."""


class Screen(Console):
    """A console that prints names as they are: nothing in them is markup or a control sequence."""

    def __init__(self, *, stderr: bool = False) -> None:
        super().__init__(stderr=stderr, highlight=False, markup=False, emoji=False)

    def render_str(self, text: str, **settings: Any) -> Text:
        """Text to print, with control characters made visible."""
        return super().render_str(visible(text), **settings)


console = Screen()
errors = Screen(stderr=True)


def visible(text: object) -> str:
    r"""Text with control characters written as escapes, so that none acts on the terminal.

    Line breaks stay; `worded` writes them as escapes, too.

    Examples
    --------
    >>> visible("a\x1b[31mb\u202e")
    'a\\x1b[31mb\\u202e'
    """
    return "".join(each if each == "\n" else _escaped(each) for each in str(text))


def worded(text: object, style: str = "") -> Text:
    r"""A name on one line, exactly as it is, in a style.

    Examples
    --------
    >>> worded("[/x]\n").plain
    '[/x]\\n'
    """
    return Text("".join(map(_escaped, str(text))), style=style)


def _escaped(character: str) -> str:
    if character in JOINERS or unicodedata.category(character) not in HIDDEN:
        return character
    return character.encode("unicode_escape").decode("ascii")


def print_json(result: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output; NaN becomes null."""
    print(json.dumps(plain(result), indent=2))  # noqa: T201 - the one place that prints


def plain(value: Any) -> Any:
    """The value in JSON's own types.

    Examples
    --------
    >>> import numpy as np
    >>> plain({"a": np.arange(2), "b": (np.float64(0.5), float("nan"))})
    {'a': [0, 1], 'b': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # an array or a number of NumPy
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def facts_table(title: str, rows: Iterable[tuple[str, Any]]) -> Table:
    """A title, and a table of two columns: what, and how much."""
    table = Table(
        title=worded(title, "bold") if title else None,
        title_justify="left",
        show_header=False,
        box=None,
        padding=(0, 2),
    )
    table.add_column(style="dim", min_width=20)
    table.add_column()
    for name, value in rows:
        table.add_row(worded(name), shown(value))
    return table


def rows_table(
    columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: Text | None = None
) -> Table:
    """A table with one row per thing; numbers are aligned to the right."""
    cells = [[shown(cell) for cell in row] for row in rows]
    table = Table(title=title, title_justify="left", box=None, padding=(0, 2))
    for position, name in enumerate(columns):
        numeric = all(_looks_numeric(row[position]) for row in cells)
        table.add_column(
            worded(name), justify="right" if numeric and cells else "left", no_wrap=position == 0
        )
    for row in cells:
        table.add_row(*row)
    return table


def shown(value: Any) -> str:
    """A value as a person reads it: thousands separated, four digits, lists joined."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return f"{int(value):,}"
    if isinstance(value, Real):
        return f"{float(value):.4g}"
    if isinstance(value, list | tuple) or hasattr(value, "tolist"):
        return "  ".join(shown(item) for item in value)
    return "" if value is None else visible(value)


@contextmanager
def waiting(words: str) -> Iterator[Callable[[str], None]]:
    """Say on stderr what is being done, if it takes longer than a moment, until it is done.

    Yields a function that changes the words, for work that can tell how far along it is. At a
    terminal one line shows them and the time; elsewhere each new text is a line of its own.
    """
    bar = Progress(
        SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn(),
        console=errors, transient=True,
    )  # fmt: skip
    task, terminal, latest = bar.add_task(visible(words), total=None), errors.is_terminal, [words]
    explained = Event()

    def explain() -> None:
        explained.set()
        if terminal:
            bar.start()
        else:
            errors.print(f"{latest[0]} ...")

    def say(new: str) -> None:
        latest[0] = new
        bar.update(task, description=visible(new))
        if explained.is_set() and not terminal:
            errors.print(f"{new} ...")

    timer = Timer(PATIENCE, explain)
    timer.daemon = True
    timer.start()
    try:
        yield say
    finally:
        timer.cancel()
        timer.join()
        if terminal:
            bar.stop()


def progress() -> Progress:
    """A progress bar on stderr that leaves nothing behind in a pipe."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )


def _looks_numeric(text: str) -> bool:
    return not text or text.replace(",", "").replace(".", "").replace("-", "").isdigit()
