"""A session as the service keeps it, beside its log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Shared:
    """A session as the service keeps it: whose it is, on which graph, with which choices."""

    id: str
    team: str
    name: str
    graph: str
    choices: dict[str, Any]
    created: str

    @property
    def begun_on(self) -> str:
        """The graph with which the session began; its log has what was added since."""
        return str(self.choices.get("begun_on") or self.graph)

    @property
    def target_error(self) -> float:
        """The error below which the team wants to stop."""
        return float(self.choices.get("target_error") or 0.1)

    @property
    def target_recall(self) -> float | None:
        """The share that the team wants to find, if it set one."""
        found = self.choices.get("target_recall")
        return None if found is None else float(found)

    @property
    def targets(self) -> tuple[float, float | None]:
        """When the team wants to stop."""
        return self.target_error, self.target_recall


def shared_of(row: Any) -> Shared:
    """Return a session from its row."""
    return Shared(row.id, row.team, row.name, row.graph, json.loads(row.choices), row.created)
