"""Growth of a session's graph as an event of its log: what was added, changed and removed."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.growth import Change, weights_before
from lapwing.session.log.events import Event
from lapwing.types import Array, Nodes

MOST_PLAIN = 200
"""Larger growths are written compressed."""


class Growth(NamedTuple):
    """New nodes by name, and edges whose weight changed: by index, with new and old weights.

    `attributes` holds what the node table says of each new node, by column; nothing if it says
    nothing of any of them.
    """

    nodes: tuple[str | int, ...]
    sources: Nodes
    targets: Nodes
    weights: Array
    before: Array
    attributes: tuple[Mapping[str, Any], ...] = ()

    @classmethod
    def between(cls, before: Graph, after: Graph) -> Growth:
        """The growth that leads from one graph to the other.

        Examples
        --------
        >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> print(Growth.between(path, path.with_edges([("c", "d"), ("d", "e")])))
        2 nodes added; 2 edges added
        """
        change = after.change_since(before)
        old = weights_before(before.adjacency, change)
        differ = change.weights != old
        new = tuple(_plain(name) for name in after.names[before.n_nodes :])
        ends, weights = (change.sources[differ], change.targets[differ]), change.weights[differ]
        table, later = after.node_table, range(before.n_nodes, after.n_nodes)
        rows = [_plain_row(table.present(node)) for node in later] if len(table) else []
        return cls(new, *ends, weights, old[differ], tuple(rows) if any(rows) else ())

    @classmethod
    def of(cls, detail: Mapping[str, Any]) -> Growth:
        """The growth that an event's detail holds; raise if it is not one."""
        try:
            plain = detail
            if "packed" in detail:
                packed = base64.b64decode(str(detail["packed"]), validate=True)
                plain = json.loads(zlib.decompress(packed))
            names, edges = list(plain["nodes"]), list(plain["edges"])
            columns = list(zip(*edges, strict=True)) if edges else [(), (), (), ()]
            sources, targets = (np.array(column, dtype=np.intp) for column in columns[:2])
            weights, old = (np.array(column, dtype=np.float64) for column in columns[2:])
            rows = tuple(dict(row) for row in plain.get("attributes", ()))
        except (KeyError, TypeError, ValueError, zlib.error) as wrong:
            raise InputError(f"a growth must hold nodes and edges: {wrong}") from None
        return cls(tuple(_plain(name) for name in names), sources, targets, weights, old, rows)

    @property
    def detail(self) -> dict[str, Any]:
        """The growth as an event's detail keeps it."""
        columns = (self.sources, self.targets, self.weights, self.before)
        rows = [list(row) for row in zip(*(c.tolist() for c in columns), strict=True)]
        plain: dict[str, Any] = {"nodes": list(self.nodes), "edges": rows}
        if self.attributes:
            plain["attributes"] = [dict(row) for row in self.attributes]
        if len(rows) + len(self.nodes) <= MOST_PLAIN:
            return plain
        text = json.dumps(plain, separators=(",", ":")).encode()
        return {"packed": base64.b64encode(zlib.compress(text, 6)).decode()}

    @property
    def is_empty(self) -> bool:
        """Whether nothing changes."""
        return not self.nodes and len(self.sources) == 0

    def check(self, n_nodes: int) -> int:
        """Return the number of nodes after it; raise if it cannot follow a graph of this size."""
        after = n_nodes + len(self.nodes)
        if len(set(self.nodes)) < len(self.nodes):
            raise InputError("a growth's new nodes must have distinct names")
        if self.attributes and len(self.attributes) != len(self.nodes):
            raise InputError("a growth must describe each of its new nodes, or none")
        if len(self.sources):
            fine = (self.sources >= 0).all() and (self.sources < self.targets).all()
            if not fine or int(self.targets.max()) >= after:
                raise InputError(f"a growth's edges must join two of {after} nodes, smaller first")
            values = np.concatenate([self.weights, self.before])
            if not (np.isfinite(values).all() and (values >= 0).all()):
                raise InputError("a growth's weights must be finite and at least 0")
        return after

    def after(self, graph: Graph) -> Graph:
        """Return the graph after this growth."""
        n = self.check(graph.n_nodes)
        change = Change(n, self.sources, self.targets, self.weights)
        grown = graph.with_change(change, names=self.nodes)
        if not self.attributes:
            return grown
        return grown.with_node_table(graph.node_table.extended(self.attributes))

    def undone(self, graph: Graph) -> Graph:
        """Return the graph before this growth, from the one after it."""
        n = graph.n_nodes - len(self.nodes)
        earlier = Change(graph.n_nodes, self.sources, self.targets, self.before)
        changed = graph.with_change(earlier)
        return changed if not self.nodes else changed.subgraph(np.arange(n))

    def __str__(self) -> str:
        """What it adds, changes and removes, in words."""
        new, gone = self.before == 0, self.weights == 0
        counts = (
            (len(self.nodes), "node", "added"),
            (int(new.sum()), "edge", "added"),
            (int((~new & ~gone).sum()), "edge", "changed"),
            (int(gone.sum()), "edge", "removed"),
        )
        said = [f"{n:,} {what}{'' if n == 1 else 's'} {how}" for n, what, how in counts if n]
        if self.attributes:
            said[0] += f", {sum(map(bool, self.attributes)):,} with attributes"
        return "; ".join(said) or "nothing changed"


def before_growths(graph: Graph, growths: Sequence[Growth]) -> Graph:
    """Return the graph with which a session began, from the one after all its growths.

    Examples
    --------
    >>> path = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> longer = path.with_edges([("c", "d")])
    >>> before_growths(longer, [Growth.between(path, longer)]) == path
    True
    """
    for growth in reversed(growths):
        graph = growth.undone(graph)
    return graph


def _plain(name: Any) -> str | int:
    """A node's name as a log can keep it."""
    if isinstance(name, bool) or not isinstance(name, str | int | np.integer):
        raise InputError(f"names of new nodes must be text or whole numbers, got {name!r}")
    return name if isinstance(name, str) else int(name)


def _plain_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a node as a log can keep them."""
    return {name: _plain_value(name, value) for name, value in row.items()}


def _plain_value(name: str, value: Any) -> Any:
    plain = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if not isinstance(plain, str | int | float | bool | list):
        raise InputError(
            f"attributes of new nodes must be texts or numbers, {name!r} is {value!r:.80}"
        )
    return plain


def refuse_growth(event: Event) -> None:
    """A state without a graph cannot follow its growth."""
    raise InputError(f"event {event.number} grows the graph, which this state does not hold")


def nothing(_: int) -> None:
    """Do nothing when a label changes."""
