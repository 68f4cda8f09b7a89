"""Every batch method of the catalog on graphs on which methods go wrong."""

import warnings

import numpy as np
import pytest
from awkward_graphs import CASES, JOINED, path_edges, path_of_extremes, random_extremes, weighted
from scipy import sparse

from lapwing import Graph, make
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion import laplace
from lapwing.batch.embedding import spectral
from lapwing.batch.known_labels import known_labels
from lapwing.catalog import ENTRIES
from lapwing.errors import ConvergenceError, InputError
from lapwing.types import UNKNOWN

SMALL = {
    "deepwalk": {"dimension": 8, "per_node": 40, "length": 20, "window": 2},
    "node2vec": {"dimension": 8, "length": 40},
    "scrn": {"clusters": 4},
    "socdim": {"rank": 4},
}
NAMES = sorted(name for name, entry in ENTRIES.items() if entry.kind == "batch")


def fitted(name, case, n_classes=2):
    model = make(name, case.graph, n_classes=n_classes, **SMALL.get(name, {}))
    return model.fit(list(case.labels), list(case.labels.values()))


@pytest.mark.parametrize("awkward", CASES)
@pytest.mark.parametrize("name", NAMES)
def test_awkward_graphs_are_answered_sensibly(name, awkward):
    case = CASES[awkward]
    everyone = np.arange(case.graph.n_nodes)
    model = fitted(name, case)
    guesses = model.predict(everyone)
    assert case.wrong(guesses) == {}
    assert set(guesses.tolist()) <= {UNKNOWN, *case.labels.values()}
    chances = model.predict_proba(everyone)
    assert np.isfinite(chances).all()
    np.testing.assert_allclose(chances.sum(axis=1), guesses != UNKNOWN, atol=1e-9)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("leaves", [5, 30, 200])
def test_labels_that_contradict_each_other_on_a_star_are_no_error(name, leaves):
    star = Graph.from_edges([(0, leaf) for leaf in range(1, leaves + 1)])
    model = make(name, star, **SMALL.get(name, {})).fit([1, 2, 3, 4], [0, 1, 0, 1])
    assert np.isfinite(model.predict_proba(np.arange(leaves + 1))).all()


@pytest.mark.parametrize("name", NAMES)
def test_the_unit_of_the_weights_does_not_matter(name):
    graphs = [Graph.from_edges(weighted(JOINED, [unit, 3 * unit])) for unit in (1.0, 1e-9, 1e9)]
    chances = [
        make(name, graph, **SMALL.get(name, {}))
        .fit([0, 1, 11, 10], [0, 0, 1, 1])
        .predict_proba(np.arange(12))
        for graph in graphs
    ]
    for other in chances[1:]:
        np.testing.assert_allclose(other, chances[0], atol=2e-3)


def test_llgc_in_the_weights_own_unit_is_the_texts_equation():
    graph = Graph.from_edges(weighted(JOINED, [0.5, 3.0]))
    model = make("llgc", graph, mu=0.7, unit="own").fit([0, 11], [0, 1])
    system = np.eye(12) + 0.7 * (np.diag(graph.degrees) - graph.adjacency.toarray())
    labels = np.zeros((12, 2))
    labels[0, 0] = labels[11, 1] = 1.0
    np.testing.assert_allclose(
        model.scores(np.arange(12)), np.linalg.solve(system, labels), atol=1e-7
    )


@pytest.mark.parametrize("name", ["tsvm", "edgecluster"])
def test_prior_answers_from_the_constant_as_the_papers_do(name):
    """Own: a node far from the labels is like the nearest known one; the papers': majority."""
    graph, nodes, labels = Graph.from_edges(path_edges(60)), [0, 56, 57, 58, 59], [0, 1, 1, 1, 1]
    own, papers = (make(name, graph, prior=prior).fit(nodes, labels) for prior in (False, True))
    everyone = np.arange(60)
    assert own.predict(everyone).tolist()[:20] == [0] * 20
    assert 1 in papers.predict(everyone).tolist()[:20]


