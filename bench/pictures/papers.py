"""Pictures of what the papers print beside ours, and of several labels per node."""

from __future__ import annotations

from typing import Any

from bench.pictures.markdown import number, tables
from lapwing.figures import new_figure
from lapwing.figures.style import PALETTE

GREY = "#b8b8b8"


def reproduced(text: str) -> Any:
    """Printed numbers of each study: reproduced, explained by an experiment, not explained."""
    head, *rows = tables(text)[0]
    kinds = ("reproduced", "explained by an experiment", "not explained")
    shown = [row for row in rows if row[0] != "all" and number(row[head.index("printed numbers")])]
    figure, axes = new_figure(width=8.0, height=0.9 + 0.27 * len(shown))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(shown)):
        left = 0.0
        for kind, colour in zip(kinds, (PALETTE[2], PALETTE[5], GREY), strict=True):
            value = number(row[head.index(kind)])
            ax.barh(y, value, 0.7, left=left, color=colour, label=kind if y == 0 else None)
            if value:
                ax.text(left + value / 2, y, f"{value:g}", ha="center", va="center", fontsize=7)
            left += value
    ax.set_yticks(range(len(shown)), [row[0] for row in reversed(shown)])
    ax.set_xlabel("printed numbers", fontsize=9)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8, frameon=False)
    return figure


def label_sets(text: str) -> Any:
    """Micro-F1 of each method and of the labels written, one panel per graph."""
    head, *rows = tables(text)[0]
    graphs = list(dict.fromkeys(row[0] for row in rows))
    figure, axes = new_figure(len(graphs), width=6.4, height=3.4)
    for ax, graph in zip(axes.flat, graphs, strict=True):
        own = [row for row in rows if row[0] == graph]
        for k, column in enumerate((head.index("Micro-F1"), head.index("written"))):
            for x, row in enumerate(own):
                if row[column]:
                    value = number(row[column])
                    ax.bar(x - 0.2 + 0.4 * k, value, 0.36, color=PALETTE[k],
                           label=head[column] if x == 1 else None)  # fmt: skip
                    ax.text(x - 0.2 + 0.4 * k, value, f"{value:.3f}", ha="center", va="bottom",
                            fontsize=7)  # fmt: skip
        ax.set_xticks(range(len(own)), [row[1] for row in own])
        ax.set_title(graph, fontsize=10, loc="left")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper center", ncols=2,
                  fontsize=8, frameon=False)  # fmt: skip
    return figure
