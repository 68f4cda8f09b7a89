"""The rivals of Ye 2017 against dense algebra, other libraries and cases worked by hand."""

import numpy as np
import pytest
from scipy import linalg
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from lapwing import Graph
from lapwing.batch import LGC, RN, SCRN, SNBC, TSVM, WVRN, HeatKernel, LapSVM, MultiRankWalk
from lapwing.batch.calibration.folds import folds, hits
from lapwing.batch.calibration.platt import platt_scaled
from lapwing.batch.diffusion.transition import symmetric_transition, transition
from lapwing.batch.known_labels import KnownLabels, known_labels
from lapwing.batch.linear import newton
from lapwing.batch.linear.newton import one_vs_rest
from lapwing.batch.linear.regularisation import validated_ridge
from lapwing.batch.neighbors.snbc import LazyRows
from lapwing.batch.svm.lapsvm import step_rows
from lapwing.errors import ConvergenceError, InputError
from lapwing.linalg import normalized_laplacian
from lapwing.linalg.solve.conjugate_gradients import solved

PATH = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4)])
"""Five nodes in a row; the ends have labels."""
ENDS = (np.array([0, 4]), np.array([0, 1]))


def ring_of_cliques(cliques=3, size=6):
    edges = [
        (c * size + i, c * size + j) for c in range(cliques) for i in range(size) for j in range(i)
    ]
    edges += [(c * size, ((c + 1) % cliques) * size + 1) for c in range(cliques)]
    return Graph.from_edges(edges), np.repeat(np.arange(cliques), size)


def test_lgc_solves_its_equation():
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 3, 8, 15])
    start = known_labels(graph, nodes, labels[nodes], 3).spread()
    walk = symmetric_transition(graph).toarray()
    for alpha in (0.5, 0.9, 0.99):
        wanted = np.linalg.solve(np.eye(18) - alpha * walk, start)
        found = LGC(graph, alpha=alpha).fit(nodes, labels[nodes]).scores(np.arange(18))
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)
    balanced = LGC(graph, balanced=True).fit(nodes, labels[nodes]).scores(np.arange(18))
    wanted = np.linalg.solve(np.eye(18) - 0.9 * walk, start / start.sum(axis=0))
    np.testing.assert_allclose(balanced, wanted, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("rho", [0.3, 5.0, 40.0])
def test_heat_is_the_matrix_exponential(rho):
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 3, 8, 15])
    start = known_labels(graph, nodes, labels[nodes], 3).spread()
    wanted = linalg.expm(-rho * (np.eye(18) - transition(graph).toarray())) @ start
    found = HeatKernel(graph, rho=rho).fit(nodes, labels[nodes]).scores(np.arange(18))
    np.testing.assert_allclose(found, wanted, atol=1e-10)


def test_multirankwalk_is_a_walk_with_restarts():
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 3, 8, 15])
    start = known_labels(graph, nodes, labels[nodes], 3).spread()
    start /= start.sum(axis=0)
    ahead = transition(graph).toarray().T
    wanted = np.linalg.solve(np.eye(18) - 0.85 * ahead, 0.15 * start)
    found = MultiRankWalk(graph).fit(nodes, labels[nodes]).scores(np.arange(18))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=0), 1.0, rtol=1e-6)


def test_wvrn_by_hand():
    once = WVRN(PATH, rounds=1).fit(*ENDS)
    np.testing.assert_allclose(once.scores(np.arange(5)), [[1, 0], [1, 0], [0, 0], [0, 1], [0, 1]])
    assert once.predict(2) == -1
    thrice = WVRN(PATH, rounds=3, decay=1.0).fit(*ENDS)
    np.testing.assert_allclose(thrice.scores(1), [0.75, 0.25])
    np.testing.assert_allclose(thrice.scores(2), [0.5, 0.5])
    prior = WVRN(PATH, rounds=1, start="prior").fit(*ENDS)
    np.testing.assert_allclose(prior.scores(np.array([1, 2])), [[0.75, 0.25], [0.5, 0.5]])


def test_rn_passes_labels_on_and_stops_where_told():
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])
    nodes, labels = np.array([0, 5]), np.array([0, 1])
    assert RN(graph, rounds=1).fit(nodes, labels).predict(np.arange(6)).tolist() == [
        0,
        0,
        -1,
        -1,
        1,
        1,
    ]
    assert RN(graph).fit(nodes, labels).predict(np.arange(6)).tolist() == [0, 0, 0, 1, 1, 1]
    heavy = Graph.from_edges([(0, 1, 1.0), (1, 2, 3.0)])
    np.testing.assert_allclose(RN(heavy).fit([0, 2], [0, 1]).scores(1), [0.25, 0.75])


