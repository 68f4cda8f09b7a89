"""GraphLearning's and scikit-activeml's strategies, used as their own documentation shows.

Neither can start without labels: both get one random label per class, which counts towards their
budget (and is a gift: at a cold start nobody knows one node of every class).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from bench.active.ours import Asker
from lapwing import Graph
from lapwing.embed import laplacian
from lapwing.optional import need

SMALL = 5000
"""Nodes up to which a fit of Poisson learning after every single answer is affordable."""


def one_a_class(labels: np.ndarray, pool: np.ndarray, seed: int) -> list[int]:
    order = np.random.default_rng(seed).permutation(pool)
    return [int(order[np.argmax(labels[order] == k)]) for k in np.unique(labels[order])]


@lru_cache(maxsize=1)
def poisson(graph: Graph) -> tuple[Any, np.ndarray, np.ndarray]:
    """GraphLearning's Poisson learning on a graph, and 50 eigenpairs as its examples take them."""
    gl = need("graphlearning", extra="bench")
    model = gl.ssl.poisson(sparse.csr_matrix(graph.adjacency))
    values, vectors = model.graph.eigen_decomp(normalization="normalized", k=50)
    return model, values, vectors


def graphlearning(kind: str) -> Asker:
    """An acquisition function of GraphLearning: Poisson learning and a spectral covariance."""

    def ask(graph: Graph, labels: np.ndarray, pool: np.ndarray, seed: int) -> Iterator[int]:
        gl = need("graphlearning", extra="bench")
        known = one_a_class(labels, pool, seed)
        yield from known
        model, values, vectors = poisson(graph)
        settings = {"C": np.diag(1.0 / (values + 1e-11)), "V": vectors}
        acquisition = getattr(gl.active_learning, kind)(
            **(settings if kind != "unc_sampling" else {})
        )
        acquisition.update(np.array(known), labels[known])
        fits = kind in ("unc_sampling", "model_change")
        batch = 5 if fits and graph.n_nodes > SMALL else 1
        while True:
            u = model.fit(np.array(known), labels[known]) if fits else None
            left = np.setdiff1d(pool, known)
            best = left[np.argsort(-acquisition.compute(u, left), kind="stable")[:batch]]
            yield from best.tolist()
            known += best.tolist()
            acquisition.update(best, labels[best])

    return ask


@lru_cache(maxsize=1)
def rows_of(graph: Graph) -> np.ndarray:
    """Rows of the low spectrum, the features scikit-activeml works on."""
    return laplacian(graph, rank=32, normalized=True, unit_rows=True)


def logistic(labels: np.ndarray) -> Any:
    """scikit-activeml's wrapper of logistic regression."""
    wrapped = need("skactiveml.classifier", extra="bench").SklearnClassifier
    regression = need("sklearn.linear_model", extra="bench").LogisticRegression
    return wrapped(regression(max_iter=200), classes=np.unique(labels[labels >= 0]))


def parzen(labels: np.ndarray) -> Any:
    """scikit-activeml's Parzen windows, which its probabilistic active learning needs."""
    window = need("skactiveml.classifier", extra="bench").ParzenWindowClassifier
    return window(classes=np.unique(labels[labels >= 0]), metric_dict={"gamma": 10.0})


TOO_LARGE = {"expected-error": SMALL, "AML probabilistic": SMALL, "AML typiclust": 10_000}
"""Strategies that take minutes per run on graphs of more nodes than this: left out there."""


def scikit_activeml(
    kind: str,
    *,
    batch: int = 1,
    looks_at: int | None = None,
    rows_of: Callable[[Graph], np.ndarray] = rows_of,
) -> Asker:
    """A query strategy of scikit-activeml on rows; the slow see a draw of the pool."""

    def ask(graph: Graph, labels: np.ndarray, pool: np.ndarray, seed: int) -> Iterator[int]:
        pools = need("skactiveml.pool", extra="bench")
        strategy, models = {
            "margin": (pools.UncertaintySampling(method="margin_sampling", random_state=seed),
                       {"clf": logistic(labels)}),
            "probabilistic": (pools.ProbabilisticAL(random_state=seed), {"clf": parzen(labels)}),
            "typiclust": (pools.TypiClust(random_state=seed), {}),
            "coreset": (pools.CoreSet(random_state=seed), {}),
        }[kind]  # fmt: skip
        rows = rows_of(graph)
        known = one_a_class(labels, pool, seed)
        yield from known
        told = np.full(graph.n_nodes, np.nan)
        while True:
            told[known] = labels[known]
            left = np.setdiff1d(pool, known)
            if looks_at is not None:
                rng = np.random.default_rng([seed, len(known)])
                left = np.sort(rng.choice(left, size=min(looks_at, len(left)), replace=False))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                chosen = strategy.query(X=rows, y=told, candidates=left, batch_size=batch, **models)
            fresh = [node for node in dict.fromkeys(chosen.tolist()) if node not in known]
            for node in fresh or left[:1].tolist():  # typiclust may name a node twice
                yield int(node)
                known.append(int(node))

    return ask


RIVALS: dict[str, Asker] = {
    "GL margin": graphlearning("unc_sampling"),
    "GL vopt": graphlearning("var_opt"),
    "GL sigma-opt": graphlearning("sigma_opt"),
    "GL model-change": graphlearning("model_change"),
    "AML margin": scikit_activeml("margin"),
    "AML probabilistic": scikit_activeml("probabilistic", looks_at=200),
    "AML typiclust": scikit_activeml("typiclust", batch=10),
    "AML coreset": scikit_activeml("coreset", batch=10),
}
