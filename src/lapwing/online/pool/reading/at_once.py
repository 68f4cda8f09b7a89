"""What the experts of a pool say of some nodes, read at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.online.pool.around import NearLabels
from lapwing.online.pool.expert import FLOOR, Expert
from lapwing.online.pool.reading.inner_products import Rows
from lapwing.online.pool.row_expert import RowExpert, product
from lapwing.online.pool.sources import Source
from lapwing.online.pool.worth import LEAST
from lapwing.types import Array, Mask, Nodes


class _Stack(NamedTuple):
    """The weights of one source's columns, of several experts side by side."""

    source: Source
    weights: Rows
    columns: Nodes


class ExpertReading:
    """Probabilities of some experts of a pool, until the next label.

    Rows of a source are read once for all experts that regress on it. The probabilities are those
    of each expert's `chances`, up to the rounding of single precision.
    """

    def __init__(self, experts: Sequence[Expert], n_classes: int) -> None:
        self.experts, self.n_classes = experts, n_classes
        self._firsts, stacks, width = list[int](), dict[Source, list[tuple[int, Array]]](), 0
        means = list[Array]()
        for expert in experts:
            self._firsts.append(width)
            if isinstance(expert, RowExpert) and len(expert.classes) > 1:
                for source, weights in expert.weights_by_source():
                    stacks.setdefault(source, []).append((width, weights))
                means.append(expert.means)
                width += len(expert.classes)
        self._means = np.concatenate([*means, np.empty(0)])
        self._stacks = [_stacked(source, parts) for source, parts in stacks.items()]

    def chances(self, nodes: Nodes, near: Array) -> Array:
        """Return probabilities ``(E, m, K)``, given those of labels nearby."""
        values = np.empty((len(nodes), len(self._means)))
        values[:] = self._means
        for source, weights, columns in self._stacks:
            values[:, columns] += product(source.rows, nodes, weights)
        found = np.empty((len(self.experts), len(nodes), self.n_classes))
        for expert, first, out in zip(self.experts, self._firsts, found, strict=True):
            if isinstance(expert, NearLabels):
                out[:] = near
            elif isinstance(expert, RowExpert) and len(expert.classes) > 1:
                _clip(values, first, expert.classes, expert.told(nodes), out)
            else:
                out[:] = expert.chances(nodes, self.n_classes)
        return found


def _stacked(source: Source, parts: Sequence[tuple[int, Array]]) -> _Stack:
    columns = [np.arange(first, first + weights.shape[1]) for first, weights in parts]
    weights = np.hstack([weights for _, weights in parts]).astype(source.rows.dtype)
    return _Stack(source, weights, np.concatenate(columns))


@njit(cache=True)
def _clip(values: Array, first: int, classes: Nodes, told: Mask, out: Array) -> None:
    """Write fitted values as probabilities, even ones for nodes without a row."""
    for i in range(len(values)):
        out[i] = 0.0 if told[i] else 1.0 / out.shape[1]
        if told[i]:
            total = 0.0
            for k in range(classes.size):
                total += max(values[i, first + k], FLOOR)
            for k in range(classes.size):
                out[i, classes[k]] = max(values[i, first + k], FLOOR) / total


@njit(cache=True)
def weighed_means(chances: Array, sharpness: Array, known: Mask, weights: Array) -> Array:
    """Return means ``(V, m, K)`` of experts' probabilities ``(E, m, K)`` under weights ``(V, E)``.

    Each expert is raised to its sharpness first, as in `sharpened`.

    Examples
    --------
    >>> chances = np.array([[[0.799, 0.199]], [[0.499, 0.499]]])
    >>> known, weights = np.array([True, True]), np.array([[0.5, 0.5]])
    >>> weighed_means(chances, np.array([2.0, 1.0]), known, weights).round(2).tolist()
    [[[0.72, 0.28]]]
    """
    n_experts, count, n_classes = chances.shape
    found, share = np.zeros((len(weights), count, n_classes)), np.empty(n_classes)
    for e in range(n_experts):
        for i in range(count):
            _sharpen(chances[e, i], sharpness[e], known, share)
            for v in range(len(weights)):
                if weights[v, e] > 0.0:
                    for k in range(n_classes):
                        found[v, i, k] += weights[v, e] * share[k]
    return found


@njit(cache=True)
def _sharpen(chances: Array, sharpness: float, known: Mask, out: Array) -> None:
    """Write one node's probabilities to the power of the sharpness, normalised."""
    highest, total = -np.inf, 0.0
    for k in range(chances.size):
        out[k] = sharpness * np.log(chances[k] + LEAST) if known[k] else -np.inf
        highest = max(highest, out[k])
    for k in range(chances.size):
        out[k] = np.exp(out[k] - highest) if known[k] else 0.0
        total += out[k]
    for k in range(chances.size):
        out[k] /= total
