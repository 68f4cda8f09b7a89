"""Questions answered from known labels, as a rehearsal of what a person would do."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import waiting
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.learner import evidence_words
from lapwing.session import Session
from lapwing.session.opening.goals import is_search
from lapwing.session.reading.finding import search_facts
from lapwing.types import UNKNOWN

TOLD = 25
"""Number of labels between two reports of how far it is."""


def answerable(found: Dataset, wanted: Sequence[str] | None = None) -> Dataset:
    """Return a data set whose labels can answer questions; raise before a session is begun.

    `wanted` are classes to find: they must be among those that are known.
    """
    if not found.classes or found.multilabel:
        raise InputError(f"{found.name} must have one known label per node to answer from")
    classes = [str(name) for name in found.classes]
    for each in wanted or ():
        if each not in classes:
            some = ", ".join(classes[:10]) + (" ..." if len(classes) > 10 else "")
            raise InputError(
                f"no node of {found.name} is known to be {each!r}; its classes are {some}"
            )
    return found


def answered_by_oracle(session: Session, rules: Rules, found: Dataset) -> dict[str, Any]:
    """Answer every question from known labels until it is enough; what came of it."""
    reason = "every node with a known label was asked"
    of = "" if rules.budget is None else f" of {rules.budget}"
    with waiting("asking") as say:
        while (question := session.ask(by=rules.by)) is not None:
            answer = known_label(found, question.node)
            if answer is None:
                session.skip(question.node, by=rules.by)
            else:
                session.tell(question.node, answer, by=rules.by)
            if session.n_labels % TOLD == 0:
                say(f"asking: {session.n_labels}{of} labels")
            if (enough := rules.enough(session)) is not None:
                reason = enough
                break
        say(f"comparing the predictions of {session.graph.n_nodes:,} nodes with what is known")
        return _outcome(session, rules, found) | {"stopped": reason}


def known_label(found: Dataset, node: Any) -> str | None:
    """The label that a data set knows of a node, by its name.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> pair = Dataset("pair", Graph.from_edges([("a", "b")]), np.array([0, -1]), ("red",))
    >>> known_label(pair, "a"), known_label(pair, "b")
    ('red', None)
    """
    label = int(found.labels[found.graph.names.index(node)])
    return None if label == UNKNOWN else str(found.classes[label])


def _outcome(session: Session, rules: Rules, found: Dataset) -> dict[str, Any]:
    truth, told = found.labels.tolist(), session.labels()
    rest = [
        (name, str(found.classes[truth[k]]))
        for k, name in enumerate(session.graph.names)
        if truth[k] != UNKNOWN and name not in told
    ]
    guesses = session.predict([name for name, _ in rest])
    right = [guess == label for guess, (_, label) in zip(guesses, rest, strict=True)]
    searches = is_search(session.header)
    estimate = session.error_estimate(confidence=rules.confidence)
    error = {
        "estimated_error": estimate.estimate if estimate.audits else None,
        "error_at_most": estimate.upper,
    }
    return {
        "session": session.name,
        "learner": session.header["learner"],
        "strategy": session.header["strategy"],
        "n_nodes": session.graph.n_nodes,
        "labels": session.n_labels,
        **({} if searches else {"audits": estimate.audits} | error),
        "confidence": rules.confidence,
        "accuracy": float(np.mean(right)) if rest else None,
        "unknown": sum(guess is None for guess in guesses),
        "evidence": evidence_words(session.evidence()),
        **_certified(session, rules),
        **(_search_outcome(session, rules, rest) if searches else {}),
    }


def _certified(session: Session, rules: Rules) -> dict[str, Any]:
    """What was to be proven, and what was."""
    told = rules.proven(session)
    if told is None:
        return {}
    return {"certify": told.what, "certified": told.bound, "proven": str(told)}


def _search_outcome(
    session: Session, rules: Rules, rest: list[tuple[Hashable, str]]
) -> dict[str, Any]:
    """What a search found, what it claims, and the true recall."""
    claim, wanted = session.recall(confidence=rules.confidence), session.header["positive"]
    hidden = sum(label in wanted for _, label in rest)
    return {
        "audits": claim.audits,
        **search_facts(session.dialogue, claim),
        "recall": claim.found / (claim.found + hidden) if claim.found + hidden else None,
    }
