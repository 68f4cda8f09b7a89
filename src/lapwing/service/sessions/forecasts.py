"""Predictions that are asked for one at a time, and at once for all nodes where many are asked."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.service.sessions.desks import Desk
from lapwing.session import Session
from lapwing.types import UNKNOWN, Array, Nodes

FEW = 50
"""Predictions between two changes after which it is cheaper to make those of all nodes."""


class Forecasts:
    """What the learner thinks at one moment: nodes one by one at first, then all of them."""

    def __init__(self, version: Any) -> None:
        self.version = version
        self.asked = 0
        self.everything: tuple[Nodes, Array] | None = None

    @property
    def are_due(self) -> bool:
        """Whether it is time to make all predictions."""
        return self.everything is None and self.asked > FEW


def forecasts_of(desk: Desk, session: Session) -> Forecasts:
    """Return the forecasts since the last change of what the learner knows."""
    dialogue = session.dialogue
    state = dialogue.state
    version = state.n_learned, len(state.classes), dialogue.graph.hash, state.looks.wrong
    found: Forecasts | None = desk.notes.get("forecasts")
    if found is None or found.version != version:
        found = desk.notes["forecasts"] = Forecasts(version)
    return found


def make_forecasts(desk: Desk, session: Session) -> None:
    """Make the predictions of all nodes, if that is due."""
    found = forecasts_of(desk, session)
    if found.are_due:
        found.everything = likeliest(session, np.arange(session.graph.n_nodes))


def forecast(desk: Desk, session: Session, nodes: Nodes) -> tuple[Nodes, Array]:
    """Return the likeliest class of each node, `UNKNOWN` where nothing is known, and its chance."""
    session.dialogue.learn()  # what waits, before the forecasts are looked for
    found = forecasts_of(desk, session)
    if found.everything is not None:
        kinds, sure = found.everything
        return kinds[nodes], sure[nodes]
    found.asked += len(nodes)
    return likeliest(session, nodes)


def likeliest(session: Session, nodes: Nodes) -> tuple[Nodes, Array]:
    """Return the likeliest class of each node and its chance, from the learner.

    Examples
    --------
    >>> from lapwing import Graph
    >>> session = Session(Graph.from_edges([("a", "b")]), labels={"a": "red"})
    >>> kinds, sure = likeliest(session, np.array([1]))
    >>> session.classes[kinds[0]], bool(sure[0] > 0)
    ('red', True)
    """
    unknown = np.full(len(nodes), UNKNOWN, dtype=np.intp), np.zeros(len(nodes))
    if not session.dialogue.classes:
        return unknown
    chances = session.dialogue.chances(nodes)
    if chances.shape[1] == 0:
        return unknown
    best = chances.argmax(axis=1)
    sure = chances[np.arange(len(nodes)), best]
    return np.where(sure > 0, best, UNKNOWN), np.where(sure > 0, sure, 0.0)
