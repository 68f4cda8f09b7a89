"""How well people agree on the nodes that several of them answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Agreement:
    """`pairs` of answers to the same node, the share of them that agree, and kappa.

    Kappa is 1 if all agree and 0 if they agree as often as by chance; None without pairs, or if
    chance alone would make all agree.
    """

    pairs: int
    share: float | None
    kappa: float | None


def agreement(answers: Mapping[int, Mapping[str, int]]) -> Agreement:
    """Return the pooled kappa of everyone's answers (node to person to class).

    For each two people, on the nodes that both answered: how often they agree, and how often two
    people with these shares of classes would by chance (Cohen 1960). Both are averaged over all
    pairs of answers before kappa is formed (De Vries et al. 2008). With two people this is Cohen's
    kappa.

    References
    ----------
    De Vries, Elliott, Kanouse, Teleki. *Using pooled kappa to summarize interrater agreement across
    many items.* Field Methods 20(3), 2008.

    Examples
    --------
    >>> said = {1: {"ann": 0, "bo": 0}, 2: {"ann": 1, "bo": 1}, 3: {"ann": 1, "bo": 0}}
    >>> agreement(said)
    Agreement(pairs=3, share=0.666..., kappa=0.4)
    """
    shared: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for said in answers.values():
        for one, other in combinations(sorted(said), 2):
            shared.setdefault((one, other), []).append((said[one], said[other]))
    pairs = sum(map(len, shared.values()))
    if not pairs:
        return Agreement(0, None, None)
    agreed = sum(a == b for both in shared.values() for a, b in both) / pairs
    by_chance = sum(len(both) * _chance(both) for both in shared.values()) / pairs
    kappa = (agreed - by_chance) / (1.0 - by_chance) if by_chance < 1.0 else None
    return Agreement(pairs, agreed, kappa)


def _chance(both: list[tuple[int, int]]) -> float:
    """How often two people with these shares of classes agree by chance."""
    ones, others = Counter(a for a, _ in both), Counter(b for _, b in both)
    return sum(ones[label] * others[label] for label in ones) / len(both) ** 2
