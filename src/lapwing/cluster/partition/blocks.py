"""Blocks of CSR rows in plain files that every worker can map into memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.cluster.partition.manifest import BlockEntry, DamagedBlockError, digest_of
from lapwing.types import Array

ARRAYS = ("starts", "ends", "halo", "weights", "components")


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Consecutive rows of the adjacency, with local column numbers.

    Column k below the number of rows is node ``first + k``; the others are those of `halo`, the
    sorted nodes outside of the block that its rows need. `weights` is None if every edge has
    weight 1. `components` holds the smallest node of each row's component.
    """

    first: int
    starts: NDArray[np.int64]
    ends: NDArray[np.int32]
    halo: NDArray[np.int64]
    weights: NDArray[Any] | None
    components: NDArray[np.int64]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @property
    def degrees(self) -> Array:
        """The sum of each row's weights."""
        if self.weights is None:
            return np.diff(self.starts).astype(np.float64)
        return np.asarray(row_sums(self.starts, self.weights))

    @property
    def columns(self) -> NDArray[np.int64]:
        """The columns of all entries as nodes of the whole graph."""
        return np.concatenate([np.arange(self.first, self.first + self.rows), self.halo])[self.ends]


@njit(cache=True, nogil=True)
def row_sums(starts: NDArray[np.int64], weights: NDArray[Any]) -> Array:
    """Return the sum of each row's weights, in double precision.

    Examples
    --------
    >>> row_sums(np.array([0, 2, 2]), np.array([1.0, 0.5]))
    array([1.5, 0. ])
    """
    sums = np.zeros(len(starts) - 1)
    for row in range(len(sums)):
        total = 0.0
        for entry in range(starts[row], starts[row + 1]):
            total += weights[entry]
        sums[row] = total
    return sums


def localised(
    first: int, rows: int, columns: NDArray[Any]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the columns as local numbers, and the halo: the sorted nodes outside of the block.

    Examples
    --------
    >>> localised(2, 2, np.array([3, 0, 2, 7]))
    (array([1, 2, 0, 3], dtype=int32), array([0, 7]))
    """
    inside = (columns >= first) & (columns < first + rows)
    halo = np.unique(columns[~inside]).astype(np.int64)
    local = np.asarray(columns - first, dtype=np.int64)
    local[~inside] = rows + np.searchsorted(halo, columns[~inside])
    return local.astype(np.int32), halo


def block_files(folder: Path, number: int) -> list[Path]:
    """The files of one block, whether they exist or not."""
    return [folder / "blocks" / f"{number:05d}.{name}.npy" for name in ARRAYS]


def write_block(folder: Path, number: int, block: RowBlock) -> str:
    """Write one block and return its hash."""
    files = block_files(folder, number)
    files[0].parent.mkdir(parents=True, exist_ok=True)
    for name, file in zip(ARRAYS, files, strict=True):
        array = getattr(block, name)
        if array is None:
            file.unlink(missing_ok=True)
        else:
            np.save(file, array)
    return digest_of(*files)


def read_block(folder: Path, number: int, entry: BlockEntry, *, mapped: bool = True) -> RowBlock:
    """Open one block, mapped into memory unless not wanted."""
    mode: Any = "r" if mapped and entry.rows else None
    try:
        found = {
            name: np.load(file, mmap_mode=mode if file.stat().st_size > 128 else None)
            for name, file in zip(ARRAYS, block_files(folder, number), strict=True)
            if name != "weights" or file.exists()
        }
        block = RowBlock(entry.first, weights=found.pop("weights", None), **found)
    except (OSError, ValueError, EOFError, TypeError) as wrong:
        raise DamagedBlockError(f"{_named(folder, number)}: cannot be read: {wrong}") from None
    if (block.rows, len(block.ends), len(block.halo)) != (entry.rows, entry.entries, entry.halo):
        raise DamagedBlockError(f"{_named(folder, number)}: its size is not that of the manifest")
    return block


def check_hashes(folder: Path, numbers: Sequence[int], entries: Sequence[BlockEntry]) -> None:
    """Raise for the first of these blocks whose files do not have the manifest's hash."""
    for number in numbers:
        found, said = digest_of(*block_files(folder, number)), entries[number].hash
        if found != said:
            raise DamagedBlockError(
                f"{_named(folder, number)}: is damaged: its hash must be {said[:12]}, "
                f"got {found[:12]}; convert the graph again, or copy this block from a good copy"
            )


def _named(folder: Path, number: int) -> str:
    return f"{folder}: block {number} (blocks/{number:05d}.*)"
