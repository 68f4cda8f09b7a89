"""Gu, Aggarwal, Liu and Han (2013): ridge regression online.

Printed slips, and what stands here instead: f'Lf is 4 times the cut, not 2 (Lemma 3); gamma
must bound the learner's own squared losses, not the comparator's (proof of Theorem 4), and the
regret runs over the mistakes, the only rounds that teach; half the squared loss of a mistake is at
least 1/2, so Corollary 5 needs twice its first two terms.
"""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from lapwing.bounds.certificate import Certificate, Quantity
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.types import Array, Mask

PAPER = "Gu, Aggarwal, Liu and Han 2013"


def regret(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 4: regret on the mistakes <= mu/2 |u|^2 + gamma/2 sum log(1 + lambda_i / mu)."""
    made = certificate_of(
        problem, run, name="regret of ridge regression", theorem="4", bounds="regret"
    )
    if run is None or run.rows is None:
        return made(why="needs a run of OLLGC: its largest loss is part of the bound")
    mu, wrong = run.settings["mu"], run.mistakes
    u, _ = comparator(problem, run)
    losses = (run.margins - run.labels)[wrong] ** 2
    gamma, log_det = _gamma(run), log_determinant(run, wrong)
    other = (run.rows[run.nodes[wrong]] @ u - run.labels[wrong]) ** 2
    norm = float(u @ u)
    return made(
        value=mu / 2 * norm + gamma / 2 * log_det,
        actual=float(losses.sum() - other.sum()) / 2,
        ingredients={
            "|u|^2": norm,
            "gamma": gamma,
            "sum log(1 + lambda_i/mu)": log_det,
            "mu": mu,
        },
        says=(
            "On the rounds it erred, OLLGC's squared loss exceeds that of the labelling's own "
            f"function, known beforehand, by at most {mu / 2 * norm + gamma / 2 * log_det:.3g}."
        ),
        note="gamma bounds the learner's own losses; |u|^2 = 4 cut; rounds of mistakes only",
    )


def mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Corollary 5: mistakes <= min_f |f - y|^2 + mu f'Lf, + gamma sum log(1 + lambda_i / mu)."""
    made = certificate_of(
        problem, run, name="offline fit plus log-determinant", theorem="Corollary 5"
    )
    if run is None or run.rows is None:
        return made(why="needs a run of OLLGC: its largest loss is part of the bound")
    mu = run.settings["mu"]
    offline = _offline_loss(run, mu)
    gamma, log_det = _gamma(run), log_determinant(run, run.mistakes)
    rank, longest = run.rows.shape[1], float(np.square(run.rows[run.nodes]).sum(axis=1).max())
    printed = rank * math.log1p(len(run.nodes) * longest / (rank * mu))
    return made(
        value=offline + gamma * log_det,
        actual=int(run.mistakes.sum()),
        ingredients={
            "min |f-y|^2 + mu f'Lf": offline,
            "gamma": gamma,
            "sum log(1 + lambda_i/mu)": log_det,
            "d log(1 + TB/(d mu))": printed,
            "mu": mu,
        },
        says=(
            f"Ridge regression with all labels at hand would lose {offline:.3g}; learning online "
            f"costs at most {gamma * log_det:.3g} mistakes more."
        ),
        note="twice the printed first terms; the log-determinant, at most the printed d log(...)",
    )


def certificate_of(
    problem: Problem,
    run: Run | None,
    *,
    name: str,
    theorem: str,
    learner: str = "ollgc",
    bounds: Quantity = "mistakes",
) -> partial[Certificate]:
    """What all certificates of this paper share."""
    return partial(
        Certificate,
        name=name,
        paper=PAPER,
        theorem=theorem,
        learner=learner,
        bounds=bounds,
        rounds=problem.rounds if run is None else len(run.nodes),
    )


def comparator(problem: Problem, run: Run) -> tuple[Array, bool]:
    """The shortest u with u'm_i nearest to the labels, and whether it meets all of them."""
    assert run.rows is not None
    at = problem.for_run(run)
    nodes = at.labelling.known
    u = np.linalg.lstsq(run.rows[nodes], at.labelling.y, rcond=1e-10)[0]
    fits = bool(np.abs(run.rows[run.nodes] @ u - run.labels).max() < 1e-6)
    return np.asarray(u), fits


def _gamma(run: Run) -> float:
    """The largest squared loss of a mistake; at least 1."""
    losses = (run.margins - run.labels)[run.mistakes] ** 2
    return float(losses.max(initial=1.0))


def log_determinant(run: Run, which: Mask) -> float:
    """Sum log(1 + lambda_i / mu), lambda_i the eigenvalues of sum m m' over some rounds."""
    assert run.rows is not None
    chosen = run.rows[run.nodes[which]]
    gram = chosen @ chosen.T if len(chosen) < run.rows.shape[1] else chosen.T @ chosen
    scaled = np.eye(len(gram)) + gram / run.settings["mu"]
    return float(np.linalg.slogdet(scaled)[1])


def _offline_loss(run: Run, mu: float) -> float:
    """min_w sum (w'm_t - y_t)^2 + mu |w|^2 over all rounds."""
    assert run.rows is not None
    chosen, y = run.rows[run.nodes], run.labels.astype(np.float64)
    inner = chosen.T @ chosen + mu * np.eye(chosen.shape[1])
    w = np.linalg.solve(inner, chosen.T @ y)
    return float(((chosen @ w - y) ** 2).sum() + mu * (w @ w))
