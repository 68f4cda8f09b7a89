"""The game: play rounds one at a time, or all remaining ones in a compiled loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Self, overload

import numpy as np
from numpy.typing import NDArray

from lapwing.card import card, curves
from lapwing.errors import InputError
from lapwing.learner import BanditLearner, Learner, Trace
from lapwing.metrics.rounds import Summary, cumulative, summary
from lapwing.play.arrivals import Stream
from lapwing.play.following import Following
from lapwing.play.orders import Adversary, given
from lapwing.play.teachers import Teacher, teacher_for
from lapwing.types import Array, Nodes


@dataclass(frozen=True, slots=True)
class Round:
    """What happened in one round."""

    node: int
    guess: int
    label: int
    queried: bool


@overload
def play(learner: Learner | BanditLearner, order: Stream) -> Following: ...
@overload
def play(
    learner: Learner | BanditLearner,
    order: Iterable[int] | Adversary,
    labels: Nodes,
    *,
    teacher: Teacher | str | None = ...,
    tries: int = ...,
) -> Game: ...
def play(
    learner: Learner | BanditLearner,
    order: Iterable[int] | Adversary | Stream,
    labels: Nodes | None = None,
    *,
    teacher: Teacher | str | None = None,
    tries: int = 1,
) -> Game | Following:
    """Play the online protocol over a sequence of nodes whose true labels are known.

    A `Stream` instead of an order is a record of nodes and edges that arrive, labels that are told
    and questions that are asked, in time order; it brings its labels with it. Each node is
    predicted the moment it arrives, from the edges it brought (`Following`).

    `labels` holds one class index per node of the graph. The teacher reveals a label when it is
    queried (``"on-query"``), always (``"every-label"``), or only whether the guess is right
    (``"bandit"``). After a wrong guess, a bandit can guess again, up to `tries` times per round.
    Iterate over the game to play round by round; `Game.summary` plays the remaining rounds and
    returns the metrics.

    Examples
    --------
    >>> from lapwing import Graph, make
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> game = play(make("ollgc", graph), [0, 5, 1, 4], np.array([0, 0, 0, 1, 1, 1]))
    >>> next(game)
    Round(node=0, guess=-1, label=0, queried=True)
    >>> game.summary().error
    0.5

    A stream in which a node arrives:

    >>> from lapwing.play import Arrival
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> events = [Arrival("label", "a", label=1), Arrival("node", "d", edges=(("d", "c"),))]
    >>> next(play(make("push-lgc", path), Stream(path, events)))
    Foretold(event=1, node='d', guess=1, arriving=True)
    """
    if isinstance(order, Stream):
        if labels is not None or teacher is not None or tries != 1:
            raise InputError("a stream brings its labels: give no labels, teacher or tries with it")
        if isinstance(learner, BanditLearner):
            raise InputError("a stream tells labels, which a bandit learner does not hear")
        return Following(learner, order)
    if labels is None:
        raise InputError("play needs the label of each node beside an order, got none")
    labels = np.ascontiguousarray(labels, dtype=np.intp)
    if isinstance(order, Adversary):
        if isinstance(learner, BanditLearner):
            raise InputError(
                "an adversary needs the learner's scores, and a bandit learner has none"
            )
        nodes, adversary = given(order.nodes, labels), partial(order.worst, learner, labels)
        return Game(learner, nodes, labels, teacher_for(learner, teacher), adversary=adversary)
    if tries < 1 or (tries > 1 and not isinstance(learner, BanditLearner)):
        raise InputError(f"tries must be at least 1, and 1 unless for a bandit, got {tries}")
    taught = teacher_for(learner, teacher)
    return Game(learner, given(order, labels), labels, taught, tries=tries)


class Game(Iterator[Round]):
    """A game in progress: iterate over its rounds, or call `run` to play many at once."""

    def __init__(
        self,
        learner: Learner | BanditLearner,
        order: Nodes,
        labels: Nodes,
        teacher: Teacher,
        *,
        adversary: Callable[[Nodes], int] | None = None,
        tries: int = 1,
    ) -> None:
        self.learner = learner
        self.labels = labels
        self.teacher = teacher
        self.adversary = adversary
        self.tries = tries
        self.left = order
        self._nodes: list[Nodes] = []
        self._traces: list[Trace] = []
        self._seconds: list[float] = []

    def __iter__(self) -> Game:
        return self

    def __next__(self) -> Round:
        if len(self.left) == 0:
            raise StopIteration
        self.run(1)
        node, trace = int(self._nodes[-1][0]), self._traces[-1]
        return Round(node, int(trace.guesses[0]), int(self.labels[node]), bool(trace.queried[0]))

    def run(self, rounds: int | None = None) -> Self:
        """Play this many more rounds, or all that are left; a fixed order runs at full speed."""
        wanted = len(self.left) if rounds is None else min(rounds, len(self.left))
        if self.adversary is None:
            nodes, self.left = self.left[:wanted], self.left[wanted:]
            if len(nodes):
                self._play(nodes)
            return self
        for _ in range(wanted):
            at = self.adversary(self.left)
            nodes, self.left = self.left[at : at + 1], np.delete(self.left, at)
            self._play(nodes)
        return self

    def _play(self, nodes: Nodes) -> None:
        start = perf_counter()
        if isinstance(self.learner, BanditLearner):
            trace = self.learner.stream(nodes, self.labels[nodes], tries=self.tries)
        else:
            always = self.teacher is Teacher.EVERY_LABEL
            trace = self.learner.stream(nodes, self.labels[nodes], always=always)
        self._seconds.append(perf_counter() - start)
        self._nodes.append(nodes)
        self._traces.append(trace)

    @property
    def nodes(self) -> Nodes:
        """The nodes played so far."""
        return np.concatenate([np.empty(0, dtype=np.intp), *self._nodes])

    @property
    def trace(self) -> Trace:
        """The learner's guesses and queries in the rounds played so far."""
        none = np.empty(0, dtype=np.intp)
        return Trace.joined(self._traces or [Trace(none, none.astype(bool), none, none, none)])

    @property
    def seconds(self) -> Array:
        """Seconds spent in the learner up to and including each round."""
        spent = [
            np.full(len(nodes), seconds / len(nodes))
            for nodes, seconds in zip(self._nodes, self._seconds, strict=True)
        ]
        return np.cumsum(np.concatenate([np.empty(0), *spent]))

    def summary(self) -> Summary:
        """Play the remaining rounds and return the metrics of the whole game."""
        self.run()
        return self.so_far()

    def so_far(self) -> Summary:
        """Return the metrics of the rounds played so far."""
        nodes, learner = self.nodes, self.learner
        seen = int(self.labels[nodes].max(initial=-1)) + 1
        return summary(
            self.trace,
            nodes,
            self.labels[nodes],
            n_classes=seen if isinstance(learner, BanditLearner) else learner.n_classes,
            seconds=sum(self._seconds),
        )

    def table(self) -> dict[str, NDArray[Any]]:
        """Return the rounds played so far as columns with one row per round."""
        nodes, trace = self.nodes, self.trace
        columns: dict[str, NDArray[Any]] = {
            "round": np.arange(1, len(nodes) + 1),
            "node": nodes,
            "label": self.labels[nodes],
            "guess": trace.guesses,
            "queried": trace.queried,
        }
        for name in ("class_queries", "binary_mistakes", "updates", "tries"):
            column = getattr(trace, name)
            if column is not None:
                columns[name] = column
        return columns | {"seconds": self.seconds}

    def __repr__(self) -> str:
        played = len(self.nodes)
        return f"Game({type(self.learner).__name__}, {played} of {played + len(self.left)} rounds)"

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows: the rounds played so far."""
        nodes, trace = self.nodes, self.trace
        lines = {"error so far": cumulative(trace.guesses != self.labels[nodes])}
        if not trace.queried.all():
            lines["labels asked for"] = cumulative(trace.queried)
        played = f"{len(nodes):,} of {len(nodes) + len(self.left):,} rounds"
        title = f"{type(self.learner).__name__}: {played}, teacher {self.teacher.value}"
        settled = [line[len(line) // 50 :].max(initial=0.0) for line in lines.values()]
        drawn = curves(lines, along="rounds", top=1.1 * float(max(settled)))
        return card(title, self.so_far().facts(), drawn=drawn)
