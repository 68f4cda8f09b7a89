"""A session whose teacher is a system: it guesses now and hears later whether that was right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from lapwing.catalog import DEFAULT, make
from lapwing.checks import label_text, one_node, plain_text, true_or_false
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import BanditLearner
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.journal import now
from lapwing.session.log.provenance import check_graph, check_version, stands_on
from lapwing.session.store.logs import BehindError, LogStore, Record

BANDIT = "push-bandit"
"""The learner of rounds unless another is named."""


class GuessedRound(NamedTuple):
    """A guess that was made: `explored` if it is not what the learner believes."""

    number: int
    node: int
    guess: int
    explored: bool


@dataclass(frozen=True, slots=True)
class Regret:
    """What guessing has cost: a wrong guess costs 1, and a system that knows all pays nothing.

    `open` rounds have had no feedback; `explored` is the number of guesses that were made to learn
    rather than to be right; `recent` is the share of wrong guesses among the last 100 rounds with
    feedback, None before the first.
    """

    rounds: int
    open: int
    mistakes: int
    explored: int
    recent: float | None


class Rounds:
    """Guesses for a system, on a log: `guess` opens a round, `feedback` closes it.

    Feedback may come late, in any order, or never. The learner learns in the order in which
    feedback comes; the log records both, so that a replay gives the same guesses.

    Examples
    --------
    >>> from lapwing.session.store.memory import MemoryStore
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> rounds = Rounds.create(MemoryStore(), "ads", graph, classes=["yes", "no"])
    >>> first, second = rounds.guess(0), rounds.guess(5)
    >>> rounds.feedback(second.number, correct=False)
    >>> rounds.feedback(first.number, correct=True)
    >>> rounds.regret()
    Regret(rounds=2, open=0, mistakes=1, explored=2, recent=0.5)
    """

    def __init__(self, store: LogStore, session: str | Record, graph: Graph) -> None:
        self.store, self.graph = store, graph
        self.record = store.record(session)
        self.name, self.header = self.record.name, self.record.header
        check_graph(self.name, self.header, graph)
        check_version(self.name, self.header)
        self.classes: list[str] = list(self.header["bandit_classes"])
        self.learner: BanditLearner = make(
            self.header["learner"], graph, n_classes=len(self.classes),
            **dict(self.header.get("parameters", {})),
        )  # fmt: skip
        if not isinstance(self.learner, BanditLearner):
            raise InputError(f"learner must learn from yes and no, got {self.header['learner']!r}")
        self.open: dict[int, GuessedRound] = {}
        self.results: list[bool] = []
        self.n_events = self.n_rounds = self.n_explored = 0
        self._head = self.record.root
        self.catch_up()

    @classmethod
    def create(
        cls,
        store: LogStore,
        name: str,
        graph: Graph,
        *,
        classes: Sequence[str | int],
        learner: str | None = None,
        parameters: dict[str, Any] | None = None,
    ) -> Rounds:
        """New rounds on a graph; every class must be named beforehand.

        Without a `learner`, or with ``auto``, it is `push-bandit`; any other bandit can be named.
        """
        names = [label_text(label) for label in classes]
        if len(set(names)) < max(len(names), 2):
            raise InputError(f"classes must be two or more, all distinct, got {names}")
        chosen = BANDIT if learner in (None, DEFAULT) else learner
        settings = parameters or {}
        header = stands_on(graph) | {
            "bandit_classes": names, "learner": chosen, "parameters": settings,
        }  # fmt: skip
        if not isinstance(make(chosen, graph, n_classes=len(names), **settings), BanditLearner):
            raise InputError(f"learner must learn from yes and no, got {chosen!r}")
        record = store.create(plain_text("a session's name", name), now(), header)
        return cls(store, record, graph)

    def catch_up(self) -> int:
        """Read what others wrote to the log since, and return the number of events."""
        missed, head = self.store.checked_events(
            self.record, after=self.n_events, digest=self._head
        )
        for event in missed:
            self._apply(event)
        self._head = head
        return len(missed)

    def guess(self, node: int, by: str = "me") -> GuessedRound:
        """Guess a node's class and open a round for it."""
        node, person = one_node(node, self.graph.n_nodes), plain_text("by", by)
        self._happened(lambda: self._guessed(node, person))
        return self.open[self.n_events]

    def feedback(self, number: int, correct: bool, by: str = "me") -> None:
        """Say whether the guess of a round was right; once per round."""
        right, person = true_or_false("correct", correct), plain_text("by", by)
        self._happened(lambda: self._answered(number, right, person))

    def regret(self) -> Regret:
        """What guessing has cost so far."""
        last = self.results[-100:]
        return Regret(
            rounds=self.n_rounds,
            open=len(self.open),
            mistakes=sum(not right for right in self.results),
            explored=self.n_explored,
            recent=sum(not right for right in last) / len(last) if last else None,
        )

    def _guessed(self, node: int, by: str) -> Event:
        guess = self.learner.guess(node)
        detail = {"guess": guess, "explored": bool(guess != self.learner.predict(node))}
        return Event(self.n_events + 1, Kind.PREDICTED, now(), by, node=node, detail=detail)

    def _answered(self, number: int, right: bool, by: str) -> Event:
        found = self.open.get(number)
        if found is None:
            raise InputError(f"round must be one without feedback, got {number}")
        detail = {"round": number, "correct": right}
        return Event(self.n_events + 1, Kind.FEEDBACK, now(), by, node=found.node, detail=detail)

    def _happened(self, draft: Callable[[], Event]) -> None:
        """Record an event, then apply it; if others wrote in the meantime, read that first."""
        while True:
            event = draft()
            try:
                self._head = self.store.append(self.record, event)
            except BehindError:
                if self.catch_up() == 0:
                    raise
            else:
                self._apply(event)
                return

    def _apply(self, event: Event) -> None:
        self.n_events = event.number
        if event.kind is Kind.PREDICTED and event.node is not None:
            explored = bool(event.detail["explored"])
            made = GuessedRound(event.number, event.node, int(event.detail["guess"]), explored)
            self.open[event.number] = made
            self.n_rounds += 1
            self.n_explored += explored
        elif event.kind is Kind.FEEDBACK:
            closed = self.open.pop(int(event.detail["round"]))
            right = bool(event.detail["correct"])
            self.results.append(right)
            self.learner.learn(closed.node, closed.guess, right)
