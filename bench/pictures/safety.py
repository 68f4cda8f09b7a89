"""Pictures of the pages about safety: damaged files, kills, full disks, promises, the first run."""

from __future__ import annotations

from typing import Any

from bench.pictures.markdown import number, tables
from lapwing.figures import new_figure
from lapwing.figures.style import PALETTE

GREY, GOOD, NEUTRAL, BAD = "#b8b8b8", PALETTE[0], "#9fc5e8", "#c00000"


def _stacked(ax: Any, y: float, parts: list[tuple[float, str, str]], *, first: bool) -> None:
    """One horizontal bar made of parts: size, colour and, for the legend, what it is."""
    left = 0.0
    for size, colour, what in parts:
        ax.barh(y, size, 0.7, left=left, color=colour, label=what if first else None)
        left += size


def fuzz(text: str) -> Any:
    """What became of the damaged files of each format."""
    head, *rows = tables(text)[0]
    at = {name: head.index(name) for name in head}
    failed = ("raw errors", "crashes", "hangs", "memory", "compiled reader differs")
    figure, axes = new_figure(width=8.0, height=0.9 + 0.27 * len(rows))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(rows)):
        own, read, same, other = (
            number(row[at[name]])
            for name in ("own errors", "read", "same as the other library", "not the same")
        )
        bad = sum(number(row[at[name]]) for name in failed)
        parts = [
            (own, GOOD, "refused with lapwing's own error"),
            (same, PALETTE[2], "read, same as another library"),
            (read - same - other, NEUTRAL, "read, not compared"),
            (other, "#111111", "read differently"),
            (bad, BAD, "crash, hang or foreign error"),
        ]
        _stacked(ax, y, parts, first=y == 0)
        ax.text(number(row[at["tried"]]), y, f" {bad:.0f} failed", va="center", fontsize=8)
    ax.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)])
    ax.set_xlim(0, 1.12 * max(number(row[at["tried"]]) for row in rows))
    ax.set_xlabel("damaged files", fontsize=9)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8, frameon=False)
    return figure


def kills(text: str) -> Any:
    """What became of the keys that were typed."""
    found = {row[0]: number(row[1]) for table in tables(text) for row in table if row[0]}
    typed, stored = found["keys typed"], found["answers in the database"]
    lost = found["echoed, not in the database"]
    late = found["in the database, killed before the echo"]
    parts = [
        (stored - late, GOOD, "on the screen and in the database"),
        (late, PALETTE[2], "in the database, killed before the screen showed it"),
        (typed - stored - lost, GREY, "killed before it was recorded or shown"),
        (lost, BAD, "on the screen, but lost"),
    ]
    figure, axes = new_figure(width=8.0, height=2.4)
    ax = axes[0, 0]
    for y, (size, colour, _) in enumerate(reversed(parts)):
        ax.barh(y, size, 0.6, color=colour)
        ax.text(size, y, f" {size:,.0f}", va="center", fontsize=9)
        ax.set_yticks(range(len(parts)), [part[2] for part in reversed(parts)])
    ax.set_xlim(0, 1.1 * typed)
    ax.set_xlabel(f"answers typed, {found['kills']:.0f} kills", fontsize=9)
    return figure


def durability(text: str) -> Any:
    """Answers acknowledged and kept in each trial, and the cost of a growing session."""
    writers, disk, server, _, growth = tables(text)
    figure, axes = new_figure(2, width=4.0, height=2.9)
    ax, kept = axes[0, 0], []
    for name, (head, row) in (
        ("SQLite,\nwriters killed", writers),
        ("full disk", disk),
        ("PostgreSQL,\nserver killed", server),
    ):
        bad = [k for k, cell in enumerate(head) if "lost" in cell or "doubled" in cell]
        lost = sum(number(row[k]) for k in bad)
        kept.append((name, number(row[head.index("acknowledged")]), lost))
    for y, (_, count, lost) in enumerate(reversed(kept)):
        ax.barh(y, count, 0.6, color=BAD if lost else GOOD)
        ax.text(1.15 * count, y, f"{count:,.0f}, {lost:.0f} lost", va="center", fontsize=8)
    ax.set_yticks(range(len(kept)), [name for name, _, _ in reversed(kept)], fontsize=8)
    ax.set(xscale="log", xlim=(10, 10**5))
    ax.set_xlabel("answers acknowledged", fontsize=9)
    head, *rows = growth
    answers = [number(row[0]) for row in rows]
    ax = axes[0, 1]
    for k, (name, factor, word) in enumerate(
        (("ms per answer", 1.0, "one answer"), ("s to reopen", 1e3, "reopening"))
    ):
        values = [factor * number(row[head.index(name)]) for row in rows]
        ax.plot(answers, values, "o-", color=PALETTE[k], markersize=4, label=word)
    ax.set(xscale="log", yscale="log")
    ax.set_xlabel("answers in the session", fontsize=9)
    ax.set_ylabel("milliseconds", fontsize=9)
    ax.legend(fontsize=8, frameon=False)
    return figure


def promises(text: str) -> Any:
    """How close the worst order came to each promise."""
    head, *rows = tables(text)[0]
    at = {name: head.index(name) for name in head}
    rows = [row for row in rows if number(row[at["promised on"]]) > 0]
    figure, axes = new_figure(width=8.0, height=0.8 + 0.27 * len(rows))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(rows)):
        closest = number(row[at["closest"]])
        ax.barh(y, closest, 0.6, color=BAD if number(row[at["broken"]]) else GOOD)
        ax.text(closest + 1, y, row[at["closest"]], va="center", fontsize=8)
    ax.axvline(100, color="#111111", linewidth=2)
    names = [f"{row[0]}: {row[at['bounded']]}, {row[at['theorem']]}" for row in reversed(rows)]
    ax.set_yticks(range(len(rows)), names, fontsize=8)
    ax.set_xlim(0, max(112, 1.12 * max(number(row[at["closest"]]) for row in rows)))
    ax.set_xlabel("worst order, % of the promise; black: the promise", fontsize=9)
    return figure


def first_minute(text: str) -> Any:
    """CPU seconds and disk space from a clone to the report, before and after."""
    _, *rows = tables(text)[0]
    stages = {row[0]: row for row in rows}
    figure, axes = new_figure(2, width=4.0, height=2.4)
    for ax, names, columns, unit in (
        (axes[0, 0], ["installed", "report written"], (2, 4), "CPU seconds"),
        (axes[0, 1], ["size of `.venv`"], (1, 3), "MB on disk"),
    ):
        for x, name in enumerate(names):
            for k, column in enumerate(columns):
                value = number(stages[name][column])
                word = ("before", "after")[k] if x == 0 and ax is axes[0, 0] else None
                ax.bar(x - 0.2 + 0.4 * k, value, 0.36, color=(GREY, GOOD)[k], label=word)
                ax.text(x - 0.2 + 0.4 * k, value, f"{value:,.0f}", ha="center", va="bottom",
                        fontsize=8)  # fmt: skip
        ax.set_xticks(range(len(names)), [name.replace("`", "") for name in names])
        ax.set_ylabel(unit, fontsize=9)
        ax.margins(y=0.12)
    figure.legend(loc="outside upper center", ncols=2, fontsize=8, frameon=False)
    return figure
