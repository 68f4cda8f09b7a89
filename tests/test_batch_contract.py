"""What every batch method does with few labels, wrong labels and nodes no label can reach."""

import numpy as np
import pytest
from scipy import sparse

from lapwing import Graph
from lapwing.batch import (
    LGC,
    LLGC,
    RN,
    SCRN,
    SNBC,
    TSVM,
    WVGN,
    WVRN,
    DeepWalk,
    EdgeCluster,
    HeatKernel,
    LapSVM,
    MultiRankWalk,
    Node2Vec,
    SocDim,
)
from lapwing.errors import InputError, UnknownNodeError

METHODS = {
    "wvgn": lambda g, k=None: WVGN(g, k),
    "wvgn platt": lambda g, k=None: WVGN(g, k, platt=True),
    "wvgn gcd": lambda g, k=None: WVGN(g, k, solver="gcd"),
    "wvgn sgd": lambda g, k=None: WVGN(g, k, solver="sgd"),
    "lgc": lambda g, k=None: LGC(g, k),
    "llgc": lambda g, k=None: LLGC(g, k),
    "lgc balanced": lambda g, k=None: LGC(g, k, balanced=True),
    "wvrn": lambda g, k=None: WVRN(g, k),
    "wvrn prior": lambda g, k=None: WVRN(g, k, start="prior", rounds=99),
    "rn": lambda g, k=None: RN(g, k),
    "heat": lambda g, k=None: HeatKernel(g, k),
    "snbc": lambda g, k=None: SNBC(g, k),
    "snbc validated": lambda g, k=None: SNBC(g, k, ridge=None, platt=False),
    "scrn": lambda g, k=None: SCRN(g, k, clusters=3),
    "socdim": lambda g, k=None: SocDim(g, k, rank=3),
    "edgecluster": lambda g, k=None: EdgeCluster(g, k, clusters=3),
    "deepwalk": lambda g, k=None: DeepWalk(g, k, dimension=4, per_node=2, length=10),
    "node2vec": lambda g, k=None: Node2Vec(g, k, dimension=4, length=10),
    "lapsvm": lambda g, k=None: LapSVM(g, k),
    "tsvm": lambda g, k=None: TSVM(g, k),
    "multirankwalk": lambda g, k=None: MultiRankWalk(g, k),
}
every = pytest.mark.parametrize("make", METHODS.values(), ids=METHODS.keys())

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5), (8, 9)]
GRAPH = Graph.from_edges(EDGES, names=range(11))
"""Three triangles in a row, a pair, and a node alone."""
ALL = np.arange(11)


@every
def test_no_label_means_nothing_is_known(make):
    model = make(GRAPH, 2).fit([], [])
    assert model.predict(ALL).tolist() == [-1] * 11
    assert model.predict_proba(ALL).tolist() == [[0.0, 0.0]] * 11
    assert make(GRAPH).fit([], []).predict(ALL).tolist() == [-1] * 11
    assert make(GRAPH, 2).predict(ALL).tolist() == [-1] * 11


@every
def test_one_label_goes_as_far_as_its_component(make):
    model = make(GRAPH).fit([8], [2])
    assert model.n_classes == 3
    assert model.predict(ALL).tolist() == [-1] * 8 + [2, 2, -1]
    assert model.predict_proba(9).tolist() == [0.0, 0.0, 1.0]


@every
def test_one_class_alone(make):
    model = make(GRAPH, 4).fit([0, 1, 10], [1, 1, 1])
    assert model.predict(ALL).tolist() == [1] * 8 + [-1, -1, 1]


@every
def test_what_no_label_can_reach_is_unknown(make):
    model = make(GRAPH).fit([0, 3, 6, 7], [0, 1, 2, 2])
    assert model.predict(np.array([8, 9, 10])).tolist() == [-1, -1, -1]
    assert not model.scores(np.array([8, 9, 10])).any()
    assert (model.predict(np.arange(8)) >= 0).sum() >= 6


@every
def test_a_class_nobody_has_never_wins(make):
    model = make(GRAPH, 5).fit([0, 1, 4, 6], [1, 1, 3, 3])
    assert model.scores(ALL).shape == (11, 5)
    assert set(model.predict(ALL).tolist()) <= {-1, 1, 3}
    chances = model.predict_proba(ALL)
    assert (chances[:8, [1, 3]].max(axis=1) > chances[:8][:, [0, 2, 4]].max(axis=1)).all()


