"""The default batch method: trusts each kind of evidence only as far as the labels allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Self

import numpy as np

from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.evidence.experts import LARGEST, EvidenceExperts
from lapwing.batch.evidence.holdout import Holdout, held_out
from lapwing.batch.evidence.views import EvidenceView, counted_parts, fitted_views
from lapwing.batch.known_labels import KnownLabels
from lapwing.embed.attributes.kinds import ColumnUse
from lapwing.embed.attributes.leaks import refuse_leaks
from lapwing.graph import Graph
from lapwing.learner import evidence_words
from lapwing.types import Array

FEWEST_TO_JUDGE = 15
"""With fewer labels held out, the mixture is not compared with the largest class."""
MOST_SAMPLED = 2_000
"""Nodes over which is measured how much each part counted."""


class BestEvidence(GraphClassifier):
    """Predict from the evidence that the given labels support: neighbours, attributes, structure.

    Experts of several kinds predict each label from the others: Poisson learning, the position in
    the graph at large, the classes one and two steps away, common neighbours, the adjacency
    spectrum (up to 5,000 nodes), degrees, class shares, and the node table's attributes if there
    are any. Views multiply some experts: one expects neighbours to be alike, one goes by
    structure, one answers the largest class, two read attributes. Their exponents are fitted to
    the labels held out, and views are mixed by how probable they make them; if 15 labels or more
    are predicted worse than by the largest class, that is the answer. With few labels the first
    weights decide, which trust neighbours; they were set on other graphs. Neighbours are trusted
    less from the start where their attributes are not alike (`neighbour_prior`), or, without
    attributes, where the graph has no communities (`community_prior`).

    Up to 30 labels are held out one by one, then in ten or five folds. A method that is linear in
    the labels solves one system for all folds. Above 200,000 nodes a fifth of the labels is held
    out once, so the cost is that of one Poisson fit with twice the columns and of the rows of
    `Spectral`, whatever the number of labels. Nodes without a path to a label are answered from
    their attributes. If nodes have several labels, `CrossValidated` chooses a method.

    `chosen` names the view with the largest weight, `why` says how much each part counted,
    `caution` whether the labels held out were predicted no better than by the largest class.

    Parameters
    ----------
    use, text, vectors: columns of the node table, as in `attribute_rows`.
    n_folds: number of folds of `CrossValidated`.
    seed: seed of the folds.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = BestEvidence(graph).fit([0, 1, 4, 5], [0, 0, 1, 1])
    >>> model.predict(np.arange(6)), model.chosen
    (array([0, 0, 0, 1, 1, 1]), 'neighbours are alike')
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        use: Sequence[str] | None = None,
        text: Sequence[str] = (),
        vectors: Sequence[str] = (),
        n_folds: int = 5,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes)
        self.use, self.text, self.vectors = use, tuple(text), tuple(vectors)
        self.n_folds, self.seed = n_folds, seed
        self.chosen, self.why, self.caution = "", "nothing learned yet", ""
        self.parts: dict[str, float] = {}
        self._several = False

    @cached_property
    def _experts(self) -> EvidenceExperts:
        return EvidenceExperts(self.graph, self.use, self.text, self.vectors)

    @property
    def columns(self) -> Mapping[str, ColumnUse]:
        """How each column of the node table is used."""
        return self._experts.attributes.uses

    @cached_property
    def _by_edges(self) -> CrossValidated:
        return CrossValidated(self.graph, n_folds=self.n_folds, seed=self.seed)

    def candidate(self) -> GraphClassifier:
        """Return the method that was chosen for several labels per node, or this one, unfitted."""
        if self._several:
            return self._by_edges.candidate()
        return BestEvidence(
            self.graph, use=self.use, text=self.text, vectors=self.vectors, seed=self.seed
        )

    def fit_known(self, known: KnownLabels) -> Self:
        self._beyond: Array | None = None
        self.caution, self.parts, self._several = "", {}, False
        super().fit_known(known)
        if self._beyond is not None:
            alone = ~self._scores.any(axis=1)
            self._scores[np.ix_(alone, known.seen)] = self._beyond[alone]
        return self

    def _learned(self, known: KnownLabels) -> Array:
        if (known.counts > 1).any():
            found, self._several = self._by_edges._learned(known), True
            self.chosen, self.why = self._by_edges.chosen, self._by_edges.why
            return found
        self._check_columns(known)
        held = held_out(known, self.graph.components, seed=self.seed)
        experts = self._experts
        views = fitted_views(experts.priors, experts.opinions(held, seed=self.seed), held)
        views = self._safe(views, held)
        self._tell(views, held)
        found = np.zeros((known.n_nodes, known.n_classes))
        for view in views:
            found += view.weight * view.after(held.seen[-1])
        if experts.attributes.width:
            self._beyond = found * experts.attributes.told[:, None]
        return found

    def _safe(self, views: list[EvidenceView], held: Holdout) -> list[EvidenceView]:
        """Note whether labels held out were predicted worse than by the largest class.

        If so, and there are enough, the largest class is all that the labels support.
        """
        labels = held.labels[held.judged]
        if len(labels) < FEWEST_TO_JUDGE:
            return views
        before = np.sum([view.weight * view.before(held) for view in views], axis=0)
        right = float(np.mean(before.argmax(axis=1) == labels))
        largest = float(np.bincount(labels).max() / len(labels))
        if right <= largest:
            self.caution = (
                "the labels given do not support better predictions than the largest class: "
                f"{right:.0%} of the labels held out were predicted, {largest:.0%} are in the "
                "largest class"
            )
        if right >= largest:
            return views
        return [replace(view, weight=float(view.name == LARGEST)) for view in views]

    def _tell(self, views: Sequence[EvidenceView], held: Holdout) -> None:
        """Note which view counts most and how much each part counted."""
        self.chosen = max(views, key=lambda view: view.weight).name
        every = max(held.known.n_nodes // MOST_SAMPLED, 1)
        parts = counted_parts(views, held, np.arange(0, held.known.n_nodes, every))
        self.parts = dict(sorted(parts.items(), key=lambda part: -part[1]))
        self.why = evidence_words(self.parts)

    def _check_columns(self, known: KnownLabels) -> None:
        labels = known.indicator.argmax(axis=1).tolist()
        given = dict(zip(known.nodes.tolist(), labels, strict=True))
        refuse_leaks(self.graph.node_table, self.columns, given)
