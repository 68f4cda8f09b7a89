"""The style of all figures: few lines and colour-blind-safe colours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lapwing.errors import InputError
from lapwing.optional import need

PALETTE = (
    "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7",
    "#56b4e9", "#b3a100", "#5f4690", "#7f7f7f", "#222222",
)  # fmt: skip
"""Ten colours that also differ in grey (the first seven are a colour-blind-safe set)."""

PICTURES = (".pdf", ".png", ".svg")
UNKNOWN_COLOUR = "#d9d9d9"


def new_figure(columns: int = 1, rows: int = 1, *, width: float = 4.2, height: float = 3.2) -> Any:
    """Return a figure and its axes, without a window and without global state."""
    shown = need("lapwing.figures.notebook_figure", extra="plot")  # matplotlib is slow to import
    size = (width * columns, height * rows)
    figure = shown.NotebookFigure(figsize=size, layout="constrained", dpi=150)
    axes = figure.subplots(rows, columns, squeeze=False)
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
    return figure, axes


def checked_picture(path: str | Path) -> Path:
    """The path of a picture, or an error if its suffix is not that of a picture's format.

    Examples
    --------
    >>> checked_picture("rounds.xls")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: rounds.xls: a picture must end in .pdf, .png, .svg
    """
    found = Path(path)
    if found.suffix.lower() not in PICTURES:
        raise InputError(f"{found}: a picture must end in {', '.join(PICTURES)}")
    return found


def saved(figure: Any, path: str | Path) -> Path:
    """Write the figure; the suffix chooses the format (png, svg, pdf)."""
    path = checked_picture(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path)
    return path


def colour_of(label: int) -> str:
    """Return the colour of a class; grey for unknown."""
    return UNKNOWN_COLOUR if label < 0 else PALETTE[label % len(PALETTE)]
