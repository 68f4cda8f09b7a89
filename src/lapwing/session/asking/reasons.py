"""Explain why a node was picked; each statement is computed, and true when it is made."""

from __future__ import annotations

import copy
from collections.abc import Mapping

import numpy as np

from lapwing.active import ActiveSearch, Representative
from lapwing.active.representative import CONSIDERED
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.questions import Asked
from lapwing.types import UNKNOWN, Nodes

MOST_SEEN = 2_000
"""Number of nodes around a question that are examined."""
MOST_LIKELY = 3
"""Answers whose consequences are computed, the likeliest first."""
MOST_COPIED = 50_000
"""Number of nodes above which the learner is too large to be copied for every question."""
CLOSE = 0.5
"""The second class is close if it is at least so likely, as a share of the first's probability."""


def reason(dialogue: Dialogue, asked: Asked) -> str:
    """Say why this node was picked."""
    node, state = asked.node, dialogue.state
    said = set(state.votes.answers(node).values())
    if asked.audit:
        if isinstance(dialogue.strategy, ActiveSearch):
            return "drawn at random to measure how many are still hidden"
        return "drawn at random to check the predictions"
    if asked.again:
        event = state.open.get(node)
        looked_odd = event is not None and event.detail.get("blind") and len(said) == 1
        return "a second look: the answer looked odd" if looked_odd else "asked again"
    if node in state.unconfirmed and not asked.again:
        return "asked of a second person, to measure how well people agree"
    if len(said) > 1:
        people = len(state.votes.answers(node))
        return f"{'two' if people == 2 else people} people disagree about it"
    return (
        _likely(dialogue, node)
        or _first_look(dialogue.graph, state.labels, node)
        or _border(dialogue, node)
        or _consequences(dialogue, node)
        or _chosen(dialogue, node)
    )


def _likely(dialogue: Dialogue, node: int) -> str | None:
    """How likely it belongs to a class that is looked for, once one such node is known."""
    search = dialogue.strategy
    if not isinstance(search, ActiveSearch) or not search.knows_positive:
        return None
    own = float(search.chances(node))
    said = f"{own:.0%} likely to be {positive_words(dialogue)}"
    event = dialogue.state.open.get(node)
    others = dialogue.candidates("me" if event is None else event.by)
    if len(others) and own >= float(search.chances(others).max()):
        return f"{said}, more than any other node"
    if search.looks_ahead:
        return f"{said}; chosen for what could be found after its answer"
    return said


def positive_words(dialogue: Dialogue) -> str:
    """The classes that a session is to find, in words."""
    return " or ".join(map(str, dialogue.header.get("positive", ())))


def _chosen(dialogue: Dialogue, node: int) -> str:
    """How it was chosen, among how many, where there is nothing else to say."""
    event = dialogue.state.open.get(node)
    count = len(dialogue.candidates("me" if event is None else event.by)) + 1
    strategy = str(dialogue.header.get("strategy", "its strategy"))
    if strategy == "random":
        return f"drawn at random from {count:,} nodes"
    asker = dialogue.strategy
    if not isinstance(asker, Representative):
        return f"chosen by {strategy} from {count:,} nodes"
    if asker.leaves_to_reach(dialogue.learner):
        return f"chosen by uncertain-reach from {count:,} nodes"
    if count <= CONSIDERED:
        return f"tells most about other nodes in doubt, of {count:,} nodes"
    return f"tells most about other nodes in doubt, of {CONSIDERED} drawn from {count:,}"


def _first_look(graph: Graph, labels: Mapping[int, int], node: int) -> str | None:
    count, whole = region(graph, labels, node)
    if count < 2:
        return None
    size = f"{count:,}" if whole else f"at least {count:,}"
    return f"first look at a region of {size} nodes without labels"


