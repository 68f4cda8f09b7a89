"""Logs as files: one JSON object a line, the header first."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session.log.dialogue import MakeStrategy, Session
from lapwing.session.log.events import Event, Kind
from lapwing.session.store.store import Store

FORMAT = 1
ROUNDING = 1e-4
"""Confidences that differ by less are the same: linear algebra rounds differently elsewhere."""


def exported(store: Store, name: str) -> str:
    """A session as JSON Lines: what it stands on, then its events.

    Examples
    --------
    >>> with Store("sqlite://") as store:
    ...     store.create("mine", "2026-01-01T00:00:00Z", {"seed": 0})
    ...     print(exported(store, "mine"))
    {"created": "2026-01-01T00:00:00Z", "header": {"seed": 0}, "lapwing": 1, "name": "mine"}
    <BLANKLINE>
    """
    record = store.record(name)
    first = {
        "lapwing": FORMAT,
        "name": record.name,
        "created": record.created,
        "header": dict(record.header),
    }
    lines = [json.dumps(first, sort_keys=True), *(event.line() for event in store.events(name))]
    return "\n".join(lines) + "\n"


def imported(store: Store, path: str | Path, *, name: str | None = None) -> str:
    """Add a session from JSON Lines, whole or not at all; its name."""
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ReadError(path, f"cannot be read: {wrong}") from None
    first = _object(path, 1, lines[0] if lines else "")
    if first.get("lapwing") != FORMAT or not isinstance(first.get("header"), dict):
        raise ReadError(path, "must begin with a session's header", line=1)
    events = [_event(path, number, line) for number, line in enumerate(lines[1:], start=2)]
    for position, event in enumerate(events, start=1):
        if event.number != position:
            problem = f"must be event {position}, got {event.number}"
            raise ReadError(path, problem, line=position + 1)
    chosen = name or str(first["name"])
    store.create(chosen, str(first["created"]), first["header"])
    for event in events:
        store.append(chosen, event)
    return chosen


@dataclass(frozen=True, slots=True)
class Verification:
    """What a replay found: the log's digest, and the first question that came out otherwise."""

    digest: str
    n_events: int
    n_questions: int
    first_difference: int | None

    @property
    def same(self) -> bool:
        """Whether every question and guess came out as recorded."""
        return self.first_difference is None


def verified(
    store: Store,
    name: str,
    graph: Graph,
    *,
    make_learner: Callable[[], Learner],
    make_strategy: MakeStrategy,
) -> Verification:
    """Check the log's chain, then play it again: each question and guess must come out the same."""
    digest = store.verified(name)
    events = store.events(name)
    header = dict(store.record(name).header)
    questions, difference = 0, None
    with Store("sqlite://") as scratch:
        again = Session.create(
            scratch, name, graph, make_learner=make_learner, make_strategy=make_strategy,
            header=header,
        )  # fmt: skip
        for event in events:
            if event.kind is Kind.ASKED and not event.detail.get("again"):
                questions += 1
                if difference is None and not _as_recorded(again, event):
                    difference = event.number
            again.state.apply(event)
    return Verification(digest, len(events), questions, difference)


def _as_recorded(session: Session, event: Event) -> bool:
    node, audit = session.choice(session.candidates(event.by))
    guess, confidence = session.opinion(node)
    then = event.detail
    same = (node, guess, audit) == (event.node, then.get("guess"), then.get("audit"))
    return same and _as_sure(confidence, then.get("confidence"))


def _as_sure(one: float | None, other: float | None) -> bool:
    """Whether two confidences are the same but for the rounding of another machine's arithmetic."""
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
