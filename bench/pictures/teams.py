"""Pictures of the pages about the service, the studio, growing graphs, size and waits."""

from __future__ import annotations

import re
from typing import Any

from bench.pictures.markdown import number, tables
from bench.pictures.safety import BAD, GOOD, GREY
from lapwing.figures import new_figure


def service_kills(text: str) -> Any:
    """Answers acknowledged in each trial, and how many of them were lost or doubled."""
    titles = re.findall(r"^## (.+)$", text, flags=re.MULTILINE)
    kept = []
    for title, table in zip(titles, tables(text), strict=True):
        found = {row[0]: row[1] for row in table}
        answers = found.get("acknowledged") or found["answers kept in the outbox"]
        bad = sum(number(found[name]) for name in ("lost", "doubled"))
        kept.append((title, number(answers), bad))
    return _kept(kept, "answers acknowledged, or kept in the client's outbox")


def studio_kills(text: str) -> Any:
    """Answers typed on the page and found in the exported file."""
    found = {row[0]: number(row[1]) for row in tables(text)[0] if row[0]}
    names = [name for name in found if name.startswith("answers")]
    figure, axes = new_figure(width=8.0, height=0.8 + 0.4 * len(names))
    ax = axes[0, 0]
    for y, name in enumerate(reversed(names)):
        good = name in ("answers typed", "answers in the exported CSV")
        ax.barh(y, found[name], 0.6, color=GOOD if good else BAD)
        ax.text(found[name], y, f" {found[name]:.0f}", va="center", fontsize=9)
    ax.set_yticks(range(len(names)), list(reversed(names)))
    kills = found["server killed (SIGKILL), times"]
    ax.set_xlabel(f"answers; the server was killed {kills:.0f} times", fontsize=9)
    return figure


def _kept(kept: list[tuple[str, float, float]], what: str) -> Any:
    """One bar per trial, with what was lost or doubled beside it."""
    figure, axes = new_figure(width=8.0, height=0.8 + 0.4 * len(kept))
    ax = axes[0, 0]
    for y, (_, count, bad) in enumerate(reversed(kept)):
        ax.barh(y, count, 0.6, color=BAD if bad else GOOD)
        ax.text(count, y, f" {count:,.0f}, {bad:.0f} lost or doubled", va="center", fontsize=9)
    ax.set_yticks(range(len(kept)), [name for name, _, _ in reversed(kept)])
    ax.set_xlim(0, 1.35 * max(count for _, count, _ in kept))
    ax.set_xlabel(what, fontsize=9)
    return figure


def cluster(text: str) -> Any:
    """CPU seconds of each run, opening apart."""
    head, *rows = tables(text)[0]
    whole, opening = head.index("CPU s"), head.index("of it opening")
    rows = [row for row in rows if row[whole].strip()]
    figure, axes = new_figure(width=8.0, height=0.9 + 0.4 * len(rows))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(rows)):
        opened = number(row[opening]) if row[opening].strip() else 0.0
        ax.barh(y, opened, 0.6, color=GREY, label="opening" if y == 0 else None)
        rest = number(row[whole]) - opened
        ax.barh(y, rest, 0.6, left=opened, color=GOOD, label="passes" if y == 0 else None)
        ax.text(number(row[whole]), y, f" {row[whole]}", va="center", fontsize=9)
    ax.set_yticks(range(len(rows)), [f"{row[0]} nodes, {row[2]}" for row in reversed(rows)])
    ax.set_xlabel("CPU seconds of PageRank, all processes", fontsize=9)
    ax.legend(frameon=False, fontsize=9)
    return figure


def arrivals(text: str) -> Any:
    """What a step of following a growing graph costs, and what computing everything again."""
    head, *rows = tables(text)[0]
    follow, again = (head.index(f"CPU ms a step, {how}") for how in ("following", "again"))
    rows = [row for row in rows if row[again].strip()]
    figure, axes = new_figure(width=8.0, height=0.9 + 0.5 * len(rows))
    ax = axes[0, 0]
    for y, row in enumerate(reversed(rows)):
        for k, (column, colour, word) in enumerate(
            ((again, GREY, "computing everything again"), (follow, GOOD, "following"))
        ):
            if not row[column].strip():
                continue
            value = number(row[column])
            label = word if not ax.get_legend_handles_labels()[1].count(word) else None
            ax.barh(y + 0.2 - 0.4 * k, value, 0.36, color=colour, label=label)
            ax.text(value, y + 0.2 - 0.4 * k, f" {value:g}", va="center", fontsize=8)
    ax.set_yticks(range(len(rows)), [f"{row[0]}, {row[2]}" for row in reversed(rows)])
    ax.set_xscale("log")
    ax.set_xlabel("CPU milliseconds a step", fontsize=9)
    figure.legend(loc="outside upper center", ncols=2, fontsize=8, frameon=False)
    return figure


