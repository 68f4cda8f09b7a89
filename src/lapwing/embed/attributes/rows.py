"""Unit rows from a node table: one per node, cached by content."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.embed.attributes.features import Features, features_of, in_range
from lapwing.embed.attributes.kinds import ColumnUse, column_uses, uses_in_words
from lapwing.embed.cache import default_cache
from lapwing.graph import Graph, NodeTable
from lapwing.linalg.chebyshev import diffused
from lapwing.optional import need
from lapwing.types import Mask

DIMENSIONS = 128
"""More features than this are reduced by a truncated singular value decomposition."""
CACHED_ABOVE = 1_000
"""Rows of fewer nodes are made in less time than a file takes."""
ALPHA, TOLERANCE = 0.9, 0.01
"""How far attributes spread over the edges, and the relative error that is allowed."""

Rows32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class AttributeRows:
    """One unit row per node from its attributes; zeros for a node that has none.

    `rows` are ``features.matrix @ directions``, each divided by its length. `uses` says which
    columns were used and how, `str` says it in words.

    Examples
    --------
    >>> table = NodeTable({"title": ["red fox", "red hen", None]}, 3)
    >>> found = attribute_rows(table)
    >>> str(found), found.told.tolist(), float(found.rows[0] @ found.rows[1])
    ('title as text', [True, True, False], 0.366)
    """

    table: NodeTable
    uses: Mapping[str, ColumnUse]
    rows: Rows32
    directions: Rows32

    @cached_property
    def features(self) -> Features:
        """The features that the rows were made of, made again when asked for."""
        return features_of(self.table, self.uses)

    @cached_property
    def told(self) -> Mask:
        """Which nodes have attributes."""
        return np.asarray(self.rows.any(axis=1))

    @property
    def width(self) -> int:
        """Return the number of columns; 0 if no attribute is used."""
        return int(self.rows.shape[1])

    def __str__(self) -> str:
        return uses_in_words(self.uses)


def attribute_rows(
    table: NodeTable,
    *,
    use: Sequence[str] | None = None,
    text: Sequence[str] = (),
    vectors: Sequence[str] = (),
) -> AttributeRows:
    """Turn a node table into unit rows of at most 128 columns.

    Columns are used as `column_uses` says and become `features_of`; more than 128 features are
    reduced by truncated SVD (randomised, with a fixed seed on the side of the features, so that the
    order of nodes does not matter). Rows of more than 1,000 nodes are cached on disk by the
    columns' content.

    Examples
    --------
    >>> attribute_rows(NodeTable({"x": [[1.0, 0.0], [-1.0, 0.0]]}, 2)).rows.tolist()
    [[1.0, 0.0], [-1.0, 0.0]]
    """
    uses = column_uses(table, use=use, text=text, vectors=vectors)
    kept = default_cache() if table.n_nodes > CACHED_ABOVE else None
    key = f"attributes 1, {_digest(table, uses)}" if kept else ""
    if kept:
        rows, directions = kept.load(key), kept.load(key + ", directions")
        if rows is not None and directions is not None:
            return AttributeRows(table, uses, _single(rows), _single(directions))
    found = _made(table, uses)
    if kept:
        kept.store(key, found.rows)
        kept.store(key + ", directions", found.directions)
    return found


def diffused_rows(graph: Graph, rows: Rows32, *, alpha: float = ALPHA) -> Rows32:
    r"""Spread rows over the edges and scale them to unit length: what a neighbourhood says.

    Proportional to rows of :math:`(I - \alpha S)^{-1} X` with the normalised adjacency S. An
    isolated node keeps its row.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2)], names=range(4))
    >>> diffused_rows(path, np.eye(4, 2, dtype=np.float32)).round(1).tolist()
    [[0.7, 0.7], [0.5, 0.8], [0.5, 0.8], [0.0, 0.0]]
    """
    if rows.shape[1] == 0 or graph.n_edges == 0:
        return rows
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    right = rows / np.sqrt(degrees / degrees.mean())[:, None].astype(np.float32)
    return _unit(diffused(graph.adjacency, right, alpha=alpha, tol=TOLERANCE))


def _made(table: NodeTable, uses: Mapping[str, ColumnUse]) -> AttributeRows:
    plain = _plain_vectors(table, uses)
    if plain is not None:
        return AttributeRows(table, uses, _centred(plain), np.eye(plain.shape[1], dtype=np.float32))
    features = features_of(table, uses)
    found = AttributeRows(table, uses, *_reduced(features.matrix))
    found.__dict__["features"] = features
    return found


def _plain_vectors(table: NodeTable, uses: Mapping[str, ColumnUse]) -> NDArray[Any] | None:
    """The only column in use, if it holds dense vectors that need not be reduced."""
    used = [name for name, use in uses.items() if use.kind != "unused"]
    if len(used) != 1 or uses[used[0]].kind != "vectors":
        return None
    values = table[used[0]]
    if sparse.issparse(values) or values.dtype.kind not in "fiub":
        return None
    flat = values.reshape(len(values), -1)
    return flat if 0 < flat.shape[1] <= DIMENSIONS else None


def _centred(values: NDArray[Any]) -> Rows32:
    """What `features_of` and `_unit` make of vectors, without a sparse matrix of all of them."""
    values = in_range(values)
    told = np.isfinite(values).all(axis=1)
    mean = values.mean(axis=0, where=told[:, None], dtype=np.float64) if told.any() else 0.0
    rows = np.zeros(values.shape, dtype=np.float32)
    np.subtract(values, mean, out=rows, where=told[:, None], casting="same_kind")
    return _unit(rows)


def _reduced(matrix: sparse.csr_array) -> tuple[Rows32, Rows32]:
    if matrix.shape[1] <= DIMENSIONS:
        return _unit(matrix.toarray()), np.eye(matrix.shape[1], dtype=np.float32)
    svd = need("sklearn.utils.extmath", extra="all").randomized_svd
    count = min(DIMENSIONS, *matrix.shape)
    _, _, right = svd(matrix, count, n_iter=4, transpose=False, random_state=0)
    return _unit(matrix @ right.T), _single(right.T)


def _unit(rows: Any) -> Rows32:
    found = _single(rows)
    length = np.sqrt(np.einsum("ij,ij->i", found, found))
    scaled = _single(found / np.where(length > 0, length, 1.0)[:, None])
    scaled.flags.writeable = False
    return scaled


def _single(values: Any) -> Rows32:
    return np.ascontiguousarray(values, dtype=np.float32)


def _digest(table: NodeTable, uses: Mapping[str, ColumnUse]) -> str:
    """A digest of the used columns: their names, kinds and values."""
    digest = hashlib.sha256()
    for name, use in uses.items():
        if use.kind == "unused":
            continue
        values = table[name]
        digest.update(repr((name, use.kind, values.shape, str(values.dtype))).encode())
        if sparse.issparse(values):
            parts = [values.data, values.indices, values.indptr]
        else:
            parts = [values]
        for part in parts:
            if part.dtype == object:
                digest.update("\0".join(map(repr, part.tolist())).encode())
            else:
                whole = np.ascontiguousarray(part)
                digest.update(whole.data if whole.dtype.kind in "fiub" else whole.tobytes())
    return digest.hexdigest()
