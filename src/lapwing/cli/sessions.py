"""How commands open sessions: the database, and learner and strategy by name."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from lapwing import active
from lapwing.catalog import make
from lapwing.graph import Graph
from lapwing.optional import need
from lapwing.session import Session, Store

DbOption = Annotated[
    str | None,
    typer.Option("--db", help="Database of sessions: a file, or an address like postgresql://..."),
]


def store_at(db: str | None) -> Store:
    """The store that was asked for, that ``LAPWING_DB`` names, or the user's own."""
    where = db or os.environ.get("LAPWING_DB")
    if where is None:
        folder = need("platformdirs", extra="session").user_data_path("lapwing")
        where = str(Path(folder) / "sessions.db")
    return Store(where)


def parts(header: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """Learner and strategy of a session, as its header names them."""
    settings, seed = dict(header.get("parameters", {})), int(header.get("seed", 0))
    strategy = active.checked_name(str(header["strategy"]))
    return {
        "make_learner": lambda: make(str(header["learner"]), graph, **settings),
        "make_strategy": lambda labels: active.strategy(strategy, graph, labels, seed=seed),
    }


def opened(store: Store, name: str, graph: Graph) -> Session:
    """A session that exists, its log replayed."""
    header = store.record(name).header
    return Session(store, name, graph, **parts(header, graph))
