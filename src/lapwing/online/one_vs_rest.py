"""Learn several classes with binary learners."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import (
    BinaryLearner,
    GrowsWithRows,
    HasBinaryLearners,
    HowItGrows,
    Learner,
    Trace,
)
from lapwing.online.linear.new_classes import (
    first_rounds,
    largest,
    n_classes_after,
    of_named,
    with_more,
)
from lapwing.online.linear.recorded_learner import RecordedLearner
from lapwing.types import UNKNOWN, Array, Index, Mask, Nodes


class OneVsRest(RecordedLearner, HasBinaryLearners, GrowsWithRows):
    """Train one binary learner per class; the largest margin wins, and any of them can query.

    Without `n_classes`, classes are added when they appear. To treat a late class like one known
    from the start, a learner for "a class not seen yet" learns -1 in every round; a new class
    starts as its copy. A label reaches only the binary learners that queried it, as in Gu et al.
    (2013), unless `share` gives it to all of them. A label given although none of them queried it
    reaches all of them.

    Parameters
    ----------
    make
        A function that makes a new binary learner; shared data (the rows) is never copied.
    n_classes
        Number of classes; None adds them as their labels appear.
    share
        Whether all classes learn a label that one class queried.

    Examples
    --------
    >>> from lapwing.online import OneVsRest
    >>> from lapwing.learner import BinaryLearner
    >>> class Last(BinaryLearner):
    ...     said = 0.0
    ...     n_nodes = 3
    ...     def _margin(self, nodes): return np.full(np.shape(nodes), self.said)
    ...     def _learn(self, node, label): self.said = float(label or self.said)
    >>> learner = OneVsRest(Last)
    >>> learner.learn(0, 1)
    >>> learner.scores(0), int(learner.predict(0))
    (array([-1.,  1.]), 1)
    """

    signed = True

    def __init__(
        self,
        make: Callable[[], BinaryLearner],
        n_classes: int | None = None,
        *,
        share: bool = False,
    ) -> None:
        self.make = make
        self.share = share
        self.learners = [make() for _ in range(n_classes or 0)]
        self.unnamed = make() if n_classes is None else None
        self.named = np.zeros(n_classes or 0, dtype=bool)
        self.fixed_classes = n_classes
        self.n_nodes = self._everyone()[0].n_nodes

    def __repr__(self) -> str:
        one = self.unnamed or self.learners[0]
        n_classes = "" if self.unnamed else f", n_classes={self.n_classes}"
        return f"OneVsRest({one!r}{n_classes}, share={self.share})"

    @property
    def n_classes(self) -> int:
        return len(self.learners)

    @property
    def grows(self) -> HowItGrows | None:
        return super().grows if self.domain is not None else self._everyone()[0].grows

    def grow(self, graph: Graph) -> None:
        if self.domain is not None:
            super().grow(graph)
            return
        for learner in self._everyone():
            learner.grow(graph)
        self._begin_again_on(graph, graph.n_nodes)

    def _take_rows(self, rows: Array) -> None:
        for learner in self._everyone():
            assert isinstance(learner, GrowsWithRows)
            learner._take_rows(rows)
        self._begin_again_on(rows, len(rows))

    def _begin_again_on(self, domain: Graph | Array, n_nodes: int) -> None:
        """Let learners of new classes be made on this graph or on these rows."""
        self.n_nodes = n_nodes
        if isinstance(self.make, partial):
            self.make = partial(self.make.func, domain, *self.make.args[1:], **self.make.keywords)

    def _scores(self, nodes: Index) -> Array:
        if not self.learners:
            return np.zeros((*np.shape(nodes), 0))
        margins = np.stack([learner._margin(nodes) for learner in self.learners], axis=-1)
        return of_named(margins, self.named)

    def _queries(self, node: int) -> bool:
        return any(learner._queries(node) for learner in self._everyone())

    def _learn(self, node: int, label: int | None) -> None:
        if label is not None:
            self._name(label)
        everyone = self._everyone()
        told = [label is not None and learner._queries(node) for learner in everyone]
        every = label is not None and (self.share or not any(told))
        for k, learner in enumerate(everyone):
            learner._learn(node, (1 if label == k else -1) if told[k] or every else None)

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        if self.share or (always and self._selective):
            return Learner._stream(self, nodes, labels, always=always)
        return super()._stream(nodes, labels, always=always)

    def _rounds(self, nodes: Nodes, labels: Nodes, shown: Mask, *, always: bool = False) -> Trace:
        """Play a recorded stream class by class, since classes are independent.

        Where `shown` is false, no label is given, even if queried.
        """
        n_before = self.n_classes
        n_after = n_classes_after(n_before, labels)
        late = [self._late() for _ in range(n_before, n_after)]
        signs = np.where(labels == np.arange(n_after + 1)[:, None], 1, -1)
        everyone = [*self.learners, *late, *([self.unnamed] if self.unnamed else [])]
        traces = [learner._stream(nodes, signs[k], shown) for k, learner in enumerate(everyone)]
        asked = np.array([trace.queried for trace in traces]).reshape(-1, len(nodes)) & shown
        queried = (asked.any(axis=0) | always) & shown
        named = with_more(self.named, n_after)
        first = first_rounds(np.where(queried, labels, UNKNOWN), named)
        known = n_classes_after(n_before, labels[queried])
        self.learners += late[: known - n_before]
        self.named = (first < len(nodes))[:known]
        margins = np.array([trace.margins for trace in traces[:n_after]]).reshape(-1, len(nodes))
        updated = [trace.updated for trace in traces[:n_after] if trace.updated is not None]
        return Trace(
            guesses=largest(margins, first),
            queried=queried,
            class_queries=asked[:n_after].sum(axis=0),
            binary_mistakes=(signs[:n_after] * margins <= 0).sum(axis=0),
            updates=np.sum(updated, axis=0) if updated else None,
        )

    @property
    def _selective(self) -> bool:
        """Whether the binary learners choose what to query."""
        return type(self._everyone()[0])._queries is not BinaryLearner._queries

    def _everyone(self) -> list[BinaryLearner]:
        return self.learners if self.unnamed is None else [*self.learners, self.unnamed]

    def _name(self, label: int) -> None:
        """Make sure that a class exists."""
        while len(self.learners) <= label:
            self.learners.append(self._late())
        self.named = with_more(self.named, self.n_classes)
        self.named[label] = True

    def _late(self) -> BinaryLearner:
        """Return the learner of a class that was not seen yet."""
        shared = {id(part): part for part in vars(self.make()).values()}
        return copy.deepcopy(self.unnamed or self.make(), shared)
