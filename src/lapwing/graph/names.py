"""The names of nodes, and their translation to indices and back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import GraphError, UnknownNodeError
from lapwing.types import Nodes

_NUMBER = re.compile(r"-?[0-9]{1,20}", re.ASCII)
"""Text that may be meant as the number of a node."""


class LazyNames(Sequence[Hashable]):
    """Names that are all created when the first one is requested."""

    def __init__(self, count: int, make: Callable[[], Sequence[Hashable]]) -> None:
        self._count, self._make = count, make

    @cached_property
    def _made(self) -> tuple[Hashable, ...]:
        return tuple(self._make())

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        return self._made[index]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._made)


class _SharedNames(Sequence[Hashable]):
    """The first `count` names of a list that only grows, with their positions."""

    def __init__(self, pool: list[Hashable], positions: dict[Hashable, int], count: int) -> None:
        self.pool, self.positions, self._count = pool, positions, count

    @property
    def is_newest(self) -> bool:
        """Whether the list has not grown since."""
        return self._count == len(self.pool)

    def longer(self, more: Sequence[Hashable]) -> _SharedNames:
        """Return these names and more, in the same list unless it has already grown."""
        if not self.is_newest:
            pool = list(self)
            positions: dict[Hashable, int] = {name: i for i, name in enumerate(pool)}
            return _SharedNames(pool, positions, len(pool)).longer(more)
        self.positions.update({name: self._count + i for i, name in enumerate(more)})
        self.pool.extend(more)
        return _SharedNames(self.pool, self.positions, len(self.pool))

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self.pool[i] for i in range(*index.indices(self._count))]
        return self.pool[range(self._count)[index]]

    def __iter__(self) -> Iterator[Hashable]:
        return islice(self.pool, self._count)


class Names(Sequence[Hashable]):
    """The names of the nodes in index order; the integers 0..n-1 take no memory.

    Examples
    --------
    >>> names = Names(["ada", "bo"])
    >>> names.index("bo"), names[0], len(Names(range(10**9)))
    (1, 'ada', 1000000000)
    """

    def __init__(self, names: Iterable[Hashable], *, distinct: bool = False) -> None:
        values: Any = names.tolist() if isinstance(names, np.ndarray) else names
        kept = isinstance(values, range | LazyNames | _SharedNames)
        self._values: Sequence[Hashable] = values if kept else tuple(values)
        self._positions: dict[Hashable, int] | None = None
        self._distinct = distinct or isinstance(values, range)

    @property
    def are_positions(self) -> bool:
        """Whether each name is simply its index."""
        return isinstance(self._values, range) and self._values == range(len(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, index: Any) -> Any:
        return self._values[index]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self._values))

    def __repr__(self) -> str:
        shown = ", ".join(map(repr, self._values[:6]))
        return f"({shown}, ...)" if len(self) > 6 else f"({shown})"

    def taken(self, nodes: Nodes) -> Names:
        """Return the names of some nodes, in that order."""
        return Names([self._values[int(i)] for i in nodes])

    def grown(self, more: Sequence[Hashable]) -> Names:
        """Return these names followed by more; the cost depends on the new names only.

        Examples
        --------
        >>> Names(["ada", "bo"]).grown(["cy"]), Names(range(2)).grown([2])
        (('ada', 'bo', 'cy'), (0, 1, 2))
        """
        n, values = len(self), self._values
        if self.are_positions and list(more) == list(range(n, n + len(more))):
            return Names(range(n + len(more)))
        for name in more:
            if not isinstance(name, Hashable):
                raise GraphError(f"names must be hashable, got {name!r:.80}")
            if name is None or name != name:  # NaN differs from itself
                raise GraphError(f"a new node must have a name, got {name!r}")
            if name in self:
                raise GraphError(f"names must be distinct, {name!r} is in the graph already")
        if len(set(more)) < len(more):
            raise GraphError("names must be distinct, one of the new names is repeated")
        if not isinstance(values, _SharedNames):
            values = _SharedNames(list(values), dict(self.positions()), n)
        return Names(values.longer(more), distinct=True)

    def __contains__(self, name: object) -> bool:
        if isinstance(self._values, range):  # anything but an int is looked for one by one there
            whole = isinstance(name, int | np.integer) or (
                isinstance(name, float) and name.is_integer()
            )
            return whole and int(name) in self._values  # type: ignore[call-overload]
        return isinstance(name, Hashable) and name in self.positions()

    def index(self, name: Any, start: int = 0, stop: int | None = None) -> int:  # noqa: ARG002 - a Sequence's
        """Return the index of the node with that name."""
        if isinstance(self._values, range) and name in self:
            return self._values.index(int(name))
        try:
            found = self.positions().get(name)
        except TypeError:
            found = None
        if found is None:
            raise UnknownNodeError(f"no node is named {name!r}{self._hint(name)}")
        return found

    def check_distinct(self) -> None:
        """Check that no two nodes share a name; the result is remembered."""
        if not self._distinct:
            self.positions()

    def positions(self) -> dict[Hashable, int]:
        """The index of every name, built once; raises if two nodes share a name."""
        if isinstance(self._values, _SharedNames) and self._values.is_newest:
            return self._values.positions
        if self._positions is None:
            try:
                self._positions = {name: i for i, name in enumerate(self._values)}
            except TypeError as unhashable:
                raise GraphError(f"names must be hashable: {unhashable}") from None
            if len(self._positions) < len(self._values):
                raise GraphError(f"names must be distinct, {self._first_repeated()!r} is repeated")
        return self._positions

    def _first_repeated(self) -> Hashable:
        counts = Counter(self._values)
        return next(name for name in self._values if counts[name] > 1)

    def _hint(self, name: Any) -> str:
        """A hint for the most common mistake: an id given as text instead of a number."""
        positions = self.positions()
        if str(name) in positions:
            return f"; there is one named {str(name)!r} (text)"
        if isinstance(name, str) and _NUMBER.fullmatch(name) and int(name) in positions:
            return f"; there is one named {int(name)} (a number)"
        return ""


def factorised(endpoints: NDArray[Any]) -> tuple[Nodes, Names]:
    """Return the index of each endpoint, and the names: integers sorted, others in order seen.

    Examples
    --------
    >>> factorised(np.array(["b", "a", "b"], dtype=object))
    (array([0, 1, 0]), ('b', 'a'))
    >>> factorised(np.array([7, 3, 7]))
    (array([1, 0, 1]), (3, 7))
    """
    if endpoints.dtype.kind in "iu":
        return _factorised_integers(endpoints)
    positions: dict[Hashable, int] = {}
    try:
        codes = [positions.setdefault(name, len(positions)) for name in endpoints.tolist()]
    except TypeError as unhashable:
        raise GraphError(f"names of nodes must be hashable: {unhashable}") from None
    for name in positions:
        if name is None or name != name:  # NaN differs from itself
            edge = codes.index(positions[name]) % max(len(codes) // 2, 1)
            raise GraphError(f"both ends of an edge must be names, edge {edge} has {name!r}")
    if positions and all(isinstance(name, int) for name in positions):
        return _factorised_integers(np.array(endpoints.tolist()))
    return np.array(codes, dtype=np.intp), Names(positions, distinct=True)


def _factorised_integers(endpoints: NDArray[Any]) -> tuple[Nodes, Names]:
    if len(endpoints) == 0:
        return np.empty(0, dtype=np.intp), Names(range(0))
    low, high = int(endpoints.min()), int(endpoints.max())
    if high - low < 4 * len(endpoints) + 1024:
        seen = np.zeros(high - low + 1, dtype=bool)
        seen[endpoints - low] = True
        if seen.all():
            return (endpoints - low).astype(np.intp), Names(range(low, high + 1))
        codes = (np.cumsum(seen) - 1)[endpoints - low]
        return codes.astype(np.intp), Names(np.flatnonzero(seen) + low, distinct=True)
    values, codes = np.unique(endpoints, return_inverse=True)
    return codes.astype(np.intp).ravel(), Names(values, distinct=True)
