"""The default batch method: trusts neighbours only as far as the labels allow."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Self

import numpy as np

from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.embed.attributes.leaks import leaking_columns
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.online.pool.pool import ExpertPool
from lapwing.types import Array

ORDERS, MOST_FOR_ORDERS = 5, 50
"""Up to this many labels, the pool learns them in several random orders."""
LARGE, MOST_TAUGHT = 200_000, 500
"""On a larger graph without attributes, the pool learns at most this many labels, in one order."""
FEWEST_TO_WARN = 20
"""With fewer labels, there is no caution."""
TRUSTED = 0.5
"""Neighbours are trusted if the views that expect them to be alike have this weight."""


class BestEvidence(GraphClassifier):
    """Predict from the evidence that the given labels support: neighbours, attributes, structure.

    The labels are taught in random order to a pool of experts (`ExpertPool`), whose guesses before
    each label show what can be trusted. Where neighbours are alike and nodes have no attributes,
    `CrossValidated` chooses among the methods that follow edges. Otherwise the pool's answer is
    taken; among its experts are the largest class and several that do not trust neighbours. With
    at most 50 labels, five orders are averaged. Above 200,000 nodes there is one order and, where
    nodes have no attributes, the pool learns at most 500 of the labels. Nodes without a path to a
    label are answered from their attributes. `why` says what was chosen and how much each part
    counted, `caution` if the guesses before each label were no better than the largest class.

    Parameters
    ----------
    use, text, vectors: columns of the node table, as in `ExpertPool`.
    n_folds: number of folds of `CrossValidated`.
    seed: seed of the orders and folds.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = BestEvidence(graph).fit([0, 1, 4, 5], [0, 0, 1, 1])
    >>> model.predict(np.arange(6)), model.chosen
    (array([0, 0, 0, 1, 1, 1]), 'blend')
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

    @cached_property
    def _by_edges(self) -> CrossValidated:
        return CrossValidated(self.graph, n_folds=self.n_folds, seed=self.seed)

    def candidate(self) -> GraphClassifier:
        """Return the chosen method, ready to be fitted again."""
        if self.chosen in ("", "pool"):
            return BestEvidence(
                self.graph, use=self.use, text=self.text, vectors=self.vectors, seed=self.seed
            )
        return self._by_edges.candidate()

    def fit_known(self, known: KnownLabels) -> Self:
        self._beyond: Array | None = None
        self.caution = ""
        super().fit_known(known)
        if self._beyond is not None:
            alone = ~self._scores.any(axis=1)
            self._scores[np.ix_(alone, known.seen)] = self._beyond[alone]
        return self

    def _learned(self, known: KnownLabels) -> Array:
        if (known.counts > 1).any():
            return self._followed(known, "")
        pools = self._taught(known)
        trust = float(np.mean([pool.neighbour_trust for pool in pools]))
        self._check_worth(pools, known)
        if trust >= TRUSTED and not pools[0].attributes.width:
            return self._followed(known, f"neighbours are alike (weight {trust:.2f}): ")
        everyone = np.arange(known.n_nodes)
        found = np.mean([pool.predict_proba(everyone) for pool in pools], axis=0)
        self._beyond, self.chosen, self.why = found, "pool", _parts(pools)
        return np.asarray(found)

    def _followed(self, known: KnownLabels, because: str) -> Array:
        found = self._by_edges._learned(known)
        self.chosen, self.why = self._by_edges.chosen, because + self._by_edges.why
        return found

    def _taught(self, known: KnownLabels) -> list[ExpertPool]:
        """Pools that learned the labels in random orders."""
        labels = known.indicator.argmax(axis=1)
        rng = np.random.default_rng(self.seed)
        pools: list[ExpertPool] = []
        large = self.graph.n_nodes > LARGE
        for _ in range(ORDERS if len(labels) <= MOST_FOR_ORDERS and not large else 1):
            pool = ExpertPool(
                self.graph, known.n_classes, use=self.use, text=self.text, vectors=self.vectors
            )
            if not pools:
                _refuse_leaks(pool, dict(zip(known.nodes.tolist(), labels.tolist(), strict=True)))
            most = MOST_TAUGHT if large and not pool.attributes.width else len(labels)
            for at in rng.permutation(len(labels))[:most].tolist():
                pool.learn(int(known.nodes[at]), int(labels[at]))
            pools.append(pool)
        return pools

    def _check_worth(self, pools: list[ExpertPool], known: KnownLabels) -> None:
        """Note whether guesses before each label were right no more often than the largest class.

        Only the later half of the guesses counts: the first ones had few labels to go by.
        """
        noted = [list(pool.noted.values()) for pool in pools]
        guesses = [guess for each in noted for guess in each[len(each) // 2 :]]
        counts = known.indicator.sum(axis=0)
        if len(known.nodes) < FEWEST_TO_WARN or not guesses:
            return
        right = float(np.mean([guess.is_right for guess in guesses]))
        largest = float(counts.max() / counts.sum())
        if right <= largest:
            self.caution = (
                "the labels given do not support better predictions than the largest class: "
                f"{right:.0%} of the later guesses were right, {largest:.0%} are in the largest "
                "class"
            )


def _parts(pools: list[ExpertPool]) -> str:
    trust = np.mean([pool.trust for pool in pools], axis=0)
    names = ["near-far", *[view.name for view in pools[0].views]]
    told = ", ".join(f"{name} {weight:.0%}" for name, weight in zip(names, trust, strict=True))
    return f"evidence by its weight: {told}"


def _refuse_leaks(pool: ExpertPool, labels: dict[int, int]) -> None:
    leaks = leaking_columns(pool.graph.node_table, pool.attributes.uses, labels)
    if leaks:
        raise InputError(
            f"column {leaks[0]!r} has one value per class: it gives the answer away; name the "
            "columns to use, without it"
        )
