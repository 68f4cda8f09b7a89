"""GraphML, read by a small streaming parser.

networkx is an optional dependency, does not report the line of an error, and accepts edges to
undeclared nodes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape, quoteattr

from lapwing.errors import InputError, ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.graphs.gathered import Gathered, GatheredEdge, gathered_graph
from lapwing.io.node_values import PlainColumn, plain_columns
from lapwing.io.text.edge_list import integer_columns
from lapwing.io.text.rows import is_number, written_integer
from lapwing.io.writable_names import check_read_as_written, kind_of

_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_REFUSED = {"hyperedge": "hyperedges", "port": "ports"}


class _Parser:
    """Follows the elements; an edge's attributes are kept by their ``attr.name``."""

    def __init__(self, shown: Path) -> None:
        self.shown = shown
        self.gathered = Gathered()
        self.keys: dict[str, str] = {}
        self.defaults: dict[str, str] = {}
        self.columns: dict[str, tuple[str, str]] = {}
        self.usual: dict[str, Any] = {}
        self.inside: list[str] = []
        self.graphs = 0
        self.text: list[str] = []
        self.key = ""
        self.expat = expat.ParserCreate()
        self.expat.StartElementHandler = self.start
        self.expat.EndElementHandler = self.end
        self.expat.CharacterDataHandler = self.text.append
        self.expat.EntityDeclHandler = self.refuse_entity
        self.expat.buffer_text = True

    def wrong(self, problem: str) -> ReadError:
        return ReadError(self.shown, problem, line=self.expat.CurrentLineNumber)

    def refuse_entity(self, *_: object) -> None:
        raise self.wrong("entities of its own are not allowed")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        tag = tag.rpartition(":")[2]
        if not self.inside and tag != "graphml":
            raise self.wrong(f"must hold <graphml>, got <{tag}>")
        if tag in _REFUSED:
            raise self.wrong(f"{_REFUSED[tag]} are not part of a graph here")
        if tag in ("node", "edge") and self.inside[-1] != "graph":
            raise self.wrong(
                f"<{tag}> must stand inside <graph>, got it inside <{self.inside[-1]}>"
            )
        if tag == "graph":
            self.start_graph(attributes)
        elif tag == "key":
            self.start_key(attributes)
        elif tag == "node":
            line = self.expat.CurrentLineNumber
            self.gathered.add_node(self.needed(attributes, "id"), self.shown, line)
            self.gathered.rows[-1] = dict(self.usual)
        elif tag == "edge":
            self.start_edge(attributes)
        elif tag == "data":
            self.key = self.needed(attributes, "key")
        self.text.clear()
        self.inside.append(tag)

    def start_key(self, attributes: dict[str, str]) -> None:
        self.key = self.needed(attributes, "id")
        name, whose = attributes.get("attr.name", self.key), attributes.get("for", "all")
        if whose in ("edge", "all"):
            self.keys[self.key] = name
        if whose in ("node", "all"):
            self.columns[self.key] = name, attributes.get("attr.type", "string")

    def start_graph(self, attributes: dict[str, str]) -> None:
        self.graphs += 1
        if self.graphs > 1:
            raise self.wrong("must hold one graph, got another one")
        kind = attributes.get("edgedefault", "undirected")
        if kind not in ("directed", "undirected"):
            raise self.wrong(f"edgedefault must be directed or undirected, got {kind!r}")
        self.gathered.directed = kind == "directed"

    def start_edge(self, attributes: dict[str, str]) -> None:
        default = "true" if self.gathered.directed else "false"
        if attributes.get("directed", default) != default:
            raise self.wrong("must not mix directed and undirected edges")
        ends = self.needed(attributes, "source"), self.needed(attributes, "target")
        self.gathered.edges.append(
            GatheredEdge(*ends, self.expat.CurrentLineNumber, dict(self.defaults))
        )

    def end(self, tag: str) -> None:
        tag = tag.rpartition(":")[2]
        self.inside.pop()
        around = self.inside[-1] if self.inside else ""
        text = "".join(self.text).strip()
        if tag == "default" and around == "key":
            self.end_default(text)
        elif tag == "data" and around == "edge" and self.key in self.keys:
            self.gathered.edges[-1].attributes[self.keys[self.key]] = text
        elif tag == "data" and around == "node" and self.key in self.columns:
            name, kind = self.columns[self.key]
            self.gathered.rows[-1][name] = _typed("".join(self.text), kind)
        self.text.clear()

    def end_default(self, text: str) -> None:
        if self.key in self.keys:
            self.defaults[self.keys[self.key]] = text
        if self.key in self.columns:
            name, kind = self.columns[self.key]
            self.usual[name] = _typed(text, kind)

    def needed(self, attributes: dict[str, str], name: str) -> str:
        if name not in attributes:
            raise self.wrong(f"the element must have an attribute {name!r}")
        return attributes[name]


