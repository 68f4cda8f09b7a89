"""Local and global consistency by residual pushes, up to date after every label."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Learner, Trace
from lapwing.online.push.asking_rules import asks
from lapwing.online.push.faint_scores import reached_scores
from lapwing.online.push.member import USUAL, Member
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array, Index, Nodes


class PushLGC(PushLearner):
    """Spread every label over the graph and keep the result solved while labels and edges change.

    Each class's scores F solve ``(I - alpha S) F = Y`` with S = D^-1/2 A D^-1/2 (Zhou et al. 2004,
    their closed form without the factor 1 - alpha). Scores and a residual R are kept such that
    ``(I - alpha S) F + R = Y`` holds at every moment; a label adds 1 to R at one node, and pushes
    (Andersen, Chung and Lang 2006; Gauss-Southwell relaxation) move what is above
    eps sqrt(degree) on to the neighbours. Nothing is recomputed: a withdrawn label is subtracted,
    a changed edge changes R at its two ends. `fit` gives what the batch method `lgc` gives.

    Cost: a label touches only the nodes it can move by eps; memory 3 numbers per node and class.

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes; None adds classes as they appear.
    alpha
        How far labels spread: a label's mass shrinks by alpha per step. Zhou et al. use 0.99; .8 to
        .95 is best on streams with many labels.
    eps
        When pushing stops: a score is at most ``eps sqrt(degree) / (1 - alpha)`` off. None: 3e-4,
        and lazily unless it asks for labels: up to 6 % of the lead of a node's best class over the
        second is left unpushed, which changes no answer by itself. On graphs of at most 100 nodes:
        1e-10.
    class_prior
        The classes' shares among all nodes, where they are known and the labels were not drawn at
        random: each class's scores are multiplied by its share over its share of the labels.
    budget, target_error, kappa
        Set at most one: the number of labels to ask for over as many rounds as the graph has nodes;
        the expected error of the unasked answers; or Gu et al.'s t^-kappa. By default it always
        asks.

    Departures: classes share one walk over the neighbours' lists; a node that no mass has reached
    yet gets a faint score from the labels of its component; one in a component without labels is
    `UNKNOWN`.

    Reference
    ---------
    Zhou, Bousquet, Lal, Weston, Schölkopf. Learning with local and global consistency. NIPS 2004.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = PushLGC(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> learner.withdraw(5)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 0, 0, 0])
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        alpha: float = 0.9,
        eps: float | None = None,
        class_prior: Sequence[float] | None = None,
        budget: int | None = None,
        target_error: float | None = None,
        kappa: float | None = None,
    ) -> None:
        super().__init__(
            graph,
            n_classes,
            members=(Member(alpha, 0.0, USUAL),),
            eps=eps,
            asks=asks(budget=budget, target_error=target_error, kappa=kappa),
        )
        self.class_prior = None if class_prior is None else prior_shares(class_prior)

    def _scores(self, nodes: Index) -> Array:
        scores = self.state.of(nodes, 0) * np.sqrt(self.state.diagonal[nodes])[..., None]
        scores = scores if self.class_prior is None else scores * self._tilt()
        return reached_scores(self.state, nodes, scores)

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        if self.class_prior is None:
            return super()._stream(nodes, labels, always=always)
        return Learner._stream(self, nodes, labels, always=always)

    def _tilt(self) -> Array:
        """Return each known class's prior share over its share of the labels."""
        _, sums = self.state.components()
        labels = sums[:, : self.n_classes].sum(axis=0)
        given = np.empty(0) if self.class_prior is None else self.class_prior[: self.n_classes]
        prior = np.pad(given, (0, self.n_classes - len(given)))
        return np.asarray(prior * max(labels.sum(), 1.0) / np.maximum(labels, 1.0))


def prior_shares(prior: Sequence[float]) -> Array:
    """Check class shares."""
    array = np.asarray(prior, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all() or (array < 0).any() or array.sum() <= 0:
        raise InputError(f"class_prior must hold one non-negative share per class, got {prior!r}")
    return np.asarray(array / array.sum())
