"""``lapwing play --events``: a recorded stream in which nodes, edges and labels arrive."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from lapwing.catalog import make
from lapwing.cli.output import console, print_json, rows_table
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.io import write_table
from lapwing.learner import Learner
from lapwing.play import Following, StreamSummary, play, read_stream


def refuse_beside_events(*options: Any) -> None:
    """Raise if an option was given that a stream of events has no use for."""
    if any(option is not None for option in options):
        raise InputError("--events takes --learner, --set, --output and --json only")


def play_events(
    graph: Graph,
    events: Path,
    learners: list[str],
    settings: dict[str, Any],
    output: Path | None,
    *,
    json: bool,
) -> None:
    """Let each learner follow the events of a file, and report its guesses."""
    stream = read_stream(events, graph)
    found: dict[str, tuple[Following, StreamSummary]] = {}
    for name in learners:
        learner = make(name, graph, n_classes=len(stream.classes) or None, **settings)
        if not isinstance(learner, Learner):
            raise InputError(f"{name} is told whole sets of labels, events need an online learner")
        game = play(learner, stream)
        found[name] = game, game.summary()
    if output is not None:
        columns = [_named(name, game) for name, (game, _) in found.items()]
        joined = {key: [value for part in columns for value in part[key]] for key in columns[0]}
        write_table(joined, output)
    if json:
        print_json({name: _plain(told) for name, (_, told) in found.items()})
        return
    titles = ["learner", "nodes", "edges", "labels", "questions", "judged", "error"]
    rows = [[name, *map(_shown, told)] for name, (_, told) in found.items()]
    console.print(rows_table(titles, rows))
    console.print(
        "A guess is judged by the label that the stream tells of its node later.", style="dim"
    )


def _named(name: str, game: Following) -> dict[str, list[Any]]:
    table = game.table()
    return {"learner": [name] * len(table["event"]), **table}


def _plain(told: StreamSummary) -> dict[str, Any]:
    """The numbers; an error that nothing was judged for is None."""
    return told._asdict() | {"error": None if math.isnan(told.error) else told.error}


def _shown(value: float) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    return "" if math.isnan(value) else f"{value:.1%}"
