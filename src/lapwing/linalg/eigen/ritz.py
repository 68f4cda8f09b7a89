"""Products of many long columns, added up in double precision, and Rayleigh-Ritz."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import linalg

from lapwing.linalg.passes import PaddedColumns
from lapwing.types import Array

CHUNK = 32_768
"""Rows that are added up together in double precision."""


def random_rows(seed: int, first: int, stop: int, wide: int) -> NDArray[np.float32]:
    """Return the rows `first` to `stop` of random columns; a row depends on its number alone.

    Examples
    --------
    >>> bool((random_rows(0, 2, 4, 3) == random_rows(0, 0, 4, 3)[2:]).all())
    True
    """
    found = np.empty((stop - first, wide), dtype=np.float32)
    for chunk in range(first // CHUNK, -(-stop // CHUNK)):
        random = np.random.default_rng([seed, chunk] if chunk else seed)
        low = chunk * CHUNK
        rows = random.standard_normal((min(CHUNK, stop - low), wide), dtype=np.float32)
        begin = max(first, low)
        found[begin - first : low + len(rows) - first] = rows[begin - low :]
    return found


def weighted_squares(columns: PaddedColumns, mass: Array) -> Array:
    """Return the squared length of each column, weighted by rows, added up in double precision."""
    squares = np.zeros(columns.shape[1])
    for rows in chunks(len(mass)):
        squares += mass[rows] @ np.square(columns[rows], dtype=np.float64)
    return squares


def weighted_products(left: PaddedColumns, right: PaddedColumns, mass: Array) -> Array:
    """Return the weighted products of all columns, added up in double precision."""
    total = np.zeros((left.shape[1], right.shape[1]))
    for rows in chunks(len(mass)):
        total += (left[rows] * mass[rows][:, None]).T @ right[rows].astype(np.float64)
    return total


def rotated(
    columns: PaddedColumns, walked: PaddedColumns, mass: Array, mixing: Array, values: Array
) -> Array:
    """Mix the columns in place and return the squared residuals of the new ones."""
    squares, mix = np.zeros(columns.shape[1]), mixing.astype(np.float32)
    for rows in chunks(len(mass)):
        ritz = columns[rows] @ mix
        rest = walked[rows] @ mix - ritz * values.astype(np.float32)
        squares += mass[rows] @ np.square(rest, dtype=np.float64)
        columns[rows] = ritz
    return squares


def chunks(count: int) -> list[slice]:
    """Return the rows that are added up together, one slice after the other."""
    return [slice(first, first + CHUNK) for first in range(0, count, CHUNK)]


def ritz_values(gram: Array, inner: Array) -> tuple[Array, Array]:
    """Solve the small eigenproblem of columns that may nearly depend on each other.

    Signs are fixed: the largest share of a column in its new one is positive.
    """
    lengths, directions = linalg.eigh(gram, check_finite=False)
    kept = lengths > 1e-10 * lengths[-1]
    lengths = np.where(kept, lengths, lengths[-1] * 1e-10)
    basis = directions / np.sqrt(lengths)
    even = (inner + inner.T) / 2.0
    values, mixing = linalg.eigh(basis.T @ even @ basis, check_finite=False)
    mixed = basis @ mixing[:, ::-1]
    largest = np.abs(mixed).argmax(axis=0)
    return values[::-1], mixed * np.sign(mixed[largest, np.arange(len(largest))])
