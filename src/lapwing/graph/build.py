"""From edge arrays to one symmetric CSR matrix, checked, in linear time and little memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.types import Array, Nodes

Combine = Literal["sum", "max"]
Directed = Literal["max", "sum"] | None


@dataclass(frozen=True, slots=True)
class Notes:
    """What was done to the input on its way to a graph."""

    self_loops: int = 0
    parallel_edges: int = 0
    zero_weights: int = 0
    symmetrised: Directed = None

    def __str__(self) -> str:
        said = [
            (self.self_loops, f"{self.self_loops} self-loops dropped"),
            (self.parallel_edges, f"{self.parallel_edges} parallel edges merged"),
            (self.zero_weights, f"{self.zero_weights} edges of weight 0 dropped"),
            (self.symmetrised, f"directed edges symmetrised by {self.symmetrised}"),
        ]
        return "; ".join(text for happened, text in said if happened) or "taken as given"


def symmetric_csr(
    n: int,
    sources: NDArray[Any],
    targets: NDArray[Any],
    weights: Array | None,
    *,
    parallel: Combine = "sum",
    directed: Directed = None,
) -> tuple[sparse.csr_array, Notes]:
    """The adjacency of the edges given, both ways, sorted, without loops or repeats.

    Parallel edges are summed (or their maximum taken). With `directed`, an edge and its
    reverse are different edges, made one by max(S, S') or S + S' afterwards.

    Examples
    --------
    >>> s, t = np.array([0, 1, 1, 2]), np.array([1, 0, 2, 2])
    >>> matrix, notes = symmetric_csr(3, s, t, None)
    >>> matrix.toarray().tolist(), str(notes)
    ([[0.0, 2.0, 0.0], [2.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
     '1 self-loops dropped; 1 parallel edges merged')
    """
    _check_choice("parallel", parallel, ("sum", "max"))
    _check_choice("directed", directed, (None, "max", "sum"))
    weights = np.ones(1) if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    both = directed is None
    indptr, indices, data, loops, zeros = _scattered(n, sources, targets, weights, both)
    kept, merged = _merged(indptr, indices, data, parallel == "sum")
    matrix = sparse.csr_array((data[:kept].copy(), indices[:kept].copy(), indptr), shape=(n, n))
    notes = Notes(int(loops), int(merged) // (2 if both else 1), int(zeros))
    if both:
        return matrix, notes
    matrix = matrix.maximum(matrix.T) if directed == "max" else matrix + matrix.T
    return sparse.csr_array(matrix), replace(notes, symmetrised=directed)


def first_bad_weight(weights: Array) -> int | None:
    """The position of the first weight that is negative, infinite or not a number."""
    with np.errstate(invalid="ignore"):
        good = (weights >= 0) & (weights < np.inf)
    return None if good.all() else int(np.argmin(good))


def _check_choice(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise GraphError(f"{name} must be one of {allowed}, got {value!r}")


@njit(cache=True)
def _scattered(
    n: int, sources: Nodes, targets: Nodes, weights: Array, both: bool
) -> tuple[Nodes, Nodes, Array, int, int]:
    """Counting sort by row; `weights` of length 1 stands for all ones."""
    unit = len(weights) == 1 and len(sources) != 1
    count = np.zeros(n + 1, dtype=np.int64)
    loops = zeros = 0
    for e in range(len(sources)):
        weight = weights[0] if unit else weights[e]
        if weight == 0.0:
            zeros += 1
        elif sources[e] == targets[e]:
            loops += 1
        else:
            count[sources[e] + 1] += 1
            if both:
                count[targets[e] + 1] += 1
    for i in range(n):
        count[i + 1] += count[i]
    indices = np.empty(count[n], dtype=np.int32)
    data = np.empty(count[n], dtype=np.float64)
    place = count[:-1].copy()
    for e in range(len(sources)):
        s, t, weight = sources[e], targets[e], weights[0] if unit else weights[e]
        if s == t or weight == 0.0:
            continue
        indices[place[s]], data[place[s]] = t, weight
        place[s] += 1
        if both:
            indices[place[t]], data[place[t]] = s, weight
            place[t] += 1
    return count, indices, data, loops, zeros


@njit(cache=True)
def _merged(indptr: Nodes, indices: Nodes, data: Array, add: bool) -> tuple[int, int]:
    """Sort each row and join repeats, in place; how many entries remain, how many went."""
    end = merged = 0
    start = indptr[0]
    for row in range(len(indptr) - 1):
        stop = indptr[row + 1]
        _sort_row(indices, data, start, stop)
        first = end
        for k in range(start, stop):
            if end > first and indices[end - 1] == indices[k]:
                merged += 1
                data[end - 1] = data[end - 1] + data[k] if add else max(data[end - 1], data[k])
            else:
                indices[end], data[end] = indices[k], data[k]
                end += 1
        start = stop
        indptr[row + 1] = end
    return end, merged


@njit(cache=True)
def _sort_row(indices: Nodes, data: Array, start: int, stop: int) -> None:
    if stop - start > 48:
        order = np.argsort(indices[start:stop], kind="mergesort")
        indices[start:stop] = indices[start:stop][order]
        data[start:stop] = data[start:stop][order]
        return
    for k in range(start + 1, stop):
        i, x = indices[k], data[k]
        j = k - 1
        while j >= start and indices[j] > i:
            indices[j + 1], data[j + 1] = indices[j], data[j]
            j -= 1
        indices[j + 1], data[j + 1] = i, x
