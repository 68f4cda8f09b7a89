"""Play a recorded stream: nodes and edges arrive, and each node is predicted when it does."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from lapwing.checks import one_label, one_of
from lapwing.errors import InputError, LapwingError
from lapwing.learner import CanTellTime, Learner
from lapwing.learner.growth import checked_graph
from lapwing.play.arrivals import KINDS, Arrival, Stream


@dataclass(frozen=True, slots=True)
class Foretold:
    """A guess of a stream: at which event, for which node, and whether it was just arriving."""

    event: int
    node: Hashable
    guess: int
    arriving: bool


class StreamSummary(NamedTuple):
    """What a stream held, and how often a guess was not the label that was told later."""

    nodes: int
    edges: int
    labels: int
    questions: int
    judged: int
    error: float


class Following(Iterator[Foretold]):
    """A learner that follows a stream: iterate over its guesses, or call `run` for all of them.

    A node is predicted the moment it arrives, from the edges it brought: its own and those of the
    edge events that follow it. Nodes of the same time arrive together and may refer to each other;
    without times, each node arrives on its own. A learner that forgets by time (`CanTellTime`) is
    told the time of each event that has one.
    """

    def __init__(self, learner: Learner, stream: Stream) -> None:
        self.learner, self.stream = learner, stream
        self.graph = checked_graph(stream.graph)
        self.guesses: list[Foretold] = []
        self._left = self._played()

    def __next__(self) -> Foretold:
        found = next(self._left)
        self.guesses.append(found)
        return found

    def run(self) -> Self:
        """Play all events that are left."""
        deque(self, maxlen=0)
        return self

    def summary(self) -> StreamSummary:
        """Play all events that are left, and count."""
        self.run()
        later = self.labels_told_later()
        wrong = [found.guess != told for found, told in zip(self.guesses, later, strict=True)
                 if told is not None]  # fmt: skip
        count = {kind: sum(event.kind == kind for event in self.stream.events) for kind in KINDS}
        edges = sum(len(event.edges) for event in self.stream.events)
        return StreamSummary(
            nodes=count["node"],
            edges=edges,
            labels=count["label"],
            questions=count["question"],
            judged=len(wrong),
            error=float(np.mean(wrong)) if wrong else float("nan"),
        )

    def labels_told_later(self) -> list[int | None]:
        """The label that the stream tells next of the node of each guess; None if it does not."""
        told: dict[Hashable, int | None] = {}
        found: dict[int, int | None] = {}
        guesses = {guess.event for guess in self.guesses}
        for number in range(len(self.stream.events) - 1, -1, -1):
            event = self.stream.events[number]
            if event.kind == "label":
                told[event.node] = event.label
            elif number in guesses:
                found[number] = told.get(event.node)
        return [found[guess.event] for guess in self.guesses]

    def table(self) -> dict[str, list[Any]]:
        """The guesses so far as columns with one row per guess."""
        name = self._class_name
        return {
            "event": [guess.event + 1 for guess in self.guesses],
            "node": [guess.node for guess in self.guesses],
            "arriving": [guess.arriving for guess in self.guesses],
            "guess": [name(guess.guess) for guess in self.guesses],
            "told_later": [name(label) for label in self.labels_told_later()],
        }

    def _class_name(self, label: int | None) -> Any:
        if label is None or label < 0:
            return None
        return self.stream.classes[label] if self.stream.classes else label

    def _played(self) -> Generator[Foretold, None, None]:
        batch: list[tuple[int, Arrival]] = []
        for number, event in enumerate(self.stream.events):
            one_of("kind", event.kind, KINDS)
            if batch and not _together(batch[-1][1], event):
                yield from self._grown(batch)
                batch = []
            if event.at is not None and isinstance(self.learner, CanTellTime):
                self.learner.advance(event.at)
            if event.kind in ("node", "edge"):
                batch.append((number, event))
                continue
            node = self._index(number, event.node)
            if event.kind == "label":
                if event.label is None:
                    raise InputError(
                        f"event {number + 1} tells the label of {event.node!r}, got none"
                    )
                self.learner.learn(node, one_label(event.label, self.learner.fixed_classes))
            else:
                yield Foretold(number, event.node, int(self.learner.predict(node)), False)
        yield from self._grown(batch)

    def _index(self, number: int, node: Hashable) -> int:
        try:
            return self.graph.index(node)
        except LapwingError as wrong:
            raise InputError(f"event {number + 1}: {wrong}") from None

    def _grown(self, batch: list[tuple[int, Arrival]]) -> Generator[Foretold, None, None]:
        """Add nodes and edges, and guess the nodes."""
        if not batch:
            return
        new = [event.node for _, event in batch if event.kind == "node"]
        try:
            grown = self.graph.with_nodes(new) if new else self.graph
        except LapwingError as wrong:
            raise InputError(f"events {batch[0][0] + 1} to {batch[-1][0] + 1}: {wrong}") from None
        edges = [(number, edge) for number, event in batch for edge in event.edges]
        for number, edge in edges:
            lost = next((end for end in edge[:2] if end not in grown.names), None)
            if lost is not None:
                raise InputError(
                    f"event {number + 1} brings an edge to {lost!r}, which is not there"
                )
        bare = next((n for n, event in batch if event.kind == "edge" and not event.edges), None)
        if bare is not None:
            raise InputError(f"event {bare + 1} is an edge, it must have one in `edges`")
        if edges:
            ends = [tuple(edge[:2]) for _, edge in edges]
            weights = [float(edge[2]) if len(edge) > 2 else 1.0 for _, edge in edges]
            grown = grown.with_edges(ends, weights)
        self.learner.grow(grown)
        self.graph = grown
        if new:
            guesses = iter(np.asarray(self.learner.predict(grown.indices(new))).tolist())
            for number, event in batch:
                if event.kind == "node":
                    yield Foretold(number, event.node, next(guesses), True)


def _together(before: Arrival, event: Arrival) -> bool:
    """Whether an event adds to the graph together with the one before it, which adds to it."""
    if event.kind not in ("node", "edge") or event.at != before.at:
        return False
    return event.kind == "edge" or event.at is not None