def region(
    graph: Graph, labels: Mapping[int, int], node: int, most: int = MOST_SEEN
) -> tuple[int, bool]:
    """The number of nodes nearer to this one than its nearest label, and whether that is all.

    These are the nodes within r steps, for the largest r so that none of them has a label: a
    connected region. At most about `most` nodes are examined; then the region has at least so many.
    While there are no labels it is the whole component.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
    >>> region(path, {5: 0}, 2), region(path, {1: 0}, 2), region(path, {}, 2)
    ((5, True), (1, True), (6, True))
    >>> region(path, {5: 0}, 2, most=2)
    (3, False)
    """
    if node in labels:
        return 0, True
    if not labels:
        return int((graph.components == graph.components[node]).sum()), True
    seen, level = {node}, [node]
    while level:
        if len(seen) > most:
            return len(seen), False
        found: set[int] = set()
        for other in level:
            near = graph.neighbors(other)
            for part in range(0, len(near), most):
                fresh = set(near[part : part + most].tolist()) - seen
                if any(each in labels for each in fresh):
                    return len(seen), True
                found |= fresh
                if len(found) > most:
                    return _cut_short(graph, labels, seen, level, found)
        seen |= found
        level = list(found)
    return len(seen), True


def _cut_short(
    graph: Graph, labels: Mapping[int, int], seen: set[int], level: list[int], found: set[int]
) -> tuple[int, bool]:
    """The region when the next level is too large to examine: asked from the labels' side."""
    inside = set(level)
    if any(inside.intersection(graph.neighbors(each).tolist()) for each in labels):
        return len(seen), True
    return len(seen | found), False


def _border(dialogue: Dialogue, node: int) -> str | None:
    """Two classes are about as likely, and both are among its neighbours."""
    chances, near = dialogue.learner.predict_proba(node), dialogue.graph.neighbors(node)
    if len(chances) < 2 or len(near) < 2:
        return None
    second, first = np.argsort(chances, kind="stable")[-2:].tolist()
    if chances[second] < CLOSE * chances[first] or chances[second] <= 0:
        return None
    if not {first, second} <= _classes_of(dialogue, near[:MOST_SEEN]):
        return None
    one, other = sorted((dialogue.classes[first], dialogue.classes[second]))
    return f"on the border between {one} and {other}"


def _classes_of(dialogue: Dialogue, nodes: Nodes) -> set[int]:
    """The classes that some nodes have, by answers or else by prediction."""
    known = dialogue.labels[nodes]
    return set(np.where(known == UNKNOWN, dialogue.learner.predict(nodes), known).tolist())


def _consequences(dialogue: Dialogue, node: int) -> str | None:
    """How many predictions nearby its answer changes, on average over what it may be."""
    if not dialogue.classes or dialogue.graph.n_nodes > MOST_COPIED:
        return None
    changed = round(expected_changes(dialogue.learner, dialogue.graph, dialogue.labels, node))
    if changed < 1:
        return None
    noun = "prediction" if changed == 1 else "predictions"
    return f"its answer is expected to change about {changed:,} {noun}"


def expected_changes(learner: Learner, graph: Graph, labels: Nodes, node: int) -> float:
    """The number of other predictions nearby that would change, weighed by probability.

    Nearby are the nodes within the fewest steps, up to `MOST_SEEN`. Each of the likeliest answers
    is taught to a copy of the learner.
    """
    chances = learner.predict_proba(node)
    around = ball(graph, node)
    near = around[labels[around] == UNKNOWN]
    if not np.any(chances > 0) or len(near) == 0:
        return 0.0
    before, expected = learner.predict(near), 0.0
    for label in np.argsort(-chances, kind="stable")[:MOST_LIKELY].tolist():
        if chances[label] > 0:
            twin = copy.deepcopy(learner)
            twin.learn(node, label)
            expected += float(chances[label]) * float((twin.predict(near) != before).sum())
    return expected


def ball(graph: Graph, node: int, most: int = MOST_SEEN) -> Nodes:
    """Nodes around one, nearest first, without itself; at most so many.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    >>> ball(path, 1).tolist(), ball(path, 1, most=2).tolist()
    ([0, 2, 3, 4], [0, 2])
    """
    order, seen, place = [node], {node}, 0
    while place < len(order) and len(order) <= most:
        for other in graph.neighbors(order[place])[: most + len(seen)].tolist():
            if other not in seen:
                seen.add(other)
                order.append(other)
        place += 1
    return np.array(order[1 : most + 1], dtype=np.intp)
