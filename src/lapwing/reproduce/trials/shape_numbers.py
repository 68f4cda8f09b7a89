"""Numbers of a made graph: its kernel, its distances, and what theorems promise on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import io

from lapwing import data
from lapwing.bounds import Measures, certify
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.theorems.smoothing import smoothed_z, smoother
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph


@dataclass(frozen=True)
class Shape:
    """A graph, what it was made from, and a method's settings."""

    found: Dataset
    source: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def measures(self) -> Measures:
        """Distances and resistances."""
        return _measures(self.found.graph)

    def made_with(self, name: str) -> int:
        """One of the numbers that the graph was made from."""
        return int(self.source[name])


def bound(shape: Shape) -> float:
    """A bound on mistakes: settings ``theorem``, ``learner`` and, unless it is the learner's own,
    ``bias``.

    Examples
    --------
    >>> from lapwing import data
    >>> told = {"theorem": "(16)", "learner": "perceptron"}
    >>> bound(Shape(data.octopus(16, 5, 3), {}, told))
    28.0
    """
    told = dict(shape.settings)
    theorem, learner = told.pop("theorem"), told.pop("learner")
    graph, labels = shape.found.graph, np.asarray(shape.found.labels)
    found = certify(graph, labels, learners=[learner], measures=shape.measures, **told)
    value = next(each.value for each in found if each.theorem == theorem)
    if value is None:
        raise InputError(f"theorem {theorem} says nothing of {shape.found.name}")
    return value


def noise_bound(shape: Shape) -> float:
    """Z of (15) with settings ``bias`` and ``c``, stray labels set aside where that pays.

    Examples
    --------
    On two cliques of 4 joined by an edge R_G = 2, and one node is labelled wrong: (4 + 4) (2 + 2).

    >>> from lapwing import data
    >>> noise_bound(Shape(data.noisy_barbell(4, 1), {}, {"bias": 1.0, "c": 1.0}))
    32.0
    """
    signs = 2 * np.asarray(shape.found.labels) - 1
    at = Problem(shape.measures, Labelling(shape.found.graph, signs), shape.settings["bias"])
    c = float(shape.settings["c"])
    return min(smoothed_z(at, signs, other, c)[0] for other in smoother(at, signs))


def preferred_below(shape: Shape) -> float:
    """The margin up to which (15) of 2005 asks the most central node before the least central one.

    (1 - g)^2 / K_min >= 1 / K_max as long as g <= 1 - sqrt(K_min / K_max).
    """
    norms = shape.measures.norms
    return 1 - float(np.sqrt(norms.min() / norms.max()))


def flower_below(shape: Shape) -> float:
    """(p - 1) - (p - 1)^2 p^2 / 4m, which the norm of a flower's first node reaches (section 3)."""
    p, m = shape.made_with("p"), shape.made_with("m")
    return (p - 1) - (p - 1) ** 2 * p**2 / (4 * m)


def flower_below_exactly(shape: Shape) -> float:
    """1 / (1 / (p - 1) + p^2 / 4m): the same before it is made linear."""
    p, m = shape.made_with("p"), shape.made_with("m")
    return 1 / (1 / (p - 1) + p**2 / (4 * m))


def links_of_laplacian(shape: Shape) -> float:
    """Non-zeros of D - S: each edge twice, and each node that has an edge."""
    adjacency = shape.found.graph.adjacency
    return float(adjacency.nnz + (np.diff(adjacency.indptr) > 0).sum())


def links_of_file(shape: Shape) -> float:
    """Non-zeros of the adjacency matrix in a data set's own file, self-loops included.

    The matrix is made symmetric; `lapwing.Graph` has no self-loops.
    """
    (path,) = data.fetch(shape.found.name)
    held = io.loadmat(path)["graph"] != 0
    return float((held + held.T).nnz)


NUMBERS: Mapping[str, Callable[[Shape], float]] = {
    "nodes": lambda shape: float(shape.found.graph.n_nodes),
    "least norm": lambda shape: float(shape.measures.norms.min()),
    "edges": lambda shape: float(shape.found.graph.n_edges),
    "non-zeros of S": lambda shape: float(shape.found.graph.adjacency.nnz),
    "non-zeros of L": links_of_laplacian,
    "non-zeros of S in the file": links_of_file,
    "classes": lambda shape: float(shape.found.n_classes),
    "lambda_2": lambda shape: shape.measures.lambda2,
    "1 / lambda_2": lambda shape: 1 / shape.measures.lambda2,
    "ceil(log2 n)": lambda shape: float(math.ceil(math.log2(shape.found.graph.n_nodes))),
    "5 n + 5": lambda shape: 5.0 * shape.found.graph.n_nodes + 5,
    "ceil(m / 2)": lambda shape: float(-(-shape.made_with("m") // 2)),
    "dimension m": lambda shape: float(shape.made_with("m")),
    "largest norm": lambda shape: float(shape.measures.norms.max()),
    "norm of node 0": lambda shape: float(shape.measures.pseudoinverse[0, 0]),
    "norm of node 1": lambda shape: float(shape.measures.pseudoinverse[1, 1]),
    "product of nodes 0 and 1": lambda shape: float(shape.measures.pseudoinverse[0, 1]),
    "mean resistance of node 0": lambda shape: float(shape.measures.mean_resistances[0]),
    "eccentricity of node 0": lambda shape: float(shape.measures.eccentricities[0]),
    "resistance diameter": lambda shape: shape.measures.resistance_diameter,
    "diameter": lambda shape: shape.measures.diameter,
    "preferred below": preferred_below,
    "bound": bound,
    "noise bound": noise_bound,
    "flower below": flower_below,
    "flower below, exactly": flower_below_exactly,
    "10 p + 5": lambda shape: 10.0 * shape.made_with("length") + 5,
    "5 / l": lambda shape: 5.0 / shape.made_with("links"),
    "16 l": lambda shape: 16.0 * shape.made_with("links"),
    "20 + l / n": lambda shape: 20 + shape.made_with("links") / shape.found.graph.n_nodes,
}


@lru_cache(maxsize=3)
def _measures(graph: Graph) -> Measures:
    return Measures(graph)
