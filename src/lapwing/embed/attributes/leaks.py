"""Notice columns that give the answer away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import lgamma, log
from typing import Any

import numpy as np
from scipy import sparse

from lapwing.embed.attributes.kinds import ColumnUse
from lapwing.errors import InputError
from lapwing.graph import NodeTable

WAYS = 200
"""A column that divides the labelled nodes as their classes do may do so by chance if there are
fewer ways to divide them into parts of these sizes."""
FEWEST_TOLD, TOLD, BETTER = 20, 0.95, 4.0
"""A column tells the labels by itself if it tells this share of this many, with this many times
fewer errors than the largest class."""


def leaking_columns(
    table: NodeTable, labels: Mapping[int, int], *, among: Iterable[str] | None = None
) -> list[str]:
    """Return the columns whose values are the classes under other names, as far as labels go.

    Only columns of single values can leak in this way: value and class determine each other, for
    more labels than may agree by chance. One node of a class is no evidence, whatever its value is.
    `among` names the columns to look at; None means all.

    Examples
    --------
    >>> table = NodeTable({"topic": ["a", "b"] * 5, "year": [1, 2, 3, 4, 5] * 2}, 10)
    >>> leaking_columns(table, {node: node % 2 for node in range(10)})
    ['topic']
    >>> leaking_columns(table, {node: node % 2 for node in range(6)})
    []
    """
    found = []
    for name in table if among is None else among:
        pairs = _pairs(table[name], labels)
        sizes = Counter(label for _, label in pairs)
        one_to_one = 1 < len(set(pairs)) == len({value for value, _ in pairs}) == len(sizes)
        if one_to_one and _log_ways(list(sizes.values())) >= log(WAYS):
            found.append(name)
    return found


def telling_columns(
    table: NodeTable, uses: Mapping[str, ColumnUse], labels: Mapping[int, int]
) -> dict[str, float]:
    """Return the used columns that nearly give the labels away, and the share that each tells.

    A label is told by the most frequent class among the other labelled nodes with the same value. A
    column that tells nearly all of them may be honest, or made from the labels: only its owner
    knows. A column with another value for every node tells none.

    Examples
    --------
    >>> table = NodeTable({"shelf": [k % 8 for k in range(40)], "id": range(40)}, 40)
    >>> uses = dict.fromkeys(table, ColumnUse("category", ""))
    >>> telling_columns(table, uses, {node: node % 2 for node in range(40)})
    {'shelf': 1.0}
    """
    found = {}
    for name in used_columns(uses):
        pairs = _pairs(table[name], labels)
        classes: defaultdict[Any, Counter[int]] = defaultdict(Counter)
        for value, label in pairs:
            classes[value][label] += 1
        judged = [(classes[value], label) for value, label in pairs if classes[value].total() > 1]
        if len(judged) < max(FEWEST_TOLD, len(pairs) / 2):
            continue
        right = sum(_most_frequent_without(counts, label) == label for counts, label in judged)
        share = right / len(judged)
        largest = max(Counter(label for _, label in judged).values()) / len(judged)
        if share >= TOLD and BETTER * (1.0 - share) < 1.0 - largest:
            found[name] = share
    return found


def telling_words(told: Mapping[str, float]) -> str:
    """Return a line about columns that nearly give the labels away; empty if there are none.

    Examples
    --------
    >>> telling_words({"shelf": 0.98, "typo": 1.0})
    'shelf alone tells 98% of the labels, typo alone tells 100%: leave out what is made from them'
    """
    each = [f"{name} alone tells {share:.0%}" for name, share in told.items()]
    if not each:
        return ""
    each[0] += " of the labels"
    return f"{', '.join(each)}: leave out what is made from them"


def refuse_leaks(
    table: NodeTable, uses: Mapping[str, ColumnUse], labels: Mapping[int, int]
) -> None:
    """Raise if a used column gives the labels away.

    Examples
    --------
    >>> table = NodeTable({"topic": ["a", "b"] * 5}, 10)
    >>> known = {node: node % 2 for node in range(10)}
    >>> refuse_leaks(table, {"topic": ColumnUse("category", "")}, known)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: column 'topic' has one value per class: it gives the answer away; ...
    """
    leaks = leaking_columns(table, labels, among=used_columns(uses))
    if leaks:
        raise InputError(
            f"column {leaks[0]!r} has one value per class: it gives the answer away; name the "
            "columns to use, without it"
        )


def used_columns(uses: Mapping[str, ColumnUse]) -> list[str]:
    """The names of the columns that are used.

    Examples
    --------
    >>> used_columns({"title": ColumnUse("text", ""), "id": ColumnUse("unused", "is constant")})
    ['title']
    """
    return [name for name, use in uses.items() if use.kind != "unused"]


def _pairs(values: Any, labels: Mapping[int, int]) -> list[tuple[str, int]]:
    """Value and class of the labelled nodes that have a value; none for a column of vectors."""
    if sparse.issparse(values) or values.ndim > 1:
        return []
    nodes = np.fromiter(labels, dtype=np.intp, count=len(labels))
    return [
        (str(value), label)
        for value, label in zip(values[nodes].tolist(), labels.values(), strict=True)
        if value is not None and value == value
    ]


def _log_ways(sizes: Sequence[int]) -> float:
    """The logarithm of the number of ways to divide nodes into parts of these sizes."""
    return lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)


def _most_frequent_without(counts: Counter[int], label: int) -> int:
    """The most frequent class when one node of a class is left out."""
    return max(counts, key=lambda each: counts[each] - (each == label))
