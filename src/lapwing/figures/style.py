"""One look for every picture: few lines, colours a colour-blind reader can tell apart."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

PALETTE = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7",
    "#56b4e9", "#b3a100", "#5f4690", "#7f7f7f", "#222222",
)  # fmt: skip
"""Ten colours (the first seven after the usual colour-blind-safe set); grey tones differ too."""

UNKNOWN_COLOUR = "#d9d9d9"


class Drawing(Figure):
    """A figure that a notebook shows when it is the last line of a cell, without pyplot.

    Examples
    --------
    >>> picture, size = Drawing(figsize=(2, 1), dpi=150)._repr_png_()
    >>> picture[:4], size
    (b'\\x89PNG', {'width': 192, 'height': 96})
    """

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        held = io.BytesIO()
        self.savefig(held, format="png")
        width, height = (round(96 * inches) for inches in self.get_size_inches())
        return held.getvalue(), {"width": width, "height": height}


def new_figure(columns: int = 1, rows: int = 1, *, width: float = 4.2, height: float = 3.2) -> Any:
    """A figure and its axes, with no window and no global state."""
    figure = Drawing(figsize=(width * columns, height * rows), layout="constrained", dpi=150)
    axes = figure.subplots(rows, columns, squeeze=False)
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure, axes


def saved(figure: Figure, path: str | Path) -> Path:
    """Write the figure; the suffix chooses the format (png, svg, pdf)."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return path


def colour_of(label: int) -> str:
    """The colour of a class; grey for unknown."""
    return UNKNOWN_COLOUR if label < 0 else PALETTE[label % len(PALETTE)]
