"""The game with people: it asks, they tell; an answer is on disk before anything else happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import numpy as np

from lapwing.active import ErrorEstimate, error_estimate
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session.card import session_card
from lapwing.session.log.audits import audit_share
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.state import State
from lapwing.session.question import Question
from lapwing.session.store.store import BehindError, Store
from lapwing.types import UNKNOWN, Nodes

Strategy = Callable[[Any, Nodes], int]
T = TypeVar("T")
MakeStrategy = Callable[[Mapping[int, int]], Strategy]


class Session:
    """One learner, one log. `ask` chooses a node, `tell` records its label and learns it.

    `make_strategy` is given the live labels (node to class) and returns ``(learner,
    candidates) -> node``. A share of the questions (``header["audit_share"]``, 0.2 unless said)
    are *audits*, drawn at random from the candidates: they alone tell honestly how wrong the
    learner still is (`error_estimate`); their share rises while they find no error (`audit_share`).
    Everything that happens is first appended to the store and then applied to the state, so the
    state is always the log replayed: a session opened elsewhere, or after a crash, is the same.
    Where several processes write to one log, each takes in what the others wrote before it adds
    its own (`catch_up`).

    Examples
    --------
    >>> from lapwing import make
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> in_order = lambda labels: lambda learner, candidates: int(candidates[0])
    >>> with Store("sqlite://") as store:
    ...     session = Session.create(
    ...         store, "six", graph, make_learner=lambda: make("ollgc", graph),
    ...         make_strategy=in_order, header={"audit_share": 0.0},
    ...     )
    ...     session.tell(session.ask().node, "red")
    ...     session.tell(5, "blue")
    ...     [session.classes[k] for k in session.learner.predict(np.arange(6))]
    ['red', 'red', 'red', 'blue', 'blue', 'blue']
    """

    def __init__(
        self,
        store: Store,
        name: str,
        graph: Graph,
        *,
        make_learner: Callable[[], Learner],
        make_strategy: MakeStrategy,
    ) -> None:
        self.store, self.name, self.graph = store, name, graph
        self.header = store.record(name).header
        _check_same_graph(name, self.header, graph)
        self.state = State(make_learner)
        self.strategy = make_strategy(self.state.labels)
        self.state.on_label = getattr(self.strategy, "refresh", self.state.on_label)
        self.state.replayed(store.events(name))

    @classmethod
    def create(
        cls,
        store: Store,
        name: str,
        graph: Graph,
        *,
        make_learner: Callable[[], Learner],
        make_strategy: MakeStrategy,
        classes: Sequence[str] = (),
        header: Mapping[str, Any] | None = None,
    ) -> Session:
        """A new session; `header` says what a rerun needs, and nodes ``forbidden`` to ask."""
        stands_on = {"graph_hash": graph.hash, "n_nodes": graph.n_nodes, **(header or {})}
        store.create(name, _now(), stands_on)
        session = cls(store, name, graph, make_learner=make_learner, make_strategy=make_strategy)
        session.state.make_room(len(classes))
        for label in classes:
            session.add_class(label)
        return session

    @property
    def classes(self) -> list[str]:
        """The names of the classes so far, in order of their indices."""
        return self.state.classes

    @property
    def learner(self) -> Learner:
        """The learner, for reading."""
        return self.state.learner

    @property
    def labels(self) -> Nodes:
        """Each node's label by everyone's answers; `UNKNOWN` where there is none."""
        labels = np.full(self.graph.n_nodes, UNKNOWN, dtype=np.intp)
        for node, label in self.state.labels.items():
            labels[node] = label
        return labels

    def candidates(self, by: str = "me") -> Nodes:
        """Nodes to ask this person about: no label, not skipped, answered, open or forbidden."""
        free = np.ones(self.graph.n_nodes, dtype=bool)
        state = self.state
        answered = [node for node in state.votes.nodes() if by in state.votes.answers(node)]
        busy = [node for node, event in state.open.items() if event.by != by]
        skipped, never = list(state.skipped.get(by, ())), list(self.header.get("forbidden", ()))
        for nodes in (list(state.labels), answered, busy, skipped, never):
            free[nodes] = False
        return np.flatnonzero(free)

    def catch_up(self) -> int:
        """Take in what others wrote to the log since; how many events."""
        missed = self.store.events(self.name, after=self.state.n_events)
        self.state.replayed(missed)
        return len(missed)

    def ask(self, by: str = "me") -> Question | None:
        """The next question for a person, on disk (or the one still open); None if none is left."""
        return self._up_to_date(lambda: self._ask(by))

    def _ask(self, by: str) -> Question | None:
        for event in self.state.open.values():
            if event.by == by:
                return Question.of(event)
        candidates = self.candidates(by)
        if len(candidates) == 0:
            return None
        node, audit = self.choice(candidates)
        guess, confidence = self.opinion(node)
        detail = {"guess": guess, "confidence": confidence, "audit": audit}
        return Question.of(self._happened(Kind.ASKED, by, node=node, detail=detail))

    def reask(self, node: int, by: str = "me") -> Question:
        """Put one node to a person again, instead of the question open for them."""
        return self._up_to_date(lambda: self._reask(node, by))

    def _reask(self, node: int, by: str) -> Question:
        guess, confidence = self.opinion(node)
        detail = {"guess": guess, "confidence": confidence, "audit": False, "again": True}
        return Question.of(self._happened(Kind.ASKED, by, node=node, detail=detail))

    def tell(self, node: int, label: str, by: str = "me") -> None:
        """Record a person's answer; a class never heard of before is added."""
        (node,) = self.graph.checked(node).tolist()
        self._up_to_date(lambda: self._tell(node, label, by))

    def _tell(self, node: int, label: str, by: str) -> None:
        index = self.classes.index(label) if label in self.classes else self._add_class(label, by)
        known = self.state.votes.answers(node).get(by)
        self._happened(Kind.TOLD if known is None else Kind.CORRECTED, by, node=node, label=index)

    def withdraw(self, node: int, by: str = "me") -> None:
        """Take back a person's answer."""
        if by not in self.state.votes.answers(node):
            raise InputError(f"{by!r} has given no answer for node {node} to withdraw")
        self._up_to_date(lambda: self._happened(Kind.WITHDRAWN, by, node=node))

    def skip(self, node: int, by: str = "me") -> None:
        """Do not ask this person about this node again."""
        (node,) = self.graph.checked(node).tolist()
        self._up_to_date(lambda: self._happened(Kind.SKIPPED, by, node=node))

    def undo(self, by: str = "me") -> int | None:
        """Withdraw a person's latest answer that still stands; its node, or None."""
        mine = [n for n in self.state.votes.nodes() if by in self.state.votes.answers(n)]
        told = [e for e in self.store.events(self.name) if e.by == by and e.node in mine]
        answers = [e for e in told if e.kind in (Kind.TOLD, Kind.CORRECTED)]
        if not answers or answers[-1].node is None:
            return None
        self.withdraw(answers[-1].node, by)
        return answers[-1].node

    def add_class(self, label: str, by: str = "me") -> int:
        """A new class; its index."""
        return self._up_to_date(lambda: self._add_class(label, by))

    def _add_class(self, label: str, by: str) -> int:
        if not label or label in self.classes:
            raise InputError(f"a class must have a new name, got {label!r}")
        self._happened(Kind.CLASS, by, detail={"name": label})
        return len(self.classes) - 1

    def error_estimate(self, *, confidence: float = 0.95) -> ErrorEstimate:
        """How wrong the predictions on nodes not asked about still are, from the audits."""
        return error_estimate(self.state.audits, confidence=confidence)

    def choice(self, candidates: Nodes) -> tuple[int, bool]:
        """The node to ask about next, disputed ones first, and whether it was drawn as an audit."""
        disputed = np.array(self.state.votes.disputed(), dtype=np.intp)
        again = disputed[np.isin(disputed, candidates)] if len(disputed) else disputed
        if len(again):
            return int(again[0]), False
        seed = int(self.header.get("seed", 0))
        rng = np.random.default_rng([seed, self.state.n_events])
        if rng.random() < audit_share(self.header, self.state.audits):
            return int(rng.choice(candidates)), True
        return int(self.strategy(self.learner, candidates)), False

    def opinion(self, node: int) -> tuple[int, float]:
        """The learner's guess for a node and its probability."""
        guess = int(self.learner.predict(node))
        if guess == UNKNOWN:
            return guess, 0.0
        return guess, float(np.max(self.learner.predict_proba(node)))

    def __repr__(self) -> str:
        return f"Session({self.name!r}, {len(self.state.labels)} labels)"

    def _repr_html_(self) -> str:
        """What a notebook shows: how far it is, what the audits say, the labels of each class."""
        learner = self.header.get("learner", type(self.learner).__name__)
        return session_card(self.name, learner, self.graph, self.state, self.error_estimate())

    def _up_to_date(self, act: Callable[[], T]) -> T:
        """Do it; if others wrote meanwhile, take that in and do it again on what is known then."""
        while True:
            try:
                return act()
            except BehindError:
                if self.catch_up() == 0:
                    raise

    def _happened(
        self,
        kind: Kind,
        by: str,
        *,
        node: int | None = None,
        label: int | None = None,
        detail: Mapping[str, Any] | None = None,
    ) -> Event:
        number = self.state.n_events + 1
        event = Event(number, kind, _now(), by, node=node, label=label, detail=detail or {})
        self.store.append(self.name, event)
        self.state.apply(event)
        return event


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _check_same_graph(name: str, header: Mapping[str, Any], graph: Graph) -> None:
    if header.get("graph_hash") != graph.hash:
        raise InputError(
            f"session {name!r} stands on a graph of {header.get('n_nodes')} nodes "
            f"(hash {str(header.get('graph_hash'))[:12]}), "
            f"got one of {graph.n_nodes} (hash {graph.hash[:12]})"
        )
