"""Films joined by the actors they share."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from lapwing.data.dataset import Dataset
from lapwing.errors import ReadError
from lapwing.graph import Graph


def movies(edges: Path, labels: Path) -> Dataset:
    """16,942 US films joined by the number of actors they share; 6 genres; titles as names."""
    genres = _table(labels, "node\tlabel")
    titles = [title for title, _ in genres]
    position = {title: node for node, title in enumerate(titles)}
    classes = tuple(sorted({genre for _, genre in genres}))
    rows = _table(edges, "source\ttarget\tweight")
    ends = np.array([(position[a], position[b]) for a, b, _ in rows], dtype=np.intp)
    graph = Graph.from_edges(ends, weights=[float(w) for *_, w in rows], names=titles)
    return Dataset(
        name="movies",
        graph=graph,
        labels=np.array([classes.index(genre) for _, genre in genres]),
        classes=classes,
        description="US films joined by shared actors",
        source="built from Wikipedia's film lists (github.com/prust/wikipedia-movie-data)",
    )


def _table(file: Path, header: str) -> list[list[str]]:
    with gzip.open(file, "rt", encoding="utf-8") as text:
        first, *lines = text.read().split("\n")
    if first != header:
        raise ReadError(file, f"must start with {header!r}, got {first!r}", line=1)
    return [line.split("\t") for line in lines if line]
