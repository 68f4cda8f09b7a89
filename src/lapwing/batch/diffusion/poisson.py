"""Poisson learning: labels as sources and sinks of a flow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

import numpy as np

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.checks import at_least
from lapwing.embed.weight_unit import in_solvable_range
from lapwing.graph import Graph
from lapwing.linalg.chebyshev import SINGLE, diffused
from lapwing.linalg.solve.conjugate_gradients import solved
from lapwing.types import Array, Nodes

LARGE = 25_000
"""Larger graphs are solved in single precision, unless `tol` or `leak` forbid it."""
MOST_COLUMNS = 64
"""Right-hand sides that are solved together on such a graph, four cache lines of a row."""


class Poisson(GraphClassifier):
    r"""Potentials of a flow that enters at a class's labels and leaves at the other labels.

    Solves :math:`(L + \tau D) u_c = \sum_{l} (y_{lc} - \bar y_c)\, e_l` for each class, where
    :math:`\bar y_c` is the share of class c among the labels. With few labels this keeps its scale,
    where Laplace learning becomes almost constant. With `balanced`, a class's scores are divided by
    its share. Conjugate gradients with the degrees as preconditioner; above 25,000 nodes,
    Chebyshev's iteration in single precision, for all folds of a cross-validation at once.

    Parameters
    ----------
    leak: :math:`\tau`, at least 0: how much of the flow is lost at each step. Above 0 the system is
        definite, components of one class get that class, and it converges fast; the original has 0.
    balanced: divide by the classes' shares among the labels, as the original does. Off by default,
        a departure: it costs accuracy where shares among the labels are those of the graph.
    tol: relative residual at which to stop.

    Notes
    -----
    Departures: the leak; classes are not balanced by default. Each component is centred by its own
    labels, as ``leak=0`` requires for a solution to exist; a component whose labels all agree has
    their class. Weights that span more than 1e12 are compressed to 1e6, since 64-bit floats cannot
    solve for them.

    References
    ----------
    Calder, Cook, Thorpe, Slepcev. *Poisson learning.* ICML 2020.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> Poisson(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    signed = True

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        leak: float = 0.03,
        balanced: bool = False,
        tol: float = 1e-6,
    ) -> None:
        at_least("leak", leak, 0)
        super().__init__(graph, n_classes)
        self.leak, self.balanced, self.tol = leak, balanced, tol

    def _learned(self, known: KnownLabels) -> Array:
        right = self._right(known)
        found = self._by_passes(right) if self._is_large else self._by_gradients(right)
        return self._as_scores(found, known)

    def fits(self, several: Sequence[KnownLabels]) -> Iterator[Self]:
        """Yield the method fitted to each of several sets of labels, solved together if large."""
        if not self._is_large:
            yield from super().fits(several)
            return
        together = max(MOST_COLUMNS // max(several[0].n_classes, 1), 1) if several else 1
        for first in range(0, len(several), together):
            part = several[first : first + together]
            among = [known.of_seen_classes() for known in part]
            found = self._by_passes(np.hstack([self._right(known) for known in among]))
            ends = np.cumsum([known.n_classes for known in among])
            shares = np.split(found, ends[:-1], axis=1)
            for known, seen, potentials in zip(part, among, shares, strict=True):
                yield self._fit(known, self._as_scores(potentials, seen))

    @property
    def _is_large(self) -> bool:
        return self.graph.n_nodes > LARGE and self.leak > 0 and self.tol >= SINGLE

    def _right(self, known: KnownLabels) -> Array:
        right = known.spread()
        right[known.nodes] -= component_shares(self.graph.components[known.nodes], known)
        return right

    def _as_scores(self, potentials: Array, known: KnownLabels) -> Array:
        shares = known.indicator.mean(axis=0)
        return _compressed(potentials / shares if self.balanced else potentials)

    def _by_passes(self, right: Array) -> Array:
        """Solve in single precision, by passes over the edges for all columns at once."""
        graph, kept = in_solvable_range(self.graph), 1.0 + self.leak
        degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)[:, None]
        right /= kept * degrees
        return diffused(graph.adjacency, right, alpha=1.0 / kept, tol=self.tol)

    def _by_gradients(self, right: Array) -> Array:
        graph = in_solvable_range(self.graph)
        adjacency = graph.adjacency
        degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)[:, None]
        found = solved(
            lambda v: (1.0 + self.leak) * degrees * v - adjacency @ v,
            right,
            tol=self.tol,
            scale=1.0 / degrees,
            max_steps=5000,
            start=self._started(right.shape),
        )
        self._start = found
        return found


def _compressed(potentials: Array) -> Array:
    """Return potentials on a logarithmic scale, since they span orders of magnitude.

    The order of classes at a node, which determines the prediction, does not change.
    """
    size = np.abs(potentials)
    typical = max(float(np.median(size[size > 0])) if size.any() else 0.0, 1e-300)
    return np.asarray(np.sign(potentials) * np.log1p(size / typical))


def component_shares(places: Nodes, known: KnownLabels) -> Array:
    """Return, for each labelled node, the class shares among the labels of its component.

    `places` holds the component of each labelled node.

    Examples
    --------
    >>> known = KnownLabels(np.array([0, 2, 3]), np.eye(2)[[1, 0, 1]], n_nodes=4)
    >>> component_shares(np.array([0, 1, 1]), known).tolist()
    [[0.0, 1.0], [0.5, 0.5], [0.5, 0.5]]
    """
    counts = np.maximum(np.bincount(places), 1)
    columns = [np.bincount(places, weights=column) / counts for column in known.indicator.T]
    return np.asarray(np.stack(columns, axis=1)[places])
