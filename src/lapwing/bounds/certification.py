"""All bounds of the papers for a graph, a labelling and recorded runs."""

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
    """A theorem as two functions of a problem and an optional run.

    `beforehand` uses nothing of the run but its settings and the nodes it chose, so that its value
    holds for any order. `afterwards` can use everything; None if it adds nothing.
    """

    beforehand: Bound
    afterwards: Bound | None = None


def _settings_only(bound: Bound) -> Bound:
    """Compute the bound without a run, but with the kernel of a run."""
    return lambda problem, run: bound(problem.with_kernel_of(run), None)


def _both(bound: Bound) -> Theorem:
    """Make a theorem whose function takes no run beforehand."""
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
"""The default bias of the kernel, as in the papers: none (L+) in 2005, 1 for the perceptron."""


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
    """Compute every bound of the papers, and compare it with what happened in a run.

    `labels` holds one class index per node, `UNKNOWN` (-1) where it is not known; bounds then apply
    to the labelled nodes. With two classes, class 1 is +1. With more, each class against the rest
    is one problem and the bounds on counts are added, since an error among several classes is an
    error in one of them. `run` is what was played: one run per learner, or a list of such lists,
    one per problem.

    The kernel is L+ + bias 11' + c I. A run brings its own `bias` and `c`; otherwise these
    arguments apply, and the default bias is that of each learner (`DEFAULT_BIAS`). `learners`
    selects names of `THEOREMS`. Pass the graph's `measures` if you have them already.

    No theorem applies to a graph with several components, since each requires a connected graph.

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
    """Return a theorem's value for any order and, if a run adds to it, in hindsight."""
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
    """Add what the run did to a certificate, if the bound covers it."""
    if run is None or not problem.covers(run):
        return replace(before, actual=before.actual if run is None else None)
    if after is not None:
        return replace(before, actual=after.actual, rounds=after.rounds)
    counted = int(run.mistakes.sum()) if before.bounds == "mistakes" else before.actual
    return replace(before, actual=counted)


def tightest(certificates: Sequence[Certificate]) -> Certificate | None:
    """Return the smallest bound on mistakes that needs no run and no order, or None."""
    proven = [
        each
        for each in certificates
        if each.applies and each.bounds == "mistakes" and each.any_order
    ]
    return min(proven, key=lambda each: each.value or 0.0, default=None)


def signs_of(graph: Graph, labels: Nodes) -> list[Nodes]:
    """Return the two-class problems of a labelling: one for two classes, else one per class."""
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
    """Combine the certificates of several one-vs-rest problems: counts and regrets add up.

    `mistakes` are those of the learner that answers with the largest margin, if known; otherwise
    the counts and the rounds of all problems add up, too.
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
            f"Added over {len(values)} problems of one class against the rest: an error "
            "among several classes is an error in one of them."
        ),
    )


def _mistakes_among_classes(runs: Sequence[Run | None]) -> int | None:
    """Count the wrong answers by largest margin; None unless all runs have the same nodes."""
    made = [run for run in runs if run is not None]
    if len(made) < 2 or any(not np.array_equal(run.nodes, made[0].nodes) for run in made):
        return None
    best = np.argmax([run.margins for run in made], axis=0)
    true = np.argmax([run.labels for run in made], axis=0)
    return int((best != true).sum())


def _by_problem(
    run: Run | Sequence[Run] | Sequence[Sequence[Run]] | None, count: int
) -> list[list[Run]]:
    """Return the runs of each two-class problem."""
    if run is None:
        return [[] for _ in range(count)]
    flat = [run] if isinstance(run, Run) else [each for each in run if isinstance(each, Run)]
    lists = [flat]
    if not isinstance(run, Run) and not flat:
        lists = [list(each) for each in run if not isinstance(each, Run)]
    if len(lists) != count:
        raise InputError(f"runs must be {count} lists, one per problem, got {len(lists)}")
    return lists


def _none_applies(graph: Graph, learners: Sequence[str]) -> Certificates:
    """Return all theorems, each marked as not applicable to a disconnected graph."""
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
