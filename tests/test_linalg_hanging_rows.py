"""Rows of graphs with dangling trees: exact on the trees, and no worse for the rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from lapwing import Graph, make
from lapwing.data import planted_partition
from lapwing.embed.learning_rows import learning_rows
from lapwing.linalg.eigen import wide_rows as module
from lapwing.linalg.eigen.dense_block import DenseBlock
from lapwing.linalg.eigen.filtered import Constants
from lapwing.linalg.eigen.hanging_trees import hanging_trees
from lapwing.linalg.eigen.smooth_rows import rows_of_core
from lapwing.linalg.eigen.wide_rows import wide_rows


def with_trees(core: int, hanging: int, seed: int, *, weighted: bool = False) -> np.ndarray:
    """A ring with random chords, and nodes that each hang on a random earlier node."""
    rng = np.random.default_rng(seed)
    n = core + hanging
    weights = np.zeros((n, n))
    ring = np.arange(core)
    weights[ring, (ring + 1) % core] = 1.0
    chords = rng.integers(0, core, (core // 2, 2))
    weights[chords[:, 0], chords[:, 1]] = 1.0
    for node in range(core, n):
        weights[node, rng.integers(0, node)] = 1.0
    if weighted:
        weights *= rng.uniform(0.5, 2.0, weights.shape)
    np.fill_diagonal(weights, 0.0)
    return np.maximum(weights, weights.T)


def with_whiskers(paths: int, length: int) -> tuple[Graph, np.ndarray]:
    """Four communities, and paths that hang on random nodes, each of its holder's class."""
    data = planted_partition(n=1200, communities=(300, 300), mixing=0.2, mean_degree=10, seed=3)
    tails, heads, _ = data.graph.edges()
    inner = 1200 + np.arange(paths * length).reshape(paths, length)
    holders = np.random.default_rng(1).integers(0, 1200, paths)
    tails = np.concatenate([tails, holders, inner[:, :-1].ravel()])
    heads = np.concatenate([heads, inner[:, 0], inner[:, 1:].ravel()])
    labels = np.append(data.labels, np.repeat(data.labels[holders], length))
    return Graph.from_edges((tails, heads), names=range(len(labels))), labels


