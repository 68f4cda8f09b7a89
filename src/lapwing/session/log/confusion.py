"""What each person mixes up: confusion matrices, with the learner's opinion as prior."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lapwing.session.log.reliability import RIGHT, ROUNDS, WRONG
from lapwing.types import Array

LEAST = 1e-2
"""The smallest probability of a class before any answer, so that no answer is impossible."""


@dataclass(frozen=True, slots=True)
class PersonErrors:
    """How often a person is right, and what they say instead.

    `said[j][k]` is the probability that they say class k where class j is right; `answers` is the
    number of answers that this rests on.
    """

    classes: tuple[str, ...]
    said: tuple[tuple[float, ...], ...]
    right: float
    answers: int

    def mix_ups(self, least: float = 0.05) -> list[tuple[str, str, float]]:
        """What they say instead: the right class, the class said, how often; most often first.

        Examples
        --------
        >>> errors = PersonErrors(("cat", "dog"), ((0.9, 0.1), (0.3, 0.7)), 0.8, 40)
        >>> errors.mix_ups()
        [('dog', 'cat', 0.3), ('cat', 'dog', 0.1)]
        """
        found = [
            (self.classes[j], self.classes[k], share)
            for j, row in enumerate(self.said)
            for k, share in enumerate(row)
            if j != k and share >= least
        ]
        return sorted(found, key=lambda each: -each[2])


def confusions(
    answers: Mapping[int, Mapping[str, int]],
    priors: Mapping[int, Array],
    classes: Sequence[str],
) -> dict[str, PersonErrors]:
    """Return the confusion matrix of each person, from everyone's answers.

    The model of Dawid and Skene: each person says class k with a probability that depends on the
    right class. True labels and matrices are estimated in turn. What is believed of a node before
    its answers is `priors`: the probabilities by a learner that does not know them, so that one
    person's answers can be judged too. Every row of a matrix starts with nine right answers and one
    wrong.

    References
    ----------
    Dawid, Skene. *Maximum likelihood estimation of observer error-rates using the EM algorithm.*
    Applied Statistics 1979.

    Examples
    --------
    Bo says 1 for three nodes that are clearly 0:

    >>> sure = {node: np.array([0.99, 0.01]) for node in range(12)}
    >>> said = {node: {"ann": 0, "bo": 1 if node < 3 else 0} for node in range(12)}
    >>> found = confusions(said, sure, ["no", "yes"])
    >>> [(name, round(each.said[0][1], 2)) for name, each in found.items()]
    [('ann', 0.05), ('bo', 0.18)]
    """
    count = max(len(classes), 2)
    people = list(dict.fromkeys(name for said in answers.values() for name in said))
    start = np.full((count, count), WRONG / (count - 1))
    np.fill_diagonal(start, RIGHT)
    pairs = [
        (place, people.index(name), label)
        for place, said in enumerate(answers.values())
        for name, label in said.items()
    ]
    if not pairs:
        return {}
    nodes, who, labels = map(np.array, zip(*pairs, strict=True))
    before = _priors([priors[node] for node in answers], count)
    counted = np.repeat(start[None], len(people), axis=0)
    for _ in range(ROUNDS):
        matrices = counted / counted.sum(axis=2, keepdims=True)
        logs = np.log(before)
        np.add.at(logs, nodes, np.log(matrices)[who, :, labels])
        belief = np.exp(logs - logs.max(axis=1, keepdims=True))
        belief /= belief.sum(axis=1, keepdims=True)
        counted = np.repeat(start[None], len(people), axis=0)
        np.add.at(counted.transpose(0, 2, 1), (who, labels), belief[nodes])
    matrices = counted / counted.sum(axis=2, keepdims=True)
    names = tuple(map(str, classes)) + ("",) * (count - len(classes))
    found: dict[str, PersonErrors] = {}
    for place, name in enumerate(people):
        own = who == place
        total = float(own.sum())
        right = float(belief[nodes[own], labels[own]].sum()) + RIGHT
        rows = tuple(tuple(map(float, row)) for row in matrices[place])
        found[name] = PersonErrors(names, rows, right / (total + RIGHT + WRONG), int(total))
    return found


def _priors(chances: Sequence[Array], count: int) -> Array:
    """Probabilities of all classes, none of them 0; even where nothing is known."""
    found = np.zeros((len(chances), count))
    for row, given in zip(found, chances, strict=True):
        row[: len(given)] = given
    found += LEAST
    return np.asarray(found / found.sum(axis=1, keepdims=True))
