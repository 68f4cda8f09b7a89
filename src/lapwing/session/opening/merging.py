"""Merge two sessions on the same graph."""

from __future__ import annotations

from lapwing.errors import InputError
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.session import Session


def merge(into: Session, other: Session) -> int:
    """Add the answers of another session on the same graph, and return their number.

    Answers keep the names of the people who gave them. If a person answered a node in both
    sessions, the answer in `into` stays. Merged answers do not count as audits.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> one, two = Session(graph, by="ann"), Session(graph, by="bo")
    >>> one.tell("a", "red")
    >>> two.tell({"a": "red", "c": "blue"})
    >>> merge(one, two), one.labels()
    (2, {'a': 'red', 'c': 'blue'})
    """
    if into.store is other.store and into.dialogue.record.key == other.dialogue.record.key:
        raise InputError(f"session {into.name!r} must be merged with another one, got itself")
    if into.graph.hash != other.graph.hash:
        raise InputError(
            f"sessions {into.name!r} and {other.name!r} must belong to the same graph to be merged"
        )
    people: dict[str, dict[int, str]] = {}
    for answer in other.answers():
        node = into.graph.names.index(answer.node)
        if answer.by not in into.dialogue.state.votes.answers(node):
            people.setdefault(answer.by, {})[node] = answer.label
    return sum(_told(into.dialogue, by, answers) for by, answers in people.items())


def _told(dialogue: Dialogue, by: str, answers: dict[int, str]) -> int:
    dialogue.tell_many(answers, by, known=True)
    return len(answers)
