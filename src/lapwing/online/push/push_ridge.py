"""Ridge regression on the diffusion kernel by residual pushes."""

from __future__ import annotations

import numpy as np

from lapwing.checks import one_node
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg.push.kernel_columns import kernel_column, release
from lapwing.online.push.asking_rules import asks
from lapwing.online.push.faint_scores import reached_scores
from lapwing.online.push.member import USUAL, Member
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array, Index


class PushRidge(PushLearner):
    """Score each class by the share of random walkers that its labels catch.

    A walker follows edges by weight, is lost with probability 1 - alpha per step, and is caught at
    a labelled node with probability w / (w + degree), w the label's weight. A class's score x is
    the share caught by its labels, the row's sum the share caught at all. In other words x
    minimises

        sum over edges of alpha A_ij (x_i - x_j)^2 + (1 - alpha) sum of D_i x_i^2
        + sum over labels of w (x_i - y_i)^2,

    y one-hot: ridge regression on the kernel (D - alpha A)^-1, or a Gaussian process' mean with
    noise 1 / w. Its equation is ``(D - alpha A + w G) x = w G y``, G = 1 at labelled nodes. So a
    label changes one diagonal entry and one entry of the right side, and the pushes of `PushLGC`
    keep it solved exactly: no Cholesky factor, no O(t^2) per label, and fewer pushes than `PushLGC`
    needs, since labels catch walkers. Labels that others already explain count little, so dense
    regions and large classes are not favoured.

    Cost: as `PushLGC`; memory 3 numbers per node and class.

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes; None adds classes as they appear.
    alpha
        How far walkers go: 1 / (1 - alpha) steps on average.
    label_weight
        The weight of a label, in edges of mean weight.
    eps
        When pushing stops: no score is further than ``eps / (1 - alpha)`` off, usually far less.
        None: 3e-4, and lazily unless it asks for labels: up to 6 % of the lead of a node's best
        class over the second is left unpushed, which changes no answer by itself. On graphs of at
        most 100 nodes: 1e-10.
    budget, target_error, kappa
        Set at most one: the number of labels to ask for over as many rounds as the graph has nodes;
        the expected error of the unasked answers; or Gu et al.'s t^-kappa. By default it always
        asks.

    Reference
    ---------
    Herbster, Pontil. Prediction on a graph with a perceptron. NIPS 2006 (kernels of graphs; this
    one is positive definite for any alpha below 1).

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = PushRidge(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.scores(np.arange(6)).round(2).T
    array([[0.77, 0.61, 0.51, 0.24, 0.16, 0.1 ],
           [0.1 , 0.16, 0.24, 0.51, 0.61, 0.77]])
    >>> learner.variance(1) < learner.variance(1, labelled=False)
    True
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        alpha: float = 0.95,
        label_weight: float = 2.0,
        eps: float | None = None,
        budget: int | None = None,
        target_error: float | None = None,
        kappa: float | None = None,
    ) -> None:
        if not label_weight > 0.0:
            raise InputError(f"label_weight must be positive, got {label_weight}")
        super().__init__(
            graph,
            n_classes,
            members=(Member(alpha, label_weight, USUAL),),
            eps=eps,
            asks=asks(budget=budget, target_error=target_error, kappa=kappa),
        )

    def _scores(self, nodes: Index) -> Array:
        return reached_scores(self.state, nodes, self.state.of(nodes, 0))

    def variance(self, node: int, *, labelled: bool = True) -> float:
        """Return the Gaussian process' variance at a node, after the labels or before any.

        Computed by local pushes of the node's kernel column, up to the learner's tolerance.
        """
        node = one_node(node, self.n_nodes)
        system = self.state.system
        if not labelled:
            system = system._replace(label_weight=np.zeros_like(system.label_weight))
        scratch = self.asking.scratch
        count = kernel_column(system, 0, node, float(system.tolerance[0]), scratch)
        found = float(scratch.value[node])
        release(scratch, count)
        return found
