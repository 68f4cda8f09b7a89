"""Yang, Zhao and Gao (2018): weighted ridge regression with an adaptive margin, and its bandit.

Errors in print, and their corrections here: with y +1 for the true class and -1 for its rival,
|y|^2 is 2, not 1 (proofs of Theorems 2 and 3), so the sum of (1 - y.s) over learning rounds, s =
W'x, is at most the comparator's sum of a_t (1 - y.U'x) plus tr(U'AU)/2, and Theorem 2 needs no
logarithm at all. Algorithm 1 tests the margin of scores that look one row ahead, (1 - q) s, and
multiplies sigma by phi, so Theorem 3's logarithm has the factor phi/2 (b/(b - B))^2, B the largest
|x|^2, where b/(b - 1) is printed.

Theorems 2 and 3 sum over the learning rounds, so they hold in hindsight; summing Theorem 2 over all
rounds gives a bound for any order. Its printed form has the logarithm added.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from lapwing.bandit import MOLGBandit
from lapwing.bounds.certificate import Certificate
from lapwing.bounds.theorems.yang2018_bandit import (
    PAPER,
    exploration_asked,
    regret,
    scheduled_regret,
    signs_fitted,
)
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online import MOLG
from lapwing.types import UNKNOWN, Array, Mask, Nodes

LEARNERS = ("molg-f", "molg-b")
KNOWN = "all classes known beforehand"
"""The text may guess a class before its first label; `lapwing.make` does not let it."""
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
    """Play MOLG-F, with and without margin, and MOLG-B, and certify the runs.

    MOLG-B explores as much as Theorem 4 requires, far more than in the paper's tables.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = certified(graph, np.array([0, 0, 0, 1, 1, 1]))
    >>> [(each.learner, each.theorem, each.holds) for each in found]
    [('molg-f', '2, any order', True), ('molg-f', '2', True), ('molg-f', '3', True),
     ('molg-f', '3, discussion', True), ('molg-b', '4', True), ('molg-b', '4, phi_t', True)]
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
        seen = [mistakes(learner, nodes, labels[nodes]) for learner in both]
        happened = seen[0].actual
        found += [replace(any_order(rows, nodes, labels[nodes], k), actual=happened), *seen]
        found.append(regret_of_mistakes(MOLG(rows, k, b=10.0, phi=1.0), nodes, labels[nodes]))
    if "molg-b" in learners:
        u, _ = signs_fitted(rows, nodes, labels[nodes], k)
        explores = exploration_asked(u, 10.0, len(nodes), gamma=4.0)
        bandit = MOLGBandit(rows, k, b=10.0, phi=math.inf, exploration=explores, seed=seed)
        found.append(regret(bandit, nodes, labels[nodes]))
        fresh = MOLGBandit(rows, k, b=10.0, phi=math.inf, seed=seed)
        found.append(scheduled_regret(fresh, nodes, labels[nodes]))
    return found


def any_order(rows: Array, nodes: Nodes, labels: Nodes, k: int, *, b: float = 10.0) -> Certificate:
    """Theorem 2 summed over all rounds: a bound for MOLG with phi = 0 in any order.

    U is the best multiple of ridge regression's weights with every label at hand.

    Examples
    --------
    >>> found = any_order(np.eye(4), np.arange(4), np.array([0, 0, 0, 1]), 2, b=2.0)
    >>> found.value, found.ingredients["|U|^2"]
    (4.0000, 1.99)
    """
    X = rows[nodes]
    most = b / (b - float(np.square(X).sum(axis=1).max(initial=0.0)))
    gram = X.T @ X + np.eye(X.shape[1])
    U = np.linalg.solve(gram, X.T @ (np.eye(k)[labels] - 1 / k)).T
    scores = X @ U.T
    own = scores[np.arange(len(nodes)), labels]
    scores[np.arange(len(nodes)), labels] = -np.inf
    leads = own - scores.max(axis=1)
    half = 0.5 * float(b * (U**2).sum() + most * ((X @ U.T) ** 2).sum())
    hinges = [most * float(np.maximum(0.0, 1.0 - c * leads).sum()) for c in SCALES]
    best = int(np.argmin(np.array(hinges) + SCALES**2 * half))
    value, norm = hinges[best] + SCALES[best] ** 2 * half, SCALES[best] ** 2 * (U**2).sum()
    return Certificate(
        paper=PAPER,
        bounds="mistakes",
        learner="molg-f",
        version=f"phi = 0, b = {b:g}, {KNOWN}",
        name="hinge loss of all rounds",
        theorem="2, any order",
        rounds=len(nodes),
        value=float(value),
        ingredients={"a hinge": hinges[best], "|U|^2": float(norm), "largest a_t": most},
        says=(
            f"Weights fitted to every label have a loss of {value:.3g}, and MOLG-F makes no more "
            "mistakes than that."
        ),
        note="not in the paper: Theorem 2 with sums over all rounds and the largest weight",
    )


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
        version=f"phi = {phi:g}, b = {b:g}, {KNOWN}",
        knows="run",
        name="hinge loss of the best weights" + (", less aggressive rounds" if phi else ""),
        theorem="3" if phi else "2",
        rounds=len(nodes),
    )
    if not learner.rule.pairs or learner.rule.weight != 0.0:
        return made(why="needs coding 'pairs' and weights 1 / (1 - x'A^-1 x)")
    lessons = lessons_of(learner, nodes, labels)
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
            f"The best weights in hindsight, {scale:.3g} times the final ones, have a loss of "
            f"{hinge + trace:.3g} over the {len(lessons.a):,} rounds with an update"
            + (f"; {aggressive:,} of these were not mistakes." if phi else ".")
        ),
        printed=hinge + trace - aggressive + b / (b - 1) * log_det / (1 if phi else 2)
        if b > 1
        else None,
        correction=(
            "|y|^2 is 2, so no logarithm is needed"
            if not phi
            else "the logarithm's factor contains phi and the longest row"
        ),
    )


