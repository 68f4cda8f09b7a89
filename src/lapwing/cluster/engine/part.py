"""Some consecutive rows of a partitioned graph, and the columns of numbers that belong to them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.cluster.engine.messages import Messages, add_changes, is_of_changes
from lapwing.cluster.partition.blocks import RowBlock
from lapwing.cluster.partition.manifest import BlockEntry
from lapwing.linalg.chebyshev import Factors
from lapwing.linalg.passes import Passes, in_lines
from lapwing.types import Array

NumberKind = type[np.floating[Any]]
STRETCH = 50_000
"""Rows that are copied at once."""


class Step(NamedTuple):
    """One pass over the edges: ``a P now + b now + c old + e right`` replaces the columns `old`.

    `right` is a fact: rows that it does not hold are 0. With `pins`, the rows that a fact of that
    name holds are set back afterwards. `settles` says that the columns change less and less from
    pass to pass, so that workers may send each other changes in 16 bits.
    """

    now: str
    old: str
    factors: Factors
    right: str | None = None
    pins: str | None = None
    settles: bool = False


class GraphPart(ABC):
    """Consecutive rows: their degrees and components, and named columns that can be changed.

    A work, the unit of everything that is not a pass, is a function of a part and arguments.
    `facts` are small tables by name: nodes of the part, and a row of values for each.
    """

    def __init__(self, blocks: Sequence[tuple[int, BlockEntry]], total: int) -> None:
        self.numbers = [number for number, _ in blocks]
        self.first = blocks[0][1].first if blocks else 0
        self.stop = blocks[-1][1].stop if blocks else 0
        self.n_nodes = total
        self._entries = [entry for _, entry in blocks]
        self.facts: dict[str, tuple[NDArray[np.int64], NDArray[Any]]] = {}

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self.stop - self.first

    @property
    @abstractmethod
    def degrees(self) -> Array:
        """The sum of each row's weights."""

    @property
    @abstractmethod
    def components(self) -> NDArray[np.int64]:
        """The smallest node of each row's component."""

    @property
    @abstractmethod
    def matrix(self) -> RowBlock:
        """The rows themselves."""

    @abstractmethod
    def make(
        self, name: str, width: int, kind: NumberKind = np.float32, *, walks: bool = True
    ) -> None:
        """Make columns of zeros; `walks` says that passes read them, and so need their halo."""

    @abstractmethod
    def __getitem__(self, name: str) -> NDArray[Any]:
        """The columns of that name, one row per node; they can be changed in place."""

    @abstractmethod
    def drop(self, *names: str) -> None:
        """Give up columns that are no longer needed."""

    def inside(self, nodes: NDArray[np.int64]) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
        """Return which of the nodes lie in this part, and their rows."""
        mine = np.flatnonzero((nodes >= self.first) & (nodes < self.stop))
        return mine, nodes[mine] - self.first

    def by_block(self) -> Iterator[tuple[int, slice]]:
        """Yield the number of each block and its rows within the part."""
        for number, entry in zip(self.numbers, self._entries, strict=True):
            yield number, slice(entry.first - self.first, entry.stop - self.first)

    def stretches(self) -> Iterator[slice]:
        """Yield rows of the part, few enough that a copy of them takes little memory."""
        for low in range(0, self.rows, STRETCH):
            yield slice(low, min(low + STRETCH, self.rows))

    def complete(self, step: Step) -> None:
        """Add what is on the right, and set the pinned rows back to their values."""
        rows = self[step.old]
        if step.right is not None:
            nodes, values = self.facts[step.right]
            rows[nodes - self.first] += rows.dtype.type(step.factors.e) * values
        if step.pins is not None:
            nodes, values = self.facts[step.pins]
            rows[nodes - self.first] = values


Work = Callable[..., NDArray[Any] | None]
"""A function of a `GraphPart` and more arguments; what it returns is added up over all parts."""


