"""Read a recorded stream of events from a file."""

from __future__ import annotations

import json
import math
from os import PathLike
from pathlib import Path
from typing import Any

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.io.nodes import file_columns
from lapwing.io.text.layout import TableOptions
from lapwing.play.arrivals import KINDS, Arrival, Stream

COLUMNS = ("event", "node", "other", "weight", "label", "time")
JSON_LINES = (".jsonl", ".ndjson")


def read_stream(path: str | PathLike[str], graph: Graph) -> Stream:
    """Read the events that follow a graph, one per row in time order.

    A CSV, TSV or Parquet file with a header, or JSON Lines with one object per event, has these
    columns:

    - ``event``: node, edge, label or question;
    - ``node``: the node; of an edge, one end;
    - ``other`` and ``weight``: the other end of an edge, and its weight (1 if there is none);
    - ``label``: the class that a label tells;
    - ``time``: a number that never goes back, optional.

    A node brings the edges of the rows that follow it. Classes are numbered in the order in which
    they appear.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> graph = Graph.from_edges([("a", "b")])
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "events.csv"
    ...     _ = file.write_text("event,node,other,label\\nlabel,a,,red\\nnode,c,,\\nedge,c,b,\\n")
    ...     stream = read_stream(file, graph)
    >>> [event.kind for event in stream.events], stream.classes
    (['label', 'node', 'edge'], ('red',))
    """
    file = Path(path)
    rows = _rows(file)
    classes: dict[str, int] = {}
    events: list[Arrival] = []
    numbers = graph.n_nodes > 0 and isinstance(graph.names[0], int)
    now = -math.inf
    for number, row in enumerate(rows, start=1):
        try:
            event = _event(row, classes, numbers)
        except ValueError as wrong:
            raise ReadError(file, f"event {number} {wrong}") from None
        if event.at is not None:
            if event.at < now:
                raise ReadError(file, f"event {number} goes back in time, to {event.at:g}")
            now = event.at
        events.append(event)
    return Stream(graph, events, tuple(classes))


def _rows(file: Path) -> list[dict[str, Any]]:
    """The rows of the file by column."""
    if file.suffix in JSON_LINES:
        return _json_rows(file)
    columns = file_columns(file, TableOptions(None, None, False, None, None), None)
    missing = [name for name in COLUMNS[:2] if name not in columns]
    if missing:
        raise ReadError(file, f"must have columns event and node, has {', '.join(columns)}")
    known = {name: list(values) for name, values in columns.items() if name in COLUMNS}
    return [dict(zip(known, values, strict=True)) for values in zip(*known.values(), strict=True)]


def _json_rows(file: Path) -> list[dict[str, Any]]:
    rows = []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ReadError(file, f"cannot be read: {wrong}") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict):
            raise ReadError(file, f"line {number} must be a JSON object")
        rows.append(row)
    return rows


def _event(row: dict[str, Any], classes: dict[str, int], numbers: bool) -> Arrival:
    """One row as an event; `ValueError` says what is wrong with it."""
    kind = str(row.get("event") or "").strip().lower()
    if kind not in KINDS:
        raise ValueError(f"must be one of {', '.join(KINDS)}, got {row.get('event')!r}")
    node, at = _name(row.get("node"), numbers, "node"), _number(row.get("time"), "time")
    if kind == "edge":
        other, weight = (
            _name(row.get("other"), numbers, "other"),
            _number(row.get("weight"), "weight"),
        )
        if weight is not None and not weight > 0:
            raise ValueError(f"must have a weight above 0, got {weight:g}")
        edge = (node, other) if weight is None else (node, other, weight)
        return Arrival("edge", node, edges=(edge,), at=at)
    if kind == "label":
        told = row.get("label")
        if told is None or str(told).strip() == "":
            raise ValueError("tells a label, got none")
        return Arrival("label", node, label=classes.setdefault(str(told), len(classes)), at=at)
    return Arrival(kind, node, at=at)


def _name(value: Any, numbers: bool, column: str) -> str | int:
    if value is None or value != value or str(value).strip() == "":
        raise ValueError(f"must name a node in column {column}, got none")
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not numbers:
        return str(value)
    try:
        return int(value)
    except (TypeError, ValueError):
        raise ValueError(
            f"must name a node by its number in column {column}, got {value!r}"
        ) from None


def _number(value: Any, column: str) -> float | None:
    if value is None or value != value or str(value).strip() == "":
        return None
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not math.isfinite(found):
        raise ValueError(f"must have a finite number in column {column}, got {value!r}")
    return found
