"""Check that events are valid: for this graph, these classes and this order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lapwing.checks import label_text, one_label, one_node
from lapwing.errors import InputError
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.growth import Growth
from lapwing.types import UNKNOWN


class Validity:
    """Check events in order; earlier events say which classes exist.

    `strict` also rejects class names that `tell` would reject today.

    Examples
    --------
    >>> seen = Validity(n_nodes=34)
    >>> seen.check(Event(1, Kind.CLASS, "2026-01-01", "ann", detail={"name": "red"}))
    >>> seen.check(Event(2, Kind.TOLD, "2026-01-01", "ann", node=555, label=0))
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: a node must be an integer from 0 to 33, got 555
    """

    def __init__(self, n_nodes: int, *, strict: bool = False) -> None:
        self.n_nodes, self.strict = n_nodes, strict
        self.names: dict[str, None] = {}
        self.n_events = 0

    def check(self, event: Event) -> None:
        """Raise if an event cannot come next."""
        if type(event.number) is not int or event.number != self.n_events + 1:
            raise InputError(f"must be event {self.n_events + 1}, got {event.number!r}")
        if not isinstance(event.by, str) or not event.by or not isinstance(event.at, str):
            raise InputError(f"`by` and `at` must be text, got {event.by!r} and {event.at!r}")
        if not isinstance(event.detail, dict):
            raise InputError(f"detail must be an object, got {event.detail!r}")
        if event.kind is Kind.CLASS:
            self._check_class(event)
        elif event.kind.is_note:
            if event.node is not None or event.label is not None:
                raise InputError(
                    f"an event {event.kind.value} is about no node, got {event.node!r}"
                )
            if event.kind is Kind.JUDGED:
                self._check_judged(event.detail)
        elif event.kind is Kind.GROWN:
            self._check_growth(event)
        else:
            one_node(event.node, self.n_nodes)
            self._check_label(event)
        self.n_events += 1

    @contextmanager
    def unless_failing(self) -> Iterator[None]:
        """Forget the events checked inside if they were not recorded in the end."""
        before = self.n_events, list(self.names), self.n_nodes
        try:
            yield
        except BaseException:
            self.n_events, self.names = before[0], dict.fromkeys(before[1])
            self.n_nodes = before[2]
            raise

    def _check_growth(self, event: Event) -> None:
        if event.node is not None or event.label is not None:
            raise InputError("a growth has no node and no label of its own")
        self.n_nodes = Growth.of(event.detail).check(self.n_nodes)

    def _check_class(self, event: Event) -> None:
        name: Any = event.detail.get("name")
        if not isinstance(name, str) or not name or name in self.names:
            raise InputError(f"a class must have a new name, got {name!r}")
        if self.strict and label_text(name) != name:
            raise InputError(f"the name of a class must be NFC-normalised, got {name!r}")
        self.names[name] = None

    def _check_label(self, event: Event) -> None:
        if event.kind in (Kind.TOLD, Kind.CORRECTED):
            if not self.names:
                raise InputError(
                    "a label must belong to a class that was added before, there is none yet"
                )
            one_label(event.label, len(self.names))
        elif event.label is not None:
            raise InputError(f"an event {event.kind.value} has no label, got {event.label!r}")
        if event.kind is Kind.ASKED:
            self._check_guess(event.detail)

    def _check_guess(self, detail: Any) -> None:
        guess, sure = detail.get("guess"), detail.get("confidence")
        if guess != UNKNOWN or type(guess) is not int:
            one_label(guess, max(len(self.names), 1))
        fine = sure is None or (type(sure) in (int, float) and math.isfinite(sure))
        if not fine or not isinstance(detail.get("audit", False), bool):
            raise InputError(f"a question's confidence must be a number, got {sure!r}")
        if "chance" in detail:
            self._check_draw(detail)

    def _check_judged(self, detail: Any) -> None:
        for name in ("wrong", "rate"):
            if type(detail.get(name)) not in (int, float) or not 0.0 <= detail[name] <= 1.0:
                raise InputError(f"{name} must be a share, got {detail.get(name)!r}")
        for name, nodes in (("again", detail.get("again")), ("doubted", detail.get("doubted", []))):
            if not isinstance(nodes, list):
                raise InputError(f"{name} must list nodes, got {nodes!r}")
            for node in nodes:
                one_node(node, self.n_nodes)

    def _check_draw(self, detail: Any) -> None:
        shares = [detail.get(name) for name in ("least", "chance")]
        counts = [detail.get(name) for name in ("left", "aside")]
        fine = all(type(each) in (int, float) for each in shares)
        fine = fine and all(type(each) is int and each >= 0 for each in counts)
        if not fine or not 0.0 < shares[0] <= shares[1] <= 1.0 or counts[0] < 1:
            raise InputError(f"an audit's chance must lie between least and 1, got {shares!r}")
