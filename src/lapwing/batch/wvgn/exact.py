"""The optimum of wvGN's objective, which is convex: by the labelled rows, or matrix-free."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas, eigh
from scipy.sparse.linalg import LinearOperator

from lapwing.batch.known import Known
from lapwing.batch.newton import one_vs_rest
from lapwing.batch.wvgn.objective import Weights, metric
from lapwing.batch.wvgn.rows import BLOCK, GeometricRows
from lapwing.types import Array, Nodes

ROWS_AT_ONCE = 2.0**25
"""How many entries of labelled rows may be held at once (256 MB); more are made twice."""


@dataclass(frozen=True)
class LabelledGram:
    """Inner products of labelled rows in the metric of objective (9), and their thin factor.

    With u = w * d the objective has the plain penalty |u|^2 and rows x_q / d, whose inner products
    are G = X_l D X_l' + 1 (the 1 is the bias). G = factor @ factor.T, so that the `factor`'s
    l rows can stand for the n + 1 long ones: the same optimum, found in the labels' own space.
    """

    factor: Array
    back: Array

    @classmethod
    def of(cls, rows: GeometricRows, nodes: Nodes) -> LabelledGram:
        """From the rows of the labelled nodes, with one eigendecomposition."""
        gram = _gram(rows, nodes) + 1.0
        values, vectors = eigh(gram, overwrite_a=True, check_finite=False)
        kept = values > 1e-12 * values[-1]
        roots = np.sqrt(values[kept])
        return cls(vectors[:, kept] * roots, vectors[:, kept] / roots)

    @property
    def squares(self) -> Array:
        """The sums of squares of the factor's columns: its eigenvalues."""
        return np.asarray(np.einsum("ij,ij->j", self.factor, self.factor))

    def solved(
        self,
        signs: Array,
        *,
        ridge: float,
        start: Array | None = None,
        tol: float = 1e-6,
    ) -> Array:
        """The optimum in the factor's space; ``factor @`` it are the labelled nodes' margins."""
        return one_vs_rest(
            self.factor,
            signs,
            ridge=ridge,
            costs=1.0 / len(signs),
            squares=self.squares,
            start=start,
            tol=tol,
        )

    def taken(self, positions: Nodes) -> LabelledGram:
        """The Gram matrix of some of the nodes, in the same space."""
        return LabelledGram(self.factor[positions], self.back)


def by_labelled_rows(
    rows: GeometricRows, known: Known, *, ridge: float, gram: LabelledGram
) -> Weights:
    """The optimum of (9) from the labelled nodes' Gram matrix."""
    solution = gram.solved(known.signs, ridge=ridge)
    votes = gram.back @ solution
    spread = np.zeros((known.n_nodes, known.n_classes))
    spread[known.nodes] = votes
    return Weights(metric(rows)[:, None] * rows.transposed_times(spread), votes.sum(axis=0))


def matrix_free(rows: GeometricRows, known: Known, *, ridge: float) -> Weights:
    """The optimum of (9) by products with the rows alone: memory a few vectors a class."""
    n, labelled = known.n_nodes, known.nodes
    root = np.sqrt(metric(rows))[:, None]

    def times(u: Array) -> Array:
        u = u.reshape(n + 1, -1)
        return np.asarray(rows.times(root * u[:-1])[labelled] + u[-1])

    def transposed(values: Array) -> Array:
        values = values.reshape(len(labelled), -1)
        spread = np.zeros((n, values.shape[1]))
        spread[labelled] = values
        return np.vstack([root * rows.transposed_times(spread), values.sum(axis=0)])

    operator = LinearOperator(
        (len(labelled), n + 1),
        matvec=times,
        rmatvec=transposed,
        matmat=times,
        rmatmat=transposed,
        dtype=np.float64,
    )
    u = one_vs_rest(operator, known.signs, ridge=ridge, costs=1.0 / len(labelled))
    return Weights(root * u[:-1], u[-1])


def _gram(rows: GeometricRows, nodes: Nodes) -> Array:
    """X_l D X_l'; where the labelled rows are too many to hold, block by block."""
    degrees = metric(rows)
    if len(nodes) * len(degrees) <= ROWS_AT_ONCE:
        held = rows.rows(nodes)
        held *= np.sqrt(degrees)
        upper = blas.dsyrk(1.0, held.T, trans=1)
        return np.asarray(np.triu(upper) + np.triu(upper, 1).T)
    gram = np.empty((len(nodes), len(nodes)))
    for start in range(0, len(nodes), BLOCK):
        block = slice(start, start + BLOCK)
        gram[:, block] = rows.times((rows.rows(nodes[block]) * degrees).T)[nodes]
    return (gram + gram.T) / 2
