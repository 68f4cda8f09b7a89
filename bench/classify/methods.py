"""The default of `classify`, simple alternatives, and other libraries' methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from bench.peers import graphlearning_poisson, scikit_network
from lapwing import Graph, make
from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.optional import need

Method = Callable[[Graph, np.ndarray, np.ndarray, int], tuple[np.ndarray, np.ndarray]]
"""Predictions and probabilities of all nodes, from labelled nodes, their labels, and classes."""


def default(graph: Graph, known, labels, k, **settings):
    model = make(DEFAULT_BATCH, graph, n_classes=k, **settings).fit(known, labels)
    everyone = np.arange(graph.n_nodes)
    return model.predict(everyone), model.predict_proba(everyone)


def graph_only(graph: Graph, known, labels, k):
    return default(graph, known, labels, k, use=())


def poisson(graph: Graph, known, labels, k):
    model = make("poisson", graph, n_classes=k).fit(known, labels)
    everyone = np.arange(graph.n_nodes)
    return model.predict(everyone), model.predict_proba(everyone)


def largest_class(graph: Graph, known, labels, k):  # noqa: ARG001 - all methods are called alike
    share = np.bincount(labels, minlength=k) / len(labels)
    return np.full(graph.n_nodes, share.argmax()), np.tile(share, (graph.n_nodes, 1))


def adjacency_logistic(graph: Graph, known, labels, k):
    """scikit-learn's logistic regression on rows of the adjacency matrix."""
    logistic = need("sklearn.linear_model", extra="bench").LogisticRegression
    rows = sparse.csr_matrix(graph.adjacency)
    model = logistic(max_iter=1000).fit(rows[known], labels)
    chances = np.zeros((graph.n_nodes, k))
    chances[:, model.classes_] = model.predict_proba(rows)
    return chances.argmax(axis=1), chances


OURS: dict[str, Method] = {"classify": default, "graph only": graph_only}
OTHERS: dict[str, Method] = {
    "Poisson": poisson,
    "largest class": largest_class,
    "logistic on adjacency rows": adjacency_logistic,
    "scikit-network diffusion": scikit_network("DiffusionClassifier"),
    "scikit-network PageRank": scikit_network("PageRankClassifier"),
    "GraphLearning Poisson": graphlearning_poisson,
}
