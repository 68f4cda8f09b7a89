"""Measures of a graph and a labelling that the papers' bounds use."""

from __future__ import annotations

import numpy as np

from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.types import Nodes


def algebraic_connectivity(graph: Graph, *, normalized: bool = False) -> float:
    """Return the second smallest eigenvalue of the Laplacian; 0 for a disconnected graph.

    Examples
    --------
    >>> algebraic_connectivity(Graph.from_edges([(0, 1), (1, 2)]))
    1.0
    """
    if graph.n_components != 1 or graph.n_nodes < 2:
        return 0.0
    return float(low_spectrum(graph.adjacency, 1, normalized=normalized)[0][0])


def cut_size(graph: Graph, labels: Nodes) -> float:
    """Return the total weight of the edges whose ends have different labels.

    Phi_G(u) of Herbster and Pontil 2006, Eq. 1; u'Lu / 4 for labels -1 and +1.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> cut_size(graph, np.array([0, 0, 0, 1, 1, 1]))
    1.0
    """
    labels = np.asarray(labels)
    if labels.shape != (graph.n_nodes,):
        raise InputError(f"labels must have shape ({graph.n_nodes},), got {labels.shape}")
    tails, heads, weights = graph.edges()
    return float(weights[labels[tails] != labels[heads]].sum())


def balance(signs: Nodes) -> float:
    """bal(u) = (1 - |sum u| / n)^-2 of labels -1 and +1: 1 when balanced, infinite for one class.

    Herbster and Pontil 2006, Eq. 1.

    Examples
    --------
    >>> balance(np.array([1, 1, -1, -1])), balance(np.array([1, 1, 1, -1]))
    (1.0, 4.0)
    """
    rest = 1.0 - abs(_mean_sign(signs))
    return float("inf") if rest == 0.0 else rest**-2


def imbalance(signs: Nodes) -> float:
    """beta_u = (sum u / n)^2 of labels -1 and +1: 0 when balanced, 1 for one class.

    Herbster and Pontil 2006, before Lemma 4.1.

    Examples
    --------
    >>> imbalance(np.array([1, 1, -1, -1])), imbalance(np.array([1, 1, 1, -1]))
    (0.0, 0.25)
    """
    return _mean_sign(signs) ** 2


def _mean_sign(signs: Nodes) -> float:
    signs = np.asarray(signs)
    if signs.size == 0 or not np.isin(signs, (-1, 1)).all():
        raise InputError("labels must be -1 or +1, and at least one")
    return float(signs.mean())
