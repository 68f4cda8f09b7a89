"""What a search has found, what is likely to be found next, and what is still hidden."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np

from lapwing.active import ActiveSearch, RecallEstimate, hits_to_come, recall_estimate
from lapwing.checks import whole_number
from lapwing.errors import InputError
from lapwing.session.asking.reasons import positive_words
from lapwing.session.log.auditing.recall import unlabelled
from lapwing.session.log.dialogue import Dialogue
from lapwing.types import Array, Nodes


class Lead(NamedTuple):
    """A node that was not asked about, and its probability of being positive."""

    node: Hashable
    probability: float


def search_of(dialogue: Dialogue) -> ActiveSearch:
    """The search of a session whose goal is to find; raise for any other."""
    dialogue.learn()
    found = dialogue.strategy
    if not isinstance(found, ActiveSearch):
        raise InputError(
            f"session {dialogue.name!r} has no class to find: begin one that has, in Python with "
            "Session(graph, goal='find', positive='name'), in a terminal with --find name"
        )
    return found


def leads_of(dialogue: Dialogue, count: int | None = None) -> list[Lead]:
    """The nodes without a label, the likeliest first; at most so many."""
    if count is not None:
        whole_number("count", count, 1)
    nodes, chances = _ranked(dialogue)
    names = dialogue.graph.names
    pairs = zip(nodes[:count].tolist(), chances[:count].tolist(), strict=True)
    return [Lead(names[node], chance) for node, chance in pairs]


def _ranked(dialogue: Dialogue) -> tuple[Nodes, Array]:
    """Nodes without a label that may be asked about, and their probabilities, likeliest first."""
    search = search_of(dialogue)
    free = np.ones(dialogue.graph.n_nodes, dtype=bool)
    free[list(dialogue.state.labels)] = False
    free[list(dialogue.header.get("forbidden", ()))] = False
    nodes = np.flatnonzero(free)
    chances = search.chances(nodes)
    order = np.argsort(-chances, kind="stable")
    return nodes[order], chances[order]


def recall_of(
    dialogue: Dialogue, classes: Sequence[Any] | None = None, *, confidence: float = 0.95
) -> RecallEstimate:
    """Which share of all nodes of some classes has been found, by the audits.

    By default of the classes that the session is to find.
    """
    state, header, n_nodes = dialogue.state, dialogue.header, dialogue.graph.n_nodes
    expected = None
    if classes is None:
        wanted = search_of(dialogue).positive.tolist()
        expected = _expected(dialogue, wanted)
    else:
        wanted = [class_index(dialogue, name) for name in classes]
    left = unlabelled(state.labels, header, n_nodes)
    never = n_nodes - left - len(state.labels)
    return recall_estimate(
        state.recall.draws(state.labels, wanted, n_nodes, never),
        found=sum(state.counts[label] for label in wanted),
        left=left,
        expected=expected,
        confidence=confidence,
    )


def _expected(dialogue: Dialogue, wanted: Sequence[int]) -> float:
    """How many positive nodes are hidden by the probabilities, or fewer if hits fade faster.

    Where hardly any negative node is known, the probabilities of nodes that nobody asked about are
    too large.
    """
    state, chances = dialogue.state, _ranked(dialogue)[1]
    asked = sorted((each.number, node) for node, each in state.asked.items()
                   if node in state.labels and not each.detail.get("audit"))  # fmt: skip
    hits = [state.labels[node] in wanted for _, node in asked]
    fading = hits_to_come(hits[hits.index(True) :] if True in hits else [], len(chances))
    every = float(chances.sum())
    return every if fading is None else min(every, fading)


def class_index(dialogue: Dialogue, name: Any) -> int:
    """The index of a class by its name."""
    if str(name) not in dialogue.classes:
        known = ", ".join(dialogue.classes) or "none yet"
        raise InputError(f"a class must be one of {known}, got {name!r}")
    return dialogue.classes.index(str(name))


def search_facts(dialogue: Dialogue, estimate: RecallEstimate) -> dict[str, Any]:
    """What a search found and claims, by name, for summaries.

    `hit_rate` is the share of all nodes with a label that are positive; None without any.
    """
    labels = len(dialogue.state.labels)
    return {
        "found": estimate.found,
        "hit_rate": estimate.found / labels if labels else None,
        "estimated_recall": estimate.estimate if estimate.found else None,
        "recall_at_least": estimate.lower,
        "recall_at_most": estimate.upper,
        "estimated_hidden": round(estimate.hidden, 1) if estimate.found else None,
        "hidden_at_most": estimate.most - estimate.found,
    }


def hidden_words(dialogue: Dialogue, estimate: RecallEstimate) -> str:
    """How many are probably hidden, and how many questions should find half of them."""
    what = positive_words(dialogue)
    if not estimate.found:
        return f"no {what} node found yet"
    hidden, most = round(estimate.hidden), estimate.most - estimate.found
    if hidden < 1:
        return (
            f"{estimate.found:,} {what} nodes found; few if any are still hidden, with "
            f"{estimate.confidence:.0%} confidence at most {most:,}"
        )
    said = f"about {hidden:,} of {round(estimate.total):,} {what} nodes are still hidden"
    questions = questions_for_half(_ranked(dialogue)[1], estimate.hidden)
    more = "1 more question" if questions == 1 else f"{questions:,} more questions"
    return f"{said}; {more} should find half of them"


def questions_for_half(chances: Array, hidden: float) -> int:
    """Return how many of the likeliest nodes hold half of what is hidden, or of what all hold.

    Examples
    --------
    >>> questions_for_half(np.array([0.5, 0.3, 0.1, 0.1]), 1.0)
    1
    """
    reached = np.cumsum(chances)
    if not len(reached):
        return 0
    return int(np.searchsorted(reached, min(hidden, float(reached[-1])) / 2.0)) + 1
