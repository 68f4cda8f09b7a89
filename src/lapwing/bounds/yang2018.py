"""Yang, Zhao and Gao (2018): weighted ridge regression with an adaptive margin, and its bandit.

Printed slips, and what stands here instead: with y +1 for the true class and -1 for its rival,
|y|^2 is 2, not 1 (proofs of Theorems 2 and 3), so the sum of (1 - y.s) over learning rounds,
s = W'x, is at most the comparator's sum of a_t (1 - y.U'x) plus tr(U'AU)/2, and Theorem 2
needs no logarithm at all. Algorithm 1 tests the margin of scores that look one row ahead,
(1 - q) s, and multiplies sigma by phi, so Theorem 3's logarithm has the factor
phi/2 (b/(b - B))^2, B the largest |x|^2, where b/(b - 1) is printed. Theorem 4's text draws its
root over the whole, the supplement over T alone, and prints a for d in the logarithm; the
supplement's is taken. Its proof needs learning in every round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from lapwing.bandit import MOLGBandit
from lapwing.bounds.certificate import Certificate
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online import MOLG
from lapwing.types import UNKNOWN, Array, Mask, Nodes

PAPER = "Yang, Zhao and Gao 2018"
LEARNERS = ("molg-f", "molg-b")
SCALES = np.concatenate([[0.0], np.geomspace(0.1, 100.0, 61)])
"""Multiples of the final weights, among which the comparator is chosen."""


@dataclass(frozen=True)
class Lessons:
    """The rounds in which MOLG learned: row, weight a_t, label, rival, and whether it had erred."""

    rows: Array
    a: Array
    labels: Nodes
    rivals: Nodes
    wrong: Mask
    mistakes: int
    rounds: int


def certified(
    graph: Graph, labels: Nodes, *, learners: Sequence[str] = LEARNERS, seed: int = 0
) -> list[Certificate]:
    """Play MOLG-F, with and without margin, and MOLG-B, and certify what they did.

    MOLG-B explores as much as Theorem 4 asks, far more than the paper's tables do.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = certified(graph, np.array([0, 0, 0, 1, 1, 1]))
    >>> [(each.learner, each.theorem, each.holds) for each in found]
    [('molg-f', '2', True), ('molg-f', '3', True), ('molg-b', '4', True)]
    """
    unknown = [name for name in learners if name not in LEARNERS]
    if unknown:
        raise InputError(f"learner must be one of {', '.join(LEARNERS)}, got {unknown[0]!r}")
    known = np.flatnonzero(labels != UNKNOWN)
    nodes = np.random.default_rng(seed).permutation(known)
    k = max(2, int(labels.max(initial=-1)) + 1)
    rows = laplacian(graph, rank=min(100, graph.n_nodes), normalized=True, unit_rows=True)
    found = []
    if "molg-f" in learners:
        both = [MOLG(rows, k, b=10.0, phi=phi) for phi in (0.0, 1.0)]
        found += [mistakes(learner, nodes, labels[nodes]) for learner in both]
    if "molg-b" in learners:
        u, _ = _signs_fitted(rows, nodes, labels[nodes], k)
        explores = exploration_asked(u, 10.0, len(nodes), gamma=4.0)
        bandit = MOLGBandit(rows, k, b=10.0, phi=math.inf, exploration=explores, seed=seed)
        found.append(regret(bandit, nodes, labels[nodes]))
    return found


def mistakes(learner: MOLG, nodes: Nodes, labels: Nodes) -> Certificate:
    """Theorem 2 (phi = 0) or 3: mistakes <= sum a_t hinge(U) + tr(U'AU)/2 + margins - D.

    Plays the learner, which must be fresh. U is the best multiple of its final weights.

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> found = mistakes(MOLG(rows, 2, b=2.0, phi=0.0), np.arange(3), np.array([0, 0, 1]))
    >>> found.theorem, found.actual, found.holds
    ('2', 2, True)
    """
    phi, b = learner.rule.phi, learner.rule.b
    made = partial(
        Certificate,
        paper=PAPER,
        bounds="mistakes",
        learner="molg-f",
        name="hinge loss of the best weights" + (", less aggressive rounds" if phi else ""),
        theorem="3" if phi else "2",
        rounds=len(nodes),
    )
    if not learner.rule.pairs or learner.rule.weight != 0.0:
        return made(why="needs coding 'pairs' and weights 1 / (1 - x'A^-1 x)")
    lessons = played(learner, nodes, labels)
    A = b * np.eye(learner.features.shape[1]) + (lessons.rows.T * lessons.a) @ lessons.rows
    hinge, trace, scale = _comparator(learner.weights, lessons, A)
    log_det = float(np.linalg.slogdet(A / b)[1])
    longest = float(np.square(learner.features[nodes]).sum(axis=1).max(initial=0.0))
    aggressive = int((~lessons.wrong).sum())
    margins = phi / 2 * (b / (b - longest)) ** 2 * log_det
    value = hinge + trace + margins - aggressive
    return made(
        value=value,
        actual=lessons.mistakes,
        ingredients={
            "sum a_t hinge": hinge,
            "tr(U'AU)/2": trace,
            "log|A/b|": log_det,
            "D": float(aggressive),
            "phi": phi,
            "U / final weights": scale,
        },
        says=(
            f"The best weights in hindsight, {scale:.3g} times the final ones, would lose "
            f"{hinge + trace:.3g} over the {len(lessons.a):,} rounds that taught"
            + (f"; {aggressive:,} of these were no mistakes." if phi else ".")
        ),
        note="no logarithm is needed" if not phi else "phi/2 (b/(b - B))^2 for the logarithm",
    )


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
        name="regret of optimism",
        theorem="4",
        rounds=rounds,
    )
    if rule.phi != math.inf:
        return made(why="needs learning in every round (phi infinite)")
    rows = learner.features[nodes]
    if b <= 1 or np.square(rows).sum(axis=1).max(initial=0.0) > 1 + 1e-9:
        return made(why="needs rows of length at most 1 and b > 1")
    u, fits = _signs_fitted(learner.features, nodes, labels, k)
    if not fits:
        return made(why="needs rows that hold the labelling exactly")
    gamma, errors = 1.0, 0
    for node, label in zip(nodes.tolist(), labels.tolist(), strict=True):
        guess = learner.predict(node)
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
        says="Guessing with optimism errs no more than the square root of time allows.",
        note="the supplement's form; gamma bounds the learner's own losses",
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


def played(learner: MOLG, nodes: Nodes, labels: Nodes) -> Lessons:
    """Play a learner and keep the rounds in which it learned."""
    kept: list[tuple[int, float, int, int, bool]] = []
    errors = 0
    for t, (node, label) in enumerate(zip(nodes.tolist(), labels.tolist(), strict=True)):
        x, scores = learner.features[node], learner.scores(node)
        wrong = int(learner.predict(node)) != label
        errors += wrong
        a = 1.0 / (1.0 - float(x @ learner.inverse @ x))
        rival = int(np.argmax(np.where(np.arange(len(scores)) == label, -np.inf, scores)))
        trace = learner.stream(nodes[t : t + 1], labels[t : t + 1])
        if trace.updates is not None and trace.updates[0]:
            kept.append((node, a, label, rival, wrong))
    at, a_t, true, rivals, wrongs = zip(*kept, strict=True) if kept else ((), (), (), (), ())
    return Lessons(
        learner.features[np.array(at, dtype=np.intp)],
        np.array(a_t),
        np.array(true, dtype=np.intp),
        np.array(rivals, dtype=np.intp),
        np.array(wrongs, dtype=bool),
        errors,
        len(nodes),
    )


def _comparator(weights: Array, lessons: Lessons, A: Array) -> tuple[float, float, float]:
    """Hinge loss, half trace and scale of the best multiple of the weights."""
    leads = ((weights[lessons.labels] - weights[lessons.rivals]) * lessons.rows).sum(axis=1)
    half = 0.5 * float(np.einsum("kd,de,ke->", weights, A, weights))
    hinges = [float((lessons.a * np.maximum(0.0, 1.0 - c * leads)).sum()) for c in SCALES]
    best = int(np.argmin(np.array(hinges) + SCALES**2 * half))
    return hinges[best], float(SCALES[best] ** 2) * half, float(SCALES[best])


def _signs_fitted(rows: Array, nodes: Nodes, labels: Nodes, k: int) -> tuple[Array, bool]:
    """The shortest U with u_i'x = +-1 as nearly as can be, and whether it meets all."""
    signs = 2.0 * np.eye(k)[labels] - 1.0
    u = np.linalg.lstsq(rows[nodes], signs, rcond=1e-10)[0]
    return np.asarray(u.T), bool(np.abs(rows[nodes] @ u - signs).max(initial=0.0) < 1e-6)
