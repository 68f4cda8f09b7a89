"""Turn edge arrays into a checked symmetric CSR matrix, in linear time and little memory."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import GraphError
from lapwing.graph.assembly import assembled
from lapwing.types import Array

INT32 = 1 << 31
Combine = Literal["sum", "max"]
Directed = Literal["max", "sum"] | None


@dataclass(frozen=True, slots=True)
class Notes:
    """Counts of what was dropped, merged or symmetrised while building a graph."""

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
    """Return the symmetric adjacency of the edges, sorted, without self-loops or repeats.

    Parallel edges are summed, or their maximum is taken. With `directed`, an edge and its reverse
    are different edges, which are then combined by max(S, S') or S + S'.

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
    both = directed is None
    given = None if weights is None else np.ascontiguousarray(weights, dtype=np.float64)
    arrays, (loops, zeros, merged) = assembled(
        n, sources, targets, given, both=both, add=parallel == "sum"
    )
    data, indices, indptr = arrays
    if len(indices) < INT32:
        indptr = indptr.astype(np.int32)
    weights = np.broadcast_to(data, len(indices)) if len(data) == 1 else data
    matrix = sparse.csr_array((weights, indices, indptr), shape=(n, n))
    notes = Notes(int(loops), merged // (2 if both else 1), int(zeros))
    if both:
        return matrix, notes
    matrix = matrix.maximum(matrix.T) if directed == "max" else matrix + matrix.T
    return sparse.csr_array(matrix), replace(notes, symmetrised=directed)


def first_bad_weight(weights: Array) -> int | None:
    """Return the position of the first weight that is negative, infinite or not a number."""
    with np.errstate(invalid="ignore"):
        good = (weights >= 0) & (weights < np.inf)
    return None if good.all() else int(np.argmin(good))


def _check_choice(name: str, value: object, allowed: tuple[object, ...]) -> None:
    if value not in allowed:
        raise GraphError(f"{name} must be one of {allowed}, got {value!r}")
