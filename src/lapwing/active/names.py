"""Strategies by name: the one table from which commands, sessions and benchmarks choose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.expected_error import ExpectedErrorReduction
from lapwing.active.order import Strategy
from lapwing.active.posterior import (
    ErrorBoundMinimisation,
    ModelChange,
    SigmaOptimality,
    VarianceMinimisation,
)
from lapwing.active.reach import UncertainReach
from lapwing.active.uncertainty import entropy, margin
from lapwing.active.uniform import Uniform
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph

Labels: TypeAlias = Mapping[int, int]
RANK = 100
"""How many rows of the Laplacian's low spectrum stand for the kernel."""


def _plain(function: Strategy) -> Callable[[Graph, Labels, int], Strategy]:
    return lambda _graph, _labels, _seed: function


def _on_rows(build: Callable[..., Strategy]) -> Callable[[Graph, Labels, int], Strategy]:
    def made(graph: Graph, labels: Labels, _seed: int) -> Strategy:
        return build(laplacian(graph, rank=min(RANK, graph.n_nodes), bias=1.0), labels)

    return made


_TABLE: Mapping[str, Callable[[Graph, Labels, int], Strategy]] = {
    "auto": lambda graph, labels, _seed: UncertainReach(graph, labels),
    "random": lambda _graph, labels, seed: Uniform(seed=seed, labels=labels),
    "margin": _plain(margin),
    "entropy": _plain(entropy),
    "act-st": _plain(act_st),
    "act-mu": _plain(act_mu),
    "vopt": _on_rows(VarianceMinimisation),
    "sigma-opt": _on_rows(SigmaOptimality),
    "error-bound": _on_rows(ErrorBoundMinimisation),
    "model-change": _on_rows(ModelChange),
    "expected-error": _on_rows(ExpectedErrorReduction),
}
NAMES = tuple(_TABLE)
"""Every way to choose the next node that has a name."""


def strategy(name: str, graph: Graph, labels: Labels, *, seed: int = 0) -> Strategy:
    """The strategy of that name on a graph; `labels` is read at every call, the seed by draws.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2)])
    >>> strategy("auto", graph, {})(None, [0, 1, 2])
    1
    >>> strategy("best", graph, {})
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: strategy must be one of auto, random, ..., got 'best'
    """
    return _TABLE[checked_name(name)](graph, labels, seed)


def checked_name(name: str) -> str:
    """A strategy's name, if there is one of that name."""
    if name not in _TABLE:
        raise InputError(f"strategy must be one of {', '.join(NAMES)}, got {name!r}")
    return name
