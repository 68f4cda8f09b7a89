"""Pages of committed studies: the verdict and a picture first, then the method."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from docsite.results import Row
from lapwing.figures.style import PALETTE, new_figure

PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]*\)$", re.MULTILINE)
NOTHING_PRINTED = "There are no printed numbers to compare with."
SAME, OTHER = PALETTE[0], PALETTE[3]
HIGH = ("micro", "macro")
"""Measures of which more is better; of all others less is."""
TITLES = {"micro": "micro-F1", "macro": "macro-F1", "future_0": "number of mistakes"}
WIDE = 100
"""From this ratio between the largest and the smallest number on, axes are logarithmic."""


def page(path: Path, rows: Sequence[Row]) -> tuple[str, dict[str, bytes]]:
    """A study's page, and the pictures drawn for it by their file names."""
    text = path.read_text(encoding="utf-8")
    title, verdict, rest = text.split("\n\n", 2)
    if verdict == NOTHING_PRINTED and rows:
        verdict = leaders(rows)
    shown, drawn = PICTURE.findall(rest), dict[str, bytes]()
    if not shown and rows:
        name, caption = f"{path.stem}-overview.png", _caption(rows)
        drawn[name] = _png(overview(rows))
        shown = [f"![{caption}]({name})\n\n*{caption}*"]
    parts = [title, f"**{verdict}**", *shown, PICTURE.sub("", rest).strip()]
    return re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts)) + "\n", drawn


def leaders(rows: Sequence[Row]) -> str:
    """Which method came first on each graph, where there is nothing printed to compare with."""
    first = [row for row in rows if row.measure == rows[0].measure]
    sign = -1 if first[0].measure in HIGH else 1
    told = []
    for graph in dict.fromkeys(row.graph for row in first):
        here = [row for row in first if row.graph == graph]
        here = [row for row in here if row.at == here[-1].at]
        best = min(here, key=lambda row: sign * float(row.mean))
        told.append(f"{best.method} on {graph}")
    word = "Highest" if sign < 0 else "Lowest"
    at = f" at {first[-1].at}" if first[-1].at else ""
    return f"{word} {_title(first[0].measure)}{at}: {', '.join(told)}."


def overview(rows: Sequence[Row]) -> Any:
    """Our numbers against the printed ones, or, without printed ones, method by method."""
    judged = [row for row in rows if row.verdict]
    return _agreement(judged) if judged else _methods(rows)


def _agreement(judged: Sequence[Row]) -> Any:
    measures = list(dict.fromkeys(row.measure for row in judged))
    figure, axes = new_figure(len(measures), width=4.6, height=4.0)
    for ax, measure in zip(axes.flat, measures, strict=True):
        here = [row for row in judged if row.measure == measure]
        ours, printed = (np.array([float(v) for v in c]) for c in
                         zip(*((row.mean, row.printed) for row in here), strict=True))  # fmt: skip
        same = np.array([row.verdict == "reproduced" for row in here])
        both = np.concatenate([ours, printed])
        if both.min() > 0 and both.max() > WIDE * both.min():
            ax.set(xscale="log", yscale="log")
        ends = [both.min(), both.max()]
        ax.plot(ends, ends, color="#999999", linewidth=1, zorder=1)
        for mask, colour, word in ((same, SAME, "reproduced"), (~same, OTHER, "not reproduced")):
            ax.scatter(printed[mask], ours[mask], s=26, color=colour, alpha=0.8, linewidths=0,
                       label=f"{word}: {mask.sum()}", zorder=2)  # fmt: skip
        ax.set_title(_title(measure), fontsize=10, loc="left")
        ax.set_xlabel("printed", fontsize=9)
        ax.set_ylabel("ours", fontsize=9)
        ax.legend(fontsize=8, frameon=False)
    return figure


def _methods(rows: Sequence[Row]) -> Any:
    """One panel per graph, one dot per method (and per place on the grid) of the first measure."""
    first = [row for row in rows if row.measure == rows[0].measure]
    graphs = list(dict.fromkeys(row.graph for row in first))
    methods = list(dict.fromkeys(row.method for row in first))[::-1]
    figure, axes = new_figure(len(graphs), width=9 / len(graphs), height=0.9 + 0.3 * len(methods))
    places = list(dict.fromkeys(row.at for row in first))
    for ax, graph in zip(axes.flat, graphs, strict=True):
        for k, place in enumerate(places):
            here = [row for row in first if row.graph == graph and row.at == place]
            ax.errorbar([float(row.mean) for row in here], [methods.index(r.method) for r in here],
                        xerr=[float(row.sd or 0) for row in here], fmt="o", markersize=5,
                        color=PALETTE[k], label=place)  # fmt: skip
        ax.set_yticks(range(len(methods)), methods if graph == graphs[0] else [])
        ax.grid(axis="x", color="#e4e4e4")
        ax.set_title(graph, fontsize=10, loc="left")
        ax.set_xlabel(_title(first[0].measure), fontsize=9)
    if len(places) > 1:
        axes.flat[-1].legend(title="share labelled", fontsize=8, title_fontsize=8)
    return figure


def _caption(rows: Sequence[Row]) -> str:
    if any(row.verdict for row in rows):
        return "Our numbers against the printed ones; on the line they are equal."
    return f"Mean ± standard deviation of each method's {_title(rows[0].measure)}."


def _title(measure: str) -> str:
    return TITLES.get(measure, measure.replace("_", " "))


def _png(figure: Any) -> bytes:
    held = io.BytesIO()
    figure.savefig(held, format="png", dpi=120)
    return held.getvalue()
