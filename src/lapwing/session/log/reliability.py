"""Estimate the reliability of each person from nodes that several people answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

RIGHT, WRONG = 9.0, 1.0
"""What everyone is believed to have shown before any comparison: nine right answers, one wrong."""
ROUNDS = 30

VotesByNode: TypeAlias = Mapping[int, Mapping[str, int]]
Pattern: TypeAlias = tuple[tuple[str, int], ...]
"""Who said what about a node, by name: nodes with the same pattern are believed the same."""


def reliabilities(answers: VotesByNode, n_classes: int) -> dict[str, float]:
    """Return the estimated share of right answers of each person, between 0 and 1.

    The one-coin model of Dawid and Skene: a person is right with a chance of their own and, when
    wrong, says any other class alike. Chances and true labels are estimated in turn (expectation
    maximisation) from the nodes that two or more people answered. Everyone starts with nine right
    answers and one wrong (a Beta(9, 1) prior), so that a single disagreement has little effect. The
    learner's guesses are not used, since it learned from these answers.

    References
    ----------
    Dawid, Skene. *Maximum likelihood estimation of observer error-rates using the EM algorithm.*
    Applied Statistics 1979.

    Examples
    --------
    >>> agreed = {node: {"ann": 0, "bo": 0, "cy": 1} for node in range(5)}
    >>> {name: round(chance, 2) for name, chance in reliabilities(agreed, 2).items()}
    {'ann': 0.93, 'bo': 0.93, 'cy': 0.6}
    """
    people = dict.fromkeys(name for said in answers.values() for name in said)
    shared = Counter(pattern_of(said) for said in answers.values() if len(said) > 1)
    return shared_reliabilities(shared, people, n_classes)


def pattern_of(said: Mapping[str, int]) -> Pattern:
    """Who said what, in the order of names."""
    return tuple(sorted(said.items()))


def shared_reliabilities(
    shared: Mapping[Pattern, int], people: Iterable[str], n_classes: int
) -> dict[str, float]:
    """The same from how many nodes have each pattern of two or more answers."""
    chances = dict.fromkeys(people, RIGHT / (RIGHT + WRONG))
    for _ in range(ROUNDS if shared else 0):
        right, counted = dict.fromkeys(chances, RIGHT), dict.fromkeys(chances, RIGHT + WRONG)
        for pattern, nodes in shared.items():
            belief = beliefs(dict(pattern), chances, n_classes)
            for name, label in pattern:
                right[name] += nodes * belief[label]
                counted[name] += nodes
        chances = {name: right[name] / counted[name] for name in chances}
    return chances


def beliefs(
    said: Mapping[str, int], chances: Mapping[str, float], n_classes: int
) -> dict[int, float]:
    """The probability of each label that somebody gave one node, all classes alike before.

    Examples
    --------
    >>> beliefs({"ann": 0, "bo": 1}, {"ann": 0.9, "bo": 0.6}, 2)
    {0: 0.857..., 1: 0.142...}
    """
    others = max(n_classes - 1, 1)
    odds: dict[int, float] = {}
    everyone_wrong = 1.0
    for name in said:
        everyone_wrong *= (1.0 - chances[name]) / others
    for label in said.values():
        odds[label] = everyone_wrong
    for name, label in said.items():
        odds[label] *= chances[name] * others / (1.0 - chances[name])
    total = sum(odds.values()) + everyone_wrong * max(n_classes - len(odds), 0)
    return {label: value / total for label, value in odds.items()}
