"""Strategies by name, as used by commands, sessions and benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.contracts import Strategy
from lapwing.active.expected_error import ExpectedErrorReduction
from lapwing.active.posterior import (
    ErrorBoundMinimisation,
    ModelChange,
    SigmaOptimality,
    VarianceMinimisation,
)
from lapwing.active.reach.uncertain_reach import UncertainReach
from lapwing.active.representative import Representative
from lapwing.active.uncertainty import entropy, margin
from lapwing.active.uniform import Uniform
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array

RANK = 100
"""Rank of the Laplacian rows that represent the kernel."""


class _Given(NamedTuple):
    """Everything that a strategy can be built from."""

    graph: Graph
    labels: Mapping[int, int]
    seed: int
    cost: Array | None


def _plain(function: Strategy) -> Callable[[_Given], Strategy]:
    return lambda _: function


def _on_rows(build: Callable[..., Strategy]) -> Callable[[_Given], Strategy]:
    def made(given: _Given) -> Strategy:
        rows = laplacian(given.graph, rank=min(RANK, given.graph.n_nodes), bias=1.0)
        return build(rows, given.labels, cost=given.cost)

    return made


_TABLE: Mapping[str, Callable[[_Given], Strategy]] = {
    "uncertain-reach": lambda given: UncertainReach(given.graph, given.labels, cost=given.cost),
    "representative": lambda given: Representative(
        given.graph, given.labels, seed=given.seed, cost=given.cost
    ),
    "random": lambda given: Uniform(
        seed=given.seed, labels=given.labels, n_nodes=given.graph.n_nodes
    ),
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
"""All strategies by name."""
FORMER_STRATEGIES: Mapping[str, str] = {"auto": "uncertain-reach"}
"""Old names that are still accepted because recorded sessions contain them."""
CANNOT_WEIGH_COST = ("random", "margin", "entropy", "act-st", "act-mu")


def strategy(
    name: str, graph: Graph, labels: Mapping[int, int], *, seed: int = 0, cost: Array | None = None
) -> Strategy:
    """Make the strategy with that name; it reads `labels` at every call.

    `cost` is the cost of a question about each node; the worth of an answer is divided by it. To
    exclude nodes from questions, leave them out of the candidates.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2)])
    >>> strategy("uncertain-reach", graph, {})(None, [0, 1, 2])
    1
    >>> strategy("best", graph, {})
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: strategy must be one of uncertain-reach, ..., got 'best'
    """
    known = checked_name(name)
    if cost is not None and known in CANNOT_WEIGH_COST:
        raise InputError(f"strategy {known} does not support costs; use representative")
    made = _TABLE[known]
    return made(_Given(graph, labels, seed, cost))


def checked_name(name: str) -> str:
    """Return the current name of a strategy; raise if there is none.

    Examples
    --------
    >>> checked_name("vopt"), checked_name("auto")
    ('vopt', 'uncertain-reach')
    """
    known = FORMER_STRATEGIES.get(name, name) if isinstance(name, str) else ""
    if known not in _TABLE:
        raise InputError(f"strategy must be one of {', '.join(NAMES)}, got {name!r}")
    return known
