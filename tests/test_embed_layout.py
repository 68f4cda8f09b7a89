"""A layout shows the graph: near is connected, stray pieces take no room, the same seed repeats."""

import numpy as np

from lapwing import data
from lapwing.embed.layout import layout, layout_stages
from lapwing.graph import Graph


def ring_of_cliques(cliques: int, size: int, strays: int) -> Graph:
    edges = [
        (c * size + i, c * size + j)
        for c in range(cliques)
        for i in range(size)
        for j in range(i + 1, size)
    ]
    edges += [(c * size, ((c + 1) % cliques) * size + 1) for c in range(cliques)]
    first = cliques * size
    edges += [(first + 2 * k, first + 2 * k + 1) for k in range(strays)]
    return Graph.from_edges(edges)


def test_cliques_stay_together_and_apart():
    graph = ring_of_cliques(12, 40, 0)
    places = layout(graph)
    clique = np.arange(graph.n_nodes) // 40
    middles = np.array([places[clique == c].mean(axis=0) for c in range(12)])
    nearest = np.linalg.norm(places[:, None] - middles[None], axis=2).argmin(axis=1)
    assert (nearest == clique).mean() > 0.99


def test_stray_pieces_do_not_shrink_the_core_nor_fall_on_each_other():
    graph = ring_of_cliques(12, 40, 150)
    places = layout(graph)
    core = places[:480]
    assert np.abs(places).max() <= 1.0
    assert np.ptp(core, axis=0).max() > 1.0  # of the 2 units that the picture is wide
    strays = places[480:].reshape(-1, 2, 2).mean(axis=1)
    gaps = np.linalg.norm(strays[:, None] - strays[None], axis=2) + np.eye(len(strays))
    lengths = np.linalg.norm(places[480::2] - places[481::2], axis=1)
    assert gaps.min() > 0.5 * lengths.max()
    assert np.linalg.norm(core[:, None] - strays[None], axis=2).min() > 0.5 * lengths.max()


def test_half_of_cora_fills_more_than_a_tenth_of_the_picture():
    places = layout(data.load("cora").graph)
    assert np.median(np.abs(places)) > 0.15


def test_the_picture_is_wide_rather_than_high():
    path = Graph.from_edges([(k, k + 1) for k in range(300)])
    for graph in (path, ring_of_cliques(12, 40, 0), data.load("cora").graph):
        core = layout(graph)[graph.components == np.bincount(graph.components).argmax()]
        assert core[:, 0].std() >= core[:, 1].std()


def test_same_seed_same_layout_and_stages_end_in_it():
    graph = ring_of_cliques(30, 30, 5)
    shares, found = zip(*layout_stages(graph, seed=3), strict=True)
    assert list(shares) == sorted(shares)
    assert len(shares) > 1
    assert shares[-1] == 1.0
    assert np.array_equal(found[-1], layout(graph, seed=3))
    assert not np.array_equal(found[-1], layout(graph, seed=4))


def test_awkward_graphs_have_layouts():
    for n in (0, 1, 2):
        places = layout(Graph(np.zeros((n, n))))
        assert places.shape == (n, 2)
        assert np.isfinite(places).all()
    star = layout(Graph.from_edges([(0, k) for k in range(1, 2000)]))
    assert np.isfinite(star).all()
    assert len(np.unique(star.round(4), axis=0)) > 1500
