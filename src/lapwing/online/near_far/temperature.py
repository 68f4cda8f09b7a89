"""One number that makes probabilities honest, learned from guesses made before their answers."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from scipy.special import log_softmax

from lapwing.types import Array

PRIOR, STRENGTH = 0.7, 10.0
"""Where the temperature starts, and how many labels' worth of evidence it takes to leave that."""
HALF_LIFE = 0.5
"""A guess counts half when so large a share of the labels came after it: it was a beginner's."""
RANGE = (0.1, 5.0)


class Temperature:
    """The factor t with which softmax(t z) suits the answers best, the latest most.

    `noted` keeps what was thought of a node before its answer came (z, logarithms of
    probabilities) and the answer. `value` maximises the answers' likelihood, each weighed by
    :math:`2^{-2 (T - t) / T}` at the t-th of T, with a penalty on leaving 0.7.

    Examples
    --------
    Sure guesses that are wrong every other time: less sure from now on.

    >>> heat = Temperature()
    >>> for k in range(40):
    ...     heat.note(k, np.array([4.0, 0.0]), k % 2)
    >>> heat.value() < 0.4 < Temperature().value()
    True
    """

    def __init__(self) -> None:
        self._noted: dict[int, tuple[Array, int]] = {}

    def note(self, node: int, z: Array, label: int) -> None:
        """Keep what was thought of a node and what came."""
        self.forget(node)
        self._noted[node] = (z, label)

    def forget(self, node: int) -> None:
        """Take a node's answer back."""
        self._noted.pop(node, None)

    def value(self) -> float:
        """The best factor now."""
        if not self._noted:
            return PRIOR
        count, width = len(self._noted), max(len(z) for z, _ in self._noted.values())
        thought = np.full((count, width), -np.inf)
        for row, (z, _) in zip(thought, self._noted.values(), strict=True):
            row[: len(z)] = z
        labels = np.array([label for _, label in self._noted.values()])
        weight = 0.5 ** (np.arange(count, 0, -1) / (HALF_LIFE * count))

        def loss(log_factor: float) -> float:
            sure = log_softmax(np.exp(log_factor) * thought, axis=1)[np.arange(count), labels]
            return float(STRENGTH * (log_factor - np.log(PRIOR)) ** 2 - weight @ sure)

        minimize_scalar = import_module("scipy.optimize").minimize_scalar  # slow to import
        return float(np.exp(minimize_scalar(loss, bounds=np.log(RANGE), method="bounded").x))
