"""The graphs of a study: data sets by name, their largest part, or generated ones."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from lapwing import data
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph


def sampled_digits(
    *, a_class: int = 100, k: int = 3, self_counted: bool = False, seed: int = 0
) -> Dataset:
    """USPS images of each digit drawn at random, joined with their nearest, odd against even.

    Herbster, Pontil and Wainer (2005), section 6. The largest component is kept. With
    `self_counted` an image is the first of its own k nearest, so that k - 1 others are joined.
    """
    found = _digits()
    rng = np.random.default_rng(seed)
    assert found.points is not None
    kept = np.concatenate(
        [rng.choice(np.flatnonzero(found.labels == c), a_class, replace=False) for c in range(10)]
    )
    graph = data.knn_graph(found.points[kept], k - 1 if self_counted else k)
    return Dataset(
        "usps-sample", graph, np.asarray(found.labels)[kept] % 2, ("even", "odd")
    ).largest_component()


@lru_cache(maxsize=1)
def _digits() -> Dataset:
    return data.load("usps")


def balanced_octopus(*, tentacles: int, length: int) -> Dataset:
    """An octopus whose head has as many nodes as the rest of it."""
    return data.octopus(tentacles * length + 1, tentacles, length)


def line(*, n: int) -> Dataset:
    """A line of n nodes, one class on each half: one edge is cut.

    Examples
    --------
    >>> line(n=6).labels.tolist()
    [0, 0, 0, 1, 1, 1]
    """
    graph = Graph.from_edges([(i, i + 1) for i in range(n - 1)])
    return Dataset("line", graph, (np.arange(n) >= n // 2).astype(np.intp), ("left", "right"))


def ring(*, m: int) -> Dataset:
    """A ring of m nodes, one class on each half.

    Examples
    --------
    >>> ring(m=6)
    Dataset(ring: 6 nodes, 6 edges, 2 classes)
    """
    graph = Graph.from_edges([(i, (i + 1) % m) for i in range(m)])
    return Dataset("ring", graph, (np.arange(m) >= m // 2).astype(np.intp), ("left", "right"))


def hypercube(*, m: int) -> Dataset:
    """The m-dimensional binary hypercube, cut in half along its last dimension.

    Examples
    --------
    >>> hypercube(m=3)
    Dataset(hypercube: 8 nodes, 12 edges, 2 classes)
    """
    edges = [(i, i ^ (1 << bit)) for i in range(2**m) for bit in range(m) if not i >> bit & 1]
    labels = (np.arange(2**m) >= 2 ** (m - 1)).astype(np.intp)
    return Dataset("hypercube", Graph.from_edges(edges), labels, ("low", "high"))


MAKERS: Mapping[str, Callable[..., Dataset]] = {
    "balanced-octopus": balanced_octopus,
    "barbell": data.barbell,
    "flower": data.flower,
    "hierarchical": data.hierarchical,
    "hypercube": hypercube,
    "line": line,
    "noisy-barbell": data.noisy_barbell,
    "octopus": data.octopus,
    "ring": ring,
    "planted-partition": data.planted_partition,
    "stochastic-block-model": data.stochastic_block_model,
    "thick-barbell": data.thick_barbell,
    "usps-sample": sampled_digits,
}


def needed(name: str, source: Mapping[str, Any]) -> str | None:
    """The data set whose files a graph needs; None for a generated one."""
    if "make" in source:
        return "usps" if source["make"] == "usps-sample" else None
    return str(source.get("data", name))


def study_graph(name: str, source: Mapping[str, Any], *, seed: int = 0) -> Dataset:
    """The graph that a study means.

    `source` is ``{data = ..., part = "largest"}`` (the data set's name is the graph's, unless
    given) or ``{make = "octopus", head = 16, ...}``; a maker's ``seed = "each"`` is the trial's.

    Examples
    --------
    >>> study_graph("karate", {})
    Dataset(karate: 34 nodes, 78 edges, 2 classes)
    >>> study_graph("small", {"make": "barbell", "m": 4})
    Dataset(barbell: 8 nodes, 13 edges, 2 classes)
    """
    told = {key: seed if value == "each" else value for key, value in source.items()}
    return _kept(name, json.dumps(told, sort_keys=True))


@lru_cache(maxsize=20)
def _kept(name: str, told: str) -> Dataset:
    source = json.loads(told)
    source.pop("note", None)
    maker = source.pop("make", None)
    if maker is not None:
        if maker not in MAKERS:
            raise InputError(f"no graph is made by {maker!r}; there are {', '.join(MAKERS)}")
        return MAKERS[maker](**source)
    found = data.load(source.get("data", name))
    return found.largest_component() if source.get("part") == "largest" else found