@pytest.mark.parametrize("name", NAMES)
def test_weights_from_1e_9_to_1e9_are_no_error(name):
    graph, labels = random_extremes()
    known = np.arange(0, 115, 3)
    model = make(name, graph, **SMALL.get(name, {})).fit(known, labels[known])
    assert np.isfinite(model.predict_proba(np.arange(115))).all()


@pytest.mark.parametrize("how", ["random", "in turn"])
def test_the_default_follows_weights_that_floats_cannot_solve_for(how):
    graph, labels, known = path_of_extremes(how)
    model = make("cross-validated", graph).fit(known, labels[known])
    assert (model.predict(np.arange(2000)) == labels).mean() > 0.97


def test_a_method_that_does_not_converge_is_left_out_of_the_comparison(twenty_five, monkeypatch):
    def failing(*_, **__):
        raise ConvergenceError("no harmonic function")

    monkeypatch.setattr(laplace, "harmonic_extension", failing)
    graph, nodes, labels = twenty_five
    model = make("cross-validated", graph).fit(nodes, labels)
    assert model.chosen != "laplace"
    assert model.why.endswith("; laplace left out, it did not converge")


def test_a_spectrum_that_fails_gives_way_to_a_method_that_needs_none(monkeypatch):
    def failing(*_, **__):
        raise ConvergenceError("no eigenpairs")

    monkeypatch.setattr(spectral, "learning_rows", failing)
    case = CASES["two cliques of one class each, two labels"]
    for name in ("spectral", "blend", "cross-validated"):
        with pytest.warns(RuntimeWarning, match=r"cannot be computed \(no eigenpairs\); Poisson"):
            model = fitted(name, case)
        assert case.wrong(model.predict(np.arange(12))) == {}
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.fit([0, 6], [0, 1])


@pytest.fixture
def twenty_five():
    rng = np.random.default_rng(3)
    edges = [
        (i, j) for i in range(115) for j in range(i) if rng.random() < 0.3 - 0.2 * (i % 2 != j % 2)
    ]
    return Graph.from_edges(edges), np.arange(25), np.arange(25) % 2


def test_the_default_fits_every_method_once_per_fold(twenty_five, monkeypatch):
    graph, nodes, labels = twenty_five
    fits, spectra = [], []
    learn, rows = GraphClassifier.fit_known, spectral.learning_rows

    def counted(model, known):
        fits.append(type(model).__name__)
        return learn(model, known)

    def computed(*args, **kwargs):
        spectra.append(1)
        return rows(*args, **kwargs)

    monkeypatch.setattr(GraphClassifier, "fit_known", counted)
    monkeypatch.setattr(spectral, "learning_rows", computed)
    model = make("cross-validated", graph).fit(nodes, labels)
    inner = 2 if model.chosen == "blend" else 1
    assert len(fits) == 1 + 4 * 5 + inner
    assert len(spectra) == 1
    model.fit(nodes, 1 - labels)
    assert len(spectra) == 1


def test_unlabelled_rows_are_never_made_dense():
    """Three labels among 200,000 nodes and 50,000 classes: dense rows of all would be 80 GB."""
    n, width = 200_000, 50_000
    graph = Graph.from_edges(np.column_stack([np.arange(n - 1), np.arange(1, n)]))
    where, classes = np.array([7, 7, 199_999]), np.array([0, 49_999, 3])
    matrix = sparse.coo_array((np.ones(3), (where, classes)), shape=(n, width))
    known = known_labels(graph, np.arange(n), matrix, width)
    assert known.nodes.tolist() == [7, 199_999]
    assert known.counts.tolist() == [2, 1]
    assert np.flatnonzero(known.indicator[0]).tolist() == [0, 49_999]
    indices = np.full(n, UNKNOWN)
    indices[[7, 199_999]] = 49_999, 3
    known = known_labels(graph, np.arange(n), indices, width)
    assert known.nodes.tolist() == [7, 199_999]
    assert np.argmax(known.indicator, axis=1).tolist() == [49_999, 3]


def test_a_label_given_twice_in_a_sparse_matrix_is_refused():
    matrix = sparse.coo_array((np.ones(2), ([0, 0], [1, 1])), shape=(2, 2))
    with pytest.raises(InputError, match="must hold only 0 and 1"):
        known_labels(Graph.from_edges([(0, 1)]), [0, 1], matrix, 2)
