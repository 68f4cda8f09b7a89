"""Every bound of the papers for a graph, a labelling and what was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from lapwing.bounds.certificate import COUNTS, Certificate, Certificates
from lapwing.bounds.graph_measures import Measures
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems import gu2013, gu2013_selective, herbster2005, herbster2006
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes

Theorem = Callable[[Problem, Run | None], Certificate]
THEOREMS: Mapping[str, tuple[Theorem, ...]] = {
    "any": (herbster2005.labelling_norm, herbster2005.node_norms, herbster2006.node_norms),
    "1-proj": (
        partial(herbster2005.projection_mistakes, learner="1-proj"),
        partial(herbster2006.cut_and_diameter, learner="1-proj"),
    ),
    "c-proj": (
        partial(herbster2005.projection_mistakes, learner="c-proj"),
        partial(herbster2006.cut_and_diameter, learner="c-proj"),
    ),
    "mni-ag": (partial(herbster2005.projection_mistakes, learner="mni-ag"),),
    "act-st": (herbster2005.active_mistakes,),
    "perceptron": (
        herbster2006.perceptron_mistakes,
        herbster2006.cut_and_resistance,
        herbster2006.plain_cut_and_resistance,
    ),
    "ollgc": (gu2013.regret, gu2013.mistakes),
    "sslgc": (
        gu2013_selective.regret,
        gu2013_selective.noise_free_mistakes,
        gu2013_selective.label_complexity,
    ),
}
"""The theorems about each learner, and those about the graph and its labels alone."""


DEFAULT_BIAS: Mapping[str, float] = {"1-proj": 0.0, "c-proj": 0.0, "mni-ag": 0.01, "act-st": 0.01}
"""The kernel's bias where none is said: the papers' own, 1 for the perceptron; interpolation
needs some on lopsided labels."""


def certify(
    graph: Graph,
    labels: Nodes,
    run: Run | Sequence[Run] | Sequence[Sequence[Run]] | None = None,
    *,
    bias: float | None = None,
    c: float = 0.0,
    learners: Sequence[str] | None = None,
    measures: Measures | None = None,
) -> Certificates:
    """Every bound of the papers as a number, beside what happened.

    `labels` holds a class index a node, `UNKNOWN` (-1) where it is not known: bounds then speak
    of the labelled nodes. Of two classes, class 1 is +1; of more, each class against the rest is
    one problem and the bounds on counts are added up, since whoever errs among several classes
    errs in one of them. `run` is what was played: one run a learner, or a list of such
    lists, one a problem. `bias` and `c` are the kernel's, L+ + bias 11' + c I, where no run
    says otherwise; without a bias it is each learner's own (`DEFAULT_BIAS`). `learners` chooses
    among the names of `THEOREMS`; `measures` are the graph's, if they are known already.

    On a graph of several components no theorem applies (each asks for a connected one).

    Examples
    --------
    Two triangles joined by an edge, one class each: whatever the order, the perceptron's errors
    are few.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = certify(graph, np.array([0, 0, 0, 1, 1, 1]), learners=["perceptron"])
    >>> [(each.theorem, each.value) for each in found]
    [('2.1', 5.39), ('4.2', 13.33), ('(16)', 13.33)]
    >>> found[2].ingredients
    {'cut': 1.0, 'beta': 0.0, 'R_G': 2.333333, 'bias': 1.0}
    """
    problems = signs_of(graph, labels)
    played = _by_problem(run, len(problems))
    wanted = list(THEOREMS) if learners is None else list(learners)
    unknown = [name for name in wanted if name not in THEOREMS]
    if unknown:
        raise InputError(f"learner must be one of {', '.join(THEOREMS)}, got {unknown[0]!r}")
    if graph.n_components != 1 or graph.n_nodes < 2:
        return _none_applies(graph, wanted)
    known = Measures(graph) if measures is None else measures
    tables = []
    for signs, runs in zip(problems, played, strict=True):
        labelling = Labelling(graph, signs)
        by_name = {each.algorithm: each for each in runs}
        table = []
        for name in wanted:
            own = DEFAULT_BIAS.get(name, 1.0) if bias is None else bias
            at = Problem(known, labelling, own, c)
            table += [theorem(at, by_name.get(name)) for theorem in THEOREMS[name]]
        tables.append(table)
    together = {name: _mistakes_among_classes(name, played) for name in wanted}
    return Certificates(added(row, together[row[0].learner]) for row in zip(*tables, strict=True))


def tightest(certificates: Sequence[Certificate]) -> Certificate | None:
    """The smallest proven bound on mistakes; None when no theorem applies."""
    proven = [
        each
        for each in certificates
        if each.applies and each.bounds == "mistakes" and not each.hindsight
    ]
    return min(proven, key=lambda each: each.value or 0.0, default=None)


def signs_of(graph: Graph, labels: Nodes) -> list[Nodes]:
    """The two-class problems in a labelling: one for two classes, else one a class."""
    labels = np.asarray(labels)
    if labels.shape != (graph.n_nodes,) or labels.dtype.kind not in "iu":
        raise InputError(
            f"labels must be one class index for each of {graph.n_nodes} nodes, "
            f"got {labels.dtype} of shape {labels.shape}"
        )
    known = labels[labels != UNKNOWN]
    if not len(known):
        raise InputError("no node has a label, so there is nothing to bound")
    n_classes = int(known.max()) + 1
    positive = [1] if n_classes <= 2 else np.unique(known).tolist()
    return [np.where(labels == UNKNOWN, 0, np.where(labels == k, 1, -1)) for k in positive]


def added(certificates: Sequence[Certificate], mistakes: int | None = None) -> Certificate:
    """One certificate of those of several one-vs-rest problems: counts and regrets add up.

    `mistakes` are those of the learner that answers with the largest margin, where known; else
    what happened in each problem adds up, too, and so do the rounds.
    """
    first = certificates[0]
    if len(certificates) == 1:
        return first
    missing = next((each for each in certificates if not each.applies), None)
    if missing is not None:
        return missing
    values = [each.value or 0.0 for each in certificates]
    happened = [each.actual for each in certificates]
    if first.bounds not in (*COUNTS, "regret"):
        return certificates[int(np.argmax(values))]
    whole = mistakes is not None and first.bounds == "mistakes"
    counted = None if None in happened else sum(each or 0.0 for each in happened)
    added_up = counted is not None and not whole
    return replace(
        first,
        value=sum(values),
        actual=mistakes if whole else counted,
        rounds=sum(each.rounds for each in certificates) if added_up else first.rounds,
        ingredients={f"class {k}": value for k, value in enumerate(values)},
        says=(
            f"Added over {len(values)} problems of one class against the rest: whoever errs "
            "among several classes errs in one of them."
        ),
    )


def _mistakes_among_classes(name: str, played: Sequence[Sequence[Run]]) -> int | None:
    """How often the largest margin is of a wrong class; None unless all played the same nodes."""
    runs = [run for each in played for run in each if run.algorithm == name]
    if len(runs) < 2 or any(not np.array_equal(run.nodes, runs[0].nodes) for run in runs):
        return None
    best = np.argmax([run.margins for run in runs], axis=0)
    true = np.argmax([run.labels for run in runs], axis=0)
    return int((best != true).sum())


def _by_problem(
    run: Run | Sequence[Run] | Sequence[Sequence[Run]] | None, count: int
) -> list[list[Run]]:
    """The runs of each two-class problem."""
    if run is None:
        return [[] for _ in range(count)]
    flat = [run] if isinstance(run, Run) else [each for each in run if isinstance(each, Run)]
    lists = [flat]
    if not isinstance(run, Run) and not flat:
        lists = [list(each) for each in run if not isinstance(each, Run)]
    if len(lists) != count:
        raise InputError(f"runs must come in {count} lists, one a problem, got {len(lists)}")
    return lists


def _none_applies(graph: Graph, learners: Sequence[str]) -> Certificates:
    """All theorems, each saying that the graph is not connected."""
    pair = Graph.from_edges([(0, 1)])
    blank = Problem(Measures(pair), Labelling(pair, np.array([-1, 1])))
    why = f"needs a connected graph, this one has {graph.n_components} components"
    return Certificates(
        replace(theorem(blank, None), value=None, actual=None, why=why, ingredients={}, says="")
        for name in learners
        for theorem in THEOREMS[name]
    )
