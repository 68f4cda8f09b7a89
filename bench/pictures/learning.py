"""Pictures of the pages about learning: errors, accuracy, confidence, questions, start-up."""

from __future__ import annotations

import re
from typing import Any

from bench.pictures.markdown import number, tables
from lapwing.figures import new_figure
from lapwing.figures.style import PALETTE

GREY = "#b8b8b8"


def confidence(text: str) -> Any:
    """Calibration error along the labels, one panel per graph."""
    head, *rows = tables(text)[0]
    budgets = [int(cell) for cell in head[2:-1]]
    graphs = list(dict.fromkeys(row[0] for row in rows))
    figure, axes = new_figure(3, 2, width=3.1, height=2.3)
    for ax, graph in zip(axes.flat, graphs, strict=True):
        for k, row in enumerate(row for row in rows if row[0] == graph):
            values = [float(cell) for cell in row[2:-1]]
            ax.plot(budgets, values, "o-", color=PALETTE[k], markersize=4, label=row[1])
        ax.set(xscale="log", ylim=(0, None))
        ax.set_xticks(budgets, budgets)
        ax.minorticks_off()
        ax.set_title(graph, fontsize=10, loc="left")
    axes[0, 0].legend(fontsize=8, frameon=False)
    figure.supxlabel("labels", fontsize=9)
    figure.supylabel("calibration error, points", fontsize=9)
    return figure


def questions(text: str) -> Any:
    """Waiting times per graph, and the limit that was set."""
    head, *rows = tables(text)[0]
    columns = [head.index(name) for name in ("median", "95%", "most")]
    figure, axes = new_figure(width=8.0, height=0.9 + 0.8 * len(rows))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(rows)):
        for k, column in enumerate(columns):
            value = number(row[column])
            ax.barh(y + 0.25 * (1 - k), value, 0.22, color=PALETTE[k],
                    label=head[column] if y == 0 else None)  # fmt: skip
            ax.text(1.03 * value, y + 0.25 * (1 - k), f"{value:.0f} ms", va="center", fontsize=8)
        limit = number(row[-1].rpartition("under")[2])
        ax.plot([limit, limit], [y - 0.4, y + 0.4], color="#111111", linewidth=2,
                label="limit" if y == 0 else None)  # fmt: skip
    ax.set_xscale("log")
    ax.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
    ax.set_xlabel("milliseconds from an answer to the next question", fontsize=9)
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, frameon=False)
    return figure


def stopping(text: str) -> Any:
    """Labels until the target is proven, before and now, and the goal: means, or medians if set."""
    head, *rows = tables(text)[0]
    column = {name: head.index(name) for name in ("graph", "target", "learner", "rule", "median")}
    places = list(dict.fromkeys(tuple(row[:3]) for row in rows))
    at_median = {row[0] for row in rows if "median" in row[column["median"] + 1]}
    figure, axes = new_figure(width=8.0, height=3.2)
    ax = axes[0, 0]
    for row in rows:
        now = row[column["rule"]] == "now"
        x = places.index(tuple(row[:3])) + (0.17 if now else -0.17)
        mean, median = (number(row[column["median"] - k]) for k in (1, 0))
        goal = row[column["median"] + 1]
        shown = median if row[0] in at_median else mean
        ax.bar(x, shown, 0.3, color=PALETTE[int(now)])
        ax.text(x, shown, f"{shown:.0f}", ha="center", va="bottom", fontsize=8)
        if goal:
            ax.plot([x - 0.17, x + 0.17], [number(goal)] * 2, color="#111111", linewidth=2)
    ax.set_xticks(
        range(len(places)), [f"{graph}\n{target}\n{who}" for graph, target, who in places],
        fontsize=8,
    )  # fmt: skip
    ax.set_ylabel("labels until proven", fontsize=9)
    for word, colour in (("before", PALETTE[0]), ("now", PALETTE[1]), ("goal", "#111111")):
        ax.plot([], [], color=colour, linewidth=4 if word != "goal" else 2, label=word)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8, frameon=False)
    return figure


