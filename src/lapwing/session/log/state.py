"""A session's state: what follows from its log, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lapwing.learner import CanMakeRoom, CanWithdraw, Learner
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.votes import Votes


class State:
    """Classes, answers, open questions and the learner, made by applying events in order.

    `make_learner` gives a learner that knows nothing yet. A node's label is told to it when what
    people's answers say of it changes; a learner with `withdraw` takes a changed label back, any
    other is made anew from the labels that stand. `audits` tells of each question drawn at random
    whether the learner's guess was wrong; `on_label` is called after each change of a label.
    """

    def __init__(self, make_learner: Callable[[], Learner]) -> None:
        self._make_learner = make_learner
        self.learner: Learner = make_learner()
        self.classes: list[str] = []
        self.votes = Votes()
        self.labels: dict[int, int] = {}
        self.skipped: dict[str, set[int]] = {}
        self.open: dict[int, Event] = {}
        self.asked: dict[int, Event] = {}
        self.audits: list[bool] = []
        self.on_label: Callable[[], None] = _nothing
        self.n_events = 0

    def apply(self, event: Event) -> None:
        """Move on by one event."""
        self.n_events = event.number
        if event.kind is Kind.CLASS:
            self.classes.append(str(event.detail["name"]))
            self.make_room(len(self.classes))
            return
        if event.node is None:
            return
        if event.kind is Kind.ASKED:
            self._close(event.by)
            self.open[event.node] = self.asked[event.node] = event
            return
        asked = self.open.pop(event.node, None)
        if asked is not None and asked.detail.get("audit") and event.label is not None:
            self.audits.append(event.label != asked.detail["guess"])
        if event.kind is Kind.SKIPPED:
            self.skipped.setdefault(event.by, set()).add(event.node)
            return
        self.votes.count(event)
        for node in dict.fromkeys((event.node, *self.votes.contested())):
            self._settle(node)

    def make_room(self, n_classes: int) -> None:
        """Let the learner prepare for so many classes, where it can."""
        if isinstance(self.learner, CanMakeRoom):
            self.learner.make_room(n_classes)

    def _close(self, by: str) -> None:
        """One question at a time is open for a person."""
        self.open = {node: event for node, event in self.open.items() if event.by != by}

    def replayed(self, events: Iterable[Event]) -> State:
        """The state after these events, from the beginning."""
        for event in events:
            self.apply(event)
        return self

    def _settle(self, node: int) -> None:
        """Make the learner's label of a node what the answers say."""
        before, now = self.labels.get(node), self.votes.label(node)
        if before == now:
            return
        if now is None:
            del self.labels[node]
        else:
            self.labels[node] = now
        self.on_label()
        if before is None:
            self.learner.learn(node, now)
        elif isinstance(self.learner, CanWithdraw):
            self.learner.withdraw(node)
            if now is not None:
                self.learner.learn(node, now)
        else:
            self.learner = self._make_learner()
            self.make_room(len(self.classes))
            for known, label in self.labels.items():
                self.learner.learn(known, label)


def _nothing() -> None:
    """What happens on a label when nobody listens."""
