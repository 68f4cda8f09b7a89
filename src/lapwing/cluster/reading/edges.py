"""The next stages: edges by the block of their rows, and rows without repeats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.partition.dictionary import hash_parts
from lapwing.cluster.reading.names import file_edges
from lapwing.cluster.reading.plan import ReadingPlan, load_arrays, save_arrays
from lapwing.errors import ReadError
from lapwing.graph.construction import Directed, first_bad_weight


def bucket_edges(number: int, plan: ReadingPlan, firsts: list[int]) -> dict[str, int]:
    """Write one file's edges in both directions, a list for each block of rows."""
    file = Path(plan.files[number])
    names, ends, weights = file_edges(file, plan)
    where, codes = hash_parts(names, plan.parts), np.empty(len(names), dtype=np.int64)
    for part in range(plan.parts):
        codes[where == part] = firsts[part] + np.load(plan.stage("numbers", number, part))
    sources, targets = codes[ends]
    values = np.ones(len(sources)) if weights is None else weights
    wrong = first_bad_weight(values)
    if wrong is not None:
        problem = f"weight must be at least 0 and finite, row {wrong + 1} has {values[wrong]}"
        raise ReadError(file, problem)
    zero = values == 0.0
    loop = (sources == targets) & ~zero
    kept = ~(zero | loop)
    rows = np.concatenate([sources[kept], targets[kept]])
    columns = np.concatenate([targets[kept], sources[kept]])
    forward = np.arange(len(rows)) < len(rows) // 2
    block = np.searchsorted(firsts, rows, side="right") - 1
    order = np.argsort(block, kind="stable")
    cuts = np.searchsorted(block[order], np.arange(plan.parts + 1))
    for part in range(plan.parts):
        mine = order[cuts[part] : cuts[part + 1]]
        save_arrays(
            plan.stage("edges", number, part), rows=rows[mine], columns=columns[mine],
            weights=np.tile(values[kept], 2)[mine], forward=forward[mine],
        )  # fmt: skip
    return {"self_loops": int(loop.sum()), "zero_weights": int(zero.sum()), "kept": int(kept.sum())}


def assemble_rows(part: int, plan: ReadingPlan, firsts: list[int]) -> tuple[int, bool]:
    """Write one block's rows, sorted and without repeats.

    Returns the number of entries, and whether some do not weigh 1.
    """
    held = [load_arrays(plan.stage("edges", k, part)) for k in range(len(plan.files))]
    rows, columns, weights, forward = (
        np.concatenate([each[name] for each in held])
        for name in ("rows", "columns", "weights", "forward")
    )
    rows, columns, weights = merged(rows, columns, weights, forward, plan.directed)
    size = firsts[part + 1] - firsts[part]
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows - firsts[part], minlength=size))])
    save_arrays(plan.stage("rows", part), starts=starts, columns=columns, weights=weights)
    return len(columns), bool((weights != 1.0).any())


def merged(
    rows: NDArray[np.int64],
    columns: NDArray[np.int64],
    weights: NDArray[np.float64],
    forward: NDArray[np.bool_],
    directed: Directed,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return entries sorted by row and column; repeats are added up.

    With `directed`, those of each direction are added up, and the two combined by max or sum.

    Examples
    --------
    >>> ends = np.array([0, 0, 0]), np.array([1, 1, 2])
    >>> merged(*ends, np.ones(3), np.array([True, False, True]), "max")[2]
    array([1., 1.])
    >>> merged(*ends, np.ones(3), np.array([True, False, True]), None)[2]
    array([2., 1.])
    """
    if directed == "max":
        one = merged(rows[forward], columns[forward], weights[forward], forward[forward], None)
        back = ~forward
        two = merged(rows[back], columns[back], weights[back], forward[back], None)
        rows, columns, weights = (np.concatenate(pair) for pair in zip(one, two, strict=True))
    order = np.lexsort((columns, rows))
    rows, columns, weights = rows[order], columns[order], weights[order]
    first = np.ones(len(rows), dtype=bool)
    first[1:] = (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])
    at = np.flatnonzero(first)
    combine: Any = np.maximum if directed == "max" else np.add
    total = combine.reduceat(weights, at) if len(at) else weights
    return rows[at], columns[at], total
