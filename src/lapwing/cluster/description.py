"""What a partitioned graph is like: sizes, degrees and how alike neighbours are."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart
from lapwing.cluster.labels import SparseLabels
from lapwing.cluster.methods.quantiles import ranked
from lapwing.types import Array


def structure_on(engine: Engine) -> dict[str, Any]:
    """Return the counts of a graph, and the spread of its neighbours and degrees."""
    held = engine.graph.manifest
    n = held.n_nodes
    sums = engine.total(_spread)
    isolated = int(sums[0])
    return {
        "n_nodes": n,
        "n_edges": held.n_edges,
        "n_components": held.n_components,
        "largest_component": held.largest_component,
        "isolated_nodes": isolated,
        "neighbors": _five(engine, "neighbors", n, isolated),
        "weighted": held.weighted,
        "degrees": _five(engine, "degrees", n, isolated),
        "blocks": len(held.blocks),
        "halo": sum(block.halo for block in held.blocks),
    }


def labelling_on(engine: Engine, labels: SparseLabels) -> dict[str, Any]:
    """Return the sizes of the classes, and how alike the classes of neighbours are."""
    codes = labels.indicator.argmax(axis=1)
    counts = labels.indicator.sum(axis=0).astype(int).tolist()
    found: dict[str, Any] = {
        "n_classes": len(labels.classes),
        "labelled": len(labels.nodes),
        "class_sizes": dict(zip(labels.classes, counts, strict=True)),
    }
    sums = engine.total(_alike, labels.nodes, codes, len(labels.classes))
    ends, same = sums[:-1], sums[-1]
    if ends.sum() > 0:
        found["homophily"] = float(same / ends.sum())
        chance = float(np.square(ends / ends.sum()).sum())
        if chance < 1.0:
            found["adjusted_homophily"] = (found["homophily"] - chance) / (1.0 - chance)
    return found


def _spread(part: GraphPart) -> NDArray[np.int64]:
    """Make the columns of neighbours and degrees; return how many nodes are isolated."""
    for name, values in (
        ("neighbors", np.diff(part.matrix.starts)),
        ("degrees", part.degrees),
    ):
        part.make(name, 1, np.float64, walks=False)
        part[name][:, 0] = values
    return np.array([int((part["neighbors"] == 0).sum())])


def _five(engine: Engine, name: str, n: int, isolated: int) -> dict[str, float]:
    if n == 0:
        return {}

    def at(rank: int) -> float:
        return float(ranked(engine, name, 64, rank - isolated)) if rank >= isolated else 0.0

    total = float(engine.total(_sum_of, name)[0])
    return {
        "min": at(0), "median": (at((n - 1) // 2) + at(n // 2)) / 2, "mean": total / n,
        "max": at(n - 1),
    }  # fmt: skip


def _sum_of(part: GraphPart, name: str) -> Array:
    return np.array([part[name].sum()])


def _alike(
    part: GraphPart, nodes: NDArray[np.int64], codes: NDArray[np.int64], n_classes: int
) -> Array:
    """Return the weight of edges between labelled nodes by class, and that within classes."""
    matrix, sums = part.matrix, np.zeros(n_classes + 1)
    mine, rows = part.inside(nodes)
    near = np.concatenate([np.arange(part.first, part.stop), matrix.halo])
    kinds = np.full(len(near), -1)
    at = np.searchsorted(nodes, near).clip(max=max(len(nodes) - 1, 0))
    if len(nodes):
        there = nodes[at] == near
        kinds[there] = codes[at[there]]
    for k, row in zip(mine.tolist(), rows.tolist(), strict=True):
        span = slice(matrix.starts[row], matrix.starts[row + 1])
        others = kinds[matrix.ends[span]]
        weights = np.ones(len(others)) if matrix.weights is None else matrix.weights[span]
        sums[codes[k]] += weights[others >= 0].sum()
        sums[-1] += weights[others == codes[k]].sum()
    return sums
