"""A short summary of a graph."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.graph.construction import Notes
from lapwing.graph.names import Names
from lapwing.types import Nodes

SHOWN_NAMES = 6


def graph_facts(
    adjacency: sparse.csr_array, names: Names, components: Nodes, notes: Notes
) -> list[tuple[str, str]]:
    """Return names and values for display, including the first few node names."""
    n, weights = adjacency.shape[0], adjacency.data
    found = [("nodes", f"{n:,}"), ("edges", f"{adjacency.nnz // 2:,}")]
    if n == 0:
        return found
    counts, sizes = np.diff(adjacency.indptr), np.bincount(components)
    largest = "" if len(sizes) == 1 else f", the largest has {sizes.max():,} nodes"
    found += [
        ("components", f"{len(sizes):,}{largest}"),
        ("neighbours", f"{counts.min()} to {counts.max():,}, median {np.median(counts):g}"),
    ]
    if len(weights) and weights.min() != weights.max():
        found.append(("weights", f"{weights.min():.3g} to {weights.max():.3g}"))
    first = ", ".join(str(names[node]) for node in range(min(n, SHOWN_NAMES)))
    more = ", ..." if n > SHOWN_NAMES else ""
    return [*found, ("names", first + more), ("input", str(notes))]
