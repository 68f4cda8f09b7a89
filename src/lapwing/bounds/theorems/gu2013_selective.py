"""Gu, Aggarwal, Liu and Han (2013), Theorem 7: asking for few labels.

Printed slips, and what stands here instead: A_0 = mu I puts mu into the bias where B is printed;
the regret, and the number of queries, are covered only when every queried label is learned (with
learning from mistakes only, A does not grow with the queries and depends on the labels); rows
longer than 1 put B into the logarithm.
"""

from __future__ import annotations

import math

import numpy as np

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems.gu2013 import certificate_of, comparator, log_determinant

EPSILONS = np.linspace(0.02, 0.999, 200)


def regret(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 7, labels drawn with probability (1 + u'm)/2, its regret at the best epsilon."""
    made = certificate_of(
        problem, run, name="regret of selective sampling", theorem="7", learner="sslgc"
    )
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    log_det = log_determinant(run, run.queried)
    values = [_theorem7(e, mu * float(u @ u), kappa, log_det) for e in EPSILONS]
    best = int(np.argmin(values))
    return made(
        value=values[best],
        actual=int(run.mistakes.sum()),
        ingredients={
            "|u|^2": float(u @ u),
            "epsilon": float(EPSILONS[best]),
            "sum log(1 + lambda_i/mu)": log_det,
            "kappa": kappa,
            "mu": mu,
        },
        says=f"SSLGC errs at most {values[best]:.3g} times more than the best function would.",
        note="mu |u|^2 where B |u|^2 = 2B cut is printed; no label near chance, so T_epsilon = 0",
    )


def noise_free_mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 7's bias term alone: what is left of it when the labels are a function's signs.

    A mistake needs a bias of 1: sqrt(mu r) |u| + r >= 1, that is r >= rho; at most rho^(-1/kappa)
    rounds pass unasked with such an r, and at most sum log(1 + lambda_i / mu) / rho asked.
    """
    made = certificate_of(
        problem, run, name="selective sampling, no noise", theorem="7, noise-free", learner="sslgc"
    )
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    inverse = _inverse_rho(2.0, mu * float(u @ u))
    log_det = log_determinant(run, run.queried)
    return made(
        value=_power(inverse, 1 / kappa) + inverse * log_det,
        actual=int(run.mistakes.sum()),
        ingredients={
            "1/rho": inverse,
            "sum log(1 + lambda_i/mu)": log_det,
            "kappa": kappa,
            "mu": mu,
        },
        says="With labels that are some function's signs, only its bias can make SSLGC err.",
        note="not printed: the proof of Theorem 7 without its variance terms",
    )


def label_complexity(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 7, second part: queries <= T^kappa sum log(1 + lambda_i / mu)."""
    every = run is not None and bool(run.settings.get("every_label", 0))
    made = certificate_of(
        problem,
        run,
        name="queries of selective sampling" if every else "updates of selective sampling",
        theorem="7, labels",
        learner="sslgc",
        bounds="queries" if every else "updates",
    )
    if run is None or run.rows is None or "kappa" not in run.settings:
        return made(why="needs a run of SSLGC")
    counted = run.queried if every else run.queried & run.mistakes
    kappa, mu, rounds = run.settings["kappa"], run.settings["mu"], len(run.nodes)
    log_det = log_determinant(run, counted)
    rank, longest = run.rows.shape[1], float(np.square(run.rows[run.nodes]).sum(axis=1).max())
    count = int(counted.sum())
    return made(
        value=rounds**kappa * log_det,
        actual=count,
        ingredients={
            "T^kappa": rounds**kappa,
            "sum log(1 + lambda_i/mu)": log_det,
            "d log(1 + NB/(d mu))": rank * math.log1p(count * longest / (rank * mu)),
            "queried": float(run.queried.sum()),
        },
        says=(
            f"Each of them had an uncertainty above {rounds:,}^-{kappa:g}, and all uncertainty "
            f"together is at most {log_det:.3g}."
        ),
        note=(
            "holds for queries when every queried label is learned; as printed, with learning "
            "from mistakes only, it holds for the queries that were mistakes"
        ),
    )


def _unfit(problem: Problem, run: Run | None) -> str:
    """Why the selective regret bounds do not cover a run; empty when they do."""
    if run is None or run.rows is None or "kappa" not in run.settings:
        return "needs a run of SSLGC"
    if not run.settings.get("every_label", 0):
        return "needs every queried label learned (every_label), not only mistakes"
    if run.settings["kappa"] <= 0:
        return "needs kappa above 0"
    if not comparator(problem, run)[1]:
        return "needs rows that hold the labelling exactly (all eigenvectors and a bias)"
    return ""


def _inverse_rho(gap: float, weight: float) -> float:
    """1 / rho, rho the smallest r with sqrt(weight r) + r >= gap / 2."""
    return (math.sqrt(weight + 2 * gap) + math.sqrt(weight)) ** 2 / gap**2


def _power(base: float, exponent: float) -> float:
    return math.exp(min(exponent * math.log(base), 700.0))


def _theorem7(epsilon: float, weight: float, kappa: float, log_det: float) -> float:
    inverse = _inverse_rho(epsilon, weight)
    steps = math.ceil(1 / kappa)
    factorial = math.exp(min(math.lgamma(steps + 1), 700.0))
    unasked = 2 * factorial * _power(8 / epsilon**2, 1 / kappa) + _power(inverse, 1 / kappa)
    return unasked + (16 / (math.e * epsilon**2) + inverse) * log_det
