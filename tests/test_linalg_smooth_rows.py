"""Passes over the edges and approximate rows, against plain formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

from lapwing import Graph
from lapwing.data import planted_partition
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.linalg import passes as passes_module
from lapwing.linalg.eigen import filtered
from lapwing.linalg.eigen.filtered import smooth_eigenpairs
from lapwing.linalg.eigen.hanging_trees import hanging_trees, inside
from lapwing.linalg.eigen.smooth_rows import smooth_rows
from lapwing.linalg.laplacian import normalized_laplacian
from lapwing.linalg.passes import Passes


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [True, False])
@pytest.mark.parametrize("width", [1, 2, 3, 7, 10, 16, 33])
def test_a_pass_is_the_plain_formula(kind: Any, weighted: bool, width: int) -> None:
    random = np.random.default_rng(0)
    half = sparse.random_array((300, 300), density=0.01, rng=random)
    matrix = sparse.csr_array(half + half.T)
    if not weighted:
        matrix.data[:] = 3.0
    x, y, right = (random.standard_normal((300, width)) for _ in range(3))
    passes = Passes(matrix, kind)
    now, old = passes.room(x), passes.room(y)
    passes.step(now, old, a=0.7, b=0.2, c=-0.3, e=0.5, right=right.astype(kind))
    sums = np.asarray(matrix.sum(axis=1))
    walked = (matrix @ x) / np.where(sums > 0, sums, 1.0)[:, None]
    expected = 0.7 * walked + 0.2 * x - 0.3 * y + 0.5 * right
    assert np.allclose(old[:, :width], expected, atol=1e-5 if kind == np.float32 else 1e-12)
    assert not old[:, width:].any()


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("weighted", [True, False])
def test_a_long_column_is_multiplied_as_a_short_one(
    kind: Any, weighted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = np.random.default_rng(0)
    half = sparse.random_array((300, 300), density=0.01, rng=random)
    matrix = sparse.csr_array(half + half.T)
    if not weighted:
        matrix.data[:] = 3.0
    passes, x = Passes(matrix, kind), random.standard_normal((300, 1))
    found = []
    for bytes_nearby in (0, 1 << 20):
        monkeypatch.setattr(passes_module, "NEARBY", bytes_nearby)
        now, old = passes.room(x), passes.room(0 * x)
        passes.step(now, old, a=0.7)
        found.append(old)
    assert found[0].any()
    assert (found[0] == found[1]).all()


def test_what_is_added_may_lie_anywhere_in_memory() -> None:
    matrix = sparse.csr_array(np.ones((3, 3)) - np.eye(3))
    passes, right = Passes(matrix), np.arange(30.0).reshape(3, 10)[:, ::2]
    now, old = passes.room(np.zeros((3, 5))), passes.room(np.zeros((3, 5)))
    passes.step(now, old, a=1.0, e=2.0, right=right)
    assert (old[:, :5] == 2.0 * right).all()


def test_threads_do_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted_partition(n=2000, seed=1).graph
    x = np.random.default_rng(0).standard_normal((2000, 20))
    found = []
    for least in (1, 10**12):
        monkeypatch.setattr(passes_module, "WORTH_THREADS", least)
        passes = Passes(graph.adjacency)
        now, old = passes.room(x), passes.room(0 * x)
        passes.step(now, old, a=1.0)
        found.append(old)
    assert (found[0] == found[1]).all()


def test_weights_of_any_size_are_a_walk_in_single_precision() -> None:
    weights = np.array([1e-200, 1e-200, 1e200])
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3)], weights=weights)
    passes = Passes(graph.adjacency)
    now, old = passes.room(np.eye(4)), passes.room(np.zeros((4, 4)))
    passes.step(now, old, a=1.0)
    assert np.allclose(old.sum(axis=1), 1.0)
    assert np.allclose(old[1], [0.5, 0, 0.5, 0])


def test_filtered_eigenpairs_are_those_of_the_dense_solver() -> None:
    data = planted_partition(n=600, communities=(60, 150), mixing=0.3, seed=2)
    matrix = data.graph.adjacency
    exact = np.linalg.eigvalsh(normalized_laplacian(matrix).toarray())
    above = exact[exact > 1e-9]
    pairs = smooth_eigenpairs(matrix, 8, tol=1e-3)
    assert pairs.residuals.max() <= 1e-3
    assert np.allclose(pairs.values, above[:8], atol=2e-3)
    v = pairs.vectors.astype(np.float64)
    assert np.allclose(v.T @ v, np.eye(8), atol=1e-3)
    measured = np.linalg.norm(normalized_laplacian(matrix) @ v - v * pairs.values, axis=0)
    assert np.allclose(measured, pairs.residuals, atol=1e-4)


def test_dangling_paths_do_not_take_the_columns() -> None:
    graph = planted_partition(n=2000, communities=(400, 400), mixing=0.2, seed=3).graph
    tails, heads, _ = graph.edges()
    paths = np.arange(2000, 2400).reshape(40, 10)
    feet = np.column_stack([np.arange(40), paths[:, :-1]]).ravel()
    longer = Graph.from_edges((np.append(tails, feet), np.append(heads, paths.ravel())))
    order = [longer.names.index(node) for node in range(2400)]
    plain = smooth_eigenpairs(longer.adjacency, 4, tol=1e-2)
    assert np.median(plain.supports) < 200
    rows = smooth_rows(longer.adjacency, 4, tol=1e-2)[order]
    assert (rows[paths] == rows[:40, None]).all()
    squares = np.square(rows / np.linalg.norm(rows, axis=0))
    assert np.median(1.0 / np.square(squares).sum(axis=0)) > 800


def test_a_tree_is_not_taken_off_whole() -> None:
    path = Graph.from_edges([(i, i + 1) for i in range(99)])
    trees = hanging_trees(path.adjacency, smaller_than=10)
    assert 70 <= trees.kept.sum() < 100
    assert smooth_rows(path.adjacency, 3, tol=1e-3).shape == (100, 3)


@pytest.mark.parametrize("weighted", [True, False])
def test_what_is_inside_is_what_slicing_leaves(weighted: bool) -> None:
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 200, (2, 700))
    weights = rng.random(700) + 0.5 if weighted else None
    graph = Graph.from_edges((*ends,), weights=weights, names=range(200), parallel="max")
    kept = rng.random(200) < 0.7
    found = inside(graph.adjacency, kept)
    assert (found.toarray() == graph.adjacency[kept][:, kept].toarray()).all()
    assert (found.data.strides == (0,)) is not weighted


def test_tol_wants_normalised_rows_and_a_rank() -> None:
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    with pytest.raises(InputError, match="normalized=True"):
        laplacian(graph, rank=2, tol=0.01)
    with pytest.raises(InputError, match="tol must be above 0"):
        laplacian(graph, rank=2, normalized=True, tol=0.0)
    assert laplacian(graph, rank=3, normalized=True, tol=0.01).shape == (3, 2)


def test_no_sweep_takes_the_largest_value_for_smaller_than_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A sweep that did would magnify it out of all proportion, and the block would collapse."""
    graph = planted_partition(n=5000, communities=(500, 500), seed=0).graph
    tops: list[float] = []
    sweep = filtered.SmoothBlock.sweep

    def noted(block: Any, cut: float, top: float) -> None:
        tops.append(top)
        sweep(block, cut, top)

    monkeypatch.setattr(filtered.SmoothBlock, "sweep", noted)
    pairs = smooth_eigenpairs(graph.adjacency, 31)
    assert pairs.residuals.max() <= 0.01
    assert min(tops) > 1.0 - pairs.values[0] - 1e-3
