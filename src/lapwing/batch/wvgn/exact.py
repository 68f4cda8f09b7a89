"""The optimum of wvGN's convex objective, from the labelled rows or matrix-free."""

from __future__ import annotations

import numpy as np
from scipy.sparse.linalg import LinearOperator

from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.gram import LabelledGram, NodeWeights, WalkRows
from lapwing.batch.linear.newton import one_vs_rest
from lapwing.types import Array


def by_labelled_rows(
    rows: WalkRows, known: KnownLabels, *, ridge: float, gram: LabelledGram
) -> NodeWeights:
    """Find the optimum of (9) from the Gram matrix of the labelled nodes."""
    solution = one_vs_rest(
        gram.factor,
        known.signs,
        ridge=ridge,
        costs=1.0 / len(known.nodes),
        squares=gram.squares,
        tol=1e-8,
    )
    return gram.weights(rows, known, solution)


def matrix_free(rows: WalkRows, known: KnownLabels, *, ridge: float) -> NodeWeights:
    """Find the optimum of (9) by products with the rows; memory is a few vectors per class."""
    n, labelled = known.n_nodes, known.nodes
    root = np.sqrt(rows.metric)[:, None]

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
    u = one_vs_rest(operator, known.signs, ridge=ridge, costs=1.0 / len(labelled), tol=1e-9)
    return NodeWeights(root * u[:-1], u[-1])
