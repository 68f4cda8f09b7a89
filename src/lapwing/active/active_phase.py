"""The active phase of a game: the learner chooses the order of the nodes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.contracts import Strategy
from lapwing.errors import InputError
from lapwing.learner import (
    BinaryLearner,
    CanUpdateAlways,
    HasBinaryLearners,
    Learner,
    WrapsLearner,
)
from lapwing.types import Nodes


def chosen(
    learner: Learner | BinaryLearner,
    strategy: Strategy,
    pool: Nodes,
    count: int,
    *,
    aggressive: bool = True,
) -> Iterator[int]:
    """Yield up to `count` nodes of the pool; each is chosen after the previous one was learned.

    This is the protocol of Section 5 of Herbster, Pontil and Wainer (2005), except that no node is
    asked about twice (the paper's I = V would allow it). If a learner has a switch `aggressive`, it
    is on from the first choice to the last (footnote 2) and then restored. The online phase follows
    as any other order: ``itertools.chain(chosen(...), rest)``.

    Examples
    --------
    >>> from lapwing.active import act_st
    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> from lapwing.online import Projections
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Projections(laplacian(graph, rank=None))
    >>> for node in chosen(learner, act_st, np.arange(6), 2):
    ...     learner.learn(node, +1 if node < 3 else -1)
    >>> learner.margin(np.arange(6)).round(1), learner.aggressive
    (array([ 1.1,  1.1,  1.2, -1. , -1.2, -1.2]), False)
    """
    count = checks.whole_number("count", count, 0)
    left = np.unique(checks.many_nodes(pool, np.iinfo(np.intp).max))
    before = any(part.aggressive for part in _switches(learner))
    try:
        for _ in range(min(count, len(left))):
            _switch(learner, aggressive)
            node = strategy(learner, left)
            left = left[left != node]
            yield node
    finally:
        _switch(learner, before)


def binary_parts(learner: Learner | BinaryLearner) -> list[BinaryLearner]:
    """Return a binary learner itself, or the binary learners of a one-vs-rest learner."""
    if isinstance(learner, BinaryLearner):
        return [learner]
    if isinstance(learner, WrapsLearner):
        return binary_parts(learner.inner)
    if isinstance(learner, HasBinaryLearners):
        return learner.learners or _unnamed(learner)
    raise InputError(
        "choosing by margin needs a binary learner, or one made of binary learners, "
        f"got {type(learner).__name__}"
    )


def _unnamed(learner: HasBinaryLearners) -> list[BinaryLearner]:
    return [] if learner.unnamed is None else [learner.unnamed]


def _switches(learner: Learner | BinaryLearner) -> list[CanUpdateAlways]:
    """The binary learners that have a switch, also that of a class not seen yet."""
    if isinstance(learner, WrapsLearner):
        return _switches(learner.inner)
    parts: list[Any] = [learner]
    if isinstance(learner, HasBinaryLearners):
        parts = [*learner.learners, *_unnamed(learner)]
    return [part for part in parts if isinstance(part, CanUpdateAlways)]


def _switch(learner: Learner | BinaryLearner, on: bool) -> None:
    for part in _switches(learner):
        part.aggressive = on
