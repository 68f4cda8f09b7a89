"""Choose a parameter on held-out orders, as Gu et al. (2013) do on one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lapwing.learner import Learner
from lapwing.play.game import play
from lapwing.types import Nodes

GRID = (0.001, 0.01, 0.1, 1.0, 10.0)
"""The penalties mu that Gu et al. (2013) search."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """The best value of a grid, and the error of every value."""

    best: float
    errors: dict[float, float]


def tuned(
    make: Callable[[float], Learner],
    orders: Iterable[Nodes],
    labels: Nodes,
    *,
    grid: Iterable[float] = GRID,
    measure: Literal["error", "binary_error"] = "error",
) -> Tuning:
    """Play every order with each value and return the value with the smallest mean error.

    Do not use orders on which you measure the result afterwards. A single order, as in the paper,
    cannot separate values whose errors differ by a hundredth. The first of several equal errors
    wins.

    Examples
    --------
    >>> import lapwing, numpy as np
    >>> graph = lapwing.Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> labels = np.array([0, 0, 0, 1, 1, 1])
    >>> tuned(lambda mu: lapwing.make("ollgc", graph, mu=mu), [np.arange(6)], labels).best
    0.001
    """
    played = list(orders)
    errors = {}
    for value in grid:
        games = [play(make(value), order, labels).summary() for order in played]
        found = [getattr(numbers, measure) for numbers in games]
        errors[value] = float(
            np.mean([numbers.error for numbers in games] if None in found else found)
        )
    return Tuning(min(errors, key=errors.__getitem__), errors)
