"""Yang, Zhao and Gao (2018), Theorem 4: the regret of optimistic guesses.

The text draws its root over the whole, the supplement over T alone, and the text prints a for d in
the logarithm; the supplement's form is used. Its proof requires learning in every round.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from lapwing.bandit import MOLGBandit
from lapwing.bounds.certificate import Certificate
from lapwing.types import Array, Nodes

PAPER = "Yang, Zhao and Gao 2018"


def regret(learner: MOLGBandit, nodes: Nodes, labels: Nodes, *, delta: float = 0.05) -> Certificate:
    """Theorem 4: regret <= sqrt((b/(b-1))^3 T) (sqrt(H1 H2) + H2), with probability 1 - delta.

    Plays the learner, which must be fresh. Where some U has u_i'x = 1 for the true class and -1
    for the others, labels are certain and the regret is the number of mistakes.

    Examples
    --------
    >>> rows = np.array([[0.6, 0.8], [-0.8, 0.6]])
    >>> regret(MOLGBandit(rows, 2, b=4.0), np.arange(2), np.array([0, 1])).why
    'needs learning in every round (phi infinite)'
    """
    rule, rounds, k = learner.rule, len(nodes), learner.n_classes
    b, d = rule.b, learner.features.shape[1]
    made = partial(
        Certificate,
        paper=PAPER,
        bounds="mistakes",
        learner="molg-b",
        version=f"learning in every round, exploration {rule.width:.3g}",
        name="regret of optimism",
        theorem="4",
        knows="run",
        rounds=rounds,
    )
    if rule.phi != math.inf:
        return made(why="needs learning in every round (phi infinite)")
    rows = learner.features[nodes]
    if b <= 1 or np.square(rows).sum(axis=1).max(initial=0.0) > 1 + 1e-9:
        return made(why="needs rows of length at most 1 and b > 1")
    u, fits = signs_fitted(learner.features, nodes, labels, k)
    if not fits:
        return made(why="needs rows that hold the labelling exactly")
    gamma, errors = 1.0, 0
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        guess = learner.guess(node)
        bit = 1.0 if guess == label else -1.0
        gamma = max(gamma, (bit - float(learner.scores(node)[guess])) ** 2)
        errors += guess != label
        learner.learn(node, guess, guess == label)
    asked = exploration_asked(u, b, rounds, gamma=gamma, delta=delta)
    if rule.width < asked:
        return made(why=f"needs exploration of at least {asked:.3g}, got {rule.width:g}")
    h1 = 2 * (b - 1) * float((u**2).sum()) + 72 * math.log((rounds + 4) / delta)
    h2 = 2 * k * d * gamma * math.log1p(rounds / (k * d * b))
    return made(
        value=math.sqrt((b / (b - 1)) ** 3 * rounds) * (math.sqrt(h1 * h2) + h2),
        actual=errors,
        ingredients={"|U|^2": float((u**2).sum()), "H1": h1, "H2": h2, "gamma": gamma},
        says="Mistakes of optimistic guesses grow no faster than the square root of the rounds.",
        note=(
            f"holds with probability {1 - delta:g}; the supplement's form; gamma bounds the "
            "learner's own losses and comes from the run"
        ),
    )


def exploration_of_round(
    inverses: Array, norm: float, b: float, t: int, *, gamma: float, delta: float = 0.05
) -> Array:
    """phi_t of Theorem 4, one per class, from the classes' A_{t-1}^-1 and |U|^2 = `norm`.

    Examples
    --------
    The width grows with the rounds, and with what a class has learned.

    >>> fresh = np.repeat(np.eye(2)[None] / 10.0, 2, axis=0)
    >>> exploration_of_round(fresh, 4.0, 10.0, 1, gamma=4.0).round(2)
    array([31.57, 31.57])
    """
    _, log_inverse = np.linalg.slogdet(b * inverses)
    inner = 4 * (b - 1) * norm - 4 * gamma * log_inverse + 144 * math.log((t + 4) / delta)
    return np.asarray(b / (b - 1) * np.sqrt(inner))


def scheduled_regret(
    learner: MOLGBandit, nodes: Nodes, labels: Nodes, *, gamma: float = 4.0, delta: float = 0.05
) -> Certificate:
    """Theorem 4 with its own exploration in each round, where `regret` has one for all rounds.

    Plays the learner, which must be fresh and learn in every round; each guess is the largest
    estimate plus phi_t sqrt(sigma).

    Examples
    --------
    >>> rows = np.array([[0.6, 0.8], [-0.8, 0.6]])
    >>> learner = MOLGBandit(rows, 2, b=4.0, phi=math.inf)
    >>> found = scheduled_regret(learner, np.arange(2), np.arange(2))
    >>> found.theorem, found.holds
    ('4, phi_t', True)
    """
    b, rounds, k = learner.rule.b, len(nodes), learner.n_classes
    d = learner.features.shape[1]
    made = partial(
        Certificate,
        paper=PAPER,
        bounds="mistakes",
        learner="molg-b",
        version="learning in every round, exploration phi_t",
        name="regret of optimism, exploration of each round",
        theorem="4, phi_t",
        knows="run",
        rounds=rounds,
    )
    u, fits = signs_fitted(learner.features, nodes, labels, k)
    longest = float(np.square(learner.features[nodes]).sum(axis=1).max(initial=0.0))
    if learner.rule.phi != math.inf or b <= 1 or longest > 1 + 1e-9 or not fits:
        return made(
            why="needs phi infinite, b > 1, rows no longer than 1 that hold the labelling exactly"
        )
    norm, errors, largest = float((u**2).sum()), 0, 1.0
    for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True), 1):
        x, scores = learner.features[node], learner.scores(node)
        q = np.einsum("d,kde,e->k", x, learner.inverses, x)
        width = exploration_of_round(learner.inverses, norm, b, t, gamma=gamma, delta=delta)
        guess = int(np.argmax((1 - q) * scores + width * np.sqrt(q / (2 * (1 - q)))))
        bit = 1.0 if guess == label else -1.0
        largest = max(largest, (bit - float(scores[guess])) ** 2)
        errors += guess != label
        learner.learn(node, guess, guess == label)
    if largest > gamma:
        return made(why=f"needs gamma of at least {largest:.3g}, got {gamma:g}")
    h1 = 2 * (b - 1) * norm + 72 * math.log((rounds + 4) / delta)
    h2 = 2 * k * d * gamma * math.log1p(rounds / (k * d * b))
    return made(
        value=math.sqrt((b / (b - 1)) ** 3 * rounds) * (math.sqrt(h1 * h2) + h2),
        actual=errors,
        ingredients={"|U|^2": norm, "H1": h1, "H2": h2, "gamma": gamma},
        says="With the theorem's own exploration, mistakes grow no faster than sqrt(rounds).",
        note=f"holds with probability {1 - delta:g}; the supplement's form",
    )


def exploration_asked(
    u: Array, b: float, rounds: int, *, gamma: float, delta: float = 0.05
) -> float:
    """The width phi_T of Theorem 4, its log-determinant bounded by K d log(1 + T / (K d b)).

    Examples
    --------
    >>> exploration_asked(np.ones((2, 2)), 10.0, 100, gamma=4.0)
    40.43520
    """
    k, d = u.shape
    log_det = k * d * math.log1p(rounds / (k * d * b))
    inner = 4 * (b - 1) * float((u**2).sum()) + 4 * gamma * log_det
    return b / (b - 1) * math.sqrt(inner + 144 * math.log((rounds + 4) / delta))


def signs_fitted(rows: Array, nodes: Nodes, labels: Nodes, k: int) -> tuple[Array, bool]:
    """Return the shortest U with u_i'x closest to +-1, and whether it fits all."""
    signs = 2.0 * np.eye(k)[labels] - 1.0
    u = np.linalg.lstsq(rows[nodes], signs, rcond=1e-10)[0]
    return np.asarray(u.T), bool(np.abs(rows[nodes] @ u - signs).max(initial=0.0) < 1e-6)
