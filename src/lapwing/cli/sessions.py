"""How commands open sessions: the database, and learner and strategy by name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from lapwing import active
from lapwing.active import Strategy
from lapwing.catalog import make
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.optional import need
from lapwing.session import Session, Store

DbOption = Annotated[
    str | None,
    typer.Option("--db", help="Database of sessions: a file, or an address like postgresql://..."),
]
Labels = Mapping[int, int]


def store_at(db: str | None) -> Store:
    """The store that was asked for, that ``LAPWING_DB`` names, or the user's own."""
    where = db or os.environ.get("LAPWING_DB")
    if where is None:
        folder = need("platformdirs", extra="session").user_data_path("lapwing")
        where = str(Path(folder) / "sessions.db")
    return Store(where)


def _on_rows(build: Callable[..., Strategy]) -> Callable[[Graph, Labels], Strategy]:
    def made(graph: Graph, labels: Labels) -> Strategy:
        return build(laplacian(graph, rank=min(100, graph.n_nodes), bias=1.0), labels)

    return made


STRATEGIES: Mapping[str, Callable[[Graph, Labels], Strategy]] = {
    "auto": lambda graph, labels: active.UncertainReach(graph, labels),
    "random": lambda graph, labels: active.Uniform(seed=0),  # noqa: ARG005 - one form for all
    "margin": lambda graph, labels: active.margin,  # noqa: ARG005 - one form for all
    "entropy": lambda graph, labels: active.entropy,  # noqa: ARG005 - one form for all
    "vopt": _on_rows(active.VarianceMinimisation),
    "sigma-opt": _on_rows(active.SigmaOptimality),
    "error-bound": _on_rows(active.ErrorBoundMinimisation),
    "model-change": _on_rows(active.ModelChange),
}
"""Every way to choose the next node that `lapwing label --strategy` knows."""


def parts(header: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """Learner and strategy of a session, as its header names them."""
    strategy = STRATEGIES.get(str(header["strategy"]))
    if strategy is None:
        known = ", ".join(STRATEGIES)
        raise InputError(f"strategy must be one of {known}, got {header['strategy']!r}")
    settings = dict(header.get("parameters", {}))
    return {
        "make_learner": lambda: make(str(header["learner"]), graph, **settings),
        "make_strategy": lambda labels: strategy(graph, labels),
    }


def opened(store: Store, name: str, graph: Graph) -> Session:
    """A session that exists, its log replayed."""
    header = store.record(name).header
    return Session(store, name, graph, **parts(header, graph))
