"""The transductive support vector machine (Joachims 1999)."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.common_columns import as_nearest, meets_labelled
from lapwing.batch.linear.newton import one_vs_rest
from lapwing.batch.svm.lapsvm import step_rows
from lapwing.checks import at_least, finite_positive
from lapwing.graph import Graph
from lapwing.learner import within_reach
from lapwing.types import Array, Nodes


class TSVM(GraphClassifier):
    """A linear SVM on step probabilities that also keeps unlabelled nodes away from its boundary.

    Rows of P = D^-1 A (as Ye et al. 2017 give it). One class against the rest, the unlabelled nodes
    get labels too: the best-scored ones +1, as large a share as among the labels. Their losses
    count more and more (`influence` from 1e-4 up tenfold each time to its full value); at each
    level the SVM is solved and the labels assigned again by its scores, until none changes, at most
    `switches` times. This is Joachims' switching of pairs, done for all pairs that lower the
    objective at once, as in Sindhwani and Keerthi (2006), whose squared hinge and sparse primal
    solver are used here. It takes seconds where the paper's table says "not finished in one week".

    Parameters
    ----------
    ridge:
        Penalty of the weights.
    influence:
        Total weight of all unlabelled nodes, relative to 1 for all labelled ones.
    switches:
        The largest number of times that labels are assigned again at one level.
    prior:
        Answer from the constant and the classes' shares, as the paper does, where a node shares no
        neighbour with a labelled one. If False, such a node has the scores of the nearest one that
        does, and shares are counted in components whose labels differ; the others have their
        labels' class.

    References
    ----------
    Joachims. Transductive inference for text classification using support vector machines. ICML
    1999. Sindhwani, Keerthi. Large scale semi-supervised linear SVMs. SIGIR 2006.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> TSVM(graph).fit([0, 5], [0, 1]).predict(np.array([0, 1, 4, 5]))
    array([0, 0, 1, 1])

    The row of node 2 is as close to that of node 0 as to that of node 5: one step is too few.
    """

    signed = True

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        ridge: float = 1e-4,
        influence: float = 1.0,
        switches: int = 5,
        prior: bool = False,
        tol: float = 1e-3,
    ) -> None:
        super().__init__(graph, n_classes)
        finite_positive("ridge", ridge)
        finite_positive("influence", influence)
        at_least("switches", switches, 1)
        self.ridge = ridge
        self.influence = influence
        self.switches = switches
        self.prior = prior
        self.tol = tol

    def _learned(self, known: KnownLabels) -> Array:
        rows = step_rows(self.graph)
        scores = np.asarray(rows @ self._weights(rows, known))
        if not self.prior:
            met = meets_labelled(rows[:, :-1], known.nodes)
            scores = as_nearest(self.graph, scores, met)
        return scores

    def _weights(self, rows: sparse.csr_array, known: KnownLabels) -> Array:
        weights = one_vs_rest(
            rows[known.nodes],
            known.signs,
            ridge=self.ridge,
            costs=1.0 / len(known.nodes),
            tol=self.tol,
        )
        counted = known if self.prior else known.disputed(self.graph)
        free = self._free(known, counted)
        if free.size == 0:
            return weights
        quota = np.round(counted.indicator.mean(axis=0) * len(free)).astype(np.intp)
        for level in range(-4, 1):
            costs = np.zeros((known.n_nodes, 1))
            costs[free] = self.influence * 10.0**level / len(free)
            costs[known.nodes] = 1.0 / len(known.nodes)
            signs = self._dealt(np.asarray(rows @ weights), known, free, quota)
            for _ in range(self.switches):
                weights = one_vs_rest(
                    rows, signs, ridge=self.ridge, costs=costs, start=weights, tol=self.tol
                )
                again = self._dealt(np.asarray(rows @ weights), known, free, quota)
                if np.array_equal(again, signs):
                    break
                signs = again
        return weights

    def _free(self, known: KnownLabels, counted: KnownLabels) -> Nodes:
        """Return the unlabelled nodes, with `prior` all of them, else those within reach."""
        free = np.setdiff1d(np.arange(known.n_nodes), known.nodes)
        if self.prior:
            return free
        places = self.graph.components
        labels = np.bincount(places[counted.nodes], minlength=self.graph.n_components)
        return free[within_reach(places[free], labels)]

    @staticmethod
    def _dealt(scores: Array, known: KnownLabels, free: Nodes, quota: Nodes) -> Array:
        """Return +1 for each class's quota of best-scored unlabelled nodes; keep known labels."""
        signs = np.full(scores.shape, -1.0)
        signs[known.nodes] = known.signs
        order = np.argsort(-scores[free], axis=0, kind="stable")
        for k, count in enumerate(quota):
            signs[free[order[:count, k]], k] = 1.0
        return signs
