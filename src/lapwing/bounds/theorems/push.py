"""Bounds for the learners by residual push, valid at any time."""

from __future__ import annotations

import numpy as np

from lapwing.bounds.certificate import Certificate
from lapwing.bounds.theorems.smoothing import relative_bound
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.kernel_columns import kernel_column, release, scratch_arrays
from lapwing.online.push import Auto
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array, Nodes


def score_error(learner: PushLearner) -> Certificate:
    """Bound the error of any score x: the residual over 1 - alpha.

    (D - alpha A + G)^-1 has no negative entry and maps D to at most 1 / (1 - alpha). For a
    `PushLGC`, whose scores are F = sqrt(D) x, multiply by a node's sqrt(D).

    Examples
    --------
    >>> from lapwing.online.push import PushRidge
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = PushRidge(graph, eps=1e-2)
    >>> learner.learn(0, 0)
    >>> score_error(learner).value < 1e-2 / (1 - 0.95)
    True
    """
    value = learner.residual_bound()
    alpha = max(member.alpha for member in learner.members)
    return Certificate(
        name="residual",
        paper="Andersen, Chung and Lang 2006",
        theorem="residual over 1 - alpha",
        learner=type(learner).__name__,
        bounds="score error",
        value=value,
        ingredients={"largest alpha": alpha, "eps": max(m.eps for m in learner.members)},
        says=f"No score differs by more than {value:.2g} from the exact solution.",
    )


def mixture_regret(learner: Auto) -> Certificate:
    """Bound the cost of mixing: log loss beyond the best expert <= -ln(its first weight).

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Auto(graph)
    >>> for node, label in [(0, 0), (5, 1), (1, 0), (4, 1)]:
    ...     learner.learn(node, label)
    >>> mixture_regret(learner).holds
    True
    """
    experts = len(learner.trust)
    return Certificate(
        name="exponential weights",
        paper="Cesa-Bianchi and Lugosi 2006",
        theorem="Section 9.2",
        learner="auto",
        bounds="regret",
        value=learner.regret_bound,
        actual=learner.regret,
        rounds=learner.asked,
        ingredients={"experts": float(experts), "best expert": float(np.argmax(learner.trust))},
        says=(
            f"Mixing {experts} experts costs at most {learner.regret_bound:.2f} nats of log loss "
            f"over all labels together; it cost {learner.regret:.2f}."
        ),
    )


def push_perceptron_mistakes(
    graph: Graph,
    signs: Nodes,
    erred: Nodes | None = None,
    *,
    alpha: float = 0.9,
    eps: float = 1e-10,
    noise: int = 0,
) -> Certificate:
    """Theorem 2.1 of Herbster and Pontil (2006) for `PushPerceptron` and a labelling.

    `signs` is +1 or -1 per node; `erred` the nodes at which a run erred (all nodes without a run);
    `noise` the number of mistakes at nodes where the given label differed from `signs`. Errors of
    the margins are accounted for: X^2 is the largest K_ii plus 2 eps / (1 - alpha).

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> found = push_perceptron_mistakes(graph, np.array([1, 1, 1, -1, -1, -1]))
    >>> found.value
    6.49
    """
    signs = np.asarray(signs)
    if signs.shape != (graph.n_nodes,) or not np.isin(signs, (-1, 1)).all():
        raise InputError(f"signs must be -1 or +1 for each of {graph.n_nodes} nodes")
    state = Diffusions(graph.adjacency, alpha=[alpha], ridge=[0.0], tolerance=[eps], n_classes=1)
    nodes = np.arange(graph.n_nodes) if erred is None else np.unique(erred)
    largest = float(variances(state, nodes, eps).max(initial=0.0))
    volume = float(state.diagonal.sum())
    edges = float(signs @ (graph.adjacency @ signs))
    norm = volume - alpha * edges
    slack = eps / (1.0 - alpha)
    z = norm * (largest + 2.0 * slack)
    return Certificate(
        name="label norm times node norm on the diffusion kernel",
        paper="Herbster and Pontil 2006",
        theorem="2.1",
        learner="push-perceptron",
        bounds="mistakes",
        value=relative_bound(noise, z),
        actual=None if erred is None else len(erred),
        knows="labels" if erred is None else "run",
        rounds=graph.n_nodes,
        ingredients={"|u|^2": norm, "X^2": largest, "margin error": slack, "noise": float(noise)},
        says=f"The perceptron makes at most |u|^2 x X^2 = {z:.3g} mistakes on this labelling.",
        note="X^2 includes twice the error that pushing leaves in a margin",
    )


def variances(state: Diffusions, nodes: Nodes, eps: float) -> Array:
    """Return upper bounds on K_ii of some nodes: what pushing finds plus its largest error."""
    scratch = scratch_arrays(len(state.diagonal))
    found = np.zeros(len(nodes))
    for at, node in enumerate(nodes.tolist()):
        count = kernel_column(state.system, 0, node, eps, scratch)
        found[at] = scratch.value[node]
        release(scratch, count)
    return found + eps / (1.0 - float(state.members[0, 0]))
