"""The state of a session, computed from its log alone."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from functools import partial
from typing import Any

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import CanMakeRoom, CanPostpone, CanWithdraw, JudgesNeighbours, Learner
from lapwing.linalg.threads import one_thread
from lapwing.session.log.auditing.recall import RecallAudits
from lapwing.session.log.auditing.strata import AuditStrata, Moment
from lapwing.session.log.events import Event, Kind, is_uniform
from lapwing.session.log.growth import nothing, refuse_growth
from lapwing.session.log.second_looks import SecondLooks, adopt, allow_for, forget, learner_without
from lapwing.session.log.votes import Votes


class State:
    """Classes, answers, open questions and the learner, made by applying events in order.

    `make_learner` returns an untrained learner; `untrained` is the first if it is made already. It
    is updated when the answers change a node's label: a learner with `withdraw` forgets the old
    label; any other is rebuilt from the current labels when it is next read. `audits` has one entry
    per answered audit: whether the learner's guess was wrong (those drawn by probability count for
    recall alone). `labelled` has the number of labelled nodes when each audit was drawn. `blind`
    lists all nodes that were ever drawn as audits, put to a second person or asked about again with
    the guess hidden; `fair` those whose question any node might have got, all alike, also if they
    were asked about again. `unconfirmed` lists the nodes with one answer that a second person is to
    confirm, `drawn_twice` all that were drawn to be asked twice. `looks` tells what is to be asked
    again and not told to the learner. No event costs more because the log is long.

    Learning is put off until the learner is read (`catch_up_learning`), so that recording an answer
    does not wait for it. It then happens in the order of the events. `taught` holds the labels that
    the learner knows, `n_learned` counts the changes that it has learned, and `on_label` is called
    with the node after each.
    """

    def __init__(
        self,
        make_learner: Callable[[], Learner],
        *,
        background: bool = False,
        untrained: Learner | None = None,
    ) -> None:
        self._make_learner, self._background = make_learner, background
        self._learner = self._made(untrained)
        self._stale = False
        self.classes: list[str] = []
        self.votes = Votes()
        self.labels: dict[int, int] = {}
        self.taught: dict[int, int] = {}
        self._to_teach: dict[int, int] = {}
        self._to_learn: deque[Callable[[], None]] = deque()
        self.skipped: dict[str, set[int]] = {}
        self.unconfirmed: dict[int, None] = {}
        self.open: dict[int, Event] = {}
        self.asked: dict[int, Event] = {}
        self.audits: list[bool] = []
        self.labelled: list[int] = []
        self.blind: set[int] = set()
        self.fair: set[int] = set()
        self.drawn_twice: dict[int, None] = {}
        self.view: Mapping[str, Any] = {}
        self.grown = AuditStrata()
        self.recall = RecallAudits()
        self.looks = SecondLooks()
        self.counts: Counter[int] = Counter()
        self._drawn: dict[int, Moment] = {}
        self.on_label: Callable[[int], None] = nothing
        self.on_growth: Callable[[Event], None] = refuse_growth
        self.n_events = self.n_turns = self.n_learned = 0

    def apply(self, event: Event) -> None:
        """Apply one event."""
        self.n_events = event.number
        if event.kind.is_note:
            self._note(event)
            return
        self.n_turns += 1
        if event.kind is Kind.CLASS:
            self.classes.append(str(event.detail["name"]))
            self._to_learn.append(self._make_room)
            return
        if event.kind is Kind.GROWN:
            self.on_growth(event)
        if event.node is not None:
            self._apply_to(event.node, event)

    def _apply_to(self, node: int, event: Event) -> None:
        """Apply an event about a node."""
        if event.kind is Kind.ASKED:
            self._note_asked(node, event)
            return
        self.looks.note(event, self.open.get(node))
        self._answered(node, event)
        if event.kind is Kind.RELEASED:
            return
        if event.kind is Kind.SKIPPED:
            self.skipped.setdefault(event.by, set()).add(node)
            return
        for each in self.votes.count(event):
            self._settle(each)
        self._teach(node)
        self._confirm(node)

    def _note_asked(self, node: int, event: Event) -> None:
        """Note a question about a node."""
        if not event.detail.get("batch"):
            self._close(event.by)
        self.open[node] = self.asked[node] = event
        self._drawn[node] = self.grown.moment(len(self.labels))
        if event.detail.get("twice"):
            self.drawn_twice[node] = None
        if any(event.detail.get(name) for name in ("audit", "second", "blind")):
            self.blind.add(node)
        if event.detail.get("audit"):
            self.recall.note_drawn(node, event.detail, self.counts)
        if is_uniform(event.detail):
            self.fair.add(node)
        elif not event.detail.get("again"):
            self.fair.discard(node)

    def _confirm(self, node: int) -> None:
        """Whether a second person is to be asked about this node."""
        twice = node in self.asked and bool(self.asked[node].detail.get("twice"))
        if twice and len(self.votes.answers(node)) == 1:
            self.unconfirmed[node] = None
        else:
            self.unconfirmed.pop(node, None)

    def _answered(self, node: int, event: Event) -> None:
        """Close the question; if it was an audit and this its answer, it counts.

        Labels known beforehand (``detail["known"]``) train the learner but do not answer audits.
        """
        asked = self.open.pop(node, None)
        if asked is None or event.label is None or event.detail.get("known"):
            return
        if asked.detail.get("audit"):
            self.recall.note_answered(node)
        if asked.detail.get("audit") and not asked.detail.get("tilted"):
            self.audits.append(event.label != asked.detail["guess"])
            drawn = self._drawn[node]
            self.labelled.append(drawn.labelled)
            self.grown.note_audit(node, drawn)

    @property
    def learner(self) -> Learner:
        """The learner, with every current label learned."""
        self.catch_up_learning()
        if self._stale:
            self._stale = False
            self._learner = self._made()
            self._make_room()
            for known, label in self._to_teach.items():
                self._learner.learn(known, label)
        return self._learner

    def copied_learner(self) -> Callable[[Iterable[int]], Learner]:
        """A function that returns learners that know the labels of now but for some nodes'.

        They are copies: whatever is learned later makes no difference to them.
        """
        base = deepcopy(self.learner) if isinstance(self.learner, CanWithdraw) else None
        return partial(
            learner_without, base, self._make_learner, dict(self._to_teach), len(self.classes)
        )

    def was_chosen(self, node: int) -> bool:
        """Whether a node was asked about because a strategy chose it."""
        return node in self.asked and node not in self.fair

    @property
    def is_ready(self) -> bool:
        """Whether something made in the background is done, and the learner goes without it."""
        learner = self._learner
        return self._background and isinstance(learner, CanPostpone) and learner.is_made

    def _made(self, untrained: Learner | None = None) -> Learner:
        learner = self._make_learner() if untrained is None else untrained
        if self._background and isinstance(learner, CanPostpone):
            learner.postpone()
        return learner

    def _note(self, event: Event) -> None:
        if event.kind is Kind.SHOWN:
            self.view = dict(event.detail)
        elif event.kind is Kind.JUDGED:
            for node in self.looks.note_judged(event.detail):
                self._teach(node)
            slips = self.looks.slips(len(self.classes))
            self._to_learn.append(lambda: allow_for(self._learner, slips))
        elif self._background:
            self._background = False
            self._to_learn.append(lambda: adopt(self._learner))

    @property
    def is_behind(self) -> bool:
        """Whether the learner has something to learn before it is read."""
        return bool(self._to_learn) or self._stale

    @property
    def n_to_learn(self) -> int:
        """How many changes of labels the learner has not learned yet."""
        return len(self._to_learn)

    def catch_up_learning(self, most: int | None = None) -> None:
        """Let learner and strategy know every label, or the next `most`, in the order of events."""
        count = len(self._to_learn) if most is None else min(most, len(self._to_learn))
        if not count:
            return
        with one_thread():
            for _ in range(count):
                self._to_learn.popleft()()
                self.n_learned += 1

    def resume(self, count: int, taught: dict[int, int], learner: Learner) -> None:
        """Go on with a learner that knows the first `count` changes, which are `taught`."""
        least, most = self.n_learned, self.n_learned + len(self._to_learn)
        if not least <= count <= most:
            raise InputError(f"{least} to {most} changes must have been learned, got {count}")
        for _ in range(count - least):
            self._to_learn.popleft()
        self.n_learned, self.taught, self._learner, self._stale = count, taught, learner, False

    def follow(self, before: int, graph: Graph, make_learner: Callable[[], Learner]) -> None:
        """Continue on a graph that had `before` nodes; `make_learner` makes learners on it."""
        self.learner.grow(graph)
        self._make_learner = make_learner
        if graph.n_nodes > before:
            self.grown.add_nodes(before)
            self.recall.add_nodes(graph.n_nodes - before)

    def _make_room(self) -> None:
        """Let the learner prepare for the classes, all those to come at once, if it can."""
        if isinstance(self._learner, CanMakeRoom):
            self._learner.make_room(len(self.classes))

    def _close(self, by: str) -> None:
        """One question at a time is open for a person, unless several were asked together."""
        if any(event.by == by for event in self.open.values()):
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
        self.grown.note_label(node, (now is not None) - (before is not None))
        if before is not None:
            self.counts[before] -= 1
        if now is None:
            del self.labels[node]
        else:
            self.labels[node] = now
            self.counts[now] += 1
        self._teach(node)

    def _teach(self, node: int) -> None:
        """Let the learner know a node's label, in its turn; or forget it if it is doubted."""
        before, doubted = self._to_teach.get(node), node in self.looks.doubted
        now = None if doubted else self.labels.get(node)
        if now is not None:
            self._to_teach[node] = now
        elif before is not None:
            del self._to_teach[node]
        if before != now:
            chosen = self.was_chosen(node)
            self._to_learn.append(partial(self._learn, node, before, now, chosen, doubted))

    def _learn(
        self, node: int, before: int | None, now: int | None, chosen: bool, doubted: bool
    ) -> None:
        """Change what the learner and the strategy know of a node (`chosen` by the strategy)."""
        if now is None:
            del self.taught[node]
        else:
            self.taught[node] = now
        self.on_label(node)
        if self._stale:
            return
        if before is not None and not forget(self._learner, node, doubted=doubted):
            self._stale = True
            return
        if now is not None:
            if chosen and isinstance(self._learner, JudgesNeighbours):
                self._learner.mark_chosen(node)
            self._learner.learn(node, now)
