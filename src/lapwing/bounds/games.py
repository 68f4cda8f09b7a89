"""Play the learners that the theorems are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lapwing.active import act_st, chosen
from lapwing.bounds.certificate import Certificates
from lapwing.bounds.certification import DEFAULT_BIAS, EVERY, certify, signs_of
from lapwing.bounds.graph_measures import Measures
from lapwing.bounds.run import Run, recorded
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online import MNI, OLLGC, SSLGC, Halving, Perceptron, Projections
from lapwing.online.halving.halving import ENUMERATED
from lapwing.online.kernel.columns import DenseColumns
from lapwing.online.kernel.kernel_learner import KernelLearner
from lapwing.types import Array, Nodes

PLAYED_BELOW = 4000
"""Up to this many nodes, the whole kernel is computed and the learners are played."""
FULL_ROWS_BELOW = 500
"""Up to this many nodes, OLLGC and SSLGC use all eigenvectors; above, the first 100."""
KERNEL_LEARNERS: dict[str, Callable[[DenseColumns], KernelLearner]] = {
    "1-proj": lambda kernel: Projections(kernel),
    "c-proj": lambda kernel: Projections(kernel, strategy="all", cyclic=True),
    "mni-ag": lambda kernel: MNI(kernel),
    "perceptron": lambda kernel: Perceptron(kernel),
}
LEARNERS = (*KERNEL_LEARNERS, "halving", "act-st", "ollgc", "sslgc", EVERY)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of the games: the kernel's bias, the penalty mu, and how much is asked."""

    bias: float | None = None
    mu: float = 0.1
    kappa: float = 0.4
    active: int = 10
    seed: int = 0


def certify_played(
    graph: Graph,
    labels: Nodes,
    *,
    learners: Sequence[str] = LEARNERS,
    settings: Settings | None = None,
) -> Certificates:
    """Play learners over the labelled nodes in a random order, and certify the runs.

    With more than two classes, each class is played against the rest.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = certify_played(graph, np.array([0, 0, 0, 1, 1, 1]), learners=["perceptron"])
    >>> [(each.theorem, each.actual, round(each.value, 2), each.knows) for each in found]
    [('2.1', 2, 5.39, 'labels'), ('2.1', 2, 4.65, 'run'), ('2.1, once', 2, 5.0, 'labels'),
     ('4.2', 2, 13.33, 'labels'), ('(16)', 2, 13.33, 'labels')]
    """
    unknown = [name for name in learners if name not in LEARNERS]
    if unknown:
        raise InputError(f"learner must be one of {', '.join(LEARNERS)}, got {unknown[0]!r}")
    if graph.n_nodes > PLAYED_BELOW:
        raise InputError(
            f"playing needs at most {PLAYED_BELOW:,} nodes, the graph has {graph.n_nodes:,}"
        )
    how = settings or Settings()
    measures = Measures(graph)
    runs = [
        [
            played_run(name, graph, measures.pseudoinverse, signs, how)
            for name in learners
            if name != "halving" or halves(graph)
        ]
        for signs in signs_of(graph, labels)
    ]
    return certify(graph, labels, runs, bias=how.bias, learners=list(learners), measures=measures)


def halves(graph: Graph) -> bool:
    """Whether halving can count the labellings of this graph in reasonable time."""
    is_tree = graph.n_edges == graph.n_nodes - 1 and graph.n_nodes <= FULL_ROWS_BELOW
    return graph.n_nodes <= ENUMERATED or is_tree


def played_run(name: str, graph: Graph, plus: Array, signs: Nodes, how: Settings) -> Run:
    """Play one learner over a random order of the labelled nodes; `plus` is L+."""
    nodes = np.random.default_rng(how.seed).permutation(np.flatnonzero(signs))
    bias = DEFAULT_BIAS.get(name, 1.0) if how.bias is None else how.bias
    if name in KERNEL_LEARNERS:
        learner = KERNEL_LEARNERS[name](DenseColumns(plus + bias))
        return recorded(name, learner, nodes, signs[nodes], settings={"bias": bias})
    if name == "halving":
        sources, targets, _ = graph.edges()
        cut = int(np.sum(signs[sources] != signs[targets]))
        return recorded(name, Halving(graph, cut=cut, exactly=True), nodes, signs[nodes])
    if name == "act-st":
        return _active(plus + bias, nodes, signs, bias, how)
    rank = None if graph.n_nodes <= FULL_ROWS_BELOW else 100
    rows = laplacian(graph, rank=rank, bias=2.0)
    ridge = {"mu": how.mu}
    if name == "ollgc":
        plain = OLLGC(rows, mu=how.mu)
        return recorded(name, plain, nodes, signs[nodes], rows=rows, settings=ridge)
    every = name == EVERY
    selective = SSLGC(rows, mu=how.mu, kappa=how.kappa, every_label=every)
    said = ridge | {"kappa": how.kappa, "every_label": float(every)}
    return recorded(name, selective, nodes, signs[nodes], rows=rows, settings=said)


def _active(kernel: Array, nodes: Nodes, signs: Nodes, bias: float, how: Settings) -> Run:
    """Play Act-st: some nodes chosen actively, then the rest in the given order."""
    learner = Projections(DenseColumns(kernel))
    asked, margins = [], []
    for node in chosen(learner, act_st, np.sort(nodes), min(how.active, len(nodes))):
        asked.append(node)
        margins.append(float(learner.margin(node)))
        learner.learn(node, int(signs[node]))
    progress = learner.progress
    later = nodes[~np.isin(nodes, asked)]
    trace = learner.stream(later, signs[later])
    order = np.concatenate([np.array(asked, dtype=np.intp), later])
    return Run(
        algorithm="act-st",
        nodes=order,
        labels=signs[order],
        margins=np.concatenate([margins, trace.margins]),
        queried=np.ones(len(order), dtype=bool),
        active=np.arange(len(order)) < len(asked),
        progress=progress,
        settings={"bias": bias},
    )
