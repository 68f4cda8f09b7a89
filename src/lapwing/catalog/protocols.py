"""The papers' experiments: rows, parameters and shuffles as their tables need them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lapwing.catalog.adaptive import YANG_ROWS

LARGE = 10_000


@dataclass(frozen=True)
class Protocol:
    """How a paper plays: `settings` depend on the learner and on how large the graph is.

    Play the largest component, each node once, in `shuffles` random orders; `measure` names the
    error of `lapwing.metrics.Summary` that the paper's table shows.

    Examples
    --------
    >>> PROTOCOLS["yang2018"].settings("molg-f", 2485)
    {'b': 10.0, 'phi': 10.0}
    >>> PROTOCOLS["yang2018"].settings("molg-b", 19717)
    {'b': 100.0, 'phi': 10.0, 'exploration': 0.05}
    """

    paper: str
    rows: Mapping[str, Any]
    settings: Callable[[str, int], dict[str, Any]]
    shuffles: int
    measure: str


def yang2018(learner: str, n_nodes: int) -> dict[str, Any]:
    """The parameters of Section 4.1: b = 10 for Cora and Coauthor, 100 for PubMed and IMDB.

    "Due to variable graph structures", which here means from 10,000 nodes on; phi = 10, the end
    of the paper's grid that gives its table. Rivals have their own defaults.
    """
    ridge = {"b": 100.0 if n_nodes >= LARGE else 10.0}
    own: dict[str, dict[str, Any]] = {
        "molg-f": ridge | {"phi": 10.0},
        "molg-b": ridge | {"phi": 10.0, "exploration": 0.05},
        "msg": ridge | {"phi": 10.0, "h": float("inf")},
        "oslg": ridge,
        "oslg-bandit": ridge,
    }
    return own.get(learner, {})


PROTOCOLS: Mapping[str, Protocol] = {
    "yang2018": Protocol(
        paper="Yang, Zhao and Gao 2018",
        rows=YANG_ROWS,
        settings=yang2018,
        shuffles=20,
        measure="error",
    ),
}
