"""Which columns of a table hold what: said by the caller, or told by the header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Column = str | int | None
"""A column by its name or its position from 0; None leaves the choice to the reader."""

ENDS = (
    ("source", "target"),
    ("src", "dst"),
    ("from", "to"),
    ("node1", "node2"),
    ("source_id", "target_id"),
    ("fromnodeid", "tonodeid"),
    ("sender", "receiver"),
)
NODE_LABEL = (
    ("node", "label"),
    ("node", "class"),
    ("node", "group"),
    ("id", "label"),
    ("name", "label"),
    ("id", "class"),
    ("node_id", "label"),
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """Positions of the two columns that are read, and of the weights if any."""

    first: int
    second: int
    weight: int | None = None

    @property
    def all(self) -> tuple[int, ...]:
        """The positions in use."""
        ends = (self.first, self.second)
        return ends if self.weight is None else (*ends, self.weight)


def simplified(name: str) -> str:
    """A header's word as it is compared: no case, no space around."""
    return name.strip().casefold()


def known_pair(header: Sequence[str], pairs: Sequence[tuple[str, str]]) -> tuple[int, int] | None:
    """Where a header has one of the well-known pairs of names.

    Examples
    --------
    >>> known_pair(["weight", "Source", "Target"], ENDS)
    (1, 2)
    """
    words = [simplified(name) for name in header]
    for first, second in pairs:
        if first in words and second in words:
            return words.index(first), words.index(second)
    return None


def chosen_columns(
    width: int,
    header: Sequence[str] | None,
    asked: tuple[Column, Column],
    weight: Column,
    pairs: Sequence[tuple[str, str]],
) -> Chosen:
    """The columns to read; `ValueError` says what is wrong with what was asked.

    Two columns not asked for are the well-known pair if the header has one, otherwise the
    first two. A weight not asked for is the column called ``weight`` or, without a header,
    the third if there is one; `False` asks for none.

    Examples
    --------
    >>> chosen_columns(3, ["a", "b", "weight"], (None, None), None, ENDS)
    Chosen(first=0, second=1, weight=2)
    >>> chosen_columns(3, ["a", "b", "year"], ("b", None), "year", ENDS)
    Chosen(first=1, second=0, weight=2)
    """
    if header is not None:
        check_distinct(header)
    said = [_position(column, width, header) for column in asked]
    at_weight = None if weight is False else _position(weight, width, header)
    usual = known_pair(header, pairs) if header is not None and said == [None, None] else None
    ends: list[int | None] = list(usual) if usual is not None and at_weight not in usual else said
    if at_weight is None and weight is None:
        at_weight = _usual_weight(width, header, [end for end in ends if end is not None])
    free = [c for c in range(width) if c not in ends and c != at_weight]
    if len(free) < ends.count(None):
        at_weight = None if weight is None else at_weight
        free = [c for c in range(width) if c not in ends and c != at_weight]
    if len(free) < ends.count(None):
        raise ValueError(f"needs at least two columns for an edge's two ends, got {width}")
    first, second = (free.pop(0) if end is None else end for end in ends)
    if len({first, second, at_weight}) < 3:
        raise ValueError(f"the columns must differ, got positions {first}, {second}, {at_weight}")
    return Chosen(first, second, at_weight)


def check_distinct(header: Sequence[str]) -> None:
    """Two columns of one name cannot be told apart."""
    words = [name.strip() for name in header]
    for word in words:
        if word and words.count(word) > 1:
            raise ValueError(f"the header must name each column once, {word!r} comes twice")


def _usual_weight(width: int, header: Sequence[str] | None, taken: list[int]) -> int | None:
    if header is None:
        return 2 if width >= 3 and 2 not in taken else None
    words = [simplified(name) for name in header]
    at = words.index("weight") if "weight" in words else None
    return None if at in taken else at


def _position(column: Column, width: int, header: Sequence[str] | None) -> int | None:
    if column is None:
        return None
    if isinstance(column, str):
        if header is None:
            raise ValueError(f"has no header, so no column named {column!r}; give its position")
        words = [name.strip() for name in header]
        if column.strip() not in words:
            words = [simplified(name) for name in header]
        for spelling in (column.strip(), simplified(column)):
            if spelling in words:
                return words.index(spelling)
        raise ValueError(f"has columns {list(header)}, none named {column!r}")
    if not 0 <= column < width:
        raise ValueError(f"columns lie in 0..{width - 1}, got {column}")
    return int(column)
