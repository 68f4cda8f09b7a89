"""What is known of a node, for a person to see: chosen columns of its row, images drawn."""

from __future__ import annotations

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
from lapwing.optional import need
from lapwing.session import Question
from lapwing.session.asking.question import value_text
from lapwing.types import Array

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")
WIDEST = 48
"""Pixels of an image across."""
SHADES = " ░▒▓█"


def attribute_lines(question: Question) -> list[Any]:
    """What to print of a node's attributes; values that are missing are left out."""
    lines, drawn = Table.grid(padding=(0, 2)), list[Any]()
    for name in question.shown:
        value = question.attributes[name]
        picture = image_of(value)
        if picture is not None:
            drawn.append(NodePicture(picture))
        elif words := value_text(value):
            lines.add_row(worded(question.heading(name), "dim"), worded(words))
    return [*([lines] if lines.row_count else []), *drawn]


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
    """Grey values as half blocks, two pixels per character; as shades without colours."""

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
