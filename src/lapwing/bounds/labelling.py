"""A complete or partial labelling with -1 and +1, and its complexity."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array, Nodes

PROPAGATIONS = 200
SETTLED = 1e-3
THRESHOLDS = 33
SEPARABLE_BELOW = 600
"""Up to this many labelled nodes, the smallest separating norm is computed."""


class Labelling:
    """Labels -1 and +1 of some nodes (0: not known), and a completion to all of them.

    A bound on labels of all nodes holds for every completion that agrees with the known labels, so
    any can be used. Here values spread from the labelled nodes over the edges and are cut at the
    threshold that gives the smallest bound.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> ends = Labelling(path, np.array([1, 0, 0, -1]))
    >>> ends.known, ends.completed().tolist()
    (array([0, 3]), [1, 1, -1, -1])
    """

    def __init__(self, graph: Graph, signs: Nodes) -> None:
        signs = np.asarray(signs)
        if signs.shape != (graph.n_nodes,) or not np.isin(signs, (-1, 0, 1)).all():
            raise InputError(
                f"signs must be -1, 0 or +1 for each of {graph.n_nodes} nodes, "
                f"got shape {signs.shape}"
            )
        self.graph = graph
        self.signs = signs.astype(np.intp)
        self.known = np.flatnonzero(signs)

    @property
    def is_whole(self) -> bool:
        """Whether every node's label is known."""
        return len(self.known) == self.graph.n_nodes

    @property
    def y(self) -> Array:
        """The known labels."""
        return self.signs[self.known].astype(np.float64)

    @cached_property
    def completions(self) -> list[Nodes]:
        """Return labellings of all nodes that agree with the known labels."""
        if self.is_whole:
            return [self.signs]
        spread = self._spread()
        free = self.signs == 0
        levels = np.unique(np.quantile(spread[free], np.linspace(0, 1, THRESHOLDS)))
        cuts = [0.0, *levels.tolist(), np.inf]
        return [np.where(free, np.where(spread >= cut, 1, -1), self.signs) for cut in cuts]

    def completed(self, cost: Callable[[Nodes], float] | None = None) -> Nodes:
        """Return the completion with the smallest cost, by default the smallest cut."""
        return min(self.completions, key=cost or self.cut)

    def cut(self, labels: Nodes) -> float:
        """Return Phi_G, the weight of the edges between nodes with different `labels`."""
        sources, targets, weights = self._edges
        return float(weights[labels[sources] != labels[targets]].sum())

    @cached_property
    def _edges(self) -> tuple[Nodes, Nodes, Array]:
        return self.graph.edges()

    def _spread(self) -> Array:
        """Return the harmonic extension of the labels: each value is its neighbours' mean."""
        values = self.signs.astype(np.float64)
        inverse = 1.0 / self.graph.degrees
        free = self.signs == 0
        for _ in range(PROPAGATIONS):
            before = values
            values = np.where(free, inverse * (self.graph.adjacency @ before), before)
            if np.abs(values - before).max() < SETTLED:
                break
        return np.asarray(values)


def interpolating_norm(kernel: Array, y: Array) -> float | None:
    """Return the squared norm of the smoothest function that equals y, or None.

    Examples
    --------
    >>> interpolating_norm(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, -1.0]))
    2.0
    >>> interpolating_norm(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, 1.0])) is None
    True
    """
    values, vectors = np.linalg.eigh(kernel)
    along = vectors.T @ y
    inside = values > 1e-10 * max(values[-1], 1e-300)
    if np.abs(along[~inside]).sum() > 1e-7 * np.linalg.norm(y):
        return None
    return float((along[inside] ** 2 / values[inside]).sum())


def separating_norm(kernel: Array, y: Array) -> float | None:
    """Return the smallest squared norm of a function with y_i g(i) >= 1 everywhere, or None.

    The hard-margin problem, as Lawson and Hanson's least-distance program. To allow
    for rounding, the solution is scaled until it separates.

    Examples
    --------
    >>> separating_norm(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 1.0]))
    0.6666667
    """
    exact = interpolating_norm(kernel, y)
    if len(y) > SEPARABLE_BELOW:
        return exact
    values, vectors = np.linalg.eigh(kernel)
    inside = values > 1e-10 * max(values[-1], 1e-300)
    signed = y[:, None] * (vectors[:, inside] * np.sqrt(values[inside]))
    system = np.vstack([signed.T, np.ones(len(y))])
    target = np.zeros(len(system))
    target[-1] = 1.0
    nnls = import_module("scipy.optimize").nnls  # slow to import, rarely needed
    weights, _ = nnls(system, target, maxiter=30 * len(y))
    left = system @ weights - target
    if left[-1] >= -1e-12:
        return exact
    found = -left[:-1] / left[-1]
    least = float((signed @ found).min())
    if least <= 1e-6:
        return exact
    norm = float(found @ found) / min(least, 1.0) ** 2
    return norm if exact is None else min(norm, exact)
