"""What is known of a node, for a person to see: chosen columns of its row, images drawn."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from lapwing.cli.output import worded
from lapwing.errors import MissingExtraError
from lapwing.graph import Graph
from lapwing.graph.node_table import NodeTable
from lapwing.optional import need
from lapwing.types import Array

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")
MOST_COLUMNS = 6
"""How many columns are shown if none are chosen."""
LONGEST = 400
"""Characters of a text that are shown."""
WIDEST = 48
"""Pixels of an image across."""
SHADES = " ░▒▓█"


def shown_columns(said: str, graph: Graph) -> tuple[str, ...]:
    """The columns that ``--show title,url`` names, checked; without it, the first few."""
    table = graph.node_table
    if said:
        names = tuple(name.strip() for name in said.split(",") if name.strip())
        for name in names:
            table[name]
        return names
    return tuple(name for name in table if _is_shown(table, name))[:MOST_COLUMNS]


def _is_shown(table: NodeTable, name: str) -> bool:
    """Whether one value of the column is something to look at: no row of a thousand numbers."""
    return len(table[name].shape) in (1, 3, 4)


def attribute_lines(graph: Graph, node: int, columns: Sequence[str]) -> list[Any]:
    """What to print for one node, column by column; values that are missing are left out."""
    if not columns:
        return []
    row, lines = graph.node_table.row(node), Table.grid(padding=(0, 2))
    drawn: list[Any] = []
    for name in columns:
        picture = image_of(row[name])
        if picture is not None:
            drawn.append(NodePicture(picture))
        elif (words := _words(row[name])) is not None:
            lines.add_row(worded(name, "dim"), words)
    return [*([lines] if lines.row_count else []), *drawn]


def _words(value: Any) -> Text | None:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, np.ndarray):
        return worded(f"{value.size:,} numbers, {np.count_nonzero(value):,} of them not 0")
    if isinstance(value, bytes):
        return worded(f"{len(value):,} bytes")
    text = str(value)
    return worded(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def image_of(value: Any) -> Array | None:
    """Grey values from 0 to 1 of an image: an array, a picture's bytes or its file; else None.

    Examples
    --------
    >>> image_of(np.array([[0, 8], [16, 4]])).tolist()
    [[0.0, 0.5], [1.0, 0.25]]
    >>> image_of("a title") is None
    True
    """
    if isinstance(value, np.ndarray) and value.ndim in (2, 3):
        grey = value.mean(axis=2) if value.ndim == 3 else value.astype(np.float64)
        low, high = np.nanmin(grey), np.nanmax(grey)
        return np.asarray(np.nan_to_num((grey - low) / (high - low or 1.0)))
    if isinstance(value, bytes):
        return _opened(BytesIO(value))
    if isinstance(value, str) and value.lower().endswith(PICTURES) and Path(value).is_file():
        return _opened(value)
    return None


def _opened(file: Any) -> Array | None:
    try:
        with need("PIL.Image", extra="plot").open(file) as picture:
            small = picture.convert("L")
            small.thumbnail((WIDEST, WIDEST))
            return np.asarray(small, dtype=np.float64) / 255.0
    except (OSError, ValueError, MissingExtraError):
        return None


class NodePicture:
    """Grey values as half blocks, two pixels a character; as shades where there are no colours."""

    def __init__(self, grey: Array) -> None:
        step = max(1, -(-grey.shape[1] // WIDEST))
        self.grey = grey[::step, ::step]

    def __rich_console__(self, console: Console, _: ConsoleOptions) -> RenderResult:
        """The lines of the picture."""
        if console.color_system is None:
            for row in self.grey:
                yield Text("".join(2 * SHADES[round(v * (len(SHADES) - 1))] for v in row))
            return
        rows = np.round(255 * self.grey).astype(int)
        if len(rows) % 2:
            rows = np.vstack([rows, np.zeros_like(rows[:1])])
        for upper, lower in zip(rows[::2].tolist(), rows[1::2].tolist(), strict=True):
            for top, bottom in zip(upper, lower, strict=True):
                yield Segment("▀", Style(color=_grey(top), bgcolor=_grey(bottom)))
            yield Segment.line()


def _grey(value: int) -> str:
    return f"rgb({value},{value},{value})"
