"""Make a session's learner and strategy from the names in its header."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from lapwing import active
from lapwing.catalog import FOR_SESSIONS, make
from lapwing.checks import between, plain_text, true_or_false, value_per_name, whole_number
from lapwing.embed.attributes.kinds import ColumnUse, column_uses
from lapwing.embed.attributes.leaks import refuse_leaks, used_columns
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.session.asking.view import labels_by_node
from lapwing.session.classification import told_labels
from lapwing.session.log.auditing.estimates import AUDIT_SHARE
from lapwing.session.opening.gained import file_size
from lapwing.session.opening.goals import is_search
from lapwing.session.opening.places import names_hash
from lapwing.types import Array

STRATEGY = "representative"
"""The default strategy of sessions."""
COLUMNS = ("use", "text", "vectors")
"""Parameters that name columns of the node table."""


def parts(header: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """What a `Dialogue` is made of, by the names in its header.

    A session that was begun without a node table does not learn from one that is added later.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2)])
    >>> sorted(parts({"learner": "near-far", "strategy": "uncertain-reach"}, graph))
    ['make_learner', 'make_strategy', 'remade']
    >>> parts({"learner": "near-far"}, graph)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: a session's header must name its strategy, this one does not: ...
    """
    for part in ("learner", "strategy"):
        if part not in header:
            raise InputError(
                f"a session's header must name its {part}, this one does not: "
                "open it as a lapwing.session.Dialogue, with the parts that it was made of"
            )
    if not header.get("node_table"):
        graph = graph.with_node_table({})
    settings = _present(header.get("parameters", {}), graph)
    if settings.get("clock", "events") != "events":
        raise InputError(
            f"a session forgets by its events: clock must be 'events', got {settings['clock']!r}"
        )
    active.checked_name(str(header["strategy"]))
    return {
        "make_learner": lambda: make(str(header["learner"]), graph, **settings),
        "make_strategy": lambda labels: _strategy(header, graph, labels, settings),
        "remade": lambda grown: parts(header, grown),
    }


def _strategy(
    header: Mapping[str, Any],
    graph: Graph,
    labels: Mapping[int, int],
    settings: Mapping[str, Any],
) -> active.Strategy:
    """The strategy that a header names, inside a search if that is the goal."""
    seed, cost = int(header.get("seed", 0)), _costs(header.get("costs"), graph.n_nodes)
    usual = active.strategy(str(header["strategy"]), graph, labels, seed=seed, cost=cost)
    if not is_search(header):
        return usual
    columns = {key: settings[key] for key in COLUMNS if key in settings}
    learns = header["learner"] == FOR_SESSIONS
    return active.ActiveSearch(
        graph, labels, positive=header["positive_classes"], usual=usual, cost=cost, seed=seed,
        columns=columns if learns else None,
    )  # fmt: skip


def _present(parameters: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """The parameters without columns that the node table has not: it may have been left behind."""
    said = dict(parameters)
    for key in COLUMNS:
        if said.get(key) is not None and not graph.node_table:
            said[key] = []
    return said


def priced(graph: Graph, cost: Any, forbidden: Any = ()) -> dict[str, Any]:
    """What a header keeps of costs by node name, and of nodes that are never asked about.

    Nodes that are not named cost 1; a cost of `inf` forbids a node.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
    >>> priced(graph, {"ada": 2.5, "bo": float("inf")}, ["cy"])
    {'forbidden': [1, 2], 'costs': {'0': 2.5}}
    """
    costs = {
        graph.names.index(name): _cost(name, value) for name, value in dict(cost or {}).items()
    }
    never = [node for node, value in costs.items() if np.isinf(value)]
    never += [graph.names.index(name) for name in forbidden or ()]
    known = {str(node): value for node, value in costs.items() if np.isfinite(value)}
    found: dict[str, Any] = {"forbidden": list(dict.fromkeys(never))} if never or costs else {}
    return found | ({"costs": known} if known else {})


def _cost(name: Any, value: Any) -> float:
    try:
        cost = float(str(value))
    except ValueError:
        cost = float("nan")
    if not cost > 0:
        raise InputError(f"the cost of {name!r} must be above 0 or inf, got {value!r}")
    return cost


def _costs(known: Mapping[str, float] | None, n_nodes: int) -> Array | None:
    if not known:
        return None
    cost = np.ones(n_nodes)
    cost[[int(node) for node in known]] = list(known.values())
    return cost


def checked_labels(labels: Any) -> Labels | dict[Any, Any] | None:
    """Labels known beforehand, by node name, if they are that."""
    if labels is None or isinstance(labels, Labels):
        return labels
    return value_per_name("labels", labels)


def check_settings(
    audit_share: float | None,
    twice: float | None,
    second_looks: bool | None,
    learner: str | None,
    seed: int | None,
) -> None:
    """Raise if a setting of a session is not what it must be; None is the default of each."""
    for name, share in (("audit_share", audit_share), ("twice", twice)):
        if share is not None:
            between(name, share, 0, 1)
    if second_looks is not None:
        true_or_false("second_looks", second_looks)
    if learner is not None:
        plain_text("learner", learner)
    if seed is not None:
        whole_number("seed", seed, 0)


def usual_name(graph: Graph) -> str:
    """The default name of a session: that of the graph's file."""
    place = (graph.read_from or {}).get("graph")
    return "session" if place is None else Path(str(place)).stem