def test_lazy_rows_are_their_series():
    graph, _ = ring_of_cliques()
    ends = 1.0 - 1.0 / np.log2(2.0 + graph.degrees)
    going = (1.0 - ends)[:, None] * transition(graph).toarray()
    series = sum(np.linalg.matrix_power(going, k) for k in range(9))
    wanted = ends[:, None] * (series @ graph.adjacency.toarray())
    rows = LazyRows(graph)
    np.testing.assert_allclose(rows.times(np.eye(18)), wanted, atol=1e-12)
    np.testing.assert_allclose(rows.transposed_times(np.eye(18)), wanted.T, atol=1e-12)
    np.testing.assert_allclose(rows.rows(np.array([3, 1])), wanted[[3, 1]], atol=1e-12)


def test_snbc_weights_are_an_optimum():
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 3, 8, 15])
    model = SNBC(graph, ridge=0.5, platt=False).fit(nodes, labels[nodes])
    rows = np.hstack([LazyRows(graph).rows(nodes), np.ones((4, 1))])
    penalty = 0.5 * np.append(np.log2(2.0 + graph.degrees), 1.0)
    for k in range(3):
        y = np.where(labels[nodes] == k, 1.0, -1.0)
        costs = np.where(y > 0, (y < 0).sum() / (y > 0).sum(), 1.0) / 4
        w = np.append(model.weights_.nodes[:, k], model.weights_.bias[k])
        slack = np.maximum(1.0 - y * (rows @ w), 0.0)
        gradient = penalty * w - 2.0 * rows.T @ (costs * y * slack)
        np.testing.assert_allclose(gradient, 0.0, atol=1e-5)


def test_scrn_without_suiting_is_a_vote_and_with_it_keeps_cliques():
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 8, 15])
    for suiting in (0.0, 1.0):
        model = SCRN(graph, clusters=6, suiting=suiting, seed=1).fit(nodes, labels[nodes])
        assert (model.predict(np.arange(18)) == labels).mean() > 0.8
        np.testing.assert_allclose(model.scores(np.arange(18)).sum(axis=1), 1.0)


def test_lapsvm_is_an_optimum():
    graph, labels = ring_of_cliques()
    nodes = np.array([0, 3, 8, 15])
    model = LapSVM(graph, ambient=0.01, smooth=2.0, tol=1e-9).fit(nodes, labels[nodes])
    rows, rough = step_rows(graph).toarray(), normalized_laplacian(graph.adjacency).toarray()
    for k in range(3):
        y = np.where(labels[nodes] == k, 1.0, -1.0)

        def objective(w, y=y):
            f = rows @ w
            loss = (np.maximum(1.0 - y * f[nodes], 0.0) ** 2).mean()
            return loss + 0.005 * w @ w + 2.0 / 36.0 * f @ rough @ f

        slow = minimize(objective, np.zeros(19), method="BFGS", options={"gtol": 1e-8})
        scores = model.scores(np.arange(18))[:, k]
        np.testing.assert_allclose(scores, rows @ slow.x, atol=1e-3)


def test_tsvm_keeps_each_classs_share():
    graph, labels = ring_of_cliques()
    nodes = np.array([2, 3, 8, 9, 14, 15])
    model = TSVM(graph).fit(nodes, labels[nodes])
    assert (model.predict(np.arange(18)) == labels).all()
    known = known_labels(graph, nodes, labels[nodes], None)
    free = np.setdiff1d(np.arange(18), nodes)
    scores = np.random.default_rng(0).normal(size=(18, 3))
    signs = TSVM._dealt(scores, known, free, np.array([4, 3, 5]))
    assert (signs[free] > 0).sum(axis=0).tolist() == [4, 3, 5]
    assert signs[free][signs[free][:, 0] > 0, 0].size == 4
    lowest = scores[free][signs[free][:, 0] > 0, 0].min()
    assert lowest > scores[free][signs[free][:, 0] < 0, 0].max()
    np.testing.assert_array_equal(signs[nodes], known.signs)


def test_newton_is_what_scikit_learn_finds():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(60, 7))
    labels = np.argmax(rows[:, :3] + 0.8 * rng.normal(size=(60, 3)), axis=1)
    signs = 2.0 * np.eye(3)[labels] - 1.0
    logistic = one_vs_rest(rows, signs, ridge=1.0, costs=0.7, loss="logistic", tol=1e-9)
    hinge = one_vs_rest(rows, signs, ridge=1.0, costs=0.7, tol=1e-9)
    for k in range(3):
        peer = LogisticRegression(C=0.7, fit_intercept=False, tol=1e-10, max_iter=1000)
        np.testing.assert_allclose(logistic[:, k], peer.fit(rows, signs[:, k]).coef_[0], atol=1e-5)
        peer = LinearSVC(C=0.7, fit_intercept=False, dual=False, tol=1e-10, max_iter=10000)
        np.testing.assert_allclose(hinge[:, k], peer.fit(rows, signs[:, k]).coef_[0], atol=1e-5)


def test_solvers_say_when_they_do_not_get_there(monkeypatch):
    matrix = np.diag(np.arange(1.0, 9.0))
    with pytest.raises(ConvergenceError, match="must reach their tolerance in 2 steps"):
        solved(lambda v: matrix @ v, np.ones((8, 1)), tol=1e-10, max_steps=2)
    monkeypatch.setattr(newton, "MAX_STEPS", 1)
    with pytest.raises(ConvergenceError, match="1 of 1 classes have not"):
        one_vs_rest(matrix, np.ones((8, 1)), ridge=1.0, costs=1.0, loss="logistic", tol=1e-9)