class HeldPart(GraphPart):
    """A part in memory: some blocks joined into one matrix, its columns with room for the halo."""

    def __init__(
        self, blocks: Sequence[tuple[int, BlockEntry]], total: int, read: Callable[[int], RowBlock]
    ) -> None:
        super().__init__(blocks, total)
        self._read = read
        self._block = self._joined()
        self._halo_rows, self._slim = len(self._block.halo), False
        self._degrees = None if self._block.weights is None else self._block.degrees
        self._columns: dict[str, tuple[NDArray[Any], int, bool]] = {}
        self._passes: dict[NumberKind, Passes] = {}

    @property
    def degrees(self) -> Array:
        return self._block.degrees if self._degrees is None else self._degrees

    @property
    def components(self) -> NDArray[np.int64]:
        return self._block.components

    @property
    def matrix(self) -> RowBlock:
        if self._slim:
            self._block, self._slim = self._joined(), False
        return self._block

    def _joined(self) -> RowBlock:
        return joined_blocks([self._read(number) for number in self.numbers], self.first, self.rows)

    def make(
        self, name: str, width: int, kind: NumberKind = np.float32, *, walks: bool = True
    ) -> None:
        rows = self.rows + self._halo_rows * walks
        self._columns[name] = (in_lines((rows, width), kind), width, walks)

    def __getitem__(self, name: str) -> NDArray[Any]:
        array, width, _ = self._columns[name]
        return array[: self.rows, :width]

    def drop(self, *names: str) -> None:
        for name in names:
            self._columns.pop(name, None)

    def shapes(self) -> list[tuple[str, int, str, bool]]:
        """The name, width, type and use of all columns."""
        return [
            (name, width, array.dtype.name, walks)
            for name, (array, width, walks) in self._columns.items()
        ]

    def message(self, step: Step, rows: Messages, *, goes_on: bool) -> NDArray[Any]:
        """Return the rows that another share needs for a pass, or how they have changed.

        If a pass goes on, the other share has what it needed for the one before, in `step.old`.
        """
        now, width, _ = self._columns[step.now]
        if step.settles and goes_on and now.dtype == np.float32:
            return rows.changes(now, self._columns[step.old][0], width)
        return rows.whole(now, width)

    def receive(self, step: Step, first: int, message: NDArray[Any]) -> None:
        """Store the halo's rows from `first` on, as another share's message says."""
        now, width, _ = self._columns[step.now]
        begin = self.rows + first
        if is_of_changes(message):
            add_changes(now, self._columns[step.old][0], begin, message)
        else:
            now[begin : begin + len(message), :width] = message

    def step(self, step: Step) -> None:
        """Do one pass; the halo of the columns `now` has been received."""
        now, old = self._columns[step.now][0], self._columns[step.old][0]
        kind = now.dtype.type
        if kind not in self._passes:
            self._passes.clear()
            self._passes[kind] = passes_over(self.matrix, self._degrees, kind)
            self._slim_down()
        self._passes[kind].step(now, old, **step.factors._asdict())
        self.complete(step)

    def _slim_down(self) -> None:
        """Give up what passes do not need, or have a copy of; `matrix` reads it again."""
        none = np.empty(0, dtype=np.int64)
        self._block, self._slim = replace(self._block, halo=none, weights=None), True


def passes_over(block: RowBlock, degrees: Array | None, kind: NumberKind) -> Passes:
    """Return the passes over a block's rows; without weights, degrees are not needed."""
    return Passes.of_rows(block.starts, block.ends, block.weights, degrees, kind)


def joined_blocks(blocks: Sequence[RowBlock], first: int, rows: int) -> RowBlock:
    """Join consecutive blocks into one: a row outside of one block can be inside of another.

    Examples
    --------
    Rows 0 and 1 of the path 0 - 1 - 2:

    >>> zero, next, both = np.array([0]), np.array([1], np.int32), np.array([1, 2], np.int32)
    >>> one = RowBlock(0, np.array([0, 1]), next, np.array([1]), None, zero)
    >>> two = RowBlock(1, np.array([0, 2]), both, np.array([0, 2]), None, zero)
    >>> whole = joined_blocks([one, two], 0, 2)
    >>> whole.ends, whole.halo
    (array([1, 0, 2], dtype=int32), array([2]))
    """
    if not blocks:
        none = np.empty(0, dtype=np.int64)
        return RowBlock(first, np.zeros(1, dtype=np.int64), none.astype(np.int32), none, None, none)
    outside = [block.halo[(block.halo < first) | (block.halo >= first + rows)] for block in blocks]
    halo = np.unique(np.concatenate(outside))
    entries = sum(len(block.ends) for block in blocks)
    starts, ends = np.zeros(rows + 1, dtype=np.int64), np.empty(entries, dtype=np.int32)
    kinds = [block.weights.dtype for block in blocks if block.weights is not None]
    weights = np.empty(entries, dtype=np.result_type(*kinds)) if kinds else None
    at = 0
    for block in blocks:
        low, size = block.first - first, len(block.ends)
        inside = (block.halo >= first) & (block.halo < first + rows)
        places = np.where(inside, block.halo - first, rows + np.searchsorted(halo, block.halo))
        renumbered(block.ends, block.rows, low, places, ends[at : at + size])
        starts[low + 1 : low + block.rows + 1] = at + block.starts[1:]
        if weights is not None:
            weights[at : at + size] = block.weights
        at += size
    components = np.concatenate([block.components for block in blocks])
    if components.max() < 2**31:
        components = components.astype(np.int32)
    return RowBlock(first, starts, ends, halo, weights, components)


@njit(cache=True, nogil=True)
def renumbered(
    ends: NDArray[np.int32], rows: int, low: int, places: NDArray[np.int64], out: NDArray[np.int32]
) -> None:
    """Write local column numbers of a block as those of the part that holds it."""
    for entry in range(len(ends)):
        end = ends[entry]
        out[entry] = low + end if end < rows else places[end - rows]
