"""Every bound of the papers for a graph, a labelling and what was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from lapwing.bounds.certificate import COUNTS, KNOWLEDGE, Certificate, Certificates
from lapwing.bounds.graph_measures import Measures
from lapwing.bounds.labelling import Labelling
from lapwing.bounds.problem import Problem
from lapwing.bounds.run import Run
from lapwing.bounds.theorems import gu2013, gu2013_selective, halving, herbster2005, herbster2006
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import UNKNOWN, Nodes

Bound = Callable[[Problem, Run | None], Certificate]


@dataclass(frozen=True)
class Theorem:
    """A theorem as two functions of a problem and a run, if there is one.

    `beforehand` may use nothing of the run but its settings and what it chose itself, so that its
    value holds in any order. `afterwards` may use everything; None where it has nothing to add.
    """

    beforehand: Bound
    afterwards: Bound | None = None


def _settings_only(bound: Bound) -> Bound:
    """The bound without a run, with the kernel that a run had."""
    return lambda problem, run: bound(problem.with_kernel_of(run), None)


def _both(bound: Bound) -> Theorem:
    """A theorem whose function takes no run beforehand."""
    return Theorem(_settings_only(bound), bound)


def _projections(learner: str) -> Theorem:
    return _both(partial(herbster2005.projection_mistakes, learner=learner))


def _diameter(learner: str) -> Theorem:
    return _both(partial(herbster2006.cut_and_diameter, learner=learner))


def _selective(bound: Callable[..., Certificate], **named: str) -> Theorem:
    return Theorem(partial(bound, any_order=True, **named), partial(bound, **named))


EVERY = gu2013_selective.EVERY
THEOREMS: Mapping[str, tuple[Theorem, ...]] = {
    "any": (
        Theorem(herbster2005.labelling_norm),
        Theorem(herbster2005.node_norms),
        Theorem(herbster2006.node_norms),
    ),
    "1-proj": (_projections("1-proj"), _diameter("1-proj")),
    "c-proj": (
        _projections("c-proj"),
        _diameter("c-proj"),
        Theorem(herbster2005.cyclic_updates),
    ),
    "mni-ag": (_projections("mni-ag"),),
    "act-st": (Theorem(herbster2005.active_mistakes_beforehand, herbster2005.active_mistakes),),
    "perceptron": (
        _both(herbster2006.perceptron_mistakes),
        Theorem(_settings_only(herbster2006.perceptron_mistakes_once)),
        _both(herbster2006.cut_and_resistance),
        _both(herbster2006.plain_cut_and_resistance),
    ),
    "halving": (Theorem(halving.halving_mistakes),),
    "ollgc": (
        Theorem(gu2013.regret_in_any_order, gu2013.regret),
        Theorem(gu2013.mistakes_in_any_order, gu2013.mistakes),
    ),
    "sslgc": (_selective(gu2013_selective.label_complexity),),
    EVERY: (
        _selective(gu2013_selective.regret),
        _selective(gu2013_selective.noise_free_mistakes),
        _selective(gu2013_selective.label_complexity, learner=EVERY),
    ),
}
"""The theorems about each learner, and those about the graph and its labels alone."""


DEFAULT_BIAS: Mapping[str, float] = {"1-proj": 0.0, "c-proj": 0.0, "mni-ag": 0.0, "act-st": 0.0}
"""The kernel's bias where none is said: the papers' own, L+ alone in 2005, 1 for the perceptron."""


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
    [('2.1', 5.39), ('2.1, once', 5.0), ('4.2', 13.33), ('(16)', 13.33)]
    >>> found[3].ingredients
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
    labellings = [Labelling(graph, signs) for signs in problems]
    found = Certificates()
    for name in wanted:
        own = DEFAULT_BIAS.get(name, 1.0) if bias is None else bias
        at = [Problem(known, labelling, own, c) for labelling in labellings]
        runs = [next((run for run in each if run.algorithm == name), None) for each in played]
        together = _mistakes_among_classes(runs)
        for theorem in THEOREMS[name]:
            found += _certified(theorem, at, runs, together)
    return found


def _certified(
    theorem: Theorem,
    problems: Sequence[Problem],
    runs: Sequence[Run | None],
    together: int | None,
) -> list[Certificate]:
    """A theorem's value for any order and, where a run adds to it, the value in hindsight."""
    pairs = list(zip(problems, runs, strict=True))
    before = [theorem.beforehand(*pair) for pair in pairs]
    after = [
        None if run is None or theorem.afterwards is None else theorem.afterwards(problem, run)
        for problem, run in pairs
    ]
    kept = [
        _as_it_happened(own, later, problem, run)
        for own, later, (problem, run) in zip(before, after, pairs, strict=True)
    ]
    found = [summed_certificate(kept, together)]
    played = [each for each in after if each is not None]
    if len(played) == len(pairs) and any(not each.any_order for each in played):
        found.append(summed_certificate(played, together))
    return found


def _as_it_happened(
    before: Certificate, after: Certificate | None, problem: Problem, run: Run | None
) -> Certificate:
    """The promise beside what the run did, where the promise covers it."""
    if run is None or not problem.covers(run):
        return replace(before, actual=before.actual if run is None else None)
    if after is not None:
        return replace(before, actual=after.actual, rounds=after.rounds)
    counted = int(run.mistakes.sum()) if before.bounds == "mistakes" else before.actual
    return replace(before, actual=counted)


def tightest(certificates: Sequence[Certificate]) -> Certificate | None:
    """The smallest bound on mistakes that needs no run and no order; None when there is none."""
    proven = [
        each
        for each in certificates
        if each.applies and each.bounds == "mistakes" and each.any_order
    ]
    return min(proven, key=lambda each: each.value or 0.0, default=None)


def signs_of(graph: Graph, labels: Nodes) -> list[Nodes]:
    """The two-class problems in a labelling: one for two classes, else one per class."""
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


def summed_certificate(
    certificates: Sequence[Certificate], mistakes: int | None = None
) -> Certificate:
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
    if first.bounds not in (*COUNTS, "projections", "regret"):
        return certificates[int(np.argmax(values))]
    whole = mistakes is not None and first.bounds == "mistakes" and None not in happened
    counted = None if None in happened else sum(each or 0.0 for each in happened)
    added_up = counted is not None and not whole
    printed = [each.printed for each in certificates]
    return replace(
        first,
        value=sum(values),
        printed=None if None in printed else sum(each or 0.0 for each in printed),
        knows=max((each.knows for each in certificates), key=KNOWLEDGE.index),
        actual=mistakes if whole else counted,
        rounds=sum(each.rounds for each in certificates) if added_up else first.rounds,
        ingredients={f"class {k}": value for k, value in enumerate(values)},
        says=(
            f"Added over {len(values)} problems of one class against the rest: whoever errs "
            "among several classes errs in one of them."
        ),
    )


def _mistakes_among_classes(runs: Sequence[Run | None]) -> int | None:
    """How often the largest margin is of a wrong class; None unless all played the same nodes."""
    made = [run for run in runs if run is not None]
    if len(made) < 2 or any(not np.array_equal(run.nodes, made[0].nodes) for run in made):
        return None
    best = np.argmax([run.margins for run in made], axis=0)
    true = np.argmax([run.labels for run in made], axis=0)
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
        replace(
            theorem.beforehand(blank, None),
            value=None,
            printed=None,
            actual=None,
            why=why,
            ingredients={},
            says="",
        )
        for name in learners
        for theorem in THEOREMS[name]
    )
