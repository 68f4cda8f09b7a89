"""What others would do with the same labels: scikit-learn, and graph networks in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import sparse

from bench.active.rivals import Asker, scikit_activeml
from lapwing import Graph, data
from lapwing.embed.attributes.features import features_of
from lapwing.embed.attributes.kinds import column_uses
from lapwing.embed.attributes.rows import attribute_rows, diffused_rows
from lapwing.optional import need

Rival = Callable[[data.Dataset, np.ndarray], np.ndarray]
"""The class of every node, from the data set and the labelled nodes."""
HIDDEN, EPOCHS, RATE, DECAY, DROPOUT = 64, 200, 0.01, 5e-4, 0.5
STEPS, TELEPORT = 10, 0.1


@lru_cache(maxsize=1)
def features(found: data.Dataset) -> sparse.csr_array:
    table = found.graph.node_table
    return features_of(table, column_uses(table)).matrix


@lru_cache(maxsize=1)
def smoothing(found: data.Dataset) -> sparse.csr_array:
    """The normalised adjacency with self-loops, as Kipf and Welling use it."""
    loops = sparse.csr_array(found.graph.adjacency) + sparse.eye_array(found.graph.n_nodes)
    roots = sparse.diags_array(1.0 / np.sqrt(np.asarray(loops.sum(axis=1)).ravel()))
    return sparse.csr_array(roots @ loops @ roots)


def _logistic(rows: Any, found: data.Dataset, known: np.ndarray) -> Any:
    model = need("sklearn.linear_model", extra="all").LogisticRegression(C=10.0, max_iter=300)
    return model.fit(rows[known], np.asarray(found.labels)[known])


def logistic(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    return np.asarray(_logistic(features(found), found, known).predict(features(found)))


@lru_cache(maxsize=1)
def spread_rows(graph: Graph) -> np.ndarray:
    """Attributes spread over the edges, as the pool's regression has them."""
    return np.asarray(diffused_rows(graph, attribute_rows(graph.node_table).rows))


def logistic_on_spread(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    rows = spread_rows(found.graph)
    return np.asarray(_logistic(rows, found, known).predict(rows))


def sgc(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    rows = smoothing(found) @ (smoothing(found) @ features(found))
    return np.asarray(_logistic(sparse.csr_array(rows), found, known).predict(rows))


def label_spreading(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    labels = np.asarray(found.labels)
    score = start = (
        np.eye(found.n_classes)[labels] * np.isin(np.arange(len(labels)), known)[:, None]
    )
    adjacency = found.graph.adjacency
    roots = sparse.diags_array(1.0 / np.sqrt(np.maximum(found.graph.degrees, 1e-12)))
    step = sparse.csr_array(roots @ adjacency @ roots)
    for _ in range(50):
        score = 0.9 * (step @ score) + 0.1 * start
    return np.asarray(score.argmax(axis=1))


def correct_and_smooth(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    """Huang et al. 2021 on the attributes' logistic regression: spread residuals, then labels."""
    labels, model = np.asarray(found.labels), _logistic(features(found), found, known)
    chances = np.zeros((len(labels), found.n_classes))
    chances[:, model.classes_] = model.predict_proba(features(found))
    truth, step = np.eye(found.n_classes)[labels], smoothing(found)
    start = np.zeros_like(chances)
    start[known] = truth[known] - chances[known]
    error = start
    for _ in range(50):
        error = 0.8 * (step @ error) + 0.2 * start
    corrected = chances + error
    corrected[known] = truth[known]
    score = corrected
    for _ in range(50):
        score = 0.8 * (step @ score) + 0.2 * corrected
    return np.asarray(score.argmax(axis=1))


def _multiplier(matrix: sparse.csr_array) -> Callable[[Any], Any]:
    """What multiplies by a constant matrix; its transpose, which gradients need, is made once."""
    torch = need("torch", extra="bench")

    def stored(held: sparse.csr_array) -> Any:
        parts = (torch.from_numpy(part.astype(np.int64)) for part in (held.indptr, held.indices))
        values = torch.from_numpy(held.data.astype(np.float32))
        return torch.sparse_csr_tensor(*parts, values, held.shape)

    forth, back = stored(sparse.csr_array(matrix)), stored(sparse.csr_array(matrix.T))

    class Times(torch.autograd.Function):
        @staticmethod
        def forward(_: Any, x: Any) -> Any:
            return forth @ x

        @staticmethod
        def backward(_: Any, slope: Any) -> Any:
            return back @ slope

    return Times.apply


def _network(found: data.Dataset, known: np.ndarray, *, propagate: str) -> np.ndarray:
    torch = need("torch", extra="bench")
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rows = features(found)
    by_features, smoothed = _multiplier(rows), _multiplier(smoothing(found))
    truth = torch.tensor(np.asarray(found.labels)[known])
    sizes = [(rows.shape[1], HIDDEN), (HIDDEN, found.n_classes)]
    weights = [torch.nn.init.xavier_uniform_(torch.empty(*size)).requires_grad_() for size in sizes]
    optimizer = torch.optim.Adam(weights, lr=RATE, weight_decay=DECAY)

    def answer(training: bool) -> Any:
        hidden = by_features(weights[0])
        hidden = torch.relu(smoothed(hidden) if propagate == "gcn" else hidden)
        hidden = torch.nn.functional.dropout(hidden, DROPOUT, training)
        found = hidden @ weights[1]
        if propagate == "gcn":
            return smoothed(found)
        spread = found
        for _ in range(STEPS):
            spread = (1 - TELEPORT) * smoothed(spread) + TELEPORT * found
        return spread

    for _ in range(EPOCHS):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(answer(True)[known], truth).backward()
        optimizer.step()
    with torch.no_grad():
        return np.asarray(answer(False).argmax(dim=1))


def gcn(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    return _network(found, known, propagate="gcn")


def appnp(found: data.Dataset, known: np.ndarray) -> np.ndarray:
    return _network(found, known, propagate="appnp")


RIVALS: dict[str, Rival] = {
    "logistic on attributes": logistic,
    "label spreading": label_spreading,
    "SGC": sgc,
    "C&S": correct_and_smooth,
    "GCN": gcn,
    "APPNP": appnp,
    "AML margin": logistic_on_spread,
}
ASKS: dict[str, Asker] = {
    "AML margin": scikit_activeml("margin", looks_at=500, rows_of=spread_rows),
}
"""Rivals that choose the labels themselves: scikit-activeml's margin on the pool's spread rows."""
