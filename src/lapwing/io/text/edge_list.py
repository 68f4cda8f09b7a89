"""Edge lists as text: one edge per line, with two columns of nodes and optional weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.columns import ENDS, HEADER_OPTION
from lapwing.io.text.big_edge_list import fast_graph
from lapwing.io.text.layout import Layout, TableOptions, layout_of
from lapwing.io.text.rows import decoded_lines, edge_weight, fields_of, quoted, written_integer

BIG = 1 << 20
"""From how many bytes on a compiled reader is worth its start."""


def read_edge_list(plain: Path, shown: Path, asked: TableOptions, directed: Directed) -> Graph:
    """A graph from a text table of edges."""
    layout = layout_of(plain, shown, asked, ENDS, weighted=True)
    graph = fast_graph(plain, layout, directed) if plain.stat().st_size >= BIG else None
    if graph is None:
        graph = careful_graph(plain, shown, layout, directed)
    check_no_unknown_header(graph, layout, shown)
    return graph


def careful_graph(plain: Path, shown: Path, layout: Layout, directed: Directed) -> Graph:
    """The graph, row by row; the first thing wrong with the file is reported with its line."""
    chosen = layout.chosen
    sources: list[str] = []
    targets: list[str] = []
    weights: list[float] = []
    with decoded_lines(plain, shown, skipped=layout.skipped) as lines:
        for line, row in fields_of(lines, layout.delimiter, shown, before=layout.skipped):
            if len(row) != layout.width:
                problem = f"needs {layout.width} fields like the first row, got {len(row)}"
                raise ReadError(shown, problem, line=line)
            source, target = row[chosen.first], row[chosen.second]
            if not source or not target:
                raise ReadError(
                    shown, f"an edge needs two ends, got {(source, target)!r}", line=line
                )
            if chosen.weight is not None:
                weights.append(edge_weight(row[chosen.weight], shown, line, (source, target)))
            sources.append(source)
            targets.append(target)
    given = None if chosen.weight is None else weights
    integers = integer_columns(sources, targets)
    if integers is not None:
        return Graph.from_edges(integers, weights=given, directed=directed)
    check_header_guess(layout, shown)
    return graph_as_it_comes(sources, targets, given, directed)


def graph_as_it_comes(
    sources: Iterable[Any], targets: Iterable[Any], weights: Any, directed: Directed
) -> Graph:
    """Return the graph on the given names, numbered in order of appearance."""
    codes: dict[Any, int] = {}
    ends = [
        (codes.setdefault(source, len(codes)), codes.setdefault(target, len(codes)))
        for source, target in zip(sources, targets, strict=True)
    ]
    return Graph.from_edges(
        np.array(ends, dtype=np.intp).reshape(-1, 2),
        weights=weights,
        names=list(codes),
        directed=directed,
    )


def integer_columns(*columns: list[str]) -> tuple[Any, ...] | None:
    """The columns as integers if every field of all of them is one."""
    arrays = []
    for column in columns:
        values = [written_integer(text) for text in column]
        if None in values:
            return None
        arrays.append(np.array(values, dtype=np.int64))
    return tuple(arrays)


def check_header_guess(layout: Layout, shown: Path) -> None:
    """A header told by integers below it is none when the column has other names, too."""
    if layout.guessed:
        raise ReadError(
            shown,
            f"may be a header or an edge, since some nodes below are not integers: "
            f"{' , '.join(layout.header or ())}; {HEADER_OPTION}",
            line=layout.skipped,
        )


def check_no_unknown_header(graph: Graph, layout: Layout, shown: Path) -> None:
    """Refuse a first row of words that occur nowhere else: it may be a header nobody knows.

    Nodes are numbered in order of appearance, so these words are nodes 0 and 1, joined only to
    each other.
    """
    if layout.header is not None or layout.said_header or graph.n_nodes < 3:
        return
    if any(graph.neighbors(node).tolist() != [1 - node] for node in (0, 1)):
        return
    words = [graph.names[0], graph.names[1]]
    if all(_is_word(word) for word in words):
        raise ReadError(
            shown,
            f"may be a header or an edge, since {words[0]!r} and {words[1]!r} come in no other "
            f"row; {HEADER_OPTION}",
            line=layout.skipped + 1,
        )


def _is_word(name: Hashable) -> bool:
    return isinstance(name, str) and len(name) > 1 and all(c.isalpha() or c in " _-" for c in name)


def write_edge_list(graph: Graph, path: Path, delimiter: str) -> None:
    """Write one edge per line under a header; weights only if some edge does not have weight 1."""
    sources, targets, weights = graph.edges()
    names = [quoted(str(name), delimiter) for name in graph.names]
    weighted = bool((weights != 1.0).any())
    with path.open("w", encoding="utf-8", newline="") as file:
        header = ("source", "target", "weight") if weighted else ("source", "target")
        file.write(delimiter.join(header) + "\n")
        if weighted:
            file.writelines(
                f"{names[s]}{delimiter}{names[t]}{delimiter}{w!r}\n"
                for s, t, w in zip(
                    sources.tolist(), targets.tolist(), weights.tolist(), strict=True
                )
            )
        else:
            file.writelines(
                f"{names[s]}{delimiter}{names[t]}\n"
                for s, t in zip(sources.tolist(), targets.tolist(), strict=True)
            )