def _typed(text: str, kind: str) -> Any:
    """A node's value of the kind that its key states; text if it is not of that kind."""
    word = text.strip()
    if kind in ("int", "long"):
        number = written_integer(word)
        return text if number is None else number
    if kind in ("float", "double"):
        return float(word) if is_number(word) or word.lower() in ("nan", "inf", "-inf") else text
    if kind == "boolean" and word.lower() in ("true", "false", "1", "0"):
        return word.lower() in ("true", "1")
    return text


def read_graphml(plain: Path, shown: Path, weight: str | None, directed: Directed) -> Graph:
    """A graph from GraphML; nodes are named by their ids, integers if all ids are integers."""
    parser = _Parser(shown)
    try:
        with plain.open("rb") as file:
            parser.expat.ParseFile(file)
    except expat.ExpatError as wrong:
        problem = f"is not well-formed XML: {expat.errors.messages[wrong.code]}"
        raise ReadError(shown, problem, line=wrong.lineno) from None
    except (LookupError, ValueError) as wrong:
        if isinstance(wrong, ReadError):
            raise
        raise ReadError(shown, f"its encoding is unknown: {wrong}") from None
    if parser.graphs == 0:
        raise ReadError(shown, "contains no <graph>")
    ids = list(parser.gathered.nodes)
    integers = integer_columns(ids)
    names = ids if integers is None else integers[0].tolist()
    weights = None if weight is None else (weight,)
    return gathered_graph(parser.gathered, names, shown, weights, directed)


def write_graphml(graph: Graph, path: Path) -> Iterable[str]:
    """An undirected GraphML graph, ids the names, weights in the edges' ``weight``.

    Returns the columns of the node table that it holds.
    """
    texts = [str(name) for name in graph.names]
    if kind_of(graph.names) is str:
        _check_ids(texts)
    ids = [_quoted(text) for text in texts]
    with path.open("w", encoding="utf-8", newline="") as file:
        file.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
            '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>\n'
        )
        columns = plain_columns(graph.node_table, _is_xml)
        for at, (name, (kind, _)) in enumerate(columns.items()):
            said = f'attr.name={_quoted(name)} attr.type="{kind}"'
            file.write(f'<key id="n{at}" for="node" {said}/>\n')
        file.write('<graph edgedefault="undirected">\n')
        for node, text in enumerate(ids):
            cells = [
                f'<data key="n{at}">{_cell(values[node])}</data>'
                for at, (_, values) in enumerate(columns.values())
                if values[node] is not None
            ]
            inside = f">{''.join(cells)}</node>" if cells else "/>"
            file.write(f"<node id={text}{inside}\n")
        for i, j, w in zip(*(ends.tolist() for ends in graph.edges()), strict=True):
            file.write(f"<edge source={ids[i]} target={ids[j]}>")
            file.write(f'<data key="weight">{w!r}</data></edge>\n')
        file.write("</graph>\n</graphml>\n")
    return columns


def _quoted(text: str) -> str:
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return escape(value, {"\r": "&#13;"}) if isinstance(value, str) else repr(value)


def _is_xml(name: str, column: PlainColumn) -> bool:
    """Whether XML can hold the column: no control characters."""
    texts = [name, *(value for value in column.values if isinstance(value, str))]
    return not any(_FORBIDDEN.search(text) for text in texts)


def _check_ids(texts: list[str]) -> None:
    for text in texts:
        if _FORBIDDEN.search(text):
            raise InputError(f"XML cannot hold the name {text!r}; write .npz")
    check_read_as_written(texts, "names")