def usual_header(graph: Graph) -> dict[str, Any]:
    """The default header."""
    place = {key: value for key, value in (graph.read_from or {}).items() if key != "nodes"}
    return {
        **place,
        **file_size(graph),
        "names_hash": names_hash(graph),
        **({"node_table": graph.node_table.digest} if len(graph.node_table) else {}),
        "learner": FOR_SESSIONS,
        "parameters": {},
        "strategy": STRATEGY,
        "audit_share": AUDIT_SHARE,
        "seed": 0,
    }


def check_said(name: str, header: Mapping[str, Any], said: Mapping[str, Any]) -> None:
    """Raise if a session is resumed with other settings than its own."""
    for key, value in said.items():
        recorded = header.get(key)
        if key == "strategy" and recorded is not None:
            recorded = active.checked_name(str(recorded))
        if recorded != value:
            raise InputError(
                f"session {name!r} was begun with {key} {recorded!r}, got {value!r}: "
                "leave it out to go on, or give another name to begin anew"
            )


def with_columns(header: Mapping[str, Any], graph: Graph) -> dict[str, Any]:
    """The learner's parameters with the columns that it learns from, so that they are recorded.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2)]).with_node_table({"age": [3.5, 4.0, 1.0]})
    >>> with_columns({"learner": "pool", "parameters": {}}, graph)
    {'use': ['age']}
    >>> with_columns({"learner": "near-far", "parameters": {}}, graph)
    {}
    """
    said = dict(header["parameters"])
    if header["learner"] != FOR_SESSIONS:
        return said
    used = used_columns(_uses(said, graph))
    return said if "use" in said or not used else said | {"use": used}


def check_columns(
    header: Mapping[str, Any], graph: Graph, labels: Labels | Mapping[Any, Any] | None
) -> None:
    """Raise if a column that a session is to learn from gives away labels that are known."""
    if not labels or not graph.node_table or header["learner"] != FOR_SESSIONS:
        return
    known = labels if isinstance(labels, Labels) else told_labels(graph, labels)
    refuse_leaks(graph.node_table, _uses(header["parameters"], graph), labels_by_node(known))


def _uses(parameters: Mapping[str, Any], graph: Graph) -> dict[str, ColumnUse]:
    """How each column is used; raises for a name that is not a column."""
    given = {key: parameters[key] for key in COLUMNS if parameters.get(key) is not None}
    return column_uses(graph.node_table, **given)
