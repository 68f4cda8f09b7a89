"""Herbster, Pontil and Wainer (2005): bounds for projections on smooth labels."""

from __future__ import annotations

from functools import partial

import numpy as np

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.types import Array, Nodes

PAPER = "Herbster, Pontil and Wainer 2005"
HALF_SPACES = ("1-proj", "c-proj")
"""Learners that only project onto half-spaces, so that any separating function suffices."""


def projection_mistakes(problem: Problem, run: Run | None, *, learner: str) -> Certificate:
    """Theorem 3.2: mistakes <= |u|^2 times the harmonic mean of K_ii over the mistakes.

    The mean needs the run. Before a run, each node is assumed to appear once: the sum of 1 / K_ii
    over the mistakes is at most |u|^2, so there are no more of them than of the nodes with the
    largest K_ii that fit.

    The paper requires of noncyclic learners that u equals the labels; 1-proj moves on mistakes
    only, where equality and half-space are the same, so a separating u is enough for it.
    """
    at = problem.for_run(run)
    made = partial(
        Certificate,
        name="smoothness times mean node norm",
        paper=PAPER,
        theorem="3.2",
        learner=learner,
        bounds="mistakes",
        knows="labels" if run is None else "run",
        rounds=problem.rounds if run is None else len(run.nodes),
        actual=None if run is None else int(run.mistakes.sum()),
    )
    if run is not None and _contradicts_itself(run):
        return made(why="needs one label per node, and some node came with both")
    separating = learner in HALF_SPACES
    norm = at.separating_norm() if separating else at.interpolating_norm()
    if norm is None:
        return made(why=_no_function(at, separating))
    if run is None:
        worst = _worst_mistakes(at.norms(at.labelling.known), norm)
        value, mean = float(len(worst)), _harmonic_mean(worst)
    else:
        mean = _harmonic_mean(at.norms(run.nodes[run.mistakes]))
        value = norm * mean
    what = "separates" if separating else "equals"
    where = "nodes with the largest norms" if run is None else "mistakes of this run"
    return made(
        value=value,
        ingredients={"|u|^2": norm, "node norm B": mean, "bias": at.bias, "c": at.c},
        says=(
            f"{learner} makes at most |u|^2 x B mistakes. |u|^2 = {norm:.3g} measures how much "
            f"the smoothest function that {what} the labels changes along edges; B = {mean:.3g} "
            f"is the harmonic mean of K_ii over the {where}."
        ),
        note=(
            "B is the mean over the mistakes of this run"
            if run is not None
            else "each node comes once; B is the mean over the nodes with the largest K_ii"
        ),
    )


def cyclic_updates(problem: Problem, run: Run | None) -> Certificate:
    """Section 4.1: C-proj moves its hypothesis at most |u|^2 times the largest K_ii, in any order.

    Each move corrects a label predicted wrong and so goes at least 1 / sqrt(K_ii) far. The text
    bounds |u|^2 by Theorem 4.1 and K_ii by the diameter: at most n^3 D_G, polynomial in n.
    """
    at = problem.with_kernel_of(run)
    made = partial(
        Certificate,
        name="moves of the hypothesis",
        paper=PAPER,
        theorem="section 4.1",
        learner="c-proj",
        bounds="projections",
        rounds=problem.rounds,
    )
    norm = at.separating_norm()
    if norm is None:
        return made(why=_no_function(at, separating=True))
    largest = float(at.norms(at.labelling.known).max())
    smoothness = labelling_norm(problem, None).value
    printed = None if smoothness is None else smoothness * problem.measures.diameter
    return made(
        value=norm * largest,
        printed=printed if at.bias == 0 and at.c == 0 else None,
        correction="uses the norms themselves, not their bounds by Theorem 4.1 and diameter",
        actual=None if run is None or run.projected is None else float(run.projected),
        ingredients={
            "|u|^2": norm,
            "largest K_ii": largest,
            "D_G": problem.measures.diameter,
            "n^3 D_G": float(problem.measures.n) ** 3 * problem.measures.diameter,
        },
        says=(
            "However often C-proj goes back over its labels, it makes at most "
            f"{norm * largest:.3g} corrections in all."
        ),
    )


def labelling_norm(problem: Problem, _: Run | None) -> Certificate:
    """Theorem 4.1: a separating function with |u|^2 <= cut (n / min(n+, n-))^2."""
    plain = Problem(problem.measures, problem.labelling, bias=0.0)
    made = partial(
        Certificate,
        name="smoothness from cut and balance",
        paper=PAPER,
        theorem="4.1",
        learner="any",
        bounds="norm of labelling",
        rounds=problem.rounds,
    )
    n = problem.measures.n
    both = [u for u in problem.labelling.completions if abs(int(u.sum())) < n]
    if not both:
        return made(why="needs both classes, and only one is there")

    def squared(u: Nodes) -> float:
        return float(problem.cut(u) * (n / min((u > 0).sum(), (u < 0).sum())) ** 2)

    best = min(both, key=squared)
    large, small = sorted((int((best > 0).sum()), int((best < 0).sum())), reverse=True)
    return made(
        value=squared(best),
        actual=plain.separating_norm(),
        ingredients={
            "cut": problem.cut(best),
            "n+": float((best > 0).sum()),
            "n-": float((best < 0).sum()),
            "lambda_2 n n+/n-": problem.measures.lambda2 * n * large / small,
            "lambda_n n n+/n-": problem.measures.lambda_max * n * large / small,
        },
        says=(
            f"Some function that separates the labels has |u|^2 of at most {squared(best):.3g}: "
            f"the labels cut {problem.cut(best):.3g} edges, and the rarer class has {small} of "
            f"{n} nodes."
        ),
    )


