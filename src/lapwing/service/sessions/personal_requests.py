"""Personal requests: to be asked about one node, to take back answers, to set a goal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import update
from sqlalchemy.engine import Connection

from lapwing.graph import Graph
from lapwing.service.database.tables import shared_sessions
from lapwing.service.people.leases import ends, renewed
from lapwing.service.sessions.desks import Desk
from lapwing.service.sessions.names import node_index
from lapwing.service.sessions.questions import attribute
from lapwing.types import UNKNOWN


def asked_about(
    connection: Connection, desk: Desk, by: str, node: str, lease: float
) -> tuple[int, float]:
    """Put one node to a person; return its index and when the lease ends."""
    session, shared = desk.session, desk.shared.id
    index = node_index(session.graph, node)
    event = session.dialogue.state.open.get(index)
    if event is None or event.by != by:
        session.dialogue.reask(index, by)
        event = session.dialogue.state.open[index]
    renewed(connection, shared, session, [event.number], by, lease)
    return index, ends(connection, shared, [event], lease)[event.number]


def withdrawn(desk: Desk, by: str, nodes: Sequence[str]) -> dict[str, Any]:
    """Take back a person's answers on these nodes, where there are any."""
    session = desk.session
    taken = []
    for index in dict.fromkeys(node_index(session.graph, node) for node in nodes):
        if by in session.dialogue.state.votes.answers(index):
            session.dialogue.withdraw(index, by)
            taken.append(str(session.graph.names[index]))
    return {"nodes": taken, "event": session.dialogue.state.n_events}


def goal_set(connection: Connection, desk: Desk, target_error: float) -> dict[str, Any]:
    """Set the error below which the team wants to stop."""
    choices = desk.shared.choices | {"target_error": target_error}
    connection.execute(
        update(shared_sessions)
        .where(shared_sessions.c.id == desk.shared.id)
        .values(choices=json.dumps(choices))
    )
    desk.shared = replace(desk.shared, choices=choices)
    desk.notes.pop("status", None)
    return {"target_error": target_error}


def nodes_json(graph: Graph, indices: Sequence[int]) -> list[dict[str, Any]]:
    """Return the names and attributes of nodes by number; numbers out of range are left out.

    Examples
    --------
    >>> graph = Graph.from_edges([("ada", "bo")]).with_node_table({"age": [31, 47]})
    >>> nodes_json(graph, [1, 7])
    [{'node': 'bo', 'index': 1, 'attributes': {'age': 47}}]
    """
    return [
        {
            "node": str(graph.names[index]),
            "index": index,
            "attributes": {
                name: attribute(value) for name, value in graph.node_table.row(index).items()
            },
        }
        for index in indices
        if UNKNOWN < index < graph.n_nodes
    ]
