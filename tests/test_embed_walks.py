"""Walks, skip-gram, modularity and edge clusters: rows that know their graph."""

from itertools import pairwise

import numpy as np
import pytest
from scipy import linalg

from lapwing import Graph
from lapwing.embed.edgecluster import edge_clusters
from lapwing.embed.modularity import modularity
from lapwing.embed.skipgram import deepwalk, node2vec, skip_gram
from lapwing.embed.walks import random_walks
from lapwing.errors import InputError

BARBELL = Graph.from_edges(
    [(i, j) for i in range(8) for j in range(i)]
    + [(8 + i, 8 + j) for i in range(8) for j in range(i)]
    + [(0, 8)]
)


def test_walks_follow_edges_and_start_everywhere():
    graph = Graph.from_edges([(0, 1, 1.0), (1, 2, 5.0), (2, 3, 1.0)], names=range(5))
    walks = random_walks(graph, length=6, per_node=3, p=0.5, q=2.0)
    assert np.bincount(walks[:, 0]).tolist() == [3] * 5
    for walk in walks:
        if walk[0] == 4:
            assert walk.tolist() == [4] + [-1] * 5
        else:
            assert all(graph.adjacency[a, b] > 0 for a, b in pairwise(walk))


def test_steps_are_drawn_by_weight():
    star = Graph.from_edges([(0, 1, 1.0), (0, 2, 2.0), (0, 3, 7.0)])
    walks = random_walks(star, length=2, per_node=20000)
    first = walks[walks[:, 0] == 0, 1]
    np.testing.assert_allclose(np.bincount(first)[1:] / 20000, [0.1, 0.2, 0.7], atol=0.015)


def test_bias_is_that_of_node2vec():
    """From 0 to 1: back to 0 (1/p), to 2, which 0 knows (1), or to 3, which it does not (1/q)."""
    kite = Graph.from_edges([(0, 1), (0, 2), (1, 2), (1, 3)])
    p, q = 4.0, 0.5
    walks = random_walks(kite, length=3, per_node=60000, p=p, q=q, seed=1)
    through = walks[(walks[:, 0] == 0) & (walks[:, 1] == 1), 2]
    share = np.bincount(through, minlength=4) / len(through)
    chances = np.array([1 / p, 0.0, 1.0, 1 / q])
    np.testing.assert_allclose(share, chances / chances.sum(), atol=0.015)


def test_the_same_seed_walks_the_same_way():
    first, second = (random_walks(BARBELL, seed=5) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert (random_walks(BARBELL, seed=6) != first).any()
    np.testing.assert_array_equal(
        deepwalk(BARBELL, dimension=4, seed=5), deepwalk(BARBELL, dimension=4, seed=5)
    )


@pytest.mark.parametrize("make", [deepwalk, node2vec])
def test_rows_of_one_clique_point_the_same_way(make):
    rows = make(BARBELL, dimension=16, per_node=40)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    alike = rows @ rows.T
    inside = (alike[:8, :8].mean() + alike[8:, 8:].mean()) / 2
    assert inside > alike[:8, 8:].mean() + 0.3


def test_modularity_rows_are_the_top_eigenvectors():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((260, 260)) < 0.03, 1).astype(float)
    graph = Graph(upper + upper.T)
    dense = graph.adjacency.toarray()
    dense -= np.outer(graph.degrees, graph.degrees) / graph.degrees.sum()
    vectors = linalg.eigh(dense)[1]
    rows = modularity(graph, rank=5, tol=1e-10)
    assert rows.shape == (260, 5)
    np.testing.assert_allclose(
        np.abs(np.einsum("ij,ij->j", rows, vectors[:, ::-1][:, :5])), 1.0, atol=1e-6
    )
    assert modularity(BARBELL, rank=3).shape == (16, 3)
    sides = np.sign(modularity(BARBELL, rank=1)[:, 0])
    assert (sides[:8] == sides[0]).all()
    assert (sides[8:] == -sides[0]).all()


def test_edge_clusters_find_the_cliques():
    rows = edge_clusters(BARBELL, clusters=2, seed=0).toarray()
    np.testing.assert_allclose(rows.sum(axis=1), 1.0)
    sides = rows.argmax(axis=1)
    assert len(set(sides[:8])) == len(set(sides[8:])) == 1
    assert sides[0] != sides[8]


def test_edge_clusters_of_odd_graphs():
    lonely = edge_clusters(Graph.from_edges([(0, 1)], names=range(3)), clusters=50).toarray()
    np.testing.assert_allclose(lonely, [[1.0], [1.0], [0.0]])
    assert edge_clusters(Graph.from_edges([], names=range(2))).nnz == 0


def test_wrong_settings_are_named():
    with pytest.raises(InputError, match="length must be at least 2"):
        random_walks(BARBELL, length=1)
    with pytest.raises(InputError, match="p must be positive and finite, got 0"):
        random_walks(BARBELL, p=0)
    with pytest.raises(InputError, match="window must be at least 1, got 0"):
        skip_gram(random_walks(BARBELL), 16, window=0)
    with pytest.raises(InputError, match="rank must be at least 1, got 0"):
        modularity(BARBELL, rank=0)
    with pytest.raises(InputError, match="clusters must be at least 1"):
        edge_clusters(BARBELL, clusters=0)