def push(text: str) -> Any:
    """The error of each learner, one panel per graph."""
    head, *rows = tables(text)[0]
    names = [row[0] for row in rows][::-1]
    figure, axes = new_figure(len(head) - 1, width=1.9, height=0.8 + 0.27 * len(names))
    for column, (ax, graph) in enumerate(zip(axes.flat, head[1:], strict=True), start=1):
        for row in rows:
            mean, sd = (float(part) for part in row[column].split("±"))
            colour = PALETTE[3] if row[0] == "auto" else PALETTE[0]
            ax.errorbar(mean, names.index(row[0]), xerr=sd, fmt="o", markersize=5, color=colour)
        ax.set_yticks(range(len(names)), names if column == 1 else [])
        ax.grid(axis="x", color="#e4e4e4")
        ax.set_title(graph, fontsize=10, loc="left")
    figure.supxlabel("error over the whole stream", fontsize=9)
    return figure


def active(text: str) -> Any:
    """Accuracy of every strategy along the labels, one panel per graph."""
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    shown = [part for part in sections if re.search(r"^\| own ", part, re.MULTILINE)]
    figure, axes = new_figure(3, -(-len(shown) // 3), width=3.1, height=2.5)
    for ax, section in zip(axes.flat, shown, strict=True):
        head, *rows = next(table for table in tables(section) if table[0][0] == "own")
        for row in rows:
            if row[0] != "*verdict*":
                _accuracy(ax, [int(cell) for cell in head[1:]], row)
        ax.set_title(section.partition("\n")[0], fontsize=10, loc="left")
    axes[0, 0].legend(fontsize=8, frameon=False, loc="lower right")
    figure.supxlabel("labels", fontsize=9)
    figure.supylabel("accuracy on held-out nodes, %", fontsize=9)
    return figure


def _accuracy(ax: Any, budgets: list[int], row: list[str]) -> None:
    """One strategy's line; only uncertain-reach and random stand out."""
    name = row[0].strip("*")
    style = {"uncertain-reach": (PALETTE[3], 2.2, 3), "random": ("#111111", 1.6, 2)}
    colour, width, order = style.get(name, (GREY, 0.8, 1))
    word = name if name in style else "others" if name == "margin" else None
    values = [number(cell) for cell in row[1:]]
    ax.plot(budgets, values, "o-", color=colour, linewidth=width, markersize=3, zorder=order,
            label=word)  # fmt: skip
    ax.set_xscale("log")
    ax.set_xticks(budgets, budgets)
    ax.minorticks_off()


def startup(text: str) -> Any:
    """CPU time of each command beside the libraries underneath, and the limits."""
    _, *rows = tables(text)[0]
    figure, axes = new_figure(width=8.0, height=0.8 + 0.35 * len(rows))
    ax = axes[0, 0]
    for y, (_, _, ratio, most) in enumerate(reversed(rows)):
        ax.barh(y, float(ratio), 0.6, color=GREY if y == len(rows) - 1 else PALETTE[0])
        ax.text(float(ratio) + 0.01, y, ratio, va="center", fontsize=8)
        if most:
            ax.plot([float(most)] * 2, [y - 0.4, y + 0.4], color="#111111", linewidth=2)
    ax.set_yticks(range(len(rows)), [row[0].strip("`") for row in reversed(rows)])
    ax.set_xlabel("CPU time relative to the libraries underneath; black: the limit", fontsize=9)
    return figure


def goals(text: str) -> Any:
    """Positives among the questions, one group of bars per class."""
    head, *rows = tables(text)[0]
    strategies = head[2:]
    figure, axes = new_figure(width=9.0, height=3.6)
    ax, wide = axes[0, 0], 0.85 / len(strategies)
    for x, row in enumerate(rows):
        for k, cell in enumerate(row[2:]):
            if cell:
                at = x + (k - (len(strategies) - 1) / 2) * wide
                first = all(not other[2 + k] for other in rows[:x])
                ax.bar(at, float(cell.split(" ")[0]), 0.9 * wide, color=PALETTE[k % len(PALETTE)],
                       label=strategies[k] if first else None)  # fmt: skip
    ax.set_xticks(range(len(rows)), [f"{row[0]}\n{row[1]}" for row in rows], fontsize=8)
    ax.set_ylabel("positives among 100 questions", fontsize=9)
    figure.legend(loc="outside upper center", ncols=5, fontsize=8, frameon=False)
    return figure
