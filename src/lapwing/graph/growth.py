"""Changes to a graph: new edge weights and the new number of nodes.

A graph is immutable, so a change makes a new one. Small changes are only recorded; the matrix is
built when it is first read, in one pass that copies the unchanged parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from lapwing.graph.construction import Notes
from lapwing.graph.patching import patched
from lapwing.types import Array, Nodes

_ENOUGH = 1_000
_SHARE = 0.01


@dataclass(frozen=True, slots=True)
class Change:
    """The edges that differ, each once with the smaller end first, and the new number of nodes.

    `weights` holds the new weight of each edge, 0 if it is removed.
    """

    n_nodes: int
    sources: Nodes
    targets: Nodes
    weights: Array

    def __len__(self) -> int:
        return len(self.sources)

    @classmethod
    def joined(cls, changes: Sequence[Change]) -> Change:
        """Combine several successive changes into one; the last weight of each edge counts."""
        if len(changes) == 1:
            return changes[0]
        sources = np.concatenate([change.sources for change in changes])
        targets = np.concatenate([change.targets for change in changes])
        weights = np.concatenate([change.weights for change in changes])
        order = np.argsort(_keys(sources, targets, changes[-1].n_nodes), kind="stable")
        sources, targets, weights = sources[order], targets[order], weights[order]
        last = np.ones(len(sources), dtype=bool)
        last[:-1] = (sources[1:] != sources[:-1]) | (targets[1:] != targets[:-1])
        return cls(changes[-1].n_nodes, sources[last], targets[last], weights[last])


class Overlay:
    """Changes recorded on top of one matrix and shared by the graphs made from it one by one.

    The graph after the first `count` changes is the matrix with those changes applied, whatever was
    recorded later. Only the newest graph adds to an overlay; any other graph starts its own. An
    overlay that replaces a full one keeps the changes of that one in `past`, by its `key`.

    Examples
    --------
    >>> overlay = Overlay(sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]])))
    >>> overlay.write(Change(3, np.array([1]), np.array([2]), np.array([5.0])))
    1
    >>> overlay.weight(1, 2), overlay.matrix(0).shape, overlay.matrix(1).nnz
    (5.0, (2, 2), 4)
    """

    def __init__(
        self, base: sparse.csr_array, past: tuple[object, list[Change]] | None = None
    ) -> None:
        self.base, self.past, self.key = base, past, object()
        self.log: list[Change] = []
        self._latest: dict[tuple[int, int], float] = {}

    def is_full(self, more: int) -> bool:
        """Whether so much has changed that building a new matrix is the cheaper choice."""
        return are_many_changes(len(self._latest) + more, self.base.nnz // 2)

    def weight(self, u: int, v: int) -> float:
        """Return the weight of an edge after all changes, 0 if it does not exist."""
        return float(self.weights(np.array([min(u, v)]), np.array([max(u, v)]))[0])

    def weights(self, low: Nodes, high: Nodes) -> Array:
        """Return the weights of several edges, smaller ends first, after all changes."""
        base = self.base
        found: Array = _weights(base.indptr, base.indices, base.data, low, high)
        if self._latest:
            pairs = zip(low.tolist(), high.tolist(), strict=True)
            found = np.array([self._latest.get(p, w) for p, w in zip(pairs, found, strict=True)])
        return found

    def write(self, change: Change) -> int:
        """Record one more change and return the number of changes."""
        self.log.append(change)
        pairs = zip(change.sources.tolist(), change.targets.tolist(), strict=True)
        self._latest.update(zip(pairs, change.weights.tolist(), strict=True))
        return len(self.log)

    def log_since(self, earlier: Overlay, since: int, count: int) -> list[Change] | None:
        """Return the changes from one graph to a later one; None if they are not recorded."""
        if earlier is self and since <= count:
            return self.log[since:count]
        if self.past is not None and self.past[0] is earlier.key:
            return self.past[1][since:] + self.log[:count]
        return None

    def matrix(self, count: int) -> sparse.csr_array:
        """Return the matrix after the first `count` changes."""
        return self.base if count == 0 else changed(self.base, Change.joined(self.log[:count]))


def are_many_changes(changes: int, n_edges: int) -> bool:
    """Whether so many edges change that it is cheaper to build a new matrix than to record them.

    Examples
    --------
    >>> are_many_changes(900, 3_000), are_many_changes(2_000, 3_000)
    (False, True)
    >>> are_many_changes(2_000, 5_000_000)
    False
    """
    return changes > max(_ENOUGH, int(_SHARE * n_edges))


def new_weights(
    overlay: Overlay, n_nodes: int, edges: tuple[Nodes, Nodes, Array], parallel: str
) -> tuple[Change, Notes]:
    """Return the new weights of added edges; `parallel` says how to treat existing ones.

    Examples
    --------
    >>> overlay = Overlay(sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]])))
    >>> edges = np.array([1, 0, 1]), np.array([0, 2, 1]), np.array([2.0, 1.0, 1.0])
    >>> change, notes = new_weights(overlay, 3, edges, "sum")
    >>> change.weights, str(notes)
    (array([3., 1.]), '1 self-loops dropped')
    """
    sources, targets, weights = edges
    loops, zeros = sources == targets, weights == 0.0
    kept = ~(loops | zeros)
    low, high = np.minimum(sources, targets)[kept], np.maximum(sources, targets)[kept]
    order = np.argsort(_keys(low, high, n_nodes), kind="stable")
    low, high, weights = low[order], high[order], weights[kept][order]
    first = np.ones(len(low), dtype=bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    starts = np.flatnonzero(first)
    low, high = low[starts], high[starts]
    if len(starts) and parallel == "replace":
        weights = weights[np.append(starts[1:], len(weights)) - 1]
    elif len(starts):
        join = np.add if parallel == "sum" else np.maximum
        weights = join(join.reduceat(weights, starts), overlay.weights(low, high))
    merged = int(kept.sum()) - len(low)
    notes = Notes(int((loops & ~zeros).sum()), merged, int(zeros.sum()))
    return Change(n_nodes, low, high, weights), notes


def changed(adjacency: sparse.csr_array, change: Change) -> sparse.csr_array:
    """Return the matrix with a change applied, in one pass; only the change is sorted.

    Examples
    --------
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> more = Change(4, np.array([0, 2]), np.array([1, 3]), np.array([0.0, 2.0]))
    >>> changed(path, more).toarray()
    array([[0., 0., 0., 0.],
           [0., 0., 1., 0.],
           [0., 1., 0., 2.],
           [0., 0., 2., 0.]])
    """
    rows = np.concatenate([change.sources, change.targets]).astype(np.int64)
    cols = np.concatenate([change.targets, change.sources]).astype(np.int64)
    order = np.argsort(_keys(rows, cols, change.n_nodes))
    values = np.concatenate([change.weights, change.weights])[order]
    return patched(adjacency, change.n_nodes, (rows[order], cols[order], values))


def difference(old: sparse.csr_array, new: sparse.csr_array) -> Change:
    """Return the changes that turn one matrix into another with at least as many nodes.

    Examples
    --------
    >>> old = sparse.csr_array(np.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> difference(old, sparse.csr_array(3 * old)).weights
    array([3.])
    """
    n = new.shape[0]
    before = sparse.csr_array(old, copy=True)
    before.resize((n, n))
    gap = sparse.coo_array(sparse.triu(new - before, 1))
    rows, cols = (ends.astype(np.intp) for ends in gap.coords)
    differ = gap.data != 0
    rows, cols = rows[differ], cols[differ]
    weights = np.asarray(new[rows, cols]) if len(rows) else np.empty(0)
    return Change(n, rows, cols, weights)


def weights_before(adjacency: sparse.csr_array, change: Change) -> Array:
    """Return the weights that changed edges have in an earlier matrix.

    Examples
    --------
    >>> old = sparse.csr_array(np.array([[0.0, 2.0], [2.0, 0.0]]))
    >>> ends = np.array([0, 1]), np.array([1, 2])
    >>> weights_before(old, Change(3, *ends, np.array([5.0, 1.0])))
    array([2., 0.])
    """
    data = (adjacency.indptr, adjacency.indices, adjacency.data)
    found: Array = _weights(*data, change.sources, change.targets)
    return found


@njit(cache=True, nogil=True)
def _weights(
    indptr: Nodes, indices: NDArray[np.int32], data: Array, rows: Nodes, cols: Nodes
) -> Array:
    found = np.zeros(len(rows))
    for k in range(len(rows)):
        if rows[k] < len(indptr) - 1:
            start, stop = indptr[rows[k]], indptr[rows[k] + 1]
            at = start + np.searchsorted(indices[start:stop], cols[k])
            if at < stop and indices[at] == cols[k]:
                found[k] = data[at]
    return found


def _keys(sources: Nodes, targets: Nodes, n_nodes: int) -> NDArray[np.int64]:
    """Return a number per pair that sorts pairs by source, then by target."""
    keys: NDArray[np.int64] = sources * np.int64(n_nodes) + targets
    return keys
