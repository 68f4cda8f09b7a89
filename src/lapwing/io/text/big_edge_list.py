"""Big edge lists, by whichever compiled reader fits; never another answer than the careful one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.graph import Graph
from lapwing.graph.construction import Directed, first_bad_weight
from lapwing.io.coded_edges import coded_graph, decoded, joined, text_names
from lapwing.io.text.compiled.fields import (
    Field,
    blocks_of,
    fields_of_block,
    in_order,
    lines_end_plainly,
)
from lapwing.io.text.compiled.integer_codes import integer_codes
from lapwing.io.text.compiled.numbers import integers_of, weights_of
from lapwing.io.text.compiled.text_codes import TextColumn, Texts, texts_of
from lapwing.io.text.layout import Layout
from lapwing.io.text.quoted import quoted_parts
from lapwing.io.text.rows import written_integer
from lapwing.types import Array

TextPart = tuple[TextColumn, TextColumn, Array]
"""Some rows: both columns of nodes, and the weights if any."""


def fast_graph(plain: Path, layout: Layout, directed: Directed) -> Graph | None:
    """The graph, or None if the file needs the careful reader (or is wrong somewhere).

    Plain fields are read by our own compiled code, integers as integers if all nodes are; a file
    with quotes goes through DuckDB.
    """
    if not lines_end_plainly(plain, layout.skipped):
        return None
    graph = _integer_graph(plain, layout, directed)
    if graph is None and not layout.guessed:
        graph = _text_graph(_plain_parts(plain, layout), layout, directed)
        if graph is None:
            graph = _text_graph(_quoted_parts(plain, layout), layout, directed)
    return graph


def _integer_graph(plain: Path, layout: Layout, directed: Directed) -> Graph | None:
    columns: tuple[list[NDArray[Any]], ...] = ([], [], [])
    for part in in_order(partial(_integers, layout), blocks_of(plain, layout.skipped)):
        if part is None:
            return None
        for column, values in zip(columns, part, strict=True):
            column.append(values)
        del part, values
    given = None if layout.chosen.weight is None else joined(columns[2])
    codes, names = integer_codes(columns[0] + columns[1])
    half = len(columns[0])
    del columns
    left, right = codes[:half], codes[half:]
    del codes
    return coded_graph(joined(left), joined(right), given, names, directed)


def _integers(layout: Layout, block: bytes) -> tuple[NDArray[Any], ...] | None:
    """Both ends and the weights of a block of rows; None if they are not that plain."""
    fields = fields_of_block(block, layout)
    if fields is None:
        return None
    sources = integers_of(fields[0])
    targets = None if sources is None else integers_of(fields[1])
    weights = np.empty(0) if len(fields) == 2 else weights_of(fields[2])
    if sources is None or targets is None or weights is None:
        return None
    return sources, targets, weights


def _texts(layout: Layout, block: bytes) -> TextPart | None:
    fields = fields_of_block(block, layout)
    if fields is None:
        return None
    weights = np.empty(0) if len(fields) == 2 else weights_of(fields[2])
    return _text_part(fields[0], fields[1], weights)


def _text_part(first: Field, second: Field, weights: Array | None) -> TextPart | None:
    left, right = texts_of(first), texts_of(second)
    if left is None or right is None or weights is None:
        return None
    return left, right, weights


def _plain_parts(plain: Path, layout: Layout) -> Iterator[TextPart | None]:
    return in_order(partial(_texts, layout), blocks_of(plain, layout.skipped))


def _quoted_parts(plain: Path, layout: Layout) -> Iterator[TextPart | None]:
    for part in quoted_parts(plain, layout):
        yield None if part is None else _text_part(*part)


def _text_graph(
    parts: Iterator[TextPart | None], layout: Layout, directed: Directed
) -> Graph | None:
    texts, left, right, given = Texts(), [], [], []
    for part in parts:
        if part is None:
            return None
        first, second = texts.add(part[0], part[1])
        left.append(first)
        right.append(second)
        given.append(part[2])
    sources, targets = joined(left), joined(right)
    weights = joined(given) if layout.chosen.weight is not None else None
    if weights is not None and first_bad_weight(weights) is not None:
        return None
    ends, raw = texts.names()
    data = raw.tobytes()
    values = _all_integers(ends, data)
    if values is not None:
        (sources, targets), ranked = integer_codes([values[sources], values[targets]])
        return coded_graph(sources, targets, weights, ranked, directed)
    names = text_names(ends.copy(), data)
    del texts, ends, raw
    return coded_graph(sources, targets, weights, names, directed)


def _all_integers(ends: NDArray[np.int64], data: bytes) -> NDArray[np.int64] | None:
    """The names as integers if all are: in quotes, with spaces around, or of 19 digits."""
    if len(ends) > 1 and written_integer(decoded(ends[:2], data)[0]) is None:
        return None
    values = [written_integer(name) for name in decoded(ends, data)]
    return None if None in values else np.array(values, dtype=np.int64)
