"""Find the columns of a table by the caller's options or by its header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Column = str | int | None
"""A column by its name or its position from 0; None leaves the choice to the reader."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of the two columns of a table, and the usual header names.

    `options` are the arguments that name the columns. A `strict` table has exactly two columns
    unless the caller names them.
    """

    what: str
    options: tuple[str, str]
    pairs: tuple[tuple[str, str], ...]
    strict: bool = False


ENDS = Roles(
    "an edge's two ends",
    ("source", "target"),
    (
        ("source", "target"),
        ("src", "dst"),
        ("from", "to"),
        ("node1", "node2"),
        ("node_1", "node_2"),
        ("id1", "id2"),
        ("id_1", "id_2"),
        ("source_id", "target_id"),
        ("fromnodeid", "tonodeid"),
        ("sender", "receiver"),
        ("u", "v"),
    ),
)
NODE_LABEL = Roles(
    "the node and its class",
    ("node_column", "label_column"),
    (
        ("node", "label"),
        ("node", "class"),
        ("node", "group"),
        ("node", "cost"),
        ("id", "label"),
        ("name", "label"),
        ("id", "class"),
        ("node_id", "label"),
        ("node_id", "class"),
    ),
    strict=True,
)


def option(name: str) -> str:
    """Return an option's name for messages: the Python argument and the command-line option.

    Examples
    --------
    >>> option("label_column")
    'label_column (--label-column)'
    """
    return f"{name} (--{name.replace('_', '-')})"


HEADER_OPTION = "say header=True or header=False (--header or --no-header)"


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
    """Normalise a header name for comparison: lower case, no spaces around."""
    return name.strip().casefold()


def known_pair(header: Sequence[str], roles: Roles) -> tuple[int, int] | None:
    """Return the positions of a usual pair of names in a header.

    Examples
    --------
    >>> known_pair(["weight", "Source", "Target"], ENDS)
    (1, 2)
    """
    words = [simplified(name) for name in header]
    for first, second in roles.pairs:
        if first in words and second in words:
            return words.index(first), words.index(second)
    return None


def chosen_columns(
    width: int,
    header: Sequence[str] | None,
    asked: tuple[Column, Column],
    weight: Column,
    roles: Roles,
) -> Chosen:
    """Return the columns to read; a `ValueError` says what is wrong with the request.

    By default, the two columns are a usual pair of names in the header, otherwise the only two
    columns or, in an edge list without a header, the first two. If this leaves a doubt, the caller
    must name them. The default weight is the column called ``weight`` or, without a header, the
    third column if there is one; `False` means no weights.

    Examples
    --------
    >>> chosen_columns(3, ["a", "b", "weight"], (None, None), None, ENDS)
    Chosen(first=0, second=1, weight=2)
    >>> chosen_columns(3, ["a", "b", "year"], ("b", None), "year", ENDS)
    Chosen(first=1, second=0, weight=2)
    >>> chosen_columns(3, ["id", "title", "kind"], (None, "kind"), False, NODE_LABEL)
    Chosen(first=0, second=2, weight=None)
    >>> chosen_columns(3, ["a", "b", "year"], (None, None), None, ENDS)
    Traceback (most recent call last):
        ...
    ValueError: has columns ['a', 'b', 'year']: specify which ones contain an edge's two ends,
    with source (--source) and target (--target)
    """
    if header is not None:
        check_distinct(header)
    said = [_position(column, width, header) for column in asked]
    at_weight = None if weight is False else _position(weight, width, header)
    ends = _usual_ends(said, header, at_weight, roles)
    if at_weight is None and weight is None:
        at_weight = _usual_weight(width, header, [end for end in ends if end is not None])
    free = [c for c in range(width) if c not in ends and c != at_weight]
    if len(free) < ends.count(None):
        at_weight = None if weight is None else at_weight
        free = [c for c in range(width) if c not in ends and c != at_weight]
    _check_settled(ends, free, width, header, roles)
    first, second = (free.pop(0) if end is None else end for end in ends)
    if len({first, second, at_weight}) < 3:
        raise ValueError(f"the columns must differ, got positions {first}, {second}, {at_weight}")
    return Chosen(first, second, at_weight)


def _usual_ends(
    said: list[int | None], header: Sequence[str] | None, at_weight: int | None, roles: Roles
) -> list[int | None]:
    """The columns said, those not said filled in where the header's words tell them."""
    if header is None or None not in said:
        return said
    words = [simplified(name) for name in header]
    rivals = {second for first, second in roles.pairs if first in words and second in words}
    if roles.strict and len(rivals - {"cost"}) > 1 and said[1] is None:
        named = ", ".join(sorted(rivals))
        raise ValueError(
            f"may have the class in any of {named}: specify {option(roles.options[1])}"
        )
    if said == [None, None]:
        usual = known_pair(header, roles)
        return said if usual is None or at_weight in usual else list(usual)
    for first, second in roles.pairs:
        ends = [words.index(word) if word in words else None for word in (first, second)]
        if None not in ends and any(
            a is not None and a == b for a, b in zip(said, ends, strict=True)
        ):
            return ends
    known = {words.index(first) for first, _ in roles.pairs if first in words} - {said[1]}
    return [known.pop(), said[1]] if said[0] is None and len(known) == 1 else said


def _check_settled(
    ends: list[int | None], free: list[int], width: int, header: Sequence[str] | None, roles: Roles
) -> None:
    """Raise unless exactly the columns that are missing are left."""
    missing = ends.count(None)
    if len(free) < missing:
        raise ValueError(f"needs at least two columns for {roles.what}, got {width}")
    if missing and len(free) > missing and (header is not None or roles.strict):
        known = header is not None and len(header) <= 12
        listed = f"columns {list(header or ())}" if known else f"{width} columns"
        first, second = map(option, roles.options)
        raise ValueError(
            f"has {listed}: specify which ones contain {roles.what}, with {first} and {second}"
        )


def check_distinct(header: Sequence[str]) -> None:
    """Raise if two columns have the same name."""
    words = [name.strip() for name in header]
    for word in words:
        if word and words.count(word) > 1:
            raise ValueError(f"the header must name each column once, {word!r} is repeated")


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
            raise ValueError(
                f"has no header, so no column is named {column!r}; give its position from 0"
            )
        words = [name.strip() for name in header]
        if column.strip() not in words:
            words = [simplified(name) for name in header]
        for spelling in (column.strip(), simplified(column)):
            if spelling in words:
                return words.index(spelling)
        raise ValueError(f"has columns {list(header)}, none named {column!r}")
    if not 0 <= column < width:
        raise ValueError(f"columns must lie in 0..{width - 1}, got {column}")
    return int(column)