@every
def test_probabilities_are_probabilities_and_agree_with_guesses(make):
    model = make(GRAPH).fit([0, 1, 4, 6, 8], [0, 0, 1, 2, 1])
    chances, guesses = model.predict_proba(ALL), model.predict(ALL)
    known = guesses >= 0
    np.testing.assert_allclose(chances[known].sum(axis=1), 1.0)
    assert not chances[~known].any()
    assert (chances >= 0).all()
    assert (chances[known].argmax(axis=1) == guesses[known]).all()


@every
def test_reading_changes_nothing_and_one_node_reads_like_many(make):
    model = make(GRAPH).fit([0, 1, 4, 6], [0, 0, 1, 2])
    before = model.scores(ALL)
    model.scores(ALL)[:] = 7.0
    model.scores(0)[:] = 7.0
    np.testing.assert_array_equal(np.stack([model.scores(i) for i in range(11)]), before)
    assert [int(model.predict(i)) for i in range(11)] == model.predict(ALL).tolist()


@every
def test_fitting_again_forgets_and_repeats(make):
    model = make(GRAPH).fit([0, 1, 4, 6], [0, 0, 1, 2])
    first = model.scores(ALL)
    model.fit([8], [1])
    assert model.n_classes == 2
    np.testing.assert_array_equal(model.fit([0, 1, 4, 6], [0, 0, 1, 2]).scores(ALL), first)
    np.testing.assert_array_equal(make(GRAPH).fit([0, 1, 4, 6], [0, 0, 1, 2]).scores(ALL), first)


@every
def test_a_node_may_have_several_classes(make):
    labels = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 0, 0]])
    dense = make(GRAPH).fit([0, 3, 6, 8], labels)
    thin = make(GRAPH).fit([0, 3, 6, 8], sparse.csr_array(labels))
    np.testing.assert_array_equal(dense.scores(ALL), thin.scores(ALL))
    assert dense.predict(8) == -1
    assert dense.scores(3)[:2].min() >= dense.scores(3)[2] - 1e-6


@every
def test_unknown_labels_are_left_out(make):
    some = make(GRAPH).fit([0, 1, 4, 6], [0, 0, 1, 2]).scores(ALL)
    padded = make(GRAPH).fit([0, 9, 1, 4, 6], [0, -1, 0, 1, 2]).scores(ALL)
    np.testing.assert_array_equal(padded, some)


@every
def test_wrong_labels_are_named(make):
    with pytest.raises(InputError, match="one entry per node, 2 in all, got 1"):
        make(GRAPH).fit([0, 1], [0])
    with pytest.raises(InputError, match=r"labels must be in -1\.\.1, got 2"):
        make(GRAPH, 2).fit([0, 1], [0, 2])
    with pytest.raises(InputError, match="node 3 is repeated"):
        make(GRAPH).fit([3, 3], [0, 1])
    with pytest.raises(InputError, match="must hold only 0 and 1"):
        make(GRAPH).fit([0], [[2, 0]])
    with pytest.raises(InputError, match="one column per class, 3 in all, got 2"):
        make(GRAPH, 3).fit([0], [[1, 0]])
    with pytest.raises(InputError, match="class indices or a 0/1 matrix"):
        make(GRAPH).fit([0], ["red"])
    with pytest.raises(UnknownNodeError, match=r"a node must be an integer from 0 to 10, got 11"):
        make(GRAPH).fit([11], [0])
    with pytest.raises(UnknownNodeError, match=r"a node must be an integer from 0 to 10, got -1"):
        make(GRAPH).fit([0], [0]).scores(-1)
    with pytest.raises(InputError, match="n_classes must be at least 1, got 0"):
        make(GRAPH, 0)


RANDOM = ("wvgn gcd", "wvgn sgd", "scrn", "edgecluster", "deepwalk", "node2vec", "tsvm")


@pytest.mark.parametrize("name", [name for name in METHODS if name not in RANDOM])
def test_names_of_nodes_do_not_matter(name):
    to = np.random.default_rng(4).permutation(11)
    renamed = Graph.from_edges([(to[u], to[v]) for u, v in EDGES], names=range(11))
    nodes, labels = np.array([0, 1, 4, 6]), np.array([0, 0, 1, 2])
    first = METHODS[name](GRAPH).fit(nodes, labels).predict_proba(ALL)
    second = METHODS[name](renamed).fit(to[nodes], labels).predict_proba(to)
    np.testing.assert_allclose(second, first, atol=1e-3)


@every
def test_a_graph_without_edges(make):
    model = make(Graph.from_edges([], names=range(3))).fit([0, 2], [0, 1])
    assert model.predict(1) == -1
    assert (np.isfinite(model.scores(np.arange(3)))).all()