@given(st.integers(0, 10_000), st.integers(5, 20), st.integers(1, 25), st.booleans())
@settings(max_examples=60)
def test_a_hanging_tree_has_the_harmonic_values_of_a_dense_solve(
    seed: int, core: int, hanging: int, weighted: bool
) -> None:
    weights = with_trees(core, hanging, seed, weighted=weighted)
    adjacency, n = sparse.csr_array(weights), len(weights)
    rng, count = np.random.default_rng(seed), max(n // 24, 1)
    trees = hanging_trees(adjacency, smaller_than=n // (4 * count))
    made = rng.normal(size=(int(trees.kept.sum()), 2))
    rows = rows_of_core(adjacency, count, lambda *_, **__: made, None)
    laplacian, off = np.diag(weights.sum(axis=1)) - weights, ~trees.kept
    inside = laplacian[np.ix_(off, off)]
    solved = np.linalg.solve(inside, -laplacian[np.ix_(off, trees.kept)] @ rows[trees.kept])
    np.testing.assert_allclose(rows[off], solved, atol=1e-8)


@given(st.integers(0, 10_000), st.integers(10, 60), st.integers(0, 40))
@settings(max_examples=40, deadline=None)
def test_renaming_nodes_permutes_inner_products(seed: int, core: int, hanging: int) -> None:
    weights = with_trees(core, hanging, seed)
    order = np.random.default_rng(seed).permutation(len(weights))
    rows = wide_rows(sparse.csr_array(weights), 4, tol=1e-2)
    other = wide_rows(sparse.csr_array(weights[np.ix_(order, order)]), 4, tol=1e-2)
    np.testing.assert_allclose((rows @ rows.T)[np.ix_(order, order)], other @ other.T, atol=1e-6)


@pytest.mark.parametrize("damping", [0.0, 2.0])
def test_all_eigenvectors_of_a_small_graph_are_those_of_its_walk(damping: float) -> None:
    weights = np.zeros((40, 40))
    weights[:30, :30], weights[30:39, 30:39] = with_trees(20, 10, 1), with_trees(9, 0, 2)
    adjacency = sparse.csr_array(weights)  # two components, and a node without edges
    block = DenseBlock(adjacency, Constants(adjacency))
    block.damp(damping)
    degrees = np.maximum(weights.sum(axis=1), 1.0) + damping
    walk = weights / degrees[:, None]
    np.testing.assert_allclose(walk @ block.columns, block.columns * block.values, atol=1e-10)
    gram = block.columns.T @ (block.mass[:, None] * block.columns)
    np.testing.assert_allclose(gram, np.eye(block.wide), atol=1e-10)
    assert block.wide == (37 if damping == 0 else 39)
    assert (block.evenness(block.wide) < 1e-10).all() or damping
    assert not block.columns[39].any()


def test_the_filter_finds_the_rows_of_all_eigenvectors(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = planted_partition(n=400, communities=(100, 100), mean_degree=10, seed=2).graph
    exact = wide_rows(graph.adjacency, 6, tol=1e-4)
    monkeypatch.setattr(module, "DENSE", 0)
    found = wide_rows(graph.adjacency, 6, tol=1e-4)
    assert (exact.dtype, found.dtype) == (np.float64, np.float32)
    scale = np.square(exact).sum(axis=1).mean()
    np.testing.assert_allclose(found @ found.T, exact @ exact.T, atol=0.02 * scale)


def test_small_communities_are_learned_from_with_their_trees() -> None:
    """Twenty cliques of 8 on a random graph: no damping makes the vectors wide."""
    rng, core = np.random.default_rng(4), 200
    weights = np.zeros((core + 180, core + 180))
    for ring in (np.arange(core), rng.permutation(core)):
        weights[ring, np.roll(ring, 1)] = 1.0
    for clique in core + np.arange(160).reshape(20, 8):
        weights[np.ix_(clique, clique)] = 1.0
        weights[clique[0], rng.integers(core)] = 1.0
    leaves = core + 160 + np.arange(20)
    holders = core + 8 * np.arange(20) + 1
    weights[leaves, holders] = 1.0
    np.fill_diagonal(weights, 0.0)
    weights = np.maximum(weights, weights.T)
    rows = wide_rows(sparse.csr_array(weights), 20, tol=1e-2)
    roots = np.sqrt(weights.sum(axis=1))
    values, vectors = np.linalg.eigh(np.eye(len(roots)) - weights / np.outer(roots, roots))
    values, vectors = values[1:22], vectors[:, 1:21]
    heights = 1.0 / np.sqrt(values + 0.3 * values[20])
    expected = vectors * (heights[:20] - heights[20]) / (heights[0] - heights[20])
    np.testing.assert_allclose(rows @ rows.T, expected @ expected.T, atol=1e-6)
    assert not np.allclose(rows[leaves], rows[holders], atol=1e-3)


@pytest.mark.parametrize("name", ["spectral", "near-far"])
def test_dangling_paths_do_not_take_the_columns_of_a_small_graph(name: str) -> None:
    graph, labels = with_whiskers(60, 8)
    rows = learning_rows(graph, 8)
    squares = np.square(rows[:1200]).sum(axis=1)
    assert np.median(squares) > 0.3 * squares.mean()
    known = np.random.default_rng(5).permutation(len(labels))[:30]
    others = np.setdiff1d(np.arange(len(labels)), known)
    model = make(name, graph, n_classes=int(labels.max()) + 1)
    if name == "spectral":
        model.fit(known, labels[known])
    else:
        for node in known.tolist():
            model.learn(node, int(labels[node]))
    assert np.mean(model.predict(others) == labels[others]) > 0.9
