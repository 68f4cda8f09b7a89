"""Rows: what some learners need of a large graph, made in a worker process before it is used.

They are left in the cache of rows, from which the server reads them. A file in the graph's folder
says that they were made.
"""

from __future__ import annotations

from pathlib import Path

from lapwing.catalog import ENTRIES, make
from lapwing.graph import Graph
from lapwing.learner import BanditLearner, Learner
from lapwing.service.graphs.shelf import taken_from_shelf

LARGE = 10_000
"""Nodes above which a process of its own is worth its start."""
SPECTRAL = ("near-far", "pool")
"""Learners that take the graph and make rows of it themselves."""


def takes_rows(graph: Graph, learner: str) -> bool:
    """Whether a learner needs rows of this graph that take long to make.

    Examples
    --------
    >>> takes_rows(Graph.from_edges([("a", "b")]), "pool")
    False
    """
    entry = ENTRIES.get(learner)
    by_rows = entry is not None and (entry.rows is not None or learner in SPECTRAL)
    return by_rows and graph.n_nodes > LARGE


def rows_are_made(place: Path, learner: str) -> bool:
    """Whether the rows for a learner were made before."""
    return _mark(place, learner).exists()


def rows_made(place: str, learner: str) -> None:
    """Make the rows for a learner, by letting it learn once."""
    graph = taken_from_shelf(Path(place))
    made = make(learner, graph, n_classes=2)
    if isinstance(made, Learner):
        made.learn(0, 0)
        made.learn(graph.n_nodes - 1, 1)
    elif isinstance(made, BanditLearner):
        made.learn(0, 0, correct=True)
    _mark(Path(place), learner).touch()


def _mark(place: Path, learner: str) -> Path:
    return place / f"{learner}.rows-made"
