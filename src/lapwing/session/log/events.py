"""The events of a session, one line each; the log of events is its whole state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    """The kinds of events: what people do, and what a session notes for itself.

    A question that is released can be put to anybody again. `shown` says where the node table is
    and which columns are shown, `ready` that the learner uses from now on what was made in the
    background, `judged` which answers look wrong and how many are (`SecondLooks`). None of the
    three takes a turn: the draws do not change. `predicted` and `feedback`
    are the rounds of a session whose teacher is a system (`Rounds`).
    """

    CLASS = "class"
    ASKED = "asked"
    TOLD = "told"
    CORRECTED = "corrected"
    WITHDRAWN = "withdrawn"
    SKIPPED = "skipped"
    RELEASED = "released"
    PREDICTED = "predicted"
    FEEDBACK = "feedback"
    GROWN = "grown"
    SHOWN = "shown"
    READY = "ready"
    JUDGED = "judged"

    @property
    def is_note(self) -> bool:
        """Whether the session notes it for itself; such an event is about no node."""
        return self in (Kind.SHOWN, Kind.READY, Kind.JUDGED)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log.

    `node` and `label` are indices (the name of a new class is in ``detail["name"]``), `by` says
    who, `at` when (in UTC, for information only). `detail` holds the learner's guess and confidence
    when it asked, and whether the node was drawn as an audit; or the nodes and edges by which the
    graph grew.
    """

    number: int
    kind: Kind
    at: str
    by: str
    node: int | None = None
    label: int | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    def line(self) -> str:
        """The event as one line of canonical JSON.

        Examples
        --------
        >>> Event(1, Kind.TOLD, "2026-01-01T00:00:00Z", "ann", node=3, label=0).line()
        '{"at":"2026-01-01T00:00:00Z","by":"ann","detail":{},"kind":"told","label":0,"node":3,"number":1}'
        """
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":"))

    @classmethod
    def parsed(cls, line: str | Mapping[str, Any]) -> Event:
        """The event that `line` wrote down."""
        fields = dict(json.loads(line) if isinstance(line, str) else line)
        fields["kind"] = Kind(fields["kind"])
        return cls(**fields)


def is_uniform(asked: Mapping[str, Any]) -> bool:
    """Whether a question, by its details, was an audit that any node might have got equally likely.

    Examples
    --------
    >>> is_uniform({"audit": True}), is_uniform({"audit": True, "chance": 0.5, "left": 10})
    (True, False)
    """
    chance = float(asked.get("chance", 0.0))
    equal = not chance or abs(chance * int(asked["left"]) - 1.0) < 1e-9
    return bool(asked.get("audit")) and equal


def root(created: str, header: Mapping[str, Any]) -> str:
    """The digest of a log without events: it covers the time of creation and the header.

    Examples
    --------
    >>> root("2026-01-01T00:00:00Z", {"seed": 0})[:8]
    '5fb7b8b3'
    """
    first = {"created": created, "header": dict(header)}
    text = json.dumps(first, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def chained(previous: str, line: str) -> str:
    """The digest of a log that ends in this line: change any earlier line and it changes.

    Examples
    --------
    >>> chained("", "a")[:8], chained(chained("", "a"), "b")[:8]
    ('ca978112', 'd107b7d0')
    """
    return hashlib.sha256((previous + line).encode()).hexdigest()
