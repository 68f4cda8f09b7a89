"""The dialogue with people: questions and answers, saved as they are given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lapwing.active import ErrorEstimate
from lapwing.checks import class_names, label_text, one_node, plain_text, whole_number
from lapwing.deprecation import warn_former
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.linalg.threads import one_thread
from lapwing.session.log.auditing.estimates import remaining_error
from lapwing.session.log.dialogue_card import dialogue_card
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.growth import Growth
from lapwing.session.log.journal import Journal, MakeStrategy, Untrained, now
from lapwing.session.log.provenance import made_of, stands_on
from lapwing.session.log.questions import (
    Asked,
    Choice,
    choices,
    free_nodes,
    opinion,
    question_detail,
)
from lapwing.session.log.second_looks import judgement_of
from lapwing.session.store.logs import LogStore
from lapwing.types import Nodes


class Dialogue(Journal):
    """One learner, one log, nodes by index. `ask` chooses a node, `tell` records its label.

    `make_strategy` is given the live labels (node to class) and returns ``(learner,
    candidates) -> node``. A share of the questions (``header["audit_share"]``, 0.2 by default) are
    *audits*, drawn at random from the candidates. Only they give an unbiased estimate of the error
    (`error_estimate`). Their share rises while they find no error (`audit_share`).
    A `Journal` keeps the log and the state in step.

    Examples
    --------
    >>> import numpy as np
    >>> from lapwing import make
    >>> from lapwing.session.store.memory import MemoryStore
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> in_order = lambda labels: lambda learner, candidates: int(candidates[0])
    >>> dialogue = Dialogue.create(
    ...     MemoryStore(), "six", graph, make_learner=lambda: make("ollgc", graph),
    ...     make_strategy=in_order, header={"audit_share": 0.0},
    ... )
    >>> dialogue.tell(dialogue.ask().node, "red")
    >>> dialogue.tell(5, "blue")
    >>> [dialogue.classes[k] for k in dialogue.learner.predict(np.arange(6))]
    ['red', 'red', 'red', 'blue', 'blue', 'blue']
    """

    @classmethod
    def create(
        cls,
        store: LogStore,
        name: str,
        graph: Graph,
        *,
        make_learner: Callable[[], Learner],
        make_strategy: MakeStrategy,
        remade: Callable[[Graph], Mapping[str, Any]] | None = None,
        classes: Sequence[str | int] = (),
        header: Mapping[str, Any] | None = None,
    ) -> Dialogue:
        """Create a session; `header` holds what a rerun needs, and the ``forbidden`` nodes."""
        names = class_names(classes)
        untrained = Untrained.made(make_learner, make_strategy)
        parts = made_of(untrained.learner, untrained.strategy)
        full = stands_on(graph) | {"made_of": parts} | dict(header or {})
        named = [
            Event(number, Kind.CLASS, now(), "me", detail={"name": label})
            for number, label in enumerate(names, start=1)
        ]
        record = store.create(plain_text("a session's name", name), now(), full, named)
        return cls(
            store,
            record,
            graph,
            make_learner=make_learner,
            make_strategy=make_strategy,
            remade=remade,
            untrained=untrained,
        )

    def candidates(self, by: str = "me") -> Nodes:
        """Nodes to ask this person about: not skipped, answered, open or forbidden."""
        return free_nodes(self.state, self.header, self.graph.n_nodes, by)

    def ask(self, by: str = "me") -> Asked | None:
        """Return the next question for a person, or the one still open; None if none is left."""
        return next(iter(self.ask_several(1, by)), None)

    def ask_several(self, count: int, by: str = "me") -> list[Asked]:
        """Return up to this many questions about different nodes, open ones first."""
        wanted, person = whole_number("count", count, 1), plain_text("by", by)
        with one_thread():  # others would wait for each other, and burn time long after
            return self._up_to_date(lambda: self._ask(wanted, person))

    def _ask(self, count: int, by: str) -> list[Asked]:
        waiting = [Asked.of(event) for event in self.state.open.values() if event.by == by][:count]
        if len(waiting) == count:
            return waiting
        if self.state.is_ready:
            self._happened(self._draft(Kind.READY, by))
        waiting += self._look_again(count - len(waiting), by, batch=count > 1)
        candidates, missing = self.candidates(by), count - len(waiting)
        drafts: list[Event] = []
        planned = self._planned(candidates, missing) if missing else []
        for place, choice in enumerate(planned):
            detail = question_detail(self.state, self.header, self.graph.n_nodes, choice, place)
            if count > 1:
                detail["batch"] = [place, missing]
            drafts.append(self._draft(Kind.ASKED, by, place, node=choice.node, detail=detail))
        return waiting + [Asked.of(event) for event in self._happened(*drafts)]

    def _look_again(self, count: int, by: str, *, batch: bool) -> list[Asked]:
        """Ask about up to this many answers of this person that look odd; judge if it is time."""
        state = self.state
        if state.looks.are_due(self.header):
            self._happened(self._draft(Kind.JUDGED, by, detail=judgement_of(state)))
        odd = [
            n for n in state.looks.waiting if by in state.votes.answers(n) and n not in state.open
        ]
        drafts = []
        for place, node in enumerate(odd[:count]):
            detail = self._again(node, blind=True) | ({"batch": [place, count]} if batch else {})
            drafts.append(self._draft(Kind.ASKED, by, place, node=node, detail=detail))
        return [Asked.of(event) for event in self._happened(*drafts)]

    def reask(self, node: int, by: str = "me", *, blind: bool = False) -> Asked:
        """Ask a person about one node again, instead of their open question.

        With `blind`, the guess is hidden until it is answered.
        """
        node, person = one_node(node, self.graph.n_nodes), plain_text("by", by)
        return self._up_to_date(lambda: self._reask(node, person, blind))

    def _reask(self, node: int, by: str, blind: bool) -> Asked:
        detail = self._again(node, blind=blind)
        return Asked.of(*self._happened(self._draft(Kind.ASKED, by, node=node, detail=detail)))

    def _again(self, node: int, *, blind: bool) -> dict[str, Any]:
        guess, confidence = self.opinion(node)
        detail = {"guess": guess, "confidence": confidence, "audit": False, "again": True}
        return detail | ({"blind": True} if blind else {})

    def tell(self, node: int, label: str | int, by: str = "me") -> None:
        """Record a person's answer; a new class is added."""
        self.tell_many({node: label}, by)

    def tell_many(
        self, answers: Mapping[int, str | int], by: str = "me", *, known: bool = False
    ) -> tuple[Event, ...]:
        """Record a person's answers, all or none, and return the events that this took.

        Answers `known` before do not count as audits.
        """
        person = plain_text("by", by)
        checked = {
            one_node(node, self.graph.n_nodes): label_text(label) for node, label in answers.items()
        }
        detail = {"known": True} if known else {}
        return self._up_to_date(lambda: self._tell(checked, person, detail))

    def _tell(
        self, answers: Mapping[int, str], by: str, detail: Mapping[str, Any]
    ) -> tuple[Event, ...]:
        index = {label: k for k, label in enumerate(self.classes)}
        drafts: list[Event] = []
        for node, label in answers.items():
            if label not in index:
                named = {"name": label}
                drafts.append(self._draft(Kind.CLASS, by, len(drafts), detail=named))
                index[label] = len(index)
            before = self.state.votes.answers(node).get(by)
            if before == index[label] and node not in self.state.open:
                continue
            kind = Kind.TOLD if before is None else Kind.CORRECTED
            drafts.append(
                self._draft(kind, by, len(drafts), node=node, label=index[label], detail=detail)
            )
        return self._happened(*drafts)

    def withdraw(self, node: int, by: str = "me") -> None:
        """Take back a person's answer."""
        self.withdraw_many([node], by)

    def withdraw_many(self, nodes: Sequence[int], by: str = "me") -> None:
        """Take back a person's answers, all or none."""
        checked = [one_node(node, self.graph.n_nodes) for node in nodes]
        person = plain_text("by", by)
        self._up_to_date(lambda: self._withdraw(checked, person))

    def _withdraw(self, nodes: Sequence[int], by: str) -> None:
        for node in nodes:
            if by not in self.state.votes.answers(node):
                raise InputError(
                    f"{by!r} has not answered node {node}, so there is nothing to withdraw"
                )
        drafts = [
            self._draft(Kind.WITHDRAWN, by, place, node=node) for place, node in enumerate(nodes)
        ]
        self._happened(*drafts)

    def skip(self, node: int, by: str = "me") -> None:
        """Do not ask this person about this node again."""
        node, person = one_node(node, self.graph.n_nodes), plain_text("by", by)
        self._up_to_date(lambda: self._happened(self._draft(Kind.SKIPPED, person, node=node)))

    def release(self, node: int, by: str = "me") -> None:
        """Take a question back that nobody answered, so that it can be put to anybody again."""
        node, person = one_node(node, self.graph.n_nodes), plain_text("by", by)
        self._up_to_date(lambda: self._release(node, person))

    def _release(self, node: int, by: str) -> None:
        if node not in self.state.open:
            raise InputError(f"a question to release must be open, none is about node {node}")
        self._happened(self._draft(Kind.RELEASED, by, node=node))

    def undo(self, by: str = "me") -> int | None:
        """Withdraw a person's latest answer and return its node, or None."""
        return self._up_to_date(lambda: self._undo(by))

    def _undo(self, by: str) -> int | None:
        node = self.state.votes.latest(by)
        if node is not None:
            self._withdraw([node], by)
        return node

    def add_class(self, label: str | int, by: str = "me") -> int:
        """Add a new class and return its index."""
        name, person = label_text(label), plain_text("by", by)
        return self._up_to_date(lambda: self._add_class(name, person))

    def _add_class(self, label: str, by: str) -> int:
        if label in self.classes:
            raise InputError(f"a class must have a new name, got {label!r}")
        self._happened(self._draft(Kind.CLASS, by, detail={"name": label}))
        return len(self.classes) - 1

    def grow(self, graph: Graph, by: str = "me") -> Growth:
        """Continue on a changed graph, which keeps the indices of all nodes; return the growth.

        The event in the log holds the new nodes and all changed edges. The learner follows, the
        strategy starts on the grown graph, and questions and audits come from all of its nodes.
        """
        person = plain_text("by", by)
        return self._up_to_date(lambda: self._grow(graph, person))

    def _grow(self, graph: Graph, by: str) -> Growth:
        growth = Growth.between(self.graph, graph)
        if growth.is_empty:
            return growth
        if self.learner.grows is None:
            self.learner.grow(graph)  # says why it cannot
        self.made_on(graph)
        detail = growth.detail | {"graph_hash": growth.after(self.graph).hash}
        self._happened(self._draft(Kind.GROWN, by, detail=detail))
        return growth

    def error_estimate(self, *, confidence: float = 0.95) -> ErrorEstimate:
        """Estimate the error of predictions on nodes not asked about, from the audits."""
        with self._lock:
            return remaining_error(self.state, self.header, self.graph.n_nodes, confidence)

    def choices(self, candidates: Nodes, count: int = 1) -> list[tuple[int, bool]]:
        """Nodes to ask about next, disputed and unconfirmed first, and which are audits."""
        return [(node, audit) for node, audit, _ in self._planned(candidates, count)]

    def _planned(self, candidates: Nodes, count: int) -> list[Choice]:
        with self._lock:
            self.state.catch_up_learning()
            return choices(self.state, self.header, self.strategy, candidates, count)

    def choice(self, candidates: Nodes) -> tuple[int, bool]:
        """A former way to choose one node; use `choices`."""
        warn_former("Dialogue.choice", "Dialogue.choices")
        return self.choices(candidates)[0]

    def opinion(self, node: int) -> tuple[int, float]:
        """The learner's guess for a node and its probability."""
        return opinion(self.learner, node)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}, {len(self.state.labels)} labels)"

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows: progress, audit results and labels per class."""
        return dialogue_card(self)
