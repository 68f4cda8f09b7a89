"""The optimisers of Ye et al. 2017 for wvGN's weights: GD, CD, GCD and SGD."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numba import njit

from lapwing.batch.wvgn.objective import Objective
from lapwing.types import Array, Nodes

Search = Literal["gcd", "gd", "cd", "sgd"]


def searched(
    objective: Objective,
    search: Search,
    *,
    share: float,
    rng: np.random.Generator,
    steps: int = 25,
    shrink: float = 0.5,
) -> Array:
    """Return weights ``(n + 1, k)`` after `steps` steps from random positive ones of length 1.

    - ``gd``: the gradient times the first of 1, beta, beta^2, ... that makes F fall, Eq. (11).
    - ``cd``: one Newton step per coordinate with the same line search, Eqs. (12)-(14), over a
      random `share` of the coordinates (the text's k).
    - ``gcd``: Algorithm 1's procedure: a GD step, and a CD pass after it wherever F fell by less
      than 1e-4.
    - ``sgd``: the gradient of a random tenth of the labels; the text does not say which step,
      ours is Bottou's eta / (1 + eta ridge t), with 1 / eta the largest curvature of one label.
    """
    width, classes = objective.rows.shape[1], objective.signs.shape[1]
    weights = rng.random((width, classes))
    weights /= np.linalg.norm(weights, axis=0)
    if search == "sgd":
        return _sgd(objective, weights, steps, rng)
    slack = objective.slack(weights)
    for _ in range(steps):
        still = np.ones(classes, dtype=bool)
        if search != "cd":
            fell = _gd(objective, weights, slack, shrink)
            still = fell < 1e-4
        if search != "gd":
            for k in np.flatnonzero(still):
                _cd(objective, weights, slack, int(k), shrink, share, rng)
    return weights


def _gd(objective: Objective, weights: Array, slack: Array, shrink: float) -> Array:
    """Do one step for each class, in place, and return the decrease of F."""
    gradient = objective.gradient(weights, slack)
    change = objective.signs * (objective.rows @ gradient)
    now = objective.value(weights, slack)
    step = np.ones(len(now))
    best = now.copy()
    search = np.arange(len(now))
    while search.size and step[search[0]] > 1e-16:
        moved = objective.value(
            weights[:, search] - step[search] * gradient[:, search],
            slack[:, search] + step[search] * change[:, search],
        )
        fell = moved < now[search]
        best[search[fell]] = moved[fell]
        search = search[~fell]
        step[search] *= shrink
    step[search] = 0.0
    weights -= step * gradient
    slack += step * change
    return now - best


def _cd(
    objective: Objective,
    weights: Array,
    slack: Array,
    k: int,
    shrink: float,
    share: float,
    rng: np.random.Generator,
) -> None:
    """Do a pass over some coordinates of class k, in place."""
    width = len(weights)
    chosen = rng.permutation(width)[: max(1, round(share * width))]
    column, left = weights[:, k].copy(), slack[:, k].copy()
    _coordinate_pass(
        objective.rows,
        np.ascontiguousarray(objective.signs[:, k]),
        objective.penalty,
        objective.ridge,
        objective.cost,
        shrink,
        chosen,
        column,
        left,
    )
    weights[:, k], slack[:, k] = column, left


@njit(cache=True)
def _coordinate_pass(  # noqa: PLR0913 - plain arrays, for speed
    rows: Array,
    signs: Array,
    penalty: Array,
    ridge: float,
    cost: float,
    shrink: float,
    chosen: Nodes,
    weights: Array,
    slack: Array,
) -> None:
    for i in chosen:
        column = rows[:, i]
        pull, bend, now = 0.0, 0.0, 0.0
        for q in range(len(signs)):
            if slack[q] > 0.0:
                pull += signs[q] * column[q] * slack[q]
                bend += column[q] * column[q]
                now += slack[q] * slack[q]
        stiff = ridge * penalty[i]
        z = -(stiff * weights[i] - 2.0 * cost * pull) / (stiff + 2.0 * cost * bend)
        while abs(z) > 1e-16:
            after = 0.0
            for q in range(len(signs)):
                left = slack[q] - signs[q] * column[q] * z
                if left > 0.0:
                    after += left * left
            if stiff * z * (weights[i] + z / 2.0) + cost * (after - now) < 0.0:
                weights[i] += z
                for q in range(len(signs)):
                    slack[q] -= signs[q] * column[q] * z
                break
            z *= shrink


def _sgd(objective: Objective, weights: Array, steps: int, rng: np.random.Generator) -> Array:
    labelled = len(objective.signs)
    batch = max(1, labelled // 10)
    longest = float(np.einsum("ij,ij->i", objective.rows, objective.rows).max())
    first = 1.0 / (2.0 * longest + objective.ridge)
    for t in range(steps * labelled // batch):
        some = rng.choice(labelled, size=batch, replace=False)
        part = Objective(
            objective.rows[some], objective.signs[some], objective.penalty, objective.ridge
        )
        step = first / (1.0 + first * objective.ridge * t)
        weights = weights - step * part.gradient(weights, part.slack(weights))
    return weights
