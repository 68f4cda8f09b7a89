"""Gu, Aggarwal, Liu and Han (2013), Theorem 7: asking for few labels.

Errors in print, and their corrections here: A_0 = mu I puts mu into the bias where B is printed;
the bias is not random, so its term needs no factor e ceil(1/kappa)!; the regret, and the number of
queries, are covered only when every queried label is learned (with learning from mistakes only, A
does not grow with the queries and depends on the labels); rows longer than 1 put B into the
logarithm.

Where every queried label is learned, which nodes are queried depends on the order alone. Before an
order is known, the log-determinant over all rounds stands for the one over the queries.
"""

from __future__ import annotations

import math

import numpy as np

from lapwing.bounds.certificate import Certificate, Knowledge
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems.gu2013 import certificate_of, comparator, log_determinant
from lapwing.types import Mask

EPSILONS = np.linspace(0.02, 0.999, 200)


NEEDS_RUN = "needs the rows, mu and kappa of SSLGC: play it, or pass a run"
EVERY = "sslgc-every-label"
DROPPED = (
    "mu |u|^2 replaces the printed B |u|^2 = 2B cut, and |u|^2 is 4 times the cut; the bias is not "
    "random, so its term needs no factor e ceil(1/kappa)!; the length of rows longer than 1 "
    "belongs in the logarithm"
)


def regret(problem: Problem, run: Run | None, *, any_order: bool = False) -> Certificate:
    """Theorem 7, labels drawn with probability (1 + u'm)/2, its regret at the best epsilon."""
    made = certificate_of(
        problem, run, name="regret of selective sampling", theorem="7", learner=EVERY
    )
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    log_det = _log_determinant(run, any_order)
    values = [_theorem7(e, mu * float(u @ u), kappa, log_det) for e in EPSILONS]
    best = int(np.argmin(values))
    return made(
        knows="labels" if any_order else "order",
        value=values[best],
        printed=_printed(problem, run, any_order),
        correction=DROPPED,
        actual=int(run.mistakes.sum()),
        ingredients={
            "|u|^2": float(u @ u),
            "epsilon": float(EPSILONS[best]),
            "sum log(1 + lambda_i/mu)": log_det,
            "kappa": kappa,
            "mu": mu,
        },
        says=f"SSLGC makes at most {values[best]:.3g} mistakes more than the best function.",
        note=f"no label is near chance, so T_epsilon = 0; {_rounds_of(any_order)}",
    )


def noise_free_mistakes(
    problem: Problem, run: Run | None, *, any_order: bool = False
) -> Certificate:
    """Theorem 7's bias term alone: what is left of it when the labels are a function's signs.

    A mistake needs a bias of 1: sqrt(mu r) |u| + r >= 1, that is r >= rho; at most rho^(-1/kappa)
    rounds pass unasked with such an r, and at most sum log(1 + lambda_i / mu) / rho asked.
    """
    made = certificate_of(
        problem, run, name="selective sampling, no noise", theorem="7, noise-free", learner=EVERY
    )
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    inverse = _inverse_rho(2.0, mu * float(u @ u))
    log_det = _log_determinant(run, any_order)
    return made(
        knows="labels" if any_order else "order",
        value=_power(inverse, 1 / kappa) + inverse * log_det,
        actual=int(run.mistakes.sum()),
        ingredients={
            "1/rho": inverse,
            "sum log(1 + lambda_i/mu)": log_det,
            "kappa": kappa,
            "mu": mu,
        },
        says="Where the labels are the signs of some function, only SSLGC's bias causes mistakes.",
        note=(
            "not in the paper: the proof of Theorem 7 without its variance terms; "
            f"{_rounds_of(any_order)}"
        ),
    )


def label_complexity(
    problem: Problem, run: Run | None, *, any_order: bool = False, learner: str = "sslgc"
) -> Certificate:
    """Theorem 7, second part: queries <= T^kappa sum log(1 + lambda_i / mu).

    With learning from mistakes only, as in Algorithm 2, it bounds the queries that were mistakes.
    """
    every = learner == EVERY
    made = certificate_of(
        problem,
        run,
        name="queries of selective sampling" if every else "updates of selective sampling",
        theorem="7, labels",
        learner=learner,
        bounds="queries" if every else "updates",
    )
    if run is None or run.rows is None or "kappa" not in run.settings:
        return made(why=NEEDS_RUN)
    counted = run.queried if every else run.queried & run.mistakes
    kappa, mu, rounds = run.settings["kappa"], run.settings["mu"], len(run.nodes)
    log_det = _log_determinant(run, any_order, counted)
    rank, longest = run.rows.shape[1], float(np.square(run.rows[run.nodes]).sum(axis=1).max())
    count = rounds if any_order else int(run.queried.sum())
    afterwards: Knowledge = "order" if every else "run"
    return made(
        knows="labels" if any_order else afterwards,
        value=rounds**kappa * log_det,
        printed=rounds**kappa * rank * math.log1p(count / (mu * rank)),
        correction=(
            "the length of rows longer than 1 belongs in the logarithm"
            + ("" if every else "; a query without an update does not lower r, so updates count")
        ),
        actual=int(counted.sum()),
        ingredients={
            "T^kappa": rounds**kappa,
            "sum log(1 + lambda_i/mu)": log_det,
            "d log(1 + NB/(d mu))": rank * math.log1p(count * longest / (rank * mu)),
            "queried": float(run.queried.sum()),
        },
        says=(
            f"Each of them had an uncertainty above {rounds:,}^-{kappa:g}, and their sum is at "
            f"most {log_det:.3g}."
        ),
        note=_rounds_of(any_order),
    )


def _log_determinant(run: Run, any_order: bool, counted: Mask | None = None) -> float:
    """The log-determinant over all rounds, or over those that count in a run."""
    which = run.queried if counted is None else counted
    return log_determinant(run, np.ones_like(which) if any_order else which)


def _rounds_of(any_order: bool) -> str:
    if any_order:
        return "each node comes once; log-determinant over all rounds"
    return "the log-determinant comes from the rounds that count in this order"


def _printed(problem: Problem, run: Run, any_order: bool) -> float:
    """(23) as printed, at its best epsilon, with T_epsilon = 0."""
    assert run.rows is not None
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    rank, longest = run.rows.shape[1], float(np.square(run.rows[run.nodes]).sum(axis=1).max())
    count = len(run.nodes) if any_order else int(run.queried.sum())
    logarithm = rank * math.log1p(count / (mu * rank))
    cut = problem.cut(problem.labelling.completed())
    factorial = math.exp(min(math.lgamma(math.ceil(1 / kappa) + 1), 700.0))

    def at(epsilon: float) -> float:
        bias = 4 * (2 * longest * cut + epsilon) / epsilon**2
        unasked = 2 * _power(8 / epsilon**2, 1 / kappa) + math.e * _power(bias, 1 / kappa)
        return float(factorial * unasked + (16 / (math.e * epsilon**2) + bias) * logarithm)

    return min(at(float(epsilon)) for epsilon in EPSILONS)


def _unfit(problem: Problem, run: Run | None) -> str:
    """Return why the selective regret bounds do not cover a run; empty if they do."""
    if run is None or run.rows is None or "kappa" not in run.settings:
        return NEEDS_RUN
    if not run.settings.get("every_label", 0):
        return "needs a learner that learns every queried label (every_label), not only mistakes"
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
