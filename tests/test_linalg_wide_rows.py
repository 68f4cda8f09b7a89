"""Rows of graphs whose smoothest eigenvectors lie on a few nodes each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from lapwing import Graph
from lapwing.data import planted_partition
from lapwing.linalg.eigen import filtered
from lapwing.linalg.eigen.filtered import smooth_eigenpairs
from lapwing.linalg.eigen.smooth_rows import smooth_rows
from lapwing.linalg.eigen.wide_rows import wide_rows
from lapwing.linalg.passes import Passes

COUNT = 8


def with_chains(chains: int, length: int = 10) -> tuple[Graph, np.ndarray]:
    """Six communities, and chains whose two ends hold on to random nodes: no tree hangs."""
    data = planted_partition(n=4000, communities=(666, 667), mixing=0.4, mean_degree=12, seed=4)
    tails, heads, _ = data.graph.edges()
    inner = 4000 + np.arange(chains * length).reshape(chains, length)
    ends = np.random.default_rng(0).integers(0, 4000, (2, chains))
    more_tails = np.concatenate([ends[0], inner[:, :-1].ravel(), inner[:, -1]])
    more_heads = np.concatenate([inner[:, 0], inner[:, 1:].ravel(), ends[1]])
    both = np.append(tails, more_tails), np.append(heads, more_heads)
    return Graph.from_edges(both, names=range(4000 + chains * length)), data.labels


def spread(rows: np.ndarray) -> np.ndarray:
    squares = np.square(rows / np.linalg.norm(rows, axis=0), dtype=np.float64)
    return np.asarray(1.0 / np.square(squares).sum(axis=0))


@pytest.mark.parametrize("weighted", [False, True])
def test_damping_adds_edges_of_mean_weight_to_every_degree(weighted: bool) -> None:
    rng = np.random.default_rng(1)
    half = np.triu(rng.random((30, 30)) < 0.2, 1) * (rng.random((30, 30)) + 0.5 if weighted else 2)
    weights = half + half.T
    weights[7], weights[:, 7] = 0.0, 0.0
    passes = Passes(sparse.csr_array(weights), np.float64, damping=1.5)
    now, old = passes.room(np.eye(30)), passes.room(np.zeros((30, 30)))
    passes.step(now, old, a=1.0)
    degrees = weights.sum(axis=1, keepdims=True) + 1.5 * weights[weights > 0].mean()
    assert np.allclose(old[:, :30], weights / degrees)


def test_chains_do_not_take_the_columns() -> None:
    graph, labels = with_chains(150)
    plain = smooth_eigenpairs(graph.adjacency, COUNT)
    on_chains = np.square(plain.vectors[4000:], dtype=np.float64).sum(axis=0)
    assert np.median(on_chains) > 0.9
    rows = wide_rows(graph.adjacency, COUNT, tol=1e-2)
    assert rows.dtype == np.float32
    assert np.median(spread(rows)) > 500
    unit = rows[:4000] / np.linalg.norm(rows[:4000], axis=1, keepdims=True)
    centres = np.stack([unit[labels == label].mean(axis=0) for label in range(labels.max() + 1)])
    assert np.mean(np.argmax(unit @ centres.T, axis=1) == labels) > 0.95


def test_wide_vectors_stay_what_they_are() -> None:
    graph = planted_partition(n=4000, communities=(666, 667), mean_degree=12, seed=4).graph
    rows = wide_rows(graph.adjacency, COUNT, tol=1e-3)
    before = smooth_rows(graph.adjacency, COUNT, tol=1e-3)
    cosines = (rows / np.linalg.norm(rows, axis=0)).T @ (before / np.linalg.norm(before, axis=0))
    outstanding = np.linalg.svd(cosines[:5, :5], compute_uv=False)
    assert outstanding.min() > 0.99
    lengths = np.linalg.norm(rows, axis=0)
    assert lengths[0] == pytest.approx(1.0, abs=1e-3)
    assert (np.diff(lengths) <= 1e-6).all()
    assert lengths[5:].max() < 0.2 * lengths[4]


def test_nothing_is_damped_if_that_does_not_help() -> None:
    """Many rings of twenty nodes in one large ring: every smooth vector lies on a few of them."""
    rng = np.random.default_rng(2)
    pieces = [planted_partition(n=60, mean_degree=8, seed=seed).graph for seed in range(80)]
    ends = [np.array(piece.edges()[:2]) + 60 * k for k, piece in enumerate(pieces)]
    bridges = np.stack([60 * np.arange(80), 60 * ((np.arange(80) + 1) % 80)])
    tails, heads = np.hstack([*ends, bridges + rng.integers(0, 60, (2, 80))])
    graph = Graph.from_edges((tails, heads), names=range(4800), parallel="max")
    rows = wide_rows(graph.adjacency, 60, tol=1e-2)
    assert rows.shape[0] == 4800
    assert np.isfinite(rows).all()
    assert rows.any(axis=1).mean() > 0.9


def test_components_without_room_for_a_wide_vector_have_no_rows() -> None:
    graph = planted_partition(n=4000, communities=(666, 667), mean_degree=12, seed=4).graph
    tails, heads, _ = graph.edges()
    stray = np.array([[4000, 4001, 4002], [4001, 4002, 4000]])
    tails, heads = np.append(tails, stray[0]), np.append(heads, stray[1])
    both = Graph.from_edges((tails, heads), names=range(4003))
    rows = wide_rows(both.adjacency, COUNT, tol=1e-2)
    assert not rows[4000:].any()
    assert rows[:4000].any(axis=1).all()


def test_rows_that_are_there_save_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, _ = with_chains(150)
    steps: list[float] = []
    step = Passes.step

    def counted(passes: Any, *columns: Any, **factors: Any) -> None:
        steps.append(factors["a"])
        step(passes, *columns, **factors)

    monkeypatch.setattr(filtered.Passes, "step", counted)
    rows = wide_rows(graph.adjacency, COUNT, tol=1e-2)
    first = len(steps)
    steps.clear()
    again = wide_rows(graph.adjacency, COUNT, tol=1e-2, start=rows)
    assert len(steps) < first
    lengths = np.linalg.norm(rows, axis=0), np.linalg.norm(again, axis=0)
    cosines = (rows / lengths[0]).T @ (again / lengths[1])
    assert np.linalg.svd(cosines[:5, :5], compute_uv=False).min() > 0.95


def test_progress_never_goes_back() -> None:
    graph, _ = with_chains(150)
    told: list[float] = []
    wide_rows(graph.adjacency, COUNT, tol=1e-2, progress=told.append)
    assert told == sorted(told)
    assert 0 < told[-1] <= 1
