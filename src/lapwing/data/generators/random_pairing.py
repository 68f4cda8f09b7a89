"""Random graphs with given degrees, made by pairing the ends of edges at random."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.types import Mask, Nodes

Ends: TypeAlias = NDArray[np.int32]
_FREE, _GONE = -1, -2
_TRIES = 200


def paired_inside(degrees: Nodes, groups: Nodes, random: np.random.Generator) -> tuple[Ends, Ends]:
    """Draw edges inside each group so that every node has its degree (one less where impossible).

    The nodes of a group need not be consecutive. A group's degrees must have an even sum.

    Examples
    --------
    >>> degrees, groups = np.array([1, 1, 2, 2, 2]), np.array([0, 0, 1, 1, 1])
    >>> paired_inside(degrees, groups, np.random.default_rng(0))[0].shape
    (4,)
    """
    order = np.argsort(groups, kind="stable").astype(np.int32)
    stubs = np.repeat(order, degrees[order])
    ends = np.cumsum(np.bincount(groups, weights=degrees)).astype(np.int64)
    return _paired(stubs, ends, groups, False, random)


def paired_across(degrees: Nodes, groups: Nodes, random: np.random.Generator) -> tuple[Ends, Ends]:
    """Draw edges between different groups so that nodes have their degrees where possible.

    Examples
    --------
    >>> degrees, groups = np.array([1, 1, 1, 1]), np.array([0, 0, 1, 1])
    >>> tails, heads = paired_across(degrees, groups, np.random.default_rng(0))
    >>> bool((groups[tails] != groups[heads]).all()), len(tails)
    (True, 2)
    """
    stubs = np.repeat(np.arange(len(degrees), dtype=np.int32), degrees)
    ends = np.array([len(stubs)], dtype=np.int64)
    return _paired(stubs, ends, groups, True, random)


def _paired(
    stubs: Ends, ends: Nodes, groups: Nodes, across: bool, random: np.random.Generator
) -> tuple[Ends, Ends]:
    seen = np.full(1 << max(4, (3 * len(stubs) // 2).bit_length()), _FREE, dtype=np.int64)
    kept = _pair_runs(stubs, ends, groups.astype(np.int32), across, seen, random)
    return stubs[0 : 2 * kept : 2].copy(), stubs[1 : 2 * kept : 2].copy()


@njit(cache=True)
def _pair_runs(
    stubs: Ends, ends: Nodes, groups: Ends, across: bool, seen: Nodes, random: np.random.Generator
) -> int:
    """Shuffle each run of stubs, pair them, repair bad edges and drop the rest.

    The edges kept end up at the start of `stubs`; their number is returned.
    """
    start = kept = 0
    for end in ends:
        for i in range(end - 1, start, -1):
            j = start + int(random.random() * (i - start + 1))
            stubs[i], stubs[j] = stubs[j], stubs[i]
        run = stubs[start : end - (end - start) % 2].reshape(-1, 2)
        bad = _taken(run, groups, across, seen)
        _mend(run, bad, groups, across, seen, random)
        for e in range(len(run)):
            if not bad[e]:
                stubs[2 * kept], stubs[2 * kept + 1] = run[e]
                kept += 1
        start = end
    return kept


@njit(cache=True)
def _taken(run: Ends, groups: Ends, across: bool, seen: Nodes) -> Mask:
    """Record every valid edge in `seen`, and mark the invalid ones."""
    bad = np.zeros(len(run), dtype=np.bool_)
    for e in range(len(run)):
        a, b = run[e]
        bad[e] = not _may_join(a, b, groups, across, seen)
        if not bad[e]:
            _insert(seen, _key(a, b, len(groups)))
    return bad


@njit(cache=True)
def _mend(
    run: Ends, bad: Mask, groups: Ends, across: bool, seen: Nodes, random: np.random.Generator
) -> None:
    """Swap the heads of a bad edge and a random other one until both are valid."""
    n = len(groups)
    for e in np.flatnonzero(bad):
        for _ in range(_TRIES):
            if not bad[e]:
                break
            f = int(random.random() * len(run))
            (a, b), (c, d) = run[e], run[f]
            if f == e or _key(a, d, n) == _key(c, b, n):
                continue
            if not _may_join(a, d, groups, across, seen):
                continue
            if not _may_join(c, b, groups, across, seen):
                continue
            if not bad[f]:
                seen[_slot(seen, _key(c, d, n))] = _GONE
            _insert(seen, _key(a, d, n))
            _insert(seen, _key(c, b, n))
            run[e, 1], run[f, 1] = d, b
            bad[e] = bad[f] = False


@njit(cache=True)
def _may_join(a: int, b: int, groups: Ends, across: bool, seen: Nodes) -> bool:
    if a == b or (across and groups[a] == groups[b]):
        return False
    return bool(seen[_slot(seen, _key(a, b, len(groups)))] == _FREE)


@njit(cache=True)
def _key(a: int, b: int, n: int) -> int:
    """Return one number per edge, whichever end comes first."""
    return int(np.int64(min(a, b)) * n + max(a, b))


@njit(cache=True)
def _slot(seen: Nodes, key: int) -> int:
    """Return the key's position in the hash set, or the first free one on its way."""
    mask = len(seen) - 1
    mixed = np.uint64(key) * np.uint64(0x9E3779B97F4A7C15)
    slot = np.int64(mixed >> np.uint64(20)) & mask
    while seen[slot] != _FREE and seen[slot] != key:
        slot = (slot + 1) & mask
    return int(slot)


@njit(cache=True)
def _insert(seen: Nodes, key: int) -> None:
    seen[_slot(seen, key)] = key
