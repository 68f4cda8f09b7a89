"""The graphs of all teams: rows in the database, arrays in folders, a few kept in memory."""

from __future__ import annotations

import json
from collections import OrderedDict
from pathlib import Path
from threading import Lock
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from lapwing.graph import Graph
from lapwing.service.database.tables import graphs
from lapwing.service.graphs.shelf import taken_from_shelf
from lapwing.service.moments import moment
from lapwing.service.people.person import Person
from lapwing.service.problems import no_graph

KEPT = 8
"""Graphs kept in memory."""


class Library:
    """Graphs by id; a graph is read from disk once for all who use it at the same time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._kept: OrderedDict[str, Graph] = OrderedDict()
        self._lock = Lock()

    def place(self, graph: str) -> Path:
        """Return the folder of a graph."""
        return self.folder / graph

    def added(
        self, connection: Connection, person: Person, graph: str, name: str, told: dict[str, Any]
    ) -> dict[str, Any]:
        """Add a graph whose arrays are in its folder."""
        facts = told["facts"] | {"hash": told["hash"]}
        connection.execute(
            insert(graphs).values(
                id=graph, team=person.team, name=name, facts=json.dumps(facts), created=moment()
            )
        )
        return {"graph": graph, "name": name, **told["facts"]}

    def listed(self, connection: Connection, person: Person) -> list[dict[str, Any]]:
        """Return a team's graphs, oldest first."""
        found = connection.execute(
            select(graphs).where(graphs.c.team == person.team).order_by(graphs.c.created)
        )
        return [_told(row) for row in found]

    def facts(self, connection: Connection, person: Person, graph: str) -> dict[str, Any]:
        """Return what is known of one of the team's graphs."""
        row = connection.execute(
            select(graphs).where(graphs.c.id == graph, graphs.c.team == person.team)
        ).first()
        if row is None:
            raise no_graph()
        return _told(row)

    def graph(self, graph: str) -> Graph:
        """Return the graph itself."""
        with self._lock:
            found = self._kept.pop(graph, None)
            if found is None:
                found = taken_from_shelf(self.place(graph))
                found.read_from = {"graph": f"graph-{graph[:8]}", "reading": {}}
            self._kept[graph] = found
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return found


def _told(row: Any) -> dict[str, Any]:
    facts = json.loads(row.facts)
    facts.pop("hash", None)
    return {"graph": row.id, "name": row.name, **facts}
