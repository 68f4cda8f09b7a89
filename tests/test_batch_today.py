"""Every batch method keeps the contract; today's methods are what their formulas say."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.semi_supervised import LabelSpreading

from lapwing import Graph, make
from lapwing.batch.chosen import cross_validated
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.diffusion import poisson
from lapwing.batch.diffusion.laplace import Laplace
from lapwing.batch.diffusion.lgc import LGC
from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.diffusion.propagation import Propagation
from lapwing.batch.diffusion.spreading import Spreading
from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.evidence import experts, holdout, opinions
from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.batch.known_labels import known_labels
from lapwing.catalog import ENTRIES
from lapwing.data import planted_partition
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.linalg.chebyshev import diffused

REQUIRED = [
    "wvgn",
    "lgc",
    "wvrn",
    "rn",
    "heat",
    "snbc",
    "scrn",
    "socdim",
    "edgecluster",
    "deepwalk",
    "node2vec",
    "lapsvm",
    "tsvm",
    "multirankwalk",
    "poisson",
    "laplace",
    "pagerank",
    "propagation",
    "spreading",
    "spectral",
]
BATCH = sorted(name for name, entry in ENTRIES.items() if entry.kind == "batch")
TRIANGLES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]


@pytest.fixture(scope="module")
def apart():
    """Two joined triangles, a pair, and a node alone."""
    return Graph.from_edges([*TRIANGLES, (6, 7)], names=range(9))


def checked(model, n, n_classes):
    """Probabilities that sum to 1, or are zero exactly where the prediction is unknown."""
    everyone = np.arange(n)
    chances, guesses = model.predict_proba(everyone), model.predict(everyone)
    assert chances.shape == (n, n_classes)
    assert np.isfinite(chances).all()
    assert (chances >= 0).all()
    unknown = guesses == -1
    np.testing.assert_allclose(chances.sum(axis=1), np.where(unknown, 0.0, 1.0), atol=1e-6)
    np.testing.assert_array_equal(model.predict_proba(3), chances[3])
    assert model.predict(3) == guesses[3]
    return guesses


def test_every_method_the_commands_promise_is_there():
    assert set(REQUIRED) <= set(BATCH)


@pytest.mark.parametrize("name", BATCH)
class TestContract:
    def test_two_triangles_and_what_no_label_reaches(self, name, apart):
        model = make(name, apart).fit([0, 1, 4, 5], [0, 0, 1, 1])
        guesses = checked(model, 9, 2)
        assert guesses[[0, 1, 4, 5]].tolist() == [0, 0, 1, 1]
        assert guesses[6:].tolist() == [-1, -1, -1]

    def test_zero_labels(self, name, apart):
        model = make(name, apart, n_classes=3).fit([], np.empty(0, dtype=int))
        assert (checked(model, 9, 3) == -1).all()
        model = make(name, apart, n_classes=2).fit([0, 1], [-1, -1])
        assert (checked(model, 9, 2) == -1).all()

    def test_one_label(self, name, apart):
        guesses = checked(make(name, apart).fit([2], [1]), 9, 2)
        assert guesses[2] == 1
        assert set(guesses[:6]) <= {1, -1}
        assert guesses[6:].tolist() == [-1, -1, -1]

    def test_one_class_of_three(self, name, apart):
        guesses = checked(make(name, apart, n_classes=3).fit([0, 6], [2, 2]), 9, 3)
        assert set(guesses) <= {2, -1}
        assert guesses[[0, 6, 7]].tolist() == [2, 2, 2]
        assert guesses[8] == -1

    def test_an_unseen_class_never_wins(self, name, apart):
        model = make(name, apart, n_classes=4).fit([0, 1, 4, 5], [0, 0, 3, 3])
        assert set(checked(model, 9, 4)) <= {0, 3, -1}

    def test_several_labels_a_node(self, name, apart):
        matrix = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]])
        dense = make(name, apart).fit([0, 1, 4, 5, 7], matrix)
        guesses = checked(dense, 9, 3)
        assert guesses[6:].tolist() == [-1, -1, -1]
        thin = make(name, apart).fit([0, 1, 4, 5, 7], sparse.csr_array(matrix))
        everyone = np.arange(9)
        np.testing.assert_array_equal(thin.predict_proba(everyone), dense.predict_proba(everyone))

    def test_a_component_of_one_class_has_it(self, name, apart):
        guesses = checked(make(name, apart).fit([0, 1, 4, 5, 6], [0, 0, 1, 1, 1]), 9, 2)
        assert guesses[6] == 1
        assert guesses[7] in (1, -1)

    def test_learning_again_forgets(self, name, apart):
        again = make(name, apart).fit([0, 1, 4, 5], [1, 1, 0, 0]).fit([0, 1, 4, 5], [0, 0, 1, 1])
        fresh = make(name, apart).fit([0, 1, 4, 5], [0, 0, 1, 1])
        everyone = np.arange(9)
        np.testing.assert_allclose(again.scores(everyone), fresh.scores(everyone), atol=1e-9)


@pytest.fixture(scope="module")
def planted():
    data = planted_partition(n=400, communities=(80, 120), mixing=0.3, seed=1)
    kept = data.largest_component()
    known = np.random.default_rng(0).permutation(kept.graph.n_nodes)[:40]
    return kept, known, np.asarray(kept.labels)[known]


def test_spreading_is_lgc_and_scikit_learns(planted):
    data, known, labels = planted
    everyone = np.arange(data.graph.n_nodes)
    ours = Spreading(data.graph, tol=1e-9).fit(known, labels)
    lgc = LGC(data.graph, tol=1e-10).fit(known, labels)
    np.testing.assert_allclose(ours.scores(everyone), 0.1 * lgc.scores(everyone), atol=1e-8)
    y = np.full(len(everyone), -1)
    y[known] = labels
    adjacency = data.graph.adjacency.toarray()
    theirs = LabelSpreading(kernel=lambda *_: adjacency, alpha=0.9, max_iter=500, tol=1e-9)
    theirs.fit(everyone[:, None], y)
    rows = ours.predict_proba(everyone)[:, theirs.classes_]
    np.testing.assert_allclose(rows, theirs.label_distributions_, atol=1e-5)


@pytest.mark.parametrize("model", [Spreading, PageRank])
def test_single_precision_predicts_like_double(planted, model):
    data, known, labels = planted
    everyone = np.arange(data.graph.n_nodes)
    rough = model(data.graph).fit(known, labels).predict(everyone)
    fine = model(data.graph, tol=1e-10).fit(known, labels).predict(everyone)
    assert np.mean(rough == fine) > 0.98


def test_pagerank_is_its_formula(planted):
    data, known, labels = planted
    walk = data.graph.adjacency.toarray() / data.graph.degrees[:, None]
    indicator = np.zeros((data.graph.n_nodes, labels.max() + 1))
    indicator[known, labels] = 1.0
    settings = {"alpha": 0.8, "balance": 1.0, "tol": 1e-10}
    model = PageRank(data.graph, even=False, **settings).fit(known, labels)
    inverse = np.linalg.inv(np.eye(len(walk)) - 0.8 * walk)
    exact = 0.2 * inverse @ (indicator / data.graph.degrees[:, None])
    np.testing.assert_allclose(model.scores(np.arange(len(walk))), exact, atol=1e-9)
    even = PageRank(data.graph, **settings).fit(known, labels).scores(np.arange(len(walk)))
    np.testing.assert_allclose(np.average(even, axis=0, weights=data.graph.degrees), 1.0)
    np.testing.assert_allclose(even, exact / np.average(exact, axis=0, weights=data.graph.degrees))


def test_propagation_tends_to_laplace_without_shift(planted):
    data, known, labels = planted
    everyone = np.arange(data.graph.n_nodes)
    many = Propagation(data.graph, rounds=2000).fit(known, labels).scores(everyone)
    harmonic = Laplace(data.graph, mean_shift=False, tol=1e-10).fit(known, labels)
    np.testing.assert_allclose(many, harmonic.scores(everyone), atol=1e-4)


def test_the_mean_shift_is_weighted_by_degrees_or_plain(planted):
    data, known, labels = planted
    everyone = np.arange(data.graph.n_nodes)
    harmonic = Laplace(data.graph, mean_shift=False).fit(known, labels).scores(everyone)
    degrees = data.graph.degrees
    for kind, weights in (("nodes", None), ("degrees", degrees), (True, degrees)):
        shifted = Laplace(data.graph, mean_shift=kind).fit(known, labels).scores(everyone)
        mean = np.average(harmonic, axis=0, weights=weights)
        np.testing.assert_allclose(shifted, harmonic - mean, atol=1e-9)
    with pytest.raises(InputError, match="mean_shift must be one of"):
        Laplace(data.graph, mean_shift="edges")


def test_few_rounds_reach_few_nodes():
    path = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
    model = Propagation(path, rounds=1).fit([0, 4], [0, 1])
    assert model.predict(np.arange(5)).tolist() == [0, 0, -1, 1, 1]


def test_poisson_without_leak_solves_the_laplacian(planted):
    data, known, labels = planted
    model = Poisson(data.graph, leak=0.0, tol=1e-10).fit(known, labels)
    adjacency = data.graph.adjacency.toarray()
    inverse = np.linalg.pinv(np.diag(adjacency.sum(axis=1)) - adjacency)
    right = np.zeros((len(adjacency), labels.max() + 1))
    right[known] = np.eye(labels.max() + 1)[labels] - np.bincount(labels) / len(labels)
    exact = inverse @ right
    scores = model.scores(np.arange(len(adjacency)))
    shift = exact.mean(axis=0)
    assert np.corrcoef(np.sign(exact - shift).ravel(), np.sign(scores).ravel())[0, 1] > 0.95
    assert np.mean(scores.argmax(axis=1) == exact.argmax(axis=1)) > 0.98


def test_auto_says_why(planted):
    data, known, labels = planted
    model = CrossValidated(data.graph).fit(known, labels)
    assert model.why.startswith("right on held-out labels: blend ")
    assert model.chosen in model.why
    hidden = np.setdiff1d(np.arange(data.graph.n_nodes), known)
    truth = np.asarray(data.labels)[hidden]
    rivals = [Laplace(data.graph), PageRank(data.graph), Poisson(data.graph)]
    shares = [np.mean(rival.fit(known, labels).predict(hidden) == truth) for rival in rivals]
    assert np.mean(model.predict(hidden) == truth) > np.mean(shares) - 0.01


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("spreading", {"alpha": 1.0}),
        ("spreading", {"tol": 0.0}),
        ("pagerank", {"alpha": 0.0}),
        ("pagerank", {"balance": 2.0}),
        ("propagation", {"rounds": 0}),
        ("poisson", {"leak": -1.0}),
        ("spectral", {"model": "forest"}),
        ("diffusion-ridge", {"noise": 0.0}),
    ],
)
def test_wrong_settings_are_told(name, wrong, apart):
    with pytest.raises(InputError, match="must"):
        make(name, apart, **wrong)


def test_approximate_rows_are_as_often_right_as_exact_ones():
    data = planted_partition(n=3000, communities=(500, 700), mixing=0.2, seed=5)
    known = np.random.default_rng(0).choice(3000, 60, replace=False)
    rough, exact = Spectral(data.graph), Spectral(data.graph)
    assert rough.rows.dtype == np.float32
    exact.rows = laplacian(data.graph, rank=32, normalized=True, unit_rows=True)
    right = [
        np.mean(each.fit(known, data.labels[known]).predict(np.arange(3000)) == data.labels)
        for each in (rough, exact)
    ]
    assert right[0] > right[1] - 0.005
    assert right[0] > 0.95


def test_poisson_on_a_large_graph_solves_the_same_equations_and_all_folds_at_once(monkeypatch):
    data = planted_partition(n=900, communities=(200, 400), mixing=0.3, seed=6)
    known = known_labels(data.graph, np.arange(0, 900, 9), data.labels[::9], None)
    exact = Poisson(data.graph).fit_known(known).scores(np.arange(900))
    parts = [known.taken(np.flatnonzero(np.arange(100) % 5 != fold)) for fold in range(5)]
    apart = [Poisson(data.graph).fit_known(part).scores(np.arange(900)) for part in parts]
    solves = []

    def counted(adjacency, right, **settings):
        solves.append(right.shape[1])
        return diffused(adjacency, right, **settings)

    monkeypatch.setattr(poisson, "LARGE", 500)
    monkeypatch.setattr(poisson, "diffused", counted)
    model = Poisson(data.graph)
    assert np.allclose(model.fit_known(known).scores(np.arange(900)), exact, atol=1e-3)
    together = [each.scores(np.arange(900)) for each in model.fits(parts)]
    assert np.allclose(together, apart, atol=1e-3)
    assert solves == [data.n_classes, 5 * data.n_classes]
    assert list(model.fits([])) == []


def test_on_a_large_graph_the_blend_is_compared_with_its_own_methods_only(monkeypatch):
    data = planted_partition(n=900, communities=(200, 400), mixing=0.1, seed=6)
    monkeypatch.setattr(cross_validated, "LARGE", 500)
    model = CrossValidated(data.graph).fit(np.arange(0, 900, 9), data.labels[::9])
    assert "poisson" in model.why
    assert "laplace" not in model.why


def test_the_default_keeps_to_its_budget_on_a_large_graph(monkeypatch):
    data = planted_partition(n=900, communities=(200, 400), mixing=0.1, seed=6)
    for part in (holdout, experts):
        monkeypatch.setattr(part, "LARGE", 500)
    solves = []

    def counted(adjacency, right, **settings):
        solves.append(right.shape[1])
        return diffused(adjacency, right, **settings)

    monkeypatch.setattr(opinions, "diffused", counted)
    model = BestEvidence(data.graph).fit(np.arange(0, 900, 9), data.labels[::9])
    assert solves == [2 * data.n_classes], "one solve: the labels held out, and the others"
    assert "common neighbours" not in model.parts
    assert np.mean(model.predict(np.arange(900)) == data.labels) > 0.95


@pytest.mark.parametrize("name", ["poisson", "best-evidence", "pagerank"])
def test_what_cannot_fit_into_memory_is_refused_before_it_begins(name, monkeypatch, tmp_path):
    file = tmp_path / "meminfo"
    file.write_text("MemTotal: 8 kB\nMemAvailable: 1 kB\n")
    graph = Graph.from_edges([(i, i + 1) for i in range(19)])
    make(name, graph).fit([0, 19], [0, 1])
    monkeypatch.setattr("lapwing.checks.memory.MEMORY_FILE", file)
    with pytest.raises(InputError, match="scores of 20 nodes for 2 classes need about 0 MB"):
        make(name, graph).fit([0, 19], [0, 1])
