"""Read and write GML; errors give the line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.entities import html5
from pathlib import Path
from typing import Any

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.graphs.gathered import Gathered, GatheredEdge, gathered_graph
from lapwing.io.node_values import PlainColumn, plain_columns
from lapwing.io.text.rows import decoded_lines, is_number, written_integer
from lapwing.io.writable_names import kind_of

_TOKEN = re.compile(
    r'\s+|#[^\n]*|(?P<text>"[^"]*")|(?P<open>\[)|(?P<close>\])|(?P<word>[^\s\[\]"#]+)'
)
_ENTITY = re.compile(r"&(#x[0-9a-fA-F]{1,6}|#[0-9]{1,7}|[A-Za-z0-9]{1,40});")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]*")

Block = list[tuple[str, Any, int]]
"""Keys, values (a `Block`, `str` for quoted text, `_Bare` for numbers) and lines."""


class _Bare(str):
    """A value that was not in quotes."""

    __slots__ = ()


def read_gml(plain: Path, shown: Path, weight: str | None, directed: Directed) -> Graph:
    """A graph from GML: a node's name is its label if all have one, no two the same, else its id.

    The weight is, unless asked for, the edges' ``weight`` or, if none has it, ``value``.
    """
    with decoded_lines(plain, shown) as lines:
        text = "".join(lines)
    graphs = [
        value
        for key, value, _ in _parsed(text, shown)
        if key == "graph" and isinstance(value, list)
    ]
    if len(graphs) != 1:
        raise ReadError(shown, f"must hold one graph [ ... ], got {len(graphs)}")
    gathered, labels = Gathered(), []
    for key, value, line in graphs[0]:
        if key == "directed":
            gathered.directed = value == "1"
        elif key == "node":
            node = _scalars(value, "node", shown, line)
            gathered.add_node(_needed(node, "id", shown, line), shown, line)
            labels.append(node.get("label"))
            gathered.rows[-1] = {k: _number(v) for k, v, _ in value if not isinstance(v, list)}
        elif key == "edge":
            edge = _scalars(value, "edge", shown, line)
            source, target = (_needed(edge, end, shown, line) for end in ("source", "target"))
            attributes = {k: str(v) for k, v in edge.items()}
            gathered.edges.append(GatheredEdge(source, target, line, attributes))
    named = None not in labels and len(set(labels)) == len(labels)
    names = labels if named else list(gathered.nodes)
    for row in gathered.rows:
        row.pop("id")
        if named:
            row.pop("label")
    keys = None if weight is None else ("weight", "value") if weight == "weight" else (weight,)
    return gathered_graph(gathered, names, shown, keys, directed)


def write_gml(graph: Graph, path: Path) -> Iterable[str]:
    """GML with positions as ids and names as labels: text in quotes, numbers without.

    Returns the columns of the node table that it holds.
    """
    columns = plain_columns(graph.node_table, _is_gml)
    text = kind_of(graph.names) is str
    with path.open("w", encoding="ascii", newline="") as file:
        file.write("graph [\n  directed 0\n")
        for i, name in enumerate(graph.names):
            label = _quoted(str(name)) if text else str(name)
            cells = [
                f" {key} {_quoted(v) if isinstance(v, str) else repr(v)}"
                for key, v in ((key, values[i]) for key, (_, values) in columns.items())
                if v is not None
            ]
            file.write(f"  node [ id {i} label {label}{''.join(cells)} ]\n")
        for i, j, w in zip(*(ends.tolist() for ends in graph.edges()), strict=True):
            file.write(f"  edge [ source {i} target {j} weight {w!r} ]\n")
        file.write("]\n")
    return columns


def _quoted(text: str) -> str:
    return f'"{_ENCODED.sub(_encoded, text)}"'


def _is_gml(name: str, column: PlainColumn) -> bool:
    """Whether GML can hold the column: a key that is a word, numbers or text."""
    free = _KEY.fullmatch(name) is not None and name not in ("id", "label")
    return free and column.kind != "boolean"


_ENCODED = re.compile(r"[^ !#-%\'-~]")


def _encoded(character: re.Match[str]) -> str:
    return f"&#{ord(character[0])};"


def _decoded(text: str) -> str:
    def plain(entity: re.Match[str]) -> str:
        word = entity[1]
        if word.startswith("#"):
            code = int(word[2:], 16) if word[1] == "x" else int(word[1:])
            known = code <= 0x10FFFF and not 0xD800 <= code < 0xE000
            return chr(code) if known else entity[0]
        return html5.get(word + ";", entity[0])

    return _ENTITY.sub(plain, text)


def _parsed(text: str, shown: Path) -> Block:
    """The whole file as nested blocks."""
    top: Block = []
    stack, keys = [top], [("", 0)]
    key, at, line = "", 0, 1
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ReadError(shown, "a text in quotes is not closed", line=line)
        kind, word = token.lastgroup, token[0]
        if kind == "close":
            if key or len(stack) == 1:
                raise ReadError(shown, "unexpected ']'", line=line)
            block, (opened, since) = stack.pop(), keys.pop()
            stack[-1].append((opened, block, since))
        elif kind is not None and not key:
            if kind != "word" or _KEY.fullmatch(word) is None:
                raise ReadError(shown, f"needs a key, got {word[:40]!r}", line=line)
            key = word
        elif kind == "open":
            stack.append([])
            keys.append((key, line))
            key = ""
        elif kind is not None:
            value = _decoded(word[1:-1]) if kind == "text" else _Bare(word)
            stack[-1].append((key, value, line))
            key = ""
        line += word.count("\n")
        at = token.end()
    if key or len(stack) > 1:
        raise ReadError(shown, "the file ends inside a block: a ']' is missing", line=line)
    return top


def _scalars(value: Any, what: str, shown: Path, line: int) -> dict[str, Any]:
    if not isinstance(value, list):
        raise ReadError(shown, f"{what} must be a block [ ... ], got {value!r}", line=line)
    return {k: _typed(v) for k, v, _ in value if not isinstance(v, list)}


def _typed(value: str) -> Any:
    if not isinstance(value, _Bare):
        return value
    number = written_integer(value)
    return str(value) if number is None else number


def _number(value: str) -> Any:
    """An attribute as the file means it: text in quotes, otherwise a number if it is one."""
    found = _typed(value)
    return (
        float(found)
        if isinstance(value, _Bare) and is_number(str(value)) and isinstance(found, str)
        else found
    )


def _needed(block: dict[str, Any], key: str, shown: Path, line: int) -> Any:
    if key not in block:
        raise ReadError(shown, f"must have {key}, has {sorted(block) or 'nothing'}", line=line)
    return block[key]
