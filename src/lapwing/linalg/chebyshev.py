"""Diffuse many columns over a graph by compiled passes over the edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.linalg.passes import Passes, in_lines
from lapwing.types import Array, Nodes

SINGLE = 1e-6
"""Tolerances from here on use single precision, which halves time and memory."""


def diffused(
    adjacency: sparse.csr_array,
    right: Array,
    *,
    alpha: float,
    tol: float,
    passes: Passes | None = None,
) -> NDArray[Any]:
    r"""Solve :math:`(I - \alpha D^{-1} A) x = b` for the columns b of `right`.

    Chebyshev's semi-iteration: D^-1 A has the eigenvalues of a symmetric matrix, all in [-1, 1], so
    the number of passes over the edges that brings the error below `tol` (relative to the solution,
    in the norm weighted by degrees) is known in advance: about log(2 / tol) / sqrt(2 (1 - alpha)).
    An isolated node keeps its b. If `tol` is at least 1e-6, the computation and the result are in
    single precision. `passes` are those over this graph in that precision, if they are at hand.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> diffused(path, np.array([[3.0], [0.0]]), alpha=0.5, tol=1e-9).ravel()
    array([4., 2.])
    """
    kind = precision(tol)
    start = np.ascontiguousarray(right, dtype=kind)
    n_columns = start.shape[1]
    passes = Passes(adjacency, kind) if passes is None else passes
    old, now = in_lines(start.shape, kind), passes.room(start)
    for factors in semi_iteration(alpha, tol):
        passes.step(now, old, **factors._asdict(), right=start)
        old, now = now, old
    return now[:, :n_columns]


class Factors(NamedTuple):
    """The factors of one pass: ``a P now + b now + c old + e right`` replaces `old`."""

    a: float
    b: float = 0.0
    c: float = 0.0
    e: float = 0.0


def precision(tol: float) -> type[np.floating[Any]]:
    """Return the type of numbers that a tolerance needs."""
    return np.float32 if tol >= SINGLE else np.float64


def semi_iteration(alpha: float, tol: float) -> Iterator[Factors]:
    """Yield the factors of the passes that solve `diffused`, in their order; the start is b.

    Examples
    --------
    >>> len(list(semi_iteration(0.95, 1e-2)))
    17
    """
    rate = alpha / (1.0 + np.sqrt(1.0 - alpha * alpha))
    weight = 2.0 / (2.0 - alpha * alpha)
    for _ in range(int(np.ceil(np.log(2.0 / tol) / -np.log(rate)))):
        yield Factors(weight * alpha, 0.0, 1.0 - weight, weight)
        weight = 1.0 / (1.0 - alpha * alpha * weight / 4.0)


def clamped_means(
    adjacency: sparse.csr_array, values: Array, fixed: Nodes, *, rounds: int
) -> NDArray[Any]:
    """Replace each row of values by the mean of its neighbours' rows, `rounds` times.

    The `fixed` nodes keep their rows; an isolated node that is not fixed gets 0. Single precision.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> clamped_means(path, np.array([[1.0], [0.0], [0.0]]), np.array([0]), rounds=2).ravel()
    array([1. , 0.5, 0.5], dtype=float32)
    """
    n_columns = values.shape[1]
    passes = Passes(adjacency)
    now = passes.room(values)
    new, held = in_lines(values.shape, np.float32), now[fixed]
    for _ in range(rounds):
        passes.step(now, new, a=1.0)
        new[fixed] = held
        new, now = now, new
    return now[:, :n_columns]
