"""What each expert thinks of every node, and of every label before it saw it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.batch.evidence.holdout import Holdout
from lapwing.batch.evidence.softmax_regression import UNSEEN, class_chances, softmax_fits
from lapwing.embed.weight_unit import in_solvable_range
from lapwing.graph import Graph
from lapwing.linalg.chebyshev import diffused
from lapwing.types import Array, Mask, Nodes

LEAK, TOLERANCE = 0.03, 1e-4
"""Leak of the flow, as in `Poisson`, and the error of its solution."""
LEAST = 1e-3
"""Added to every probability before its logarithm."""
MOST_LANDMARKS = 256
"""Labelled nodes whose neighbours all nodes are compared with."""

Columns32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Opinion:
    """Log probabilities of one expert.

    `before` has a row per judged label, from a fit that did not see it; `after` a row per node,
    from the fit to all labels. Classes that a fit has not seen are at `log(LEAST)`.
    """

    name: str
    before: Array
    after: Columns32


def shares_opinion(held: Holdout) -> Opinion:
    """The share of each class among the labels, whatever the node.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> held = held_out(KnownLabels(np.arange(4), np.eye(2)[[0, 0, 0, 1]], n_nodes=5), seed=0)
    >>> np.exp(shares_opinion(held).after[0]).round(2).tolist()
    [0.67, 0.33]
    """
    counts = np.where(held.seen, held.counts + 1.0, 0.0)
    share = counts / counts.sum(axis=1, keepdims=True)
    everywhere = np.broadcast_to(share[-1], (held.known.n_nodes, share.shape[1]))
    return _opinion("class shares", share[held.judged_in], everywhere)


def flow_opinion(graph: Graph, held: Holdout) -> Opinion:
    r"""Poisson learning (`Poisson`): the flow from a class's labels to the others'.

    The flow is linear in the labels, so one solve with a column per class and fold (or per label,
    if these are fewer) gives the potentials with and without each fold. They are compressed to
    sign(u) log(1 + |u| / median) before the softmax, so they mean the same on every graph.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> held = held_out(KnownLabels(np.array([0, 1, 4, 5]), np.eye(2)[[0, 0, 1, 1]], 6), seed=0)
    >>> found = flow_opinion(graph, held)
    >>> found.before.argmax(axis=1).tolist(), found.after.argmax(axis=1).tolist()
    ([0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    """
    masses, columns = _masses(in_solvable_range(graph), held)
    everywhere = masses @ np.eye(held.targets.shape[1], dtype=np.float32)[columns[:, 1]]
    share = (held.counts / held.counts.sum(axis=1, keepdims=True)).astype(np.float32)
    full = everywhere - share[-1] * everywhere.sum(axis=1, keepdims=True)
    rest = everywhere[held.nodes[held.judged]].copy()
    own = masses[held.nodes[held.judged]] * (columns[:, 0] == held.judged_in[:, None])
    np.subtract.at(rest.T, columns[:, 1], own.T)
    rest -= share[held.judged_in] * rest.sum(axis=1, keepdims=True)
    size = np.abs(full[full != 0])
    typical = max(float(np.median(size)) if size.size else 0.0, 1e-300)
    before = _compressed(rest, typical, held.judged_seen)
    return _opinion(
        "neighbours",
        class_chances(before),
        class_chances(_compressed(full, typical, held.seen[-1])),
    )


def _masses(graph: Graph, held: Holdout) -> tuple[Columns32, Nodes]:
    """What the labels of each column leave on every node; the fold and class of each column."""
    both = np.stack([held.fold, held.labels], axis=1)
    columns, which = np.unique(both, axis=0, return_inverse=True)
    which = which.ravel()
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    right = np.zeros((graph.n_nodes, len(columns)))
    right[held.nodes, which] = degrees.mean() / degrees[held.nodes]
    found = diffused(graph.adjacency, right, alpha=1.0 / (1.0 + LEAK), tol=TOLERANCE)
    return np.asarray(found, dtype=np.float32), columns


def _compressed(potentials: NDArray[Any], typical: float, seen: Mask) -> Array:
    raised = np.sign(potentials) * np.log1p(np.abs(potentials) / typical)
    return np.where(seen, raised, UNSEEN)


def rows_opinion(
    name: str, rows: NDArray[Any], held: Holdout, *, ridge: float, told: Mask | None = None
) -> Opinion:
    """Softmax regression on rows; even where a node is not `told` anything by them.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> held = held_out(KnownLabels(np.arange(4), np.eye(2)[[0, 0, 1, 1]], n_nodes=5), seed=0)
    >>> rows = np.array([[1.0], [0.9], [-1.0], [-0.8], [0.5]])
    >>> rows_opinion("side", rows, held, ridge=0.1).after.argmax(axis=1).tolist()
    [0, 0, 1, 1, 0]
    """
    weights = held.weights if told is None else held.weights * told[held.nodes]
    given = np.asarray(rows[held.nodes], dtype=np.float64)
    fits = softmax_fits(given, held.targets, weights, held.seen, ridge=ridge)
    before = np.einsum("jd,jdc->jc", given[held.judged], fits[held.judged_in, :-1])
    before += fits[held.judged_in, -1]
    kind = np.float32 if rows.dtype == np.float32 else np.float64
    after = rows @ fits[-1, :-1].astype(kind) + fits[-1, -1].astype(kind)
    held_chances = class_chances(np.where(held.judged_seen, before, UNSEEN))
    found = class_chances(np.where(held.seen[-1], after, UNSEEN))
    if told is not None:
        held_chances = _even(held_chances, told[held.nodes[held.judged]], held.judged_seen)
        found = _even(found, told, held.seen[-1])
    return _opinion(name, held_chances, found)


def around_opinion(graph: Graph, held: Holdout, *, ridge: float = 1.0) -> Opinion:
    """Softmax regression on the shares of the classes one and two steps away.

    It learns what neighbours of each class mean, so it serves where neighbours differ in a regular
    way. Each fit counts only the labels that it may see.

    Examples
    --------
    A ring on which every node differs from both neighbours:

    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> ring = Graph.from_edges([(i, (i + 1) % 12) for i in range(12)])
    >>> held = held_out(KnownLabels(np.arange(8), np.eye(2)[[0, 1] * 4], n_nodes=12), seed=0)
    >>> around_opinion(ring, held).after[[8, 11]].argmax(axis=1).tolist()
    [0, 1]
    """
    edges = unweighted(graph)
    n_classes = held.targets.shape[1]
    columns = (held.fold + 1) * n_classes + held.labels
    shape = (graph.n_nodes, (held.n_folds + 1) * n_classes)
    one_hot = (np.ones(len(columns), dtype=np.float32), (held.nodes, columns))
    labels = sparse.csr_array(one_hot, shape=shape)
    one = edges @ labels
    back = sparse.diags_array(np.diff(edges.indptr).astype(np.float32)) @ labels
    two = edges @ one - back
    before = np.zeros((len(held.judged), n_classes))
    full = _shares_around(one, two, n_classes)
    for f in range(held.n_folds + 1):
        last = f == held.n_folds
        used = np.flatnonzero(held.weights[f])
        rows = full[held.nodes] if last else _shares_around(
            one[held.nodes], two[held.nodes], n_classes, without=f + 1
        )  # fmt: skip
        fit = softmax_fits(
            rows[used], held.targets[used], np.ones((1, len(used))), held.seen[f : f + 1],
            ridge=ridge,
        )[0]  # fmt: skip
        if last:
            after = class_chances(np.where(held.seen[-1], full @ fit[:-1] + fit[-1], UNSEEN))
        else:
            here = np.flatnonzero(held.judged_in == f)
            logits = rows[held.judged[here]] @ fit[:-1] + fit[-1]
            before[here] = class_chances(np.where(held.seen[f], logits, UNSEEN))
    return _opinion("classes around", before, after)


def _shares_around(one: Any, two: Any, n_classes: int, *, without: int | None = None) -> Array:
    """The shares of classes one and two steps away; `without` leaves out one group of columns."""
    parts = []
    for counts in (one, two):
        groups = counts.shape[1] // n_classes
        used = np.ones(groups)
        if without is not None:
            used[without] = 0.0
        together = sparse.csr_array(np.kron(used[:, None], np.eye(n_classes)))
        summed = (counts @ together).toarray()
        parts.append(summed / (summed.sum(axis=1, keepdims=True) + 1.0))
    return np.hstack(parts)


def neighbour_rows(graph: Graph, held: Holdout, *, seed: int) -> Columns32:
    """Return rows whose inner products count common neighbours, as seen from labelled nodes.

    The adjacency rows of up to 256 labelled nodes span them (Nyström); their mean square is 1.

    Examples
    --------
    >>> from lapwing.batch.evidence.holdout import held_out
    >>> from lapwing.batch.known_labels import KnownLabels
    >>> star = Graph.from_edges([(0, 1), (0, 2), (0, 3)])
    >>> held = held_out(KnownLabels(np.array([0, 1]), np.eye(2), n_nodes=4), seed=0)
    >>> rows = neighbour_rows(star, held, seed=0)
    >>> (rows @ rows.T).round(2)[1].tolist()
    [0.0, 0.67, 0.67, 0.67]
    """
    edges, nodes = unweighted(graph), held.nodes
    if len(nodes) > MOST_LANDMARKS:
        nodes = np.random.default_rng(seed).choice(nodes, MOST_LANDMARKS, replace=False)
    common = (edges @ sparse.csr_array(edges[nodes].T)).toarray()
    values, vectors = np.linalg.eigh(common[nodes].astype(np.float64))
    kept = values > 1e-6 * max(float(values.max(initial=0.0)), 1.0)
    rows = common @ (vectors[:, kept] / np.sqrt(values[kept])).astype(np.float32)
    mean = float(np.einsum("ij,ij->", rows, rows)) / max(len(rows), 1)
    return np.asarray(rows / np.float32(np.sqrt(mean) or 1.0))


def unweighted(graph: Graph) -> sparse.csr_array:
    """The edges without weights and loops.

    Examples
    --------
    >>> unweighted(Graph.from_edges([(0, 1, 5.0), (1, 1, 2.0)])).toarray().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    edges = sparse.csr_array(graph.adjacency, dtype=np.float32, copy=True)
    edges.data[:] = 1.0
    if edges.diagonal().any():
        edges.setdiag(0.0)
        edges.eliminate_zeros()
    return edges


def _even(found: Array, told: Mask, seen: Mask) -> Array:
    even = seen / seen.sum(axis=-1, keepdims=True)
    return np.where(told[:, None], found, even)


def _opinion(name: str, before: Array, after: Array) -> Opinion:
    logs = np.log(np.asarray(after, dtype=np.float32) + np.float32(LEAST))
    return Opinion(name, np.log(before + LEAST), logs)
