"""Read edges given as lists of pairs or triples, as arrays or as columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import repeat
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import GraphError
from lapwing.graph.names import Names, factorised
from lapwing.types import Array, Nodes


def endpoints_of(
    edges: Any, weights: Any, names: Iterable[Hashable] | None
) -> tuple[Nodes, Nodes, Array | None, Names]:
    """Return the index arrays of both ends, the weights if any, and the node names."""
    sources, targets, inline = _columns(edges)
    if inline is not None and weights is not None:
        raise GraphError("weights must be given once, in the triples or in `weights`, got both")
    found = _as_weights(inline if weights is None else weights, len(sources))
    if names is None:
        codes, known = factorised(_one_after_the_other(sources, targets))
    else:
        known = Names(names)
        codes = _looked_up(_one_after_the_other(sources, targets), known)
    return codes[0::2], codes[1::2], found, known


def endpoints_in(
    edges: Any, weights: Any, names: Names, *, may_grow: bool
) -> tuple[Nodes, Nodes, Array | None, Names]:
    """Return the index arrays of both ends, the weights if any, and the extended names."""
    sources, targets, inline = _columns(edges)
    if inline is not None and weights is not None:
        raise GraphError("weights must be given once, in the triples or in `weights`, got both")
    found = _as_weights(inline if weights is None else weights, len(sources))
    ends = _one_after_the_other(sources, targets)
    if may_grow:
        codes, names = _looked_up_or_new(ends, names)
    else:
        codes = _looked_up(ends, names)
    return codes[0::2], codes[1::2], found, names


def _looked_up_or_new(ends: NDArray[Any], names: Names) -> tuple[Nodes, Names]:
    """Look up ends by name; names that are not there yet are added."""
    if _are_positions(ends, names):
        if names.are_positions:
            outside = ends[(ends < 0) | (ends >= len(names))]
            names = names.grown(list(dict.fromkeys(outside.tolist()))) if len(outside) else names
        return _looked_up(ends, names), names
    codes = _places(ends, names)
    missing = np.flatnonzero(codes < 0)
    if len(missing):
        names = names.grown(list(dict.fromkeys(ends[missing].tolist())))
        codes[missing] = _places(ends[missing], names)
    return codes, names


def _one_after_the_other(sources: NDArray[Any], targets: NDArray[Any]) -> NDArray[Any]:
    """Return the ends edge by edge, so that names are in order of appearance."""
    return np.stack([sources, targets], axis=1).ravel()


def _columns(edges: Any) -> tuple[NDArray[Any], NDArray[Any], Any]:
    if isinstance(edges, np.ndarray):
        if edges.size == 0:
            return np.empty(0, np.intp), np.empty(0, np.intp), None
        if edges.ndim != 2 or edges.shape[1] != 2:
            raise GraphError(f"an array of edges must have shape (m, 2), got {edges.shape}")
        return edges[:, 0], edges[:, 1], None
    if isinstance(edges, tuple) and all(isinstance(ends, np.ndarray) for ends in edges):
        return _parallel_columns(edges)
    try:
        rows = list(edges)
    except TypeError:
        raise GraphError(f"edges must be a list of pairs, got {edges!r:.80}") from None
    if not rows:
        return np.empty(0, np.intp), np.empty(0, np.intp), None
    plain = set(map(type, rows)) <= {tuple, list}
    widths = list(map(len, rows)) if plain else list(map(_width, rows))
    if widths[0] not in (2, 3) or set(widths) != {widths[0]}:
        wrong = next(
            i for i, width in enumerate(widths) if width not in (2, 3) or width != widths[0]
        )
        raise GraphError(
            f"edges must be pairs, or all be triples with a weight, edge {wrong} is {rows[wrong]!r}"
        )
    columns = [list(map(itemgetter(i), rows)) for i in range(widths[0])]
    return column(columns[0]), column(columns[1]), columns[2] if len(columns) == 3 else None


def _width(row: Any) -> int:
    return len(row) if isinstance(row, tuple | list | np.ndarray) else 0


def _parallel_columns(columns: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], NDArray[Any], None]:
    if len(columns) != 2 or columns[0].shape != columns[1].shape or columns[0].ndim != 1:
        shapes = ", ".join(str(c.shape) for c in columns)
        raise GraphError(f"edges as arrays must be two columns of the same length, got {shapes}")
    return columns[0], columns[1], None


def column(values: Any) -> NDArray[Any]:
    """Return a 1-d array of names: integers as an integer array, anything else as objects.

    Examples
    --------
    >>> column(["a", 1]).tolist(), column([3, 4]).dtype.kind
    (['a', 1], 'i')
    """
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return values
    values = list(values)
    if values and all(type(v) is int or isinstance(v, np.integer) for v in values):
        return np.array(values)
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _as_weights(weights: Any, n_edges: int) -> Array | None:
    if weights is None:
        return None
    try:
        array = np.asarray(weights, dtype=np.float64).ravel()
    except (TypeError, ValueError) as wrong:
        raise GraphError(f"edge weights must be numbers: {wrong}") from None
    if len(array) != n_edges:
        raise GraphError(f"{n_edges} edges need {n_edges} weights, got {len(array)}")
    return array


def _looked_up(endpoints: NDArray[Any], names: Names) -> Nodes:
    """Look up endpoints by name; integers are positions if no name is an integer."""
    if not _are_positions(endpoints, names):
        codes = _places(endpoints, names)
        if len(codes) and codes.min() < 0:
            missing = endpoints[np.argmin(codes)]
            raise GraphError(f"edges must join nodes in names, {missing!r} is not one")
        return codes
    if endpoints.size and (endpoints.min() < 0 or endpoints.max() >= len(names)):
        bad = endpoints[(endpoints < 0) | (endpoints >= len(names))][0]
        raise GraphError(f"edges must join nodes in 0..{len(names) - 1}, got {bad}")
    return endpoints.astype(np.intp)


def _places(endpoints: NDArray[Any], names: Names) -> Nodes:
    """Return the index of each name, -1 where there is none."""
    place = names.positions().get
    try:
        found = map(place, endpoints.tolist(), repeat(-1))
        return np.fromiter(found, dtype=np.intp, count=len(endpoints))
    except TypeError as unhashable:
        raise GraphError(f"names of nodes must be hashable: {unhashable}") from None


def _are_positions(endpoints: NDArray[Any], names: Names) -> bool:
    """Whether integers are positions: no name is an integer, or each is its own index."""
    return endpoints.dtype.kind in "iu" and (
        names.are_positions or not any(isinstance(name, int | np.integer) for name in names)
    )
