"""Herbster and Pontil (2006): mistake bounds of the perceptron from the cut."""

from __future__ import annotations

from functools import partial

import numpy as np

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.graph_measures import SPECTRUM_BELOW
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems.smoothing import relative_bound, smoothed_z, smoother
from lapwing.types import Array, Nodes

PAPER = "Herbster and Pontil 2006"
C_GRID = np.concatenate([[0.0], np.geomspace(1e-3, 1e3, 61)])
COARSE_C_GRID = np.array([0.0, 0.3, 1.0, 3.0, 10.0, 30.0])
"""The values of c tried on graphs where each c takes a factorisation."""


def perceptron_mistakes(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 2.1 with M the inverse of L+ + b 11' + c I.

    c does not change a margin until a node repeats. Without repeats the bound holds for every c,
    and the smallest is used.
    """
    made, at = _for_perceptron(problem, run, name="label norm times node norm", theorem="2.1")
    made = partial(made, knows="labels" if run is None else "run")
    if at.bias <= 0:
        return made(why="needs a positive definite kernel: bias above 0")
    nodes = at.labelling.known
    if run is not None and run.mistakes.any():
        nodes = run.nodes[run.mistakes]
    largest = float(at.measures.norms[nodes].max()) + at.bias
    grid = _allowed_c(at, run)

    def z(u: Nodes) -> float:
        return float((_squared_norms(at, u, grid) * (largest + grid)).min())

    u = at.labelling.completed(z)
    best = int(np.argmin(_squared_norms(at, u, grid) * (largest + grid)))
    noise = _noisy_mistakes(run, u)
    norm = float(_squared_norms(at, u, grid)[best])
    return made(
        value=relative_bound(noise, z(u)),
        ingredients={
            "|u|^2": norm,
            "X^2": largest + float(grid[best]),
            "noisy mistakes": float(noise),
            "bias": at.bias,
            "c": float(grid[best]),
        },
        says=(
            f"The perceptron makes at most |u|^2 x X^2 = {z(u):.3g} mistakes"
            + (f", and about two more for each of {noise} flipped labels." if noise else ".")
        ),
        note=(
            "X^2 is the largest K_ii among the mistakes of this run"
            if run is not None
            else "X^2 is the largest K_ii among the labelled nodes"
        ),
    )


def perceptron_mistakes_once(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 2.1's proof if each node appears once: k^2 <= |u|^2 times the k largest K_ii.

    After k mistakes |w|^2 is at most the sum of K_ii over them and <w, u> at least k. The printed
    bound uses the largest K_ii for all of them.
    """
    made, at = _for_perceptron(
        problem, None, name="label norm times summed node norms", theorem="2.1, once"
    )
    if at.bias <= 0:
        return made(why="needs a positive definite kernel: bias above 0")
    if run is not None and run.repeats:
        return made(why="needs each node at most once")
    falling = np.sort(at.measures.norms[at.labelling.known])[::-1] + at.bias
    grid = _allowed_c(at, None)
    counts = np.arange(1, len(falling) + 1)
    summed = np.cumsum(falling) + grid[:, None] * counts

    def most(u: Nodes) -> Array:
        norms = _squared_norms(at, u, grid)[:, None]
        return np.asarray((counts**2 <= norms * summed * (1 + 1e-9)).sum(axis=1))

    u = at.labelling.completed(lambda labels: float(most(labels).min()))
    best = int(np.argmin(most(u)))
    value, norm = int(most(u)[best]), float(_squared_norms(at, u, grid)[best])
    largest = float(falling[0] + grid[best])
    return made(
        value=float(value),
        printed=float((_squared_norms(at, u, grid) * (falling[0] + grid)).min()),
        correction="each node comes once, so not every mistake can have the largest K_ii",
        ingredients={
            "|u|^2": norm,
            "sum of K_ii": float(summed[best, max(value - 1, 0)]),
            "X^2": largest,
            "bias": at.bias,
            "c": float(grid[best]),
        },
        says=(
            f"After {value + 1} mistakes, the perceptron's weight vector would have to be longer "
            "than the sum of the nodes it has added."
        ),
        note="each node comes once; not printed: Theorem 2.1 before the last step of its proof",
    )


def node_norms(problem: Problem, _: Run | None) -> Certificate:
    """Theorem 3.2: K_pp <= mean resistance from p <= eccentricity of p, and (9)."""
    measures = problem.measures
    made = partial(
        Certificate,
        name="node norm from resistance",
        paper=PAPER,
        theorem="3.2",
        learner="any",
        bounds="norm of node",
        rounds=problem.rounds,
    )
    if not measures.exact:
        return made(why="needs all resistances: a graph of at most 4,000 nodes")
    means = measures.mean_resistances
    return made(
        value=float(means.max()),
        actual=float(measures.norms.max()),
        ingredients={
            "R_G": measures.resistance_diameter,
            "D_G": measures.diameter,
            "largest K_pp / mean resistance": float((measures.norms / means).max()),
            "largest mean resistance / eccentricity": float(
                (means / measures.eccentricities).max()
            ),
        },
        says=(
            f"No node has K_pp above {float(means.max()):.3g}, its mean electrical resistance to "
            f"the others. Between any two nodes the resistance is at most "
            f"{measures.resistance_diameter:.3g}, and the distance at most "
            f"{measures.diameter:.3g}."
        ),
    )


def cut_and_resistance(problem: Problem, run: Run | None) -> Certificate:
    """Theorem 4.2: Z = (4 cut(u') + beta/b + 4k/c) (R_G + b + c), u' a smoother labelling."""
    made, at = _for_perceptron(problem, run, name="smoothed cut times resistance", theorem="4.2")
    if at.bias <= 0:
        return made(why="needs bias above 0")
    free = run is None or not run.repeats
    u = at.labelling.completed()
    options = [smoothed_z(at, u, v, None if free else at.c) for v in smoother(at, u)]
    z, c, other = min(options, key=lambda option: option[0])
    flipped, noise = int((other != u).sum()), _noisy_mistakes(run, u)
    made = partial(made, knows="run" if noise else "labels")
    return made(
        value=relative_bound(noise, z),
        ingredients={
            "cut(u')": at.cut(other),
            "nodes changed k": float(flipped),
            "beta": float(other.mean()) ** 2,
            "R_G": at.measures.resistance_diameter,
            "noisy mistakes": float(noise),
            "bias": at.bias,
            "c": c,
        },
        says=(
            f"Apart from {flipped} exceptions, the labels cut {at.cut(other):.3g} edges, and the "
            f"resistance between nodes is at most {at.measures.resistance_diameter:.3g}, so the "
            f"perceptron makes at most {relative_bound(noise, z):.3g} mistakes."
        ),
    )


def plain_cut_and_resistance(problem: Problem, run: Run | None) -> Certificate:
    """Equation (16), for any b: mistakes <= (4 cut + beta/b) (R_G + b)."""
    made, at = _for_perceptron(problem, run, name="cut times resistance", theorem="(16)")
    if at.bias <= 0:
        return made(why="needs bias above 0")
    if run is not None and (run.repeats and at.c > 0):
        return made(why="needs c = 0, or no node twice")
    resistance = at.measures.resistance_diameter

    def z(u: Nodes) -> float:
        return (4 * at.cut(u) + float(u.mean()) ** 2 / at.bias) * (resistance + at.bias)

    u = at.labelling.completed(z)
    if _noisy_mistakes(run, u):
        return made(why="needs labels without noise")
    return made(
        value=z(u),
        ingredients={
            "cut": at.cut(u),
            "beta": float(u.mean()) ** 2,
            "R_G": resistance,
            "bias": at.bias,
        },
        says=(
            f"The labels cut {at.cut(u):.3g} edges and the resistance between nodes is at most "
            f"{resistance:.3g}, so the perceptron makes at most {z(u):.3g} mistakes, however "
            "large the graph is."
        ),
        note="the paper prints it for b = 1; this is (15) with c = 0 and the kernel's own bias",
    )


def cut_and_diameter(problem: Problem, run: Run | None, *, learner: str) -> Certificate:
    """Equation (1), of 2005's Theorems 3.2, 4.1 and 4.2: mistakes <= 4 cut D_G bal(u)."""
    made, at = _for_perceptron(
        problem, run, name="cut times diameter", theorem="(1)", learner=learner
    )
    if at.bias > 0 or at.c > 0:
        return made(why="needs the kernel L+ alone: bias 0 and c = 0")
    n, diameter = at.measures.n, at.measures.diameter

    def bound(u: Nodes) -> float:
        short = 1 - abs(float(u.sum())) / n
        return 4 * at.cut(u) * diameter / short**2 if short > 0 else np.inf

    u = at.labelling.completed(bound)
    if not np.isfinite(bound(u)):
        return made(why="needs both classes, and only one is there")
    if run is not None and (u[run.nodes] != run.labels).any():
        return made(why="needs labels without noise")
    return made(
        value=bound(u),
        ingredients={
            "cut": at.cut(u),
            "D_G": diameter,
            "bal": (1 - abs(float(u.sum())) / n) ** -2,
        },
        says=(
            f"{learner} makes at most {bound(u):.3g} mistakes: 4 x {at.cut(u):.3g} cut edges x "
            f"diameter {diameter:.3g} x {(1 - abs(float(u.sum())) / n) ** -2:.3g} for classes of "
            "unequal size."
        ),
    )


def _for_perceptron(
    problem: Problem, run: Run | None, *, name: str, theorem: str, learner: str = "perceptron"
) -> tuple[partial[Certificate], Problem]:
    """Return the common parts of these certificates, and the problem with the run's kernel."""
    at = problem.with_kernel_of(run)
    made = partial(
        Certificate,
        name=name,
        paper=PAPER,
        theorem=theorem,
        learner=learner,
        bounds="mistakes",
        rounds=problem.rounds if run is None else len(run.nodes),
        actual=None if run is None else int(run.mistakes.sum()),
    )
    return made, at


def _allowed_c(problem: Problem, run: Run | None) -> Array:
    if run is not None and run.repeats:
        return np.array([problem.c])
    if not problem.measures.exact:
        return np.zeros(1)
    return C_GRID if problem.measures.n <= SPECTRUM_BELOW else COARSE_C_GRID


def _squared_norms(problem: Problem, u: Nodes, c: Array) -> Array:
    """|u|^2 in the inverse of L+ + b 11' + c I, for several c."""
    n, total = problem.measures.n, float(u.sum())
    if not c.any():
        return np.array([4 * problem.cut(u) + (total / n) ** 2 / problem.bias])
    return np.asarray(problem.measures.energies(u, c) + total**2 / n / (problem.bias * n + c))


def _noisy_mistakes(run: Run | None, u: Nodes) -> int:
    """Count the mistakes made on labels that differ from u."""
    return 0 if run is None else int((run.mistakes & (u[run.nodes] != run.labels)).sum())