def test_platt_is_the_maximum_of_its_likelihood():
    rng = np.random.default_rng(0)
    margins = rng.normal(size=(80, 1))
    positive = (margins + rng.normal(size=(80, 1)) > 0.3).astype(float)

    def cost(at):
        x = at[0] * margins + at[1]
        return float((np.logaddexp(0, x) - positive * x).sum() + 0.005 * at[0] ** 2)

    slow = minimize(cost, [1.0, 0.0], method="BFGS", options={"gtol": 1e-5})
    wanted = 1 / (1 + np.exp(-(slow.x[0] * margins + slow.x[1])))
    np.testing.assert_allclose(platt_scaled(margins, margins, positive), wanted, atol=1e-6)
    backwards = platt_scaled(margins, -margins, positive)
    assert np.ptp(backwards) == 0.0


@pytest.mark.parametrize("sigmoid", ["unpenalised", "smoothed"])
def test_sigmoids_as_printed_have_no_penalty_and_any_sign(sigmoid):
    rng = np.random.default_rng(0)
    margins = rng.normal(size=(80, 1))
    positive = (margins + rng.normal(size=(80, 1)) > 0.3).astype(float)
    plus = positive.sum()
    smooth = np.where(positive > 0, (plus + 1) / (plus + 2), 1 / (80 - plus + 2))
    targets = smooth if sigmoid == "smoothed" else positive

    def cost(at):
        x = at[0] * margins + at[1]
        return float((np.logaddexp(0, x) - targets * x).sum())

    slow = minimize(cost, [1.0, 0.0], method="BFGS", options={"gtol": 1e-5})
    wanted = 1 / (1 + np.exp(-(slow.x[0] * margins + slow.x[1])))
    found = platt_scaled(margins, margins, positive, sigmoid=sigmoid)
    np.testing.assert_allclose(found, wanted, atol=1e-6)
    backwards = platt_scaled(margins, -margins, positive, sigmoid=sigmoid)
    np.testing.assert_allclose(
        backwards[:, 0], 1 / (1 + np.exp(slow.x[0] * margins[:, 0] - slow.x[1])), atol=1e-6
    )


def test_folds_spread_classes_and_use_every_label_once():
    known = KnownLabels(np.arange(23), np.eye(3)[np.repeat([0, 1, 2], [10, 12, 1])], n_nodes=50)
    tested = []
    for learn, test in folds(known, 5, np.random.default_rng(0)):
        assert not set(learn) & set(test)
        assert len(learn) + len(test) == 23
        assert known.indicator[learn].any(axis=0).all()
        tested += test.tolist()
    assert sorted(tested) == list(range(22))
    alone = KnownLabels(np.arange(3), np.eye(3), n_nodes=5)
    assert list(folds(alone, 5, np.random.default_rng(0))) == []
    assert hits(np.eye(3), np.eye(3)[[0, 2, 2]]) == 2.0


def test_validation_prefers_what_guesses_held_out_labels():
    rng = np.random.default_rng(0)
    labels = np.arange(60) % 2
    rows = np.hstack([(2.0 * labels - 1)[:, None] * 0.1, rng.normal(size=(60, 200)) * 0.3])
    known = KnownLabels(np.arange(60), np.eye(2)[labels], n_nodes=60)
    ridges = [100.0, 1.0, 1e-6]
    chosen = validated_ridge(rows, known, ridges, usual=1.0, rng=rng)
    assert chosen in ridges
    clean = np.hstack([(2.0 * labels - 1)[:, None], 1e-3 * rng.normal(size=(60, 5))])
    assert validated_ridge(clean, known, ridges, usual=1.0, rng=rng) == 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LGC(PATH, alpha=1.0), "alpha must lie strictly between 0 and 1, got 1"),
        (lambda: HeatKernel(PATH, rho=0), "rho must lie strictly between 0 and 500, got 0"),
        (lambda: WVRN(PATH, start="none"), "start must be one of zero, prior, got 'none'"),
        (lambda: WVRN(PATH, rounds=0), "rounds must be at least 1"),
        (lambda: RN(PATH, rounds=0), "rounds must be at least 1, got 0"),
        (
            lambda: MultiRankWalk(PATH, damping=1),
            "damping must lie strictly between",
        ),
        (lambda: SNBC(PATH, ridge=-1.0), "ridge must be positive and finite, got -1"),
        (lambda: SCRN(PATH, suiting=-1.0), "suiting must be at least 0, got -1"),
        (lambda: LapSVM(PATH, ambient=0.0), "ambient must be positive"),
        (lambda: TSVM(PATH, switches=0), "switches must be at least 1"),
    ],
)
def test_wrong_settings_are_named(make, message):
    with pytest.raises(InputError, match=message):
        make()
