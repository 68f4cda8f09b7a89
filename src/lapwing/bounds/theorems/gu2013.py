"""Gu, Aggarwal, Liu and Han (2013): ridge regression online.

Errors in print, and their corrections here: f'Lf is 4 times the cut, not 2 (Lemma 3); gamma must
bound the learner's own squared losses, not the comparator's (proof of Theorem 4), and with losses
of half a square the proof gives gamma / 2; the regret runs over the mistakes, the only rounds that
teach. Half the squared loss of a mistake is at least 1/2, so Corollary 5 needs twice its first two
terms; it needs no gamma, since the losses times (1 - r) add up to the offline loss.

The set of mistakes is only known after a run. Before one, each node is assumed to appear once:
ridge regression on some of the labels loses no more than on all of them, and the log-determinant
over some rounds is at most the one over all.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

from lapwing.bounds.certificate import Certificate, Quantity
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.types import Array, Mask

PAPER = "Gu, Aggarwal, Liu and Han 2013"


NEEDS_ROWS = "needs the rows and mu of OLLGC: play it, or pass a run"
HALVED = "|u|^2 is 4 times the cut, and losses of half a square halve gamma"
NO_GAMMA = (
    "half the squared loss of a mistake is at least 1/2, which doubles the first terms; the losses "
    "times (1 - r) add up to the offline loss, so gamma is not needed; the log-determinant is at "
    "most d log(...)"
)


def regret(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 4: regret on the mistakes <= mu/2 |u|^2 + gamma/2 sum log(1 + lambda_i / mu).

    gamma is the largest squared loss of this run's mistakes, lambda_i the eigenvalues of theirs.
    """
    made = certificate_of(
        problem, run, name="regret of ridge regression", theorem="4", bounds="regret"
    )
    if run is None or run.rows is None:
        return made(why=NEEDS_ROWS)
    wrong = run.mistakes
    u, _ = comparator(problem, run)
    losses = (run.margins - run.labels)[wrong] ** 2
    other = (run.rows[run.nodes[wrong]] @ u - run.labels[wrong]) ** 2
    gamma = float(losses.max(initial=1.0))
    return made(
        knows="run",
        actual=float(losses.sum() - other.sum()) / 2,
        note="gamma and the log-determinant come from the mistakes of this run",
        **_regret(problem, run, gamma, log_determinant(run, wrong)),
    )


