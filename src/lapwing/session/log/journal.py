"""A log and the state computed from it, kept in step: read, append, catch up."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import RLock
from typing import Any, NamedTuple, TypeVar

import numpy as np

from lapwing.active import CanFollowLabels, Strategy, without_wrong_answers
from lapwing.checks import plain_text
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import CanDoubt, Learner
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.growth import Growth
from lapwing.session.log.provenance import check_graph, check_parts, check_version, made_of
from lapwing.session.log.state import State
from lapwing.session.log.validity import Validity
from lapwing.session.store.logs import BehindError, LogStore, Record, StoreError
from lapwing.types import UNKNOWN, Array, Index, Nodes

T = TypeVar("T")
MakeStrategy = Callable[[Mapping[int, int]], Strategy]


class Learned(NamedTuple):
    """A learner after the first `changes` of labels, which led to `taught`.

    `strategy` is None where it keeps no account of labels of its own.
    """

    changes: int
    taught: dict[int, int]
    learner: Learner
    strategy: Strategy | None


class Untrained(NamedTuple):
    """A learner and a strategy that know nothing yet; the strategy reads `taught`."""

    learner: Learner
    strategy: Strategy
    taught: dict[int, int]

    @classmethod
    def made(cls, make_learner: Callable[[], Learner], make_strategy: MakeStrategy) -> Untrained:
        """Make both."""
        taught: dict[int, int] = {}
        return cls(make_learner(), make_strategy(taught), taught)


class Journal:
    """A session's log, open for writing, with the learner that has read it.

    Every event is appended to the store before it is applied to the state, so the state is always
    the log replayed. Opening checks the log's chain, every event, the graph, the kinds of learner
    and strategy, and the version. Several threads may share a journal. When several processes
    write to one log, each reads what the others wrote before it adds its own (`catch_up`).
    """

    def __init__(
        self,
        store: LogStore,
        session: str | Record,
        graph: Graph,
        *,
        make_learner: Callable[[], Learner],
        make_strategy: MakeStrategy,
        remade: Callable[[Graph], Mapping[str, Any]] | None = None,
        untrained: Untrained | None = None,
    ) -> None:
        self.store, self.graph, self.first_graph = store, graph, graph
        self.record = store.record(session)
        self.name, self.header = self.record.name, self.record.header
        check_graph(self.name, self.header, graph)
        check_version(self.name, self.header)
        self._lock = RLock()
        self._seen, self._head = Validity(graph.n_nodes), self.record.root
        self._remade = remade
        first = untrained or Untrained.made(make_learner, make_strategy)
        background = bool(self.header.get("background"))
        self.state = State(make_learner, background=background, untrained=first.learner)
        self.state.on_growth = self._follow_growth
        self.state.taught, self.strategy = first.taught, first.strategy
        check_parts(self.name, self.header, made_of(self.state.learner, self.strategy))
        self._tell_strategy()
        self.catch_up()

    def _tell_strategy(self) -> None:
        if isinstance(self.strategy, CanFollowLabels):
            self.state.on_label = self.strategy.refresh

    def _follow_growth(self, event: Event) -> None:
        """Grow the graph and the learner, and choose questions on the grown graph."""
        graph = Growth.of(event.detail).after(self.graph)
        if graph.hash != event.detail.get("graph_hash"):
            raise StoreError(
                f"session {self.name!r}: after event {event.number} the graph must have the hash "
                f"{str(event.detail.get('graph_hash'))[:12]}, got {graph.hash[:12]}"
            )
        made = self.made_on(graph)
        self.state.follow(self.graph.n_nodes, graph, made["make_learner"])
        self.strategy = made["make_strategy"](self.state.taught)
        self.graph = graph
        self._tell_strategy()
        if isinstance(self.strategy, CanFollowLabels):
            self.strategy.refresh()

    def made_on(self, graph: Graph) -> Mapping[str, Any]:
        """What makes learners and strategies on a grown graph; raise if that was not given."""
        if self._remade is None:
            raise InputError(
                f"session {self.name!r} cannot grow: give `remade`, which makes its learner and "
                "strategy on the grown graph"
            )
        return self._remade(graph)

    def learn(self, most: int | None = None) -> bool:
        """Learn up to this many changes of labels now; whether there are more."""
        with self._lock:
            self.state.catch_up_learning(most)
            return self.state.is_behind

    def learned(self) -> Learned:
        """What learner and strategy know, every label included; `resume` takes it up."""
        with self._lock:
            learner, follows = self.state.learner, isinstance(self.strategy, CanFollowLabels)
            strategy = self.strategy if follows else None
            return Learned(self.state.n_learned, self.state.taught, learner, strategy)

    def resume(self, known: Learned) -> None:
        """Go on with what was learned from the beginning of this very log, without relearning."""
        with self._lock:
            taught = self.state.taught
            self.state.resume(known.changes, known.taught, known.learner)
            if known.strategy is not None:
                self.strategy = known.strategy
                self._tell_strategy()
            else:
                taught.clear()
                taught.update(known.taught)
                self.state.taught = taught

    @property
    def classes(self) -> list[str]:
        """The names of the classes so far, by index."""
        return self.state.classes

    @property
    def learner(self) -> Learner:
        """The learner, for reading."""
        with self._lock:
            return self.state.learner

    def chances(self, nodes: Index) -> Array:
        """The probabilities of the classes of one node or several, allowing for wrong answers.

        They are the learner's, until second looks show that some of its labels are wrong.
        """
        with self._lock:
            learner, wrong = self.state.learner, self.state.looks.wrong
            found = learner.predict_proba(nodes)
        if not wrong or isinstance(learner, CanDoubt):
            return found
        return without_wrong_answers(np.atleast_2d(found), wrong).reshape(found.shape)

    @property
    def labels(self) -> Nodes:
        """Each node's label by everyone's answers; `UNKNOWN` where there is none."""
        labels = np.full(self.graph.n_nodes, UNKNOWN, dtype=np.intp)
        known = self.state.labels
        labels[np.fromiter(known, np.intp, len(known))] = list(known.values())
        return labels

    @property
    def head(self) -> str:
        """The digest of the log so far; keep it to check later that nothing was changed."""
        return self._head

    def catch_up(self) -> int:
        """Read what others wrote to the log since, and return the number of events."""
        with self._lock:
            with _no_garbage_search():
                missed, head = self.store.checked_events(
                    self.record, after=self.state.n_events, digest=self._head
                )
                for event in missed:
                    self._seen.check(event)
                    self.state.apply(event)
            self._head = head
            return len(missed)

    def show(self, view: Mapping[str, Any], by: str = "me") -> None:
        """Record where the node table is and which columns are shown, unless that is known."""
        person = plain_text("by", by)
        self._up_to_date(lambda: self._show(view, person))

    def _show(self, view: Mapping[str, Any], by: str) -> None:
        if dict(view) != dict(self.state.view):
            self._happened(self._draft(Kind.SHOWN, by, detail=view))

    def _up_to_date(self, act: Callable[[], T]) -> T:
        """Do it; if others wrote in the meantime, read that and do it again."""
        with self._lock:
            while True:
                try:
                    return act()
                except BehindError:
                    if self.catch_up() == 0:
                        raise

    def _draft(
        self,
        kind: Kind,
        by: str,
        ahead: int = 0,
        *,
        node: int | None = None,
        label: int | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> Event:
        """An event to come, after so many others that are not recorded either."""
        number = self.state.n_events + 1 + ahead
        return Event(number, kind, now(), by, node=node, label=label, detail=dict(detail or {}))

    def _happened(self, *drafts: Event) -> tuple[Event, ...]:
        """Record events, all or none, then apply them."""
        if drafts:
            with self._seen.unless_failing():
                for event in drafts:
                    self._seen.check(event)
                self._head = self.store.append(self.record, *drafts)
        for event in drafts:
            self.state.apply(event)
        return drafts


@contextmanager
def _no_garbage_search() -> Iterator[None]:
    """Pause the collector: events are no garbage, and searching many of them takes long."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def now() -> str:
    """The time, in UTC to the millisecond, as events record it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
