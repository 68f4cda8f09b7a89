"""Herbster and Pontil (2006), section 5.2: the mistake bound of halving."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems.herbster2006 import PAPER
from lapwing.online.halving.halving import ENUMERATED
from lapwing.online.halving.labelling_counts import EveryLabelling, ForestCounts


def halving_mistakes(problem: Problem, _: Run | None) -> Certificate:
    """Section 5.2: mistakes <= log2 of the number of labellings with the same cut."""
    graph, labelling = problem.measures.graph, problem.labelling
    made = partial(
        Certificate,
        name="logarithm of the labellings of this cut",
        paper=PAPER,
        theorem="5.2",
        learner="halving",
        bounds="mistakes",
        rounds=problem.rounds,
    )
    is_tree = graph.n_edges == graph.n_nodes - 1
    if not is_tree and graph.n_nodes > ENUMERATED:
        return made(why=f"needs a tree, or at most {ENUMERATED} nodes, to count labellings")
    if not labelling.is_whole:
        return made(why="needs every node's label: the cut is part of the bound")
    cut = cut_edges(problem)
    counts = ForestCounts(graph) if is_tree else EveryLabelling(graph)
    total, n = counts.total(cut, exactly=True), graph.n_nodes
    value = int(math.log2(total))
    return made(
        value=float(value),
        printed=math.log2(math.comb(n * (n - 1), cut)) if cut else 0.0,
        correction="the labellings are counted; C(n(n - 1), k) only bounds their number",
        ingredients={"cut": float(cut), "labellings": float(total), "log2": math.log2(total)},
        says=(
            f"{total:,} labellings cut exactly {cut} edges, and each mistake rules out at least "
            "half of those left."
        ),
        note="halving must know the cut; the order does not matter",
    )


def cut_edges(problem: Problem) -> int:
    """Return the number of edges that the labels cut, ignoring weights."""
    sources, targets, _ = problem.measures.graph.edges()
    signs = problem.labelling.signs
    return int(np.sum(signs[sources] != signs[targets]))
