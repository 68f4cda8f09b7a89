"""Error, queries and time against rounds, as in Figure 2 of Gu 2013."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapwing.figures.style import PALETTE, new_figure
from lapwing.types import Array

MOST_POINTS = 400
DASHES = ("-", (0, (5, 2)), (0, (1, 1.5)), (0, (5, 2, 1, 2)))
"""Line styles that keep overlapping lines distinguishable."""


@dataclass(frozen=True)
class Curves:
    """The curves of one run, one value per round: cumulative error, queries and seconds."""

    error: Array
    queries: Array
    seconds: Array


def draw_rounds(runs: Mapping[str, Sequence[Curves]], *, error: str = "error") -> Any:
    """Plot cumulative error, queries and time against rounds, one line per learner.

    Several runs of a learner are drawn as their mean with a band of one standard deviation, up to
    the length of the shortest run.

    Examples
    --------
    >>> run = Curves(np.array([1.0, 0.5]), np.array([1.0, 2.0]), np.array([0.1, 0.2]))
    >>> len(draw_rounds({"sslgc": [run, run]}).axes)
    3
    """
    figure, axes = new_figure(columns=3)
    panels = (("error", f"cumulative {error}"), ("queries", "queries"), ("seconds", "seconds"))
    for ax, (field, title) in zip(axes.flat, panels, strict=True):
        for position, (name, several) in enumerate(runs.items()):
            _draw(ax, [getattr(run, field) for run in several], name, position)
        ax.set_title(title, fontsize=10, loc="left")
        ax.set_xlabel("rounds", fontsize=9)
        ax.set_ylim(bottom=0)
        ax.margins(x=0)
    axes.flat[0].set_ylim(0, _settled(runs))
    axes.flat[0].legend(fontsize=8, frameon=False)
    figure.align_labels()
    return figure


def _draw(ax: Any, lines: Sequence[Array], name: str, position: int) -> None:
    length = min((len(line) for line in lines), default=0)
    if length == 0:
        return
    at = np.unique(np.linspace(0, length - 1, MOST_POINTS).astype(np.intp))
    values = np.array([line[at] for line in lines])
    mean, spread = values.mean(axis=0), values.std(axis=0)
    colour = PALETTE[position % len(PALETTE)]
    dashes = DASHES[position % len(DASHES)]
    ax.plot(at + 1, mean, color=colour, linestyle=dashes, linewidth=1.4, label=name)
    if len(lines) > 1:
        ax.fill_between(at + 1, mean - spread, mean + spread, color=colour, alpha=0.2, linewidth=0)


def _settled(runs: Mapping[str, Sequence[Curves]]) -> float:
    """Return an upper limit for the error panel that ignores the first rounds."""
    tops = [
        float(run.error[len(run.error) // 50 :].max(initial=0.0))
        for several in runs.values()
        for run in several
    ]
    return min(1.0, 1.1 * max(tops, default=1.0)) or 1.0