def regret_in_any_order(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 4 before a run: gamma <= (1 + sqrt(B P / mu))^2, P the offline loss of all labels.

    mu |w|^2 is at most what ridge regression on some of the labels loses, and so at most P.
    """
    made = certificate_of(
        problem, run, name="regret of ridge regression", theorem="4", bounds="regret"
    )
    if run is None or run.rows is None:
        return made(why=NEEDS_ROWS)
    mu, longest = run.settings["mu"], _longest(run)
    gamma = (1 + math.sqrt(longest * offline_loss(run, mu) / mu)) ** 2
    everything = np.ones(len(run.nodes), dtype=bool)
    return made(
        note="each node comes once; gamma from the offline loss, log-determinant over all rounds",
        **_regret(problem, run, gamma, log_determinant(run, everything)),
    )


def _regret(problem: Problem, run: Run, gamma: float, log_det: float) -> dict[str, Any]:
    mu = run.settings["mu"]
    u, _ = comparator(problem, run)
    norm, cut = float(u @ u), problem.cut(problem.labelling.completed())
    value = mu / 2 * norm + gamma / 2 * log_det
    return {
        "value": value,
        "printed": mu * cut + gamma * log_det,
        "correction": HALVED,
        "ingredients": {
            "|u|^2": norm,
            "cut": cut,
            "gamma": gamma,
            "sum log(1 + lambda_i/mu)": log_det,
            "mu": mu,
        },
        "says": (
            "Over the rounds in which it errs, OLLGC's squared loss exceeds that of the function "
            f"that fits the labels best by at most {value:.3g}."
        ),
    }


def mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Corollary 5: mistakes <= min_f |f - y|^2 + mu f'Lf, + sum log(1 + lambda_i / mu).

    lambda_i are the eigenvalues of this run's mistakes.
    """
    made = certificate_of(
        problem, run, name="offline fit plus log-determinant", theorem="Corollary 5"
    )
    if run is None or run.rows is None:
        return made(why=NEEDS_ROWS)
    mu, wrong = run.settings["mu"], run.mistakes
    offline, log_det = offline_loss(run, mu), log_determinant(run, wrong)
    gamma = float(((run.margins - run.labels)[wrong] ** 2).max(initial=1.0))
    return made(
        knows="run",
        value=offline + log_det,
        actual=int(wrong.sum()),
        note="the log-determinant comes from the mistakes of this run",
        **_of_corollary(run, offline, log_det, gamma),
    )


def mistakes_in_any_order(problem: Problem, run: Run | None) -> Certificate:
    """Corollary 5 before a run: the most mistakes k <= P + min(log-determinant, k largest r).

    P and the log-determinant are those of all labels. r <= |m|^2 / (mu + |m|^2), whatever was
    learned before.
    """
    made = certificate_of(
        problem, run, name="offline fit plus log-determinant", theorem="Corollary 5"
    )
    if run is None or run.rows is None:
        return made(why=NEEDS_ROWS)
    mu = run.settings["mu"]
    offline = offline_loss(run, mu)
    log_det = log_determinant(run, np.ones(len(run.nodes), dtype=bool))
    lengths = np.square(run.rows[run.nodes]).sum(axis=1)
    most = np.minimum(np.cumsum(np.sort(lengths / (mu + lengths))[::-1]), log_det)
    counts = np.arange(1, len(most) + 1)
    gamma = (1 + math.sqrt(_longest(run) * offline / mu)) ** 2
    return made(
        value=float((counts <= offline + most + 1e-9).sum()),
        note="each node comes once; P and the log-determinant are those of all labels",
        **_of_corollary(run, offline, log_det, gamma),
    )


def _of_corollary(run: Run, offline: float, log_det: float, gamma: float) -> dict[str, Any]:
    rank, mu = run.rows.shape[1] if run.rows is not None else 0, run.settings["mu"]
    logarithm = rank * math.log1p(len(run.nodes) * _longest(run) / (rank * mu))
    return {
        "printed": offline / 2 + gamma * logarithm,
        "correction": NO_GAMMA,
        "ingredients": {
            "min |f-y|^2 + mu f'Lf": offline,
            "gamma": gamma,
            "sum log(1 + lambda_i/mu)": log_det,
            "d log(1 + TB/(d mu))": logarithm,
            "mu": mu,
        },
        "says": (
            f"Ridge regression on all labels at once has a loss of {offline:.3g}; learning online "
            f"costs at most {log_det:.3g} further mistakes."
        ),
    }


def certificate_of(
    problem: Problem,
    run: Run | None,
    *,
    name: str,
    theorem: str,
    learner: str = "ollgc",
    bounds: Quantity = "mistakes",
) -> partial[Certificate]:
    """The common fields of all certificates of this paper."""
    return partial(
        Certificate,
        name=name,
        paper=PAPER,
        theorem=theorem,
        learner=learner,
        version=_version(run),
        bounds=bounds,
        rounds=problem.rounds if run is None else len(run.nodes),
    )


def _version(run: Run | None) -> str:
    """Settings and rows of a run in words; empty without one."""
    if run is None or run.rows is None:
        return ""
    told = [f"{key} = {run.settings[key]:g}" for key in ("mu", "kappa") if key in run.settings]
    return ", ".join([*told, f"{run.rows.shape[1]} columns"])


def comparator(problem: Problem, run: Run) -> tuple[Array, bool]:
    """Return the shortest u with u'm_i closest to the labels, and whether it fits all of them."""
    assert run.rows is not None
    at = problem.for_run(run)
    nodes = at.labelling.known
    u = np.linalg.lstsq(run.rows[nodes], at.labelling.y, rcond=1e-10)[0]
    fits = bool(np.abs(run.rows[run.nodes] @ u - run.labels).max() < 1e-6)
    return np.asarray(u), fits


def _longest(run: Run) -> float:
    """Return B, the largest squared length of a row that was played."""
    assert run.rows is not None
    return float(np.square(run.rows[run.nodes]).sum(axis=1).max())


def log_determinant(run: Run, which: Mask) -> float:
    """Return sum log(1 + lambda_i / mu), with the eigenvalues of sum m m' over some rounds."""
    assert run.rows is not None
    chosen = run.rows[run.nodes[which]]
    gram = chosen @ chosen.T if len(chosen) < run.rows.shape[1] else chosen.T @ chosen
    scaled = np.eye(len(gram)) + gram / run.settings["mu"]
    return float(np.linalg.slogdet(scaled)[1])


def offline_loss(run: Run, mu: float) -> float:
    """min_w sum (w'm_t - y_t)^2 + mu |w|^2 over all rounds."""
    assert run.rows is not None
    chosen, y = run.rows[run.nodes], run.labels.astype(np.float64)
    inner = chosen.T @ chosen + mu * np.eye(chosen.shape[1])
    w = np.linalg.solve(inner, chosen.T @ y)
    return float(((chosen @ w - y) ** 2).sum() + mu * (w @ w))