def node_norms(problem: Problem, _: Run | None) -> Certificate:
    """Theorem 4.2: K_pp <= min(1 / lambda_2, eccentricity of p)."""
    measures = problem.measures
    inverse = 1.0 / measures.lambda2 if measures.lambda2 > 0 else np.inf
    bound = np.minimum(inverse, measures.eccentricities)
    return Certificate(
        name="node norm from connectivity and distance",
        paper=PAPER,
        theorem="4.2",
        learner="any",
        bounds="norm of node",
        value=float(bound.max()),
        actual=float(measures.norms.max()) if measures.exact else None,
        rounds=problem.rounds,
        ingredients={
            "1/lambda_2": inverse,
            "diameter": measures.diameter,
            "largest K_pp / its bound": float((measures.norms / bound).max()),
        },
        says=(
            f"No node has K_pp above {float(bound.max()):.3g}, the smaller of 1 / lambda_2 and "
            "the longest of its shortest paths."
        ),
    )


def active_mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 5.1, (14): mistakes after the active rounds <= (|u|^2 - progress) B.

    B is the harmonic mean of K_ii over the later mistakes of this run.
    """
    made, at, norm = _after_active_choice(problem, run)
    if at is None or norm is None or run is None or run.active is None:
        return made()
    later = run.mistakes & ~run.active
    made = partial(made, knows="run", actual=int(later.sum()))
    if not later.any():
        return made(why="needs a later mistake: (14) averages over them, and none was made")
    mean = _harmonic_mean(at.norms(run.nodes[later]))
    return made(
        value=max(norm - run.progress, 0.0) * mean,
        ingredients=_of_active_choice(run, norm) | {"node norm B": mean},
        note="B is the mean over the later mistakes of this run",
    )


def active_mistakes_beforehand(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 5.1 for every order of the nodes that were not chosen.

    The labels decide which nodes are chosen and what they move. The sum of 1 / K_ii over the later
    mistakes is at most |u|^2 less the progress, as before a run of Theorem 3.2.
    """
    made, at, norm = _after_active_choice(problem, run)
    if at is None or norm is None or run is None or run.active is None:
        return made()
    worst = _worst_mistakes(at.norms(run.nodes[~run.active]), max(norm - run.progress, 0.0))
    return made(
        value=float(len(worst)),
        ingredients=_of_active_choice(run, norm) | {"node norm B": _harmonic_mean(worst)},
        note="each node comes once; B is the mean over the other nodes with the largest K_ii",
    )


def _after_active_choice(
    problem: Problem, run: Run | None
) -> tuple[partial[Certificate], Problem | None, float | None]:
    """The common parts of both forms of Theorem 5.1; without a norm, the certificate says why."""
    made = partial(
        Certificate,
        name="smoothness left after active choice",
        paper=PAPER,
        theorem="5.1",
        learner="act-st",
        bounds="mistakes",
        rounds=problem.rounds,
    )
    if run is None or run.active is None:
        return partial(made, why="needs a run with an active phase"), None, None
    if _contradicts_itself(run):
        return (
            partial(made, why="needs one label per node, and some node came with both"),
            None,
            None,
        )
    at = problem.for_run(run)
    norm = at.interpolating_norm()
    if norm is None:
        return partial(made, why=_no_function(at, separating=False)), at, None
    chosen, moved = int(run.active.sum()), run.progress
    says = (
        f"The {chosen} chosen nodes moved the hypothesis by {moved:.3g} of the {norm:.3g} that it "
        "can move in all; every later mistake uses up part of the rest."
    )
    return partial(made, rounds=int((~run.active).sum()), says=says), at, norm


def _of_active_choice(run: Run, norm: float) -> dict[str, float]:
    active = 0.0 if run.active is None else float(run.active.sum())
    return {"|u|^2": norm, "progress Z_A": run.progress, "active rounds": active}


def _contradicts_itself(run: Run) -> bool:
    signs: dict[int, int] = {}
    for node, label in zip(run.nodes.tolist(), run.labels.tolist(), strict=True):
        if signs.setdefault(node, label) != label:
            return True
    return False


def _worst_mistakes(norms: Array, budget: float) -> Array:
    """Return how many nodes, by largest K_ii, have 1 / K_ii that sum to at most |u|^2."""
    falling = np.sort(norms)[::-1]
    spent = np.cumsum(1.0 / np.maximum(falling, 1e-300))
    return falling[: int((spent <= budget * (1 + 1e-9)).sum())]


def _harmonic_mean(values: Array) -> float:
    if not len(values):
        return 0.0
    return float(len(values) / (1.0 / np.maximum(values, 1e-300)).sum())


def _no_function(problem: Problem, separating: bool) -> str:
    what = "separates" if separating else "equals"
    hint = "; a bias above 0 gives one" if problem.bias == 0 else ""
    return f"needs a function in the kernel's space that {what} the labels; there is none{hint}"
