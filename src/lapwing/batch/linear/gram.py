"""Fit models on long rows through the Gram matrix of the labelled rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import blas, eigh

from lapwing.batch.known_labels import KnownLabels
from lapwing.types import Array, Nodes

ROWS_AT_ONCE = 2.0**25
"""Number of entries of labelled rows held in memory (256 MB); more are computed twice."""

BLOCK = 8
"""Number of rows computed at a time: few enough for the processor's cache."""


class WalkRows(Protocol):
    """An n x n matrix X with one row per node, accessed through its products only."""

    @property
    def metric(self) -> Array:
        """Return the weight of each squared entry of a row: 1 / penalty of its coefficient."""

    def rows(self, nodes: Nodes) -> Array:
        """Return the rows of some nodes."""

    def times(self, values: Array) -> Array:
        """X @ values."""

    def transposed_times(self, values: Array) -> Array:
        """X.T @ values."""


@dataclass(frozen=True, slots=True)
class NodeWeights:
    """A weight per node and class, ``(n, k)``, and a bias per class, ``(k,)``."""

    nodes: Array
    bias: Array

    def margins(self, rows: WalkRows) -> Array:
        """Return X w + b for every node, without forming X."""
        return rows.times(self.nodes) + self.bias


@dataclass(frozen=True)
class LabelledGram:
    """Inner products of labelled rows, and their thin factor.

    With u = w / sqrt(metric) the penalty sum_i w_i^2 / metric_i is |u|^2, and the inner products
    of rows are G = X_l diag(metric) X_l' + 1; the 1 is the bias. G = factor @ factor.T, so that the
    `factor`'s l rows stand for the n + 1 long ones: the same optimum, found in the labels' own
    space, and brought back by `weights`.
    """

    factor: Array
    back: Array

    @classmethod
    def of(cls, rows: WalkRows, nodes: Nodes) -> LabelledGram:
        """Compute the Gram matrix of the labelled rows and its eigendecomposition."""
        gram = _inner_products(rows, nodes) + 1.0
        values, vectors = eigh(gram, overwrite_a=True, check_finite=False)
        kept = values > 1e-12 * values[-1]
        roots = np.sqrt(values[kept])
        return cls(vectors[:, kept] * roots, vectors[:, kept] / roots)

    @property
    def squares(self) -> Array:
        """The sums of squares of the factor's columns, which are the eigenvalues of G."""
        return np.asarray(np.einsum("ij,ij->j", self.factor, self.factor))

    def weights(self, rows: WalkRows, known: KnownLabels, solution: Array) -> NodeWeights:
        """Convert the short `solution` to weights of all nodes."""
        votes = self.back @ solution
        spread = np.zeros((known.n_nodes, votes.shape[1]))
        spread[known.nodes] = votes
        return NodeWeights(
            rows.metric[:, None] * rows.transposed_times(spread), np.asarray(votes.sum(axis=0))
        )


def _inner_products(rows: WalkRows, nodes: Nodes) -> Array:
    """Return X_l diag(metric) X_l', block by block if the rows do not fit in memory."""
    metric = rows.metric
    if len(nodes) * len(metric) <= ROWS_AT_ONCE:
        held = rows.rows(nodes)
        held *= np.sqrt(metric)
        upper = blas.dsyrk(1.0, held.T, trans=1)
        return np.asarray(np.triu(upper) + np.triu(upper, 1).T)
    gram = np.empty((len(nodes), len(nodes)))
    for start in range(0, len(nodes), BLOCK):
        block = slice(start, start + BLOCK)
        gram[:, block] = rows.times((rows.rows(nodes[block]) * metric).T)[nodes]
    return (gram + gram.T) / 2
