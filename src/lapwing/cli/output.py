"""What commands print: one JSON object, or a table for people; progress goes to stderr."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

console = Console(highlight=False)
errors = Console(stderr=True, highlight=False)


def print_json(result: Mapping[str, Any]) -> None:
    """Print one JSON object on standard output; NaN becomes null."""
    print(json.dumps(plain(result), indent=2))  # noqa: T201 - the one place that prints


def plain(value: Any) -> Any:
    """The value in JSON's own types.

    Examples
    --------
    >>> plain({"a": np.arange(2), "b": (np.float64(0.5), float("nan"))})
    {'a': [0, 1], 'b': [0.5, None]}
    """
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)


def facts(title: str, rows: Iterable[tuple[str, Any]]) -> Table:
    """A two-column table: what, and how much."""
    table = Table(title=title, title_justify="left", show_header=False, box=None, padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    for name, value in rows:
        table.add_row(name, shown(value))
    return table


def listing(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> Table:
    """A table with one thing a row; numbers to the right."""
    cells = [[shown(cell) for cell in row] for row in rows]
    table = Table(title=title or None, title_justify="left", box=None, padding=(0, 2))
    for position, name in enumerate(columns):
        numeric = all(_looks_numeric(row[position]) for row in cells)
        table.add_column(
            name, justify="right" if numeric and cells else "left", no_wrap=position == 0
        )
    for row in cells:
        table.add_row(*row)
    return table


def shown(value: Any) -> str:
    """A value as a person reads it: thousands apart, four digits, lists joined."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return f"{value:,}"
    if isinstance(value, float | np.floating):
        return f"{value:.4g}"
    if isinstance(value, list | tuple | np.ndarray):
        return "  ".join(shown(item) for item in value)
    return "" if value is None else str(value)


def progress() -> Progress:
    """A progress bar on stderr that leaves nothing behind in a pipe."""
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeElapsedColumn(),
        console=errors,
        transient=True,
        disable=not errors.is_terminal,
    )


def _looks_numeric(text: str) -> bool:
    return not text or text.replace(",", "").replace(".", "").replace("-", "").isdigit()
