"""The last stages: rows and names in their new order, components, and the dictionary."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse import csgraph

from lapwing.cluster.partition.blocks import RowBlock, localised, write_block
from lapwing.cluster.partition.dictionary import (
    codes_file,
    names_file,
    read_names,
    write_codes,
    write_names,
)
from lapwing.cluster.partition.manifest import digest_of
from lapwing.cluster.partition.writing import slim_weights
from lapwing.cluster.reading.clusters import values_at
from lapwing.cluster.reading.plan import ReadingPlan, load_arrays, save_array, save_arrays


def scatter_rows(part: int, plan: ReadingPlan, firsts: list[int], cuts: list[int]) -> str:
    """Write a block's entries under their new numbers, and its part of the dictionary."""
    held = load_arrays(plan.stage("rows", part))
    new = np.load(plan.stage("new", part))
    first, stop = firsts[part], firsts[part + 1]
    ends, halo = localised(first, stop - first, held["columns"])
    columns = np.concatenate([new, values_at(plan, "new", firsts, halo)])[ends]
    rows = np.repeat(new, np.diff(held["starts"]))
    names = read_names(plan.stage("part", part))
    for block in range(plan.parts):
        mine = (rows >= cuts[block]) & (rows < cuts[block + 1])
        save_arrays(
            plan.stage("final", part, block), rows=rows[mine], columns=columns[mine],
            weights=held["weights"][mine],
        )  # fmt: skip
        here = (new >= cuts[block]) & (new < cuts[block + 1])
        write_names(plan.stage("named", part, block), names[here])
        save_array(plan.stage("coded", part, block), new[here])
    write_codes(codes_file(plan.graph, part), names, new)
    return digest_of(codes_file(plan.graph, part))


def gather_rows(block: int, plan: ReadingPlan, cuts: list[int], weighted: bool) -> dict[str, Any]:
    """Write the rows of a new block with local numbers, its names and its own components."""
    held = [load_arrays(plan.stage("final", part, block)) for part in range(plan.parts)]
    rows, columns, weights = (
        np.concatenate([each[name] for each in held]) for name in ("rows", "columns", "weights")
    )
    order = np.lexsort((columns, rows))
    first, size = cuts[block], cuts[block + 1] - cuts[block]
    counts = np.bincount(rows - first, minlength=size)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    ends, halo = localised(first, size, columns[order])
    kept = {"weights": weights[order]} if weighted else {}
    save_arrays(plan.stage("block", block), starts=starts, ends=ends, halo=halo, **kept)
    labels, at_halo = _own_components(first, starts, ends, len(halo))
    save_array(plan.stage("local", block), labels)
    save_array(plan.stage("touched", block), at_halo)
    codes = [np.load(plan.stage("coded", part, block)) for part in range(plan.parts)]
    lists = [read_names(plan.stage("named", part, block)) for part in range(plan.parts)]
    text = any(each.dtype == object and len(each) for each in lists)
    names = np.empty(size, dtype=object if text else np.int64)
    for code, each in zip(codes, lists, strict=True):
        names[code - first] = each
    write_names(names_file(plan.graph, block), names)
    return {
        "entries": len(ends),
        "halo": len(halo),
        "names": digest_of(names_file(plan.graph, block)),
    }


def _own_components(
    first: int, starts: NDArray[np.int64], ends: NDArray[np.int32], halo: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for each row and each halo node, the smallest row of its component in the block."""
    rows = len(starts) - 1
    whole = np.concatenate([starts, np.full(halo, starts[-1])])
    shape = (rows + halo, rows + halo)
    matrix = sparse.csr_array((np.ones(len(ends), dtype=np.int8), ends, whole), shape=shape)
    count, found = csgraph.connected_components(matrix, directed=False)
    least = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(least, found[:rows], np.arange(first, first + rows))
    return least[found[:rows]], least[found[rows:]]


def join_components(block: int, plan: ReadingPlan, cuts: list[int]) -> int:
    """Write which components of a block belong together with those of other blocks."""
    halo = load_arrays(plan.stage("block", block))["halo"]
    pairs = np.stack([np.load(plan.stage("touched", block)), values_at(plan, "local", cuts, halo)])
    save_array(plan.stage("joins", block), np.unique(pairs, axis=1))
    return int(pairs.shape[1])


def merge_components(_: int, plan: ReadingPlan) -> int:
    """Merge the components that belong together across all blocks."""
    pairs = np.hstack([np.load(plan.stage("joins", block)) for block in range(plan.parts)])
    known, places = np.unique(pairs, return_inverse=True)
    left, right = places.reshape(pairs.shape)
    shape = (len(known), len(known))
    matrix = sparse.coo_array((np.ones(len(left), dtype=np.int8), (left, right)), shape=shape)
    count, found = csgraph.connected_components(matrix.tocsr(), directed=False)
    least = np.full(count, np.iinfo(np.int64).max)
    np.minimum.at(least, found, known)
    save_arrays(plan.stage("merged"), known=known, least=least[found])
    return int(count)


def write_final(block: int, plan: ReadingPlan, cuts: list[int]) -> dict[str, Any]:
    """Write a block of the graph; return its hash, and the sizes of its components."""
    held = load_arrays(plan.stage("block", block))
    mapping = load_arrays(plan.stage("merged"))
    own = np.load(plan.stage("local", block))
    components = own.copy()
    if len(mapping["known"]):
        at = np.searchsorted(mapping["known"], own).clip(max=len(mapping["known"]) - 1)
        there = mapping["known"][at] == own
        components[there] = mapping["least"][at[there]]
    weights = slim_weights(held["weights"]) if "weights" in held else None
    first = cuts[block]
    digest = write_block(
        plan.graph, block,
        RowBlock(first, held["starts"], held["ends"], held["halo"], weights, components),
    )  # fmt: skip
    begun = int((components == np.arange(first, first + len(own))).sum())
    shared, counts = np.unique(components, return_counts=True)
    spread = np.isin(shared, mapping["least"])
    alone = int(counts[~spread].max(initial=0))
    sizes = {
        str(node): int(count) for node, count in zip(shared[spread], counts[spread], strict=True)
    }
    return {"hash": digest, "components": begun, "alone": alone, "sizes": sizes}