def scale(text: str) -> Any:
    """How many times as long others take for each work, on the largest graph of each kind."""
    _, *rows = tables(text)[1]
    beside = [row for row in rows if row[7] and not row[7].startswith("copy")]
    bars = []
    for kind in dict.fromkeys(row[0] for row in beside):
        own = [row for row in beside if row[0] == kind]
        most = {(row[2], row[7]): row for row in sorted(own, key=lambda row: number(row[1]))}
        for row in most.values():
            times = number(row[9])
            name = f"{kind} {row[1]}: {row[2]}, beside {row[7]}"
            bars.append((name, times, GOOD if times >= 1 else BAD))
    return _bars(bars, "how many times as long the other takes")


def service_load(text: str) -> Any:
    """Requests per second at each address, the empty one in grey."""
    _, *rows = tables(text)[0]
    bars = [(row[0], number(row[1]), GREY if row[0].startswith("empty") else GOOD) for row in rows]
    return _bars(bars, "requests per second, 16 clients")


def service_requests(text: str) -> Any:
    """Replies at each address: done, refused, and failed, which there must not be."""
    _, *rows = tables(text)[0]
    rows = [row for row in rows if sum(_statuses(row[1]).values()) > 1]
    figure, axes = new_figure(width=8.0, height=1.0 + 0.22 * len(rows))
    ax, left = axes[0, 0], [0.0] * len(rows)
    for first, colour, what in (("2", GOOD, "done"), ("4", GREY, "refused"), ("5", BAD, "failed")):
        counts = [
            sum(n for status, n in _statuses(row[1]).items() if status[0] == first)
            for row in reversed(rows)
        ]
        ax.barh(range(len(rows)), counts, 0.7, left=left, color=colour, label=what)
        left = [a + b for a, b in zip(left, counts, strict=True)]
    ax.set_yticks(range(len(rows)), [row[0] for row in reversed(rows)], fontsize=7)
    ax.set_xlabel("replies", fontsize=9)
    ax.legend(fontsize=8, ncols=3, loc="lower right", bbox_to_anchor=(1.0, 1.0), frameon=False)
    return figure


def _statuses(cell: str) -> dict[str, int]:
    """How often each status was replied."""
    return {status: int(count) for status, count in re.findall(r"(\d{3}): (\d+)", cell)}


def studio_pages(text: str) -> Any:
    """Main-thread milliseconds until each page has drawn the graph."""
    _, *rows = tables(text)[0]
    bars = [(row[0], number(row[2]), GOOD if "lapwing" in row[0] else GREY) for row in rows]
    return _bars(bars, "main thread until the first draw of PubMed, ms")


def waits(text: str) -> Any:
    """The longest silence of each command; those above two seconds in another colour."""
    _, *rows = tables(text)[0]
    bars = [(row[0], number(row[2]), BAD if number(row[2]) > 2 else GOOD) for row in rows]
    return _bars(bars, "longest silence, CPU seconds")


def _bars(bars: list[tuple[str, float, str]], what: str) -> Any:
    """One bar per row, with its value beside it."""
    figure, axes = new_figure(width=8.0, height=0.8 + 0.32 * len(bars))
    ax = axes[0, 0]
    for y, (_, value, colour) in enumerate(reversed(bars)):
        ax.barh(y, value, 0.6, color=colour)
        ax.text(value, y, f" {value:,g}", va="center", fontsize=9)
    ax.set_yticks(range(len(bars)), [name for name, _, _ in reversed(bars)])
    ax.set_xlim(0, 1.15 * max(value for _, value, _ in bars))
    ax.set_xlabel(what, fontsize=9)
    return figure