def regret_of_mistakes(learner: MOLG, nodes: Nodes, labels: Nodes) -> Certificate:
    """The discussion of Theorem 3: mistakes beyond the hinge loss of the best weights.

    M - sum a_t hinge(U) <= Z a/2 |U|^2 + b/2 |U|^2 + phi/2 a^2 K d log(1 + T a B/(K d b)) - D, with
    Z the updates, a = b/(b - B) and B the largest |x|^2. The text drops b |U|^2 from tr(U'AU) and
    takes b/(b - 1) for the logarithm's factor; both hold for rows no longer than 1 and small b.

    Examples
    --------
    >>> rows = np.array([[1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    >>> found = regret_of_mistakes(MOLG(rows, 2, b=2.0, phi=1.0), np.arange(3), np.array([0, 0, 1]))
    >>> found.theorem, found.bounds, found.holds
    ('3, discussion', 'regret', True)
    """
    phi, b, k = learner.rule.phi, learner.rule.b, learner.n_classes
    d, rounds = learner.features.shape[1], len(nodes)
    lessons = lessons_of(learner, nodes, labels)
    A = b * np.eye(d) + (lessons.rows.T * lessons.a) @ lessons.rows
    hinge, _, scale = _comparator(learner.weights, lessons, A)
    longest = float(np.square(learner.features[nodes]).sum(axis=1).max(initial=0.0))
    most, updates = b / (b - longest), len(lessons.a)
    aggressive = int((~lessons.wrong).sum())
    norm = scale**2 * float((learner.weights**2).sum())
    logarithm = d * math.log1p(rounds * most * longest / (d * b))
    trace = (updates * most * longest + b) / 2 * norm
    plain = k * d * math.log1p(rounds / (k * d * b))
    return Certificate(
        paper=PAPER,
        bounds="regret",
        learner="molg-f",
        version=f"phi = {phi:g}, b = {b:g}, {KNOWN}",
        knows="run",
        name="mistakes beyond the best weights' hinge loss",
        theorem="3, discussion",
        rounds=rounds,
        value=trace + phi / 2 * most**2 * logarithm - aggressive,
        printed=b / (b - 1) * (updates / 2 * norm + plain) - aggressive if b > 1 else None,
        correction="the trace contains b |U|^2, and log|A| is at most d log(1 + T a B/(d b))",
        actual=lessons.mistakes - hinge,
        ingredients={
            "|U|^2": norm,
            "Z": float(updates),
            "D": float(aggressive),
            "d log(...)": logarithm,
            "phi": phi,
        },
        says=(
            f"Over the {updates:,} rounds with an update, MOLG-F makes "
            f"{lessons.mistakes - hinge:.3g} mistakes more than the best weights' hinge loss."
        ),
    )


def lessons_of(learner: MOLG, nodes: Nodes, labels: Nodes) -> Lessons:
    """Play a learner and record the rounds in which it learned.

    The text knows all classes beforehand, so a class may be guessed before its first label.
    """
    learner.named[:] = True
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
    """Return the hinge loss, half trace and scale of the best multiple of the weights."""
    leads = ((weights[lessons.labels] - weights[lessons.rivals]) * lessons.rows).sum(axis=1)
    half = 0.5 * float(np.einsum("kd,de,ke->", weights, A, weights))
    hinges = [float((lessons.a * np.maximum(0.0, 1.0 - c * leads)).sum()) for c in SCALES]
    best = int(np.argmin(np.array(hinges) + SCALES**2 * half))
    return hinges[best], float(SCALES[best] ** 2) * half, float(SCALES[best])
