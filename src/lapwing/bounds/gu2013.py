"""Gu, Aggarwal, Liu and Han (2013): ridge regression online, and asking for few labels.

Printed slips, and what stands here instead: f'Lf is 4 times the cut, not 2 (Lemma 3); gamma
must bound the learner's own squared losses, not the comparator's (proof of Theorem 4), and the
regret runs over the mistakes, the only rounds that teach; half the squared loss of a mistake is at
least 1/2, so Corollary 5 needs twice its first two terms; A_0 = mu I puts mu into the bias of
Theorem 7 where B is printed; its queries, and their number, are covered only when
every queried label is learned, and rows longer than 1 put B into the logarithm.
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
EPSILONS = np.linspace(0.02, 0.999, 200)


def regret(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 4: regret on the mistakes <= mu/2 |u|^2 + gamma/2 sum log(1 + lambda_i / mu)."""
    made = _for(problem, run, name="regret of ridge regression", theorem="4", bounds="regret")
    if run is None or run.rows is None:
        return made(why="needs a run of OLLGC: its largest loss is part of the bound")
    mu, wrong = run.settings["mu"], run.mistakes
    u, _ = _comparator(problem, run)
    losses = (run.margins - run.labels)[wrong] ** 2
    gamma, log_det = _gamma(run), _log_det(run, wrong)
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
    made = _for(problem, run, name="offline fit plus log-determinant", theorem="Corollary 5")
    if run is None or run.rows is None:
        return made(why="needs a run of OLLGC: its largest loss is part of the bound")
    mu = run.settings["mu"]
    offline = _offline_loss(run, mu)
    gamma, log_det = _gamma(run), _log_det(run, run.mistakes)
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


def selective_regret(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 7, labels drawn with probability (1 + u'm)/2, its regret at the best epsilon."""
    made = _for(problem, run, name="regret of selective sampling", theorem="7", learner="sslgc")
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = _comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    log_det = _log_det(run, run.queried)
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


def noise_free_selective_mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 7's bias term alone: what is left of it when the labels are a function's signs.

    A mistake needs a bias of 1: sqrt(mu r) |u| + r >= 1, that is r >= rho; at most rho^(-1/kappa)
    rounds pass unasked with such an r, and at most sum log(1 + lambda_i / mu) / rho asked.
    """
    made = _for(
        problem, run, name="selective sampling, no noise", theorem="7, noise-free", learner="sslgc"
    )
    if (why := _unfit(problem, run)) or run is None or run.rows is None:
        return made(why=why)
    u, _ = _comparator(problem, run)
    kappa, mu = run.settings["kappa"], run.settings["mu"]
    inverse = _inverse_rho(2.0, mu * float(u @ u))
    log_det = _log_det(run, run.queried)
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
    made = _for(
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
    log_det = _log_det(run, counted)
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


def _for(
    problem: Problem,
    run: Run | None,
    *,
    name: str,
    theorem: str,
    learner: str = "ollgc",
    bounds: Quantity = "mistakes",
) -> partial[Certificate]:
    return partial(
        Certificate,
        name=name,
        paper=PAPER,
        theorem=theorem,
        learner=learner,
        bounds=bounds,
        rounds=problem.rounds if run is None else len(run.nodes),
    )


def _unfit(problem: Problem, run: Run | None) -> str:
    """Why the selective regret bounds do not cover a run; empty when they do."""
    if run is None or run.rows is None or "kappa" not in run.settings:
        return "needs a run of SSLGC"
    if not run.settings.get("every_label", 0):
        return "needs every queried label learned (every_label), not only mistakes"
    if run.settings["kappa"] <= 0:
        return "needs kappa above 0"
    if not _comparator(problem, run)[1]:
        return "needs rows that hold the labelling exactly (all eigenvectors and a bias)"
    return ""


def _comparator(problem: Problem, run: Run) -> tuple[Array, bool]:
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


def _log_det(run: Run, which: Mask) -> float:
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
