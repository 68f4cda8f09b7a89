"""Questions, answers and predictions of a dialogue, with nodes by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lapwing.embed.attributes.leaks import leaking_columns
from lapwing.errors import InputError
from lapwing.graph.labels import Labels
from lapwing.session.asking.question import Neighbor, Question
from lapwing.session.asking.reasons import reason
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.log.events import Kind
from lapwing.session.log.questions import Asked
from lapwing.session.reading.predictions import Predictions
from lapwing.types import UNKNOWN, Nodes

MOST_NEIGHBORS = 8


class Answer(NamedTuple):
    """One person's current answer."""

    node: Hashable
    label: str
    by: str
    at: str


def standing_answers(dialogue: Dialogue) -> list[Answer]:
    """All current answers in the order in which they were given: node, label, by whom, when."""
    state = dialogue.state
    latest: dict[tuple[int, str], str] = {}
    for event in dialogue.store.events(dialogue.record):
        if event.kind in (Kind.TOLD, Kind.CORRECTED) and event.node is not None:
            latest.pop((event.node, event.by), None)
            latest[event.node, event.by] = event.at
    return [
        Answer(dialogue.graph.names[node], state.classes[state.votes.answers(node)[by]], by, at)
        for (node, by), at in latest.items()
        if by in state.votes.answers(node)
    ]


def teach(dialogue: Dialogue, labels: Mapping[Any, Any] | Labels, by: str) -> None:
    """Add labels known beforehand: they train the learner, but do not count as audits.

    Labels that were added before are skipped, so later corrections are kept.
    """
    if isinstance(labels, Labels):
        known = _by_index(labels)
    else:
        known = {dialogue.graph.names.index(name): label for name, label in labels.items()}
    events = dialogue.store.events(dialogue.record)
    taught = {event.node for event in events if event.detail.get("known")}
    votes = dialogue.state.votes
    fresh = {
        node: label
        for node, label in known.items()
        if node not in taught and by not in votes.answers(node)
    }
    dialogue.tell_many(fresh, by, known=True)


def _by_index(labels: Labels) -> dict[int, Any]:
    if labels.multilabel:
        raise InputError("labels must have one class per node, some nodes have several")
    nodes, kinds = labels.pairs()
    pairs = zip(nodes.tolist(), kinds.tolist(), strict=True)
    return {node: str(labels.classes[kind]) for node, kind in pairs}


def predicted(dialogue: Dialogue, nodes: Sequence[int]) -> list[str | None]:
    """The labels of some nodes, told or predicted; None where nothing is known."""
    indices = np.array(nodes, dtype=np.intp)
    known = dialogue.labels[indices]
    guesses = dialogue.learner.predict(indices) if len(indices) else indices
    found = np.where(known == UNKNOWN, guesses, known).tolist()
    return [None if k == UNKNOWN else dialogue.classes[k] for k in found]


def predictions_of(dialogue: Dialogue) -> Predictions:
    """A label with its confidence for every node; told labels are kept."""
    count, everyone = len(dialogue.classes), np.arange(dialogue.graph.n_nodes)
    if not count:
        raise InputError(f"session {dialogue.name!r} must have a class to predict, it has none yet")
    chances = dialogue.chances(everyone)
    if chances.shape[1] < count:
        chances = np.pad(chances, ((0, 0), (0, count - chances.shape[1])))
    return Predictions.of(dialogue.graph, chances, Labels(dialogue.labels, tuple(dialogue.classes)))


def question_of(dialogue: Dialogue, asked: Asked, by: str, shown: Sequence[str] = ()) -> Question:
    """The question with what helps to answer it; on an audit, without the learner's opinion."""
    node = asked.node
    near, table = dialogue.graph.neighbors(node), dialogue.graph.node_table
    blind = asked.audit or node in dialogue.state.blind
    there = [name for name in shown if name in table]
    return Question(
        node=dialogue.graph.names[node],
        reason=reason(dialogue, asked),
        audit=asked.audit,
        attributes=table.row(node),
        neighbors=neighbors_shown(dialogue, near, blind=blind),
        n_neighbors=len(near),
        by=by,
        shown=tuple(shown),
        giveaways=frozenset(leaking_columns(table, dialogue.state.labels, among=there)),
        blind=blind,
        again=asked.again,
        _guess=None if asked.guess == UNKNOWN else dialogue.classes[asked.guess],
        _confidence=asked.confidence,
        _answered=lambda: (
            node not in dialogue.state.open and by in dialogue.state.votes.answers(node)
        ),
    )


def neighbors_shown(dialogue: Dialogue, near: Nodes, *, blind: bool) -> tuple[Neighbor, ...]:
    """Neighbours, those with labels first; predictions for the others unless `blind`."""
    classes = [*dialogue.classes, None]
    labels = dialogue.labels[near]
    first = np.argsort(labels == UNKNOWN, kind="stable")[:MOST_NEIGHBORS]
    order, known = near[first], labels[first]
    guesses = np.full(len(order), UNKNOWN)
    if len(order) and not blind:
        guesses = np.where(known == UNKNOWN, dialogue.learner.predict(order), UNKNOWN)
    return tuple(
        Neighbor(dialogue.graph.names[other], classes[label], classes[guess])
        for other, label, guess in zip(
            order.tolist(), known.tolist(), guesses.tolist(), strict=True
        )
    )
