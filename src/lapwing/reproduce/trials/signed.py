"""Learners of Herbster's papers, told labels -1 and +1, on the whole kernel of a graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from lapwing.embed import kernel
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import BinaryLearner
from lapwing.online import MNI, Perceptron, Projections
from lapwing.online.kernel.columns import DenseColumns
from lapwing.types import Array, Mask, Nodes

SIGNED_LEARNERS: Mapping[str, Callable[..., BinaryLearner]] = {
    "1-proj": Projections,
    "c-proj": lambda K, **settings: Projections(K, strategy="all", cyclic=True, **settings),
    "mni-ag": MNI,
    "perceptron": Perceptron,
}


def learner_of(name: str, graph: Graph, *, bias: float = 0.0, **settings: Any) -> BinaryLearner:
    """A learner on L+ + bias 11'.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)])
    >>> learner = learner_of("perceptron", path, bias=1.0)
    >>> learner.learn(0, -1)
    >>> learner.margin(np.arange(3)).round(3)
    array([-1.556, -0.889, -0.556])
    """
    if name not in SIGNED_LEARNERS:
        there = ", ".join(SIGNED_LEARNERS)
        raise InputError(f"no learner of signs is called {name!r}; there are {there}")
    return SIGNED_LEARNERS[name](DenseColumns(_kernel(graph) + bias), **settings)


def mistaken(learner: BinaryLearner, nodes: Nodes, signs: Nodes) -> Mask:
    """Where the learner errs on an order of nodes; a margin of 0 is a mistake.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> learner = learner_of("perceptron", path, bias=1.0)
    >>> mistaken(learner, np.arange(4), np.array([1, 1, -1, -1]))
    array([ True, False,  True, False])
    """
    return np.asarray(signs[nodes] * learner.stream(nodes, signs[nodes]).margins <= 0)


def against_an_adversary(learner: BinaryLearner, signs: Nodes) -> Mask:
    """Mistakes when the next node is always the one that the learner gets most wrong.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> learner = learner_of("perceptron", path, bias=1.0)
    >>> int(against_an_adversary(learner, np.array([1, 1, -1, -1])).sum())
    2
    """
    left = np.arange(len(signs))
    wrong = []
    while len(left):
        margins = signs[left] * learner.margin(left)
        worst = int(np.argmin(margins.round(9)))
        wrong.append(bool(margins[worst] <= 0))
        learner.learn(int(left[worst]), int(signs[left[worst]]))
        left = np.delete(left, worst)
    return np.array(wrong)


@lru_cache(maxsize=20)
def _kernel(graph: Graph) -> Array:
    return kernel(graph)
