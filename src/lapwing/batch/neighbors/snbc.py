"""Structural neighbourhood based classification (Nandanwar and Murty 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from lapwing.batch.calibration.platt import platt_scaled
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.transition import transition, unit_weights
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.gram import LabelledGram, NodeWeights
from lapwing.batch.linear.newton import one_vs_rest
from lapwing.batch.linear.regularisation import validated_ridge
from lapwing.checks import finite_positive
from lapwing.graph import Graph
from lapwing.types import Array, Nodes

LEVELS = 8
"""The largest number of further steps of a walk; hardly any walk is longer."""

RIDGES = tuple(4.0**e for e in range(4, -7, -2))
"""The penalties tried by default."""


@dataclass(frozen=True)
class LazyRows:
    """Rows T (I + M + ... + M^8) A, M = (I - T) P: where walks that can stop at each node end.

    A walk ends at a node of degree d with probability t = 1 - 1 / log2(2 + d), so it continues
    where there are few neighbours; at its end it reads the labels of all neighbours. Degrees are
    counted in weights of mean 1.
    """

    graph: Graph

    @property
    def ends(self) -> Array:
        """The probability that a walk ends at each node."""
        return 1.0 - self.metric

    @property
    def metric(self) -> Array:
        """Return the metric: a node's weight is penalised by log2(2 + degree)."""
        return np.asarray(1.0 / np.log2(2.0 + self._asked.sum(axis=1)))

    def rows(self, nodes: Nodes) -> Array:
        start = np.zeros((self.graph.n_nodes, len(nodes)))
        start[nodes, np.arange(len(nodes))] = 1.0
        return self.transposed_times(start).T

    def times(self, values: Array) -> Array:
        asked = self._asked @ values
        going, total = self._going, asked
        for _ in range(LEVELS):
            total = asked + going @ total
        return np.asarray(self.ends[:, None] * total)

    def transposed_times(self, values: Array) -> Array:
        first = self.ends[:, None] * values
        back, total = sparse.csr_array(self._going.T), first
        for _ in range(LEVELS):
            total = first + back @ total
        return np.asarray(self._asked @ total)

    @cached_property
    def _asked(self) -> sparse.csr_array:
        return unit_weights(self.graph)

    @cached_property
    def _going(self) -> sparse.csr_array:
        return sparse.csr_array(sparse.diags_array(1.0 - self.ends) @ transition(self.graph))


class SNBC(GraphClassifier):
    """Learn weights of nodes so that the ends of short lazy walks predict the labels.

    The score of a node is x w + b with x of `LazyRows`; one class against the rest, the weights
    minimise ridge / 2 sum_i log2(2 + degree_i) w_i^2 plus the mean loss over the labels; those of
    the class count (number of others) / (number in it) each.

    Parameters
    ----------
    ridge:
        The penalty, 2^-6 in the paper; it matters little. None chooses it by cross-validation on
        the given labels.
    platt:
        Whether scores are made comparable by a sigmoid per class, as in the paper. On PubMed with
        5% of labels, plain scores have an accuracy of 78% and sigmoids 76%.
    seed:
        Seed of the folds.

    Departures: squared hinge in place of the hinge, and its exact optimum (by the labelled rows'
    Gram matrix, as in `WVGN`) in place of 1000 steps of Pegasos; the bias is penalised.

    References
    ----------
    Nandanwar, Murty. Structural neighborhood based classification of nodes in a network. KDD 2016.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> SNBC(graph).fit([0, 5], [0, 1]).predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    """

    ridge_: float
    weights_: NodeWeights

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        ridge: float | None = 2.0**-6,
        platt: bool = True,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes)
        if ridge is not None:
            finite_positive("ridge", ridge)
        self.rows = LazyRows(graph)
        self.ridge = ridge
        self.platt = platt
        self.signed = not platt
        self.seed = seed

    def _learned(self, known: KnownLabels) -> Array:
        gram = LabelledGram.of(self.rows, known.nodes)
        inside = known.indicator.sum(axis=0)
        costs = np.where(known.indicator > 0, (len(known.nodes) - inside) / inside, 1.0)
        costs = np.maximum(costs, 1.0 / len(known.nodes))
        rng = np.random.default_rng(self.seed)
        self.ridge_ = self.ridge or validated_ridge(
            gram.factor, known, RIDGES, usual=1.0, costs=costs, rng=rng
        )
        solution = one_vs_rest(
            gram.factor,
            known.signs,
            ridge=self.ridge_,
            costs=costs / len(known.nodes),
            squares=gram.squares,
        )
        self.weights_ = gram.weights(self.rows, known, solution)
        margins = self.weights_.margins(self.rows)
        if self.platt:
            return platt_scaled(margins, margins[known.nodes], known.indicator)
        return margins
