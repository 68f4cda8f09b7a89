"""Explain why a node was picked."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np

from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.questions import Asked
from lapwing.types import UNKNOWN

MOST_SEEN = 2_000
"""Number of nodes around a question that are examined."""
LARGE = 20_000
"""On larger graphs no copy of the learner is made to find out what an answer would change."""
CLOSE = 0.5
"""The second class is close if it is at least so likely, as a share of the first's probability."""


def reason(dialogue: Dialogue, asked: Asked) -> str:
    """Say why this node was picked."""
    node, state = asked.node, dialogue.state
    said = set(state.votes.answers(node).values())
    if asked.audit:
        return "drawn at random to check the predictions"
    if len(said) > 1:
        people = len(state.votes.answers(node))
        return f"{'two' if people == 2 else people} people disagree about it"
    return (
        _region(dialogue.graph, state.labels, node)
        or _border(dialogue, node)
        or _consequences(dialogue, node)
        or f"ranked first of {len(dialogue.candidates(asked_by(dialogue, node))) + 1:,} nodes"
    )


def asked_by(dialogue: Dialogue, node: int) -> str:
    """Who is asked about a node."""
    event = dialogue.state.open.get(node)
    return "me" if event is None else event.by


def _region(graph: Graph, labels: Mapping[int, int], node: int) -> str | None:
    """The nodes around it that have no label and no neighbour with one, if there are several."""
    if not labels:
        size = int((graph.components == graph.components[node]).sum())
        return _first_look(size) if size > 1 else None
    seen, frontier = {node}, [node]
    while frontier and len(seen) <= MOST_SEEN:
        near = graph.neighbors(frontier.pop()).tolist()
        if any(other in labels for other in near):
            return None if len(seen) < 2 else _first_look(len(seen) - 1)
        fresh = [other for other in near if other not in seen]
        seen.update(fresh)
        frontier.extend(fresh)
    return _first_look(len(seen), more=bool(frontier)) if len(seen) > 1 else None


def _first_look(size: int, *, more: bool = False) -> str:
    count = f"more than {MOST_SEEN:,}" if more else f"{size:,}"
    return f"first look at a region of {count} nodes without labels"


def _border(dialogue: Dialogue, node: int) -> str | None:
    """Two classes are about as likely, and both are among its neighbours."""
    chances, near = dialogue.learner.predict_proba(node), dialogue.graph.neighbors(node)
    if len(chances) < 2 or len(near) < 2:
        return None
    second, first = np.argsort(chances, kind="stable")[-2:].tolist()
    known = dialogue.labels[near]
    around = set(np.where(known == UNKNOWN, dialogue.learner.predict(near), known).tolist())
    if chances[second] < CLOSE * chances[first] or not {first, second} <= around:
        return None
    one, other = sorted((dialogue.classes[first], dialogue.classes[second]))
    return f"on the border between {one} and {other}"


def _consequences(dialogue: Dialogue, node: int) -> str | None:
    """How many predictions nearby its answer changes, on average over what it may be."""
    if dialogue.graph.n_nodes > LARGE or not dialogue.classes:
        return None
    changed = round(expected_changes(dialogue.learner, dialogue.graph, dialogue.labels, node))
    if changed < 1:
        return None
    noun = "prediction" if changed == 1 else "predictions"
    return f"its answer is expected to change about {changed:,} {noun}"


def expected_changes(learner: Learner, graph: Graph, labels: np.ndarray, node: int) -> float:
    """The number of other predictions nearby that would change, weighed by probability."""
    chances = learner.predict_proba(node)
    if not np.any(chances > 0):
        return 0.0
    near = np.array([other for other in _ball(graph, node) if labels[other] == UNKNOWN])
    if len(near) == 0:
        return 0.0
    before, expected = learner.predict(near), 0.0
    for label in np.argsort(-chances, kind="stable")[:3].tolist():
        if chances[label] > 0:
            twin = copy.deepcopy(learner)
            twin.learn(node, label)
            expected += float(chances[label]) * float((twin.predict(near) != before).sum())
    return expected


def _ball(graph: Graph, node: int) -> list[int]:
    """Nodes around one, nearest first, without itself."""
    seen, order, place = {node}, [node], 0
    while place < len(order) and len(order) <= MOST_SEEN:
        for other in graph.neighbors(order[place]).tolist():
            if other not in seen:
                seen.add(other)
                order.append(other)
        place += 1
    return order[1 : MOST_SEEN + 1]
