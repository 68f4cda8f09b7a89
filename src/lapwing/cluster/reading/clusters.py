"""The order of a graph that no machine holds: clusters by label propagation, block by block."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.cluster.partition.blocks import localised
from lapwing.cluster.partition.order import FINER, ROUNDS, cluster_round, neighbourly_order
from lapwing.cluster.reading.plan import ReadingPlan, load_arrays, save_array, save_arrays


def values_at(
    plan: ReadingPlan, kind: str, firsts: list[int], nodes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the values of some nodes, from the blocks' files of that kind; nodes are sorted."""
    found = np.empty(len(nodes), dtype=np.int64)
    cuts = np.searchsorted(nodes, firsts)
    for part in range(plan.parts):
        mine = slice(cuts[part], cuts[part + 1])
        if cuts[part + 1] > cuts[part]:
            held = np.load(plan.stage(kind, part), mmap_mode="r")
            found[mine] = held[nodes[mine] - firsts[part]]
    return found


def move_labels(part: int, plan: ReadingPlan, firsts: list[int], turn: int) -> int:
    """One round of label propagation on a block's rows; return how many nodes moved."""
    held = load_arrays(plan.stage("rows", part))
    first, stop = firsts[part], firsts[part + 1]
    ends, halo = localised(first, stop - first, held["columns"])
    nodes = np.concatenate([np.arange(first, stop), halo])
    if turn == 0:
        labels = nodes.copy()
    else:
        own = np.load(plan.stage(f"labels{turn - 1}", part))
        labels = np.concatenate([own, values_at(plan, f"labels{turn - 1}", firsts, halo)])
    known, local = np.unique(labels, return_inverse=True)
    local = local.astype(np.int64)
    volumes = np.bincount(local, minlength=len(known))
    sizes = np.ones(len(nodes), dtype=np.int64)
    limit = max(firsts[-1] // (FINER * plan.parts), 3)
    moved = cluster_round(held["starts"], ends, held["weights"], sizes, local, volumes, limit, 0)
    save_array(plan.stage(f"labels{turn}", part), known[local[: stop - first]])
    return int(moved)


def cluster_pairs(part: int, plan: ReadingPlan, firsts: list[int]) -> int:
    """Write the weights between the clusters of a block's rows and all others, and their sizes."""
    held = load_arrays(plan.stage("rows", part))
    first, stop = firsts[part], firsts[part + 1]
    kind = f"labels{ROUNDS - 1}"
    own = np.load(plan.stage(kind, part))
    ends, halo = localised(first, stop - first, held["columns"])
    labels = np.concatenate([own, values_at(plan, kind, firsts, halo)])
    known, local = np.unique(labels, return_inverse=True)
    rows = np.repeat(local[: stop - first], np.diff(held["starts"]))
    shape = (len(known), len(known))
    coarse = sparse.coo_array((held["weights"], (rows, local[ends])), shape=shape).tocsr().tocoo()
    between = coarse.coords[0] != coarse.coords[1]
    costs = np.bincount(local[: stop - first], np.diff(held["starts"]) + 4, minlength=len(known))
    save_arrays(
        plan.stage("pairs", part), rows=known[coarse.coords[0][between]],
        columns=known[coarse.coords[1][between]], weights=coarse.data[between],
        labels=known, sizes=np.bincount(local[: stop - first], minlength=len(known)), costs=costs,
    )  # fmt: skip
    return len(known)


def order_clusters(_: int, plan: ReadingPlan, firsts: list[int]) -> list[int]:
    """Order the graph of clusters; write each block the new place of its clusters' first nodes.

    Returns where the nodes in their new order are cut into blocks. The graph of clusters is the
    only thing in a conversion that one worker holds as a whole.
    """
    held = [load_arrays(plan.stage("pairs", part)) for part in range(plan.parts)]
    labels = np.unique(np.concatenate([each["labels"] for each in held]))
    sizes, costs = np.zeros(len(labels), dtype=np.int64), np.zeros(len(labels))
    for each in held:
        at = np.searchsorted(labels, each["labels"])
        sizes[at] += each["sizes"]
        costs[at] += each["costs"]
    ends = [
        np.searchsorted(labels, np.concatenate([each[name] for each in held]))
        for name in ("rows", "columns")
    ]
    weights = np.concatenate([each["weights"] for each in held])
    shape = (len(labels), len(labels))
    coarse = sparse.csr_array(sparse.coo_array((weights, (ends[0], ends[1])), shape=shape))
    order = neighbourly_order(coarse, plan.parts, sizes)
    places = np.empty(len(labels), dtype=np.int64)
    places[order] = np.concatenate([[0], np.cumsum(sizes[order])[:-1]])
    for part, each in enumerate(held):
        at = np.searchsorted(labels, each["labels"])
        save_arrays(plan.stage("places", part), labels=each["labels"], places=places[at].copy())
        places[at] += each["sizes"]
    total = np.concatenate([[0], np.cumsum(costs[order])])
    nodes = np.concatenate([[0], np.cumsum(sizes[order])])
    cuts = np.interp(np.linspace(0, total[-1], plan.parts + 1), total, nodes).astype(np.int64)
    cuts[-1] = firsts[-1]
    found: list[int] = cuts.tolist()
    return found


def renumber_nodes(part: int, plan: ReadingPlan) -> int:
    """Write the new number of each node of a block: the clusters one after the other."""
    own = np.load(plan.stage(f"labels{ROUNDS - 1}", part))
    held = load_arrays(plan.stage("places", part))
    at = np.searchsorted(held["labels"], own)
    order = np.argsort(at, kind="stable")
    starts = np.searchsorted(at[order], np.arange(len(held["labels"])))
    new = np.empty(len(own), dtype=np.int64)
    new[order] = held["places"][at[order]] + np.arange(len(own)) - starts[at[order]]
    save_array(plan.stage("new", part), new)
    return len(new)
