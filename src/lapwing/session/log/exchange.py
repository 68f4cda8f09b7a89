"""Export and import logs as JSON Lines, the header first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapwing.checks import plain_text, whole_number
from lapwing.deprecation import former_parameters
from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.events import Event, Kind, chained, root
from lapwing.session.log.growth import Growth, before_growths
from lapwing.session.log.journal import MakeStrategy
from lapwing.session.log.provenance import check_graph, check_version
from lapwing.session.log.validity import Validity
from lapwing.session.store.logs import LogStore, Record, StoreError
from lapwing.session.store.memory import MemoryStore

FORMAT = 2
FORMATS = (1, 2)
"""The formats that can be read; the first had no head."""
ROUNDING = 1e-4
"""Confidences that differ by less count as equal: other machines round differently."""


@former_parameters(name="session")
def exported(store: LogStore, session: str | Record) -> str:
    """Return a session as JSON Lines: its header and the head of its log, then its events.

    Examples
    --------
    >>> from lapwing.session.store.memory import MemoryStore
    >>> store = MemoryStore()
    >>> _ = store.create("mine", "2026-01-01T00:00:00Z", {"seed": 0})
    >>> print(exported(store, "mine"))
    {"created": "2026-01-01T00:00:00Z", "events": 0, "head": "...", "header": {"seed": 0}, ...}
    <BLANKLINE>
    """
    record, lines = store.lines(session)
    first = {
        "lapwing": FORMAT,
        "name": record.name,
        "created": record.created,
        "header": dict(record.header),
        "events": record.n_events,
        "head": record.head,
    }
    return "\n".join([json.dumps(first, sort_keys=True), *(line.text for line in lines)]) + "\n"


def imported(
    store: LogStore, path: str | Path, *, name: str | None = None, graph: Graph | None = None
) -> str:
    """Import a session from JSON Lines, whole or not at all, and return its name.

    Every event is checked: its number, its node against the number of nodes in the header (and
    `graph`, if given), its label against the classes named before it. A log whose end is missing
    is refused.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ReadError(path, f"cannot be read: {wrong}") from None
    first = _header(path, lines[0] if lines else "")
    events = [_event(path, number, line) for number, line in enumerate(lines[1:], start=2)]
    try:
        chosen = plain_text("a session's name", first.get("name") if name is None else name)
        nodes = whole_number("n_nodes", first["header"].get("n_nodes"), 0)
        if graph is not None:
            check_graph(chosen, first["header"], _before(graph, events))
        check_version(chosen, first["header"])
    except InputError as wrong:
        raise ReadError(path, str(wrong), line=1) from None
    _check_events(path, events, nodes)
    _check_head(path, first, events)
    return store.create(chosen, str(first["created"]), first["header"], events).name


def _before(graph: Graph, events: list[Event]) -> Graph:
    """The graph with which the session began, if this is the one to which it has grown."""
    grown = [event.detail for event in events if event.kind is Kind.GROWN]
    if not grown or grown[-1].get("graph_hash") != graph.hash:
        return graph
    return before_growths(graph, [Growth.of(detail) for detail in grown])


def _header(path: Path, line: str) -> dict[str, Any]:
    first = _object(path, 1, line)
    fine = isinstance(first.get("header"), dict) and isinstance(first.get("created"), str)
    if not fine or first.get("lapwing") not in FORMATS:
        raise ReadError(path, "must begin with a session's header", line=1)
    return first


def _check_events(path: Path, events: list[Event], n_nodes: int) -> None:
    seen = Validity(n_nodes, strict=True)
    for line, event in enumerate(events, start=2):
        try:
            seen.check(event)
        except InputError as wrong:
            raise ReadError(path, str(wrong), line=line) from None


def _check_head(path: Path, first: Mapping[str, Any], events: list[Event]) -> None:
    """Raise if events that the first line announces are missing (not in the first format)."""
    if first["lapwing"] == 1:
        return
    if first.get("events") != len(events):
        problem = f"must have {first.get('events')} events, got {len(events)}: is its end missing?"
        raise ReadError(path, problem, line=1)
    digest = root(str(first["created"]), first["header"])
    for event in events:
        digest = chained(digest, event.line())
    if digest != first.get("head"):
        raise ReadError(path, "was changed after the export: its events do not match its head")


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a replay: the log's digest, and the first question that differs, if any."""

    digest: str
    n_events: int
    n_questions: int
    first_difference: int | None

    @property
    def same(self) -> bool:
        """Whether every question and guess was the same as recorded."""
        return self.first_difference is None


@former_parameters(name="session")
def verified(
    store: LogStore,
    session: str | Record,
    graph: Graph,
    *,
    make_learner: Callable[[], Learner],
    make_strategy: MakeStrategy,
    remade: Callable[[Graph], Mapping[str, Any]] | None = None,
    expect: str | None = None,
) -> Verification:
    """Check the log's chain, then replay it: every question and guess must be the same again.

    `expect` is a head that you kept, or its first characters. With it, a log that was truncated or
    rewritten as a whole is detected, too.
    """
    record = store.record(session)
    events, digest = store.checked_events(record)
    if expect is not None and not digest.startswith(checked_digest(expect)):
        raise StoreError(
            f"session {record.name!r} must have the head {expect}, got {digest[: len(expect)]}: "
            "this is a different log"
        )
    again = Dialogue.create(
        MemoryStore(), record.name, graph, make_learner=make_learner,
        make_strategy=make_strategy, remade=remade, header=record.header,
    )  # fmt: skip
    questions, difference = 0, None
    plan: list[tuple[int, bool]] = []
    for event in events:
        if event.kind is Kind.ASKED and not event.detail.get("again"):
            questions += 1
            place, count = event.detail.get("batch", (0, 1))
            plan = again.choices(again.candidates(event.by), count) if place == 0 else plan
            if difference is None and not _as_recorded(again, event, plan[place : place + 1]):
                difference = event.number
        again.state.apply(event)
    return Verification(digest, len(events), questions, difference)


def checked_digest(text: str) -> str:
    """Return a head, or at least its first eight characters."""
    if not re.fullmatch("[0-9a-f]{8,64}", text):
        raise InputError(f"a head must be 8 to 64 hexadecimal digits, got {text!r}")
    return text


def _as_recorded(session: Dialogue, event: Event, planned: list[tuple[int, bool]]) -> bool:
    if not planned:
        return False
    ((node, audit),) = planned
    guess, confidence = session.opinion(node)
    then = event.detail
    same = (node, guess, audit) == (event.node, then.get("guess"), then.get("audit"))
    return same and _as_sure(confidence, then.get("confidence"))


def _as_sure(one: float | None, other: float | None) -> bool:
    """Whether two confidences are equal up to rounding."""
    if one is None or other is None:
        return one is other
    return abs(one - other) < ROUNDING


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except json.JSONDecodeError:
        raise ReadError(path, "must be one JSON object", line=number) from None
    if not isinstance(found, dict):
        raise ReadError(path, "must be one JSON object", line=number)
    return found


def _event(path: Path, number: int, line: str) -> Event:
    try:
        return Event.parsed(_object(path, number, line))
    except (KeyError, TypeError, ValueError) as wrong:
        if isinstance(wrong, ReadError):
            raise
        raise ReadError(path, f"must be an event of a session: {wrong}", line=number) from None
