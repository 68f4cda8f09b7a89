"""Probabilities mean what they say, and are fitted without looking at what they predict."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import brier_score_loss
from sklearn.metrics import log_loss as scikit_log_loss

from lapwing.batch.calibration.calibrated import Calibrated
from lapwing.batch.calibration.priors import with_guesses, with_priors
from lapwing.batch.calibration.probability_maps import calibration, logits, out_of_fold
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.diffusion.laplace import Laplace
from lapwing.batch.diffusion.spreading import Spreading
from lapwing.batch.known_labels import KnownLabels
from lapwing.data import planted_partition
from lapwing.errors import InputError
from lapwing.metrics import brier, calibration_error, log_loss, reliability


@pytest.fixture(scope="module")
def split():
    data = planted_partition(n=600, communities=(150, 250), mixing=0.35, seed=3).largest_component()
    order = np.random.default_rng(1).permutation(data.graph.n_nodes)
    return data, order[:90], order[90:], np.asarray(data.labels)


def test_errors_are_scikit_learns():
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.ones(3), size=200)
    labels = rng.integers(0, 3, 200)
    assert log_loss(chances, labels) == pytest.approx(scikit_log_loss(labels, chances), rel=1e-6)
    columns = [brier_score_loss(labels == c, chances[:, c]) for c in range(3)]
    assert brier(chances, labels) == pytest.approx(sum(columns))
    matrix = sparse.csr_array(np.eye(3)[labels])
    for measure in (log_loss, brier, calibration_error):
        assert measure(chances, matrix) == pytest.approx(measure(chances, labels))


def test_reliability_counts_every_answer_once():
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.ones(4), size=500)
    chances[:50] = 0.0
    labels = rng.integers(-1, 4, 500)
    bins = reliability(chances, labels, bins=7)
    assert sum(each.count for each in bins) == ((labels >= 0) & chances.any(axis=1)).sum()
    for each in bins:
        assert each.low <= each.confidence <= each.high
    gap = sum(each.count * abs(each.confidence - each.accuracy) for each in bins)
    total = sum(each.count for each in bins)
    assert calibration_error(chances, labels, bins=7) == pytest.approx(gap / total)


def test_answers_drawn_from_their_probabilities_are_calibrated():
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.ones(3), size=20_000)
    labels = (rng.random(20_000)[:, None] > chances.cumsum(axis=1)).sum(axis=1)
    assert calibration_error(chances, labels) < 0.015
    assert calibration_error(chances**3 / (chances**3).sum(axis=1, keepdims=True), labels) > 0.1


def test_nothing_answered_is_no_error():
    assert calibration_error(np.zeros((3, 2)), [0, 1, 1]) == 0.0
    assert log_loss(np.zeros((2, 2)), [-1, -1]) == brier(np.zeros((2, 2)), [-1, -1]) == 0.0
    with pytest.raises(InputError, match="labels must have 2 rows, one per prediction, got 3"):
        brier(np.zeros((2, 2)), [0, 1, 1])
    with pytest.raises(InputError, match="bins must be at least 1"):
        reliability(np.zeros((2, 2)), [0, 1], bins=0)


@pytest.mark.parametrize("method", ["temperature", "platt", "isotonic"])
@pytest.mark.parametrize("inner", [Spreading, Laplace])
def test_calibration_lowers_the_loss_and_keeps_rows(split, method, inner):
    data, known, hidden, labels = split
    raw = inner(data.graph).fit(known, labels[known])
    model = Calibrated(inner(data.graph), method=method).fit(known, labels[known])
    before, after = raw.predict_proba(hidden), model.predict_proba(hidden)
    np.testing.assert_allclose(after.sum(axis=1), 1.0)
    assert log_loss(after, labels[hidden]) < log_loss(before, labels[hidden])
    assert calibration_error(after, labels[hidden]) < calibration_error(before, labels[hidden])
    np.testing.assert_array_equal(model.predict(hidden), raw.predict(hidden))


def test_out_of_fold_scores_never_saw_their_label(split):
    data, known, _, labels = split
    base = KnownLabels(known, np.eye(data.n_classes)[labels[known]], data.graph.n_nodes)
    scores = out_of_fold(Spreading(data.graph), base, n_folds=len(known), seed=0)
    for position in (0, 7):
        others = np.delete(known, position)
        model = Spreading(data.graph, data.n_classes).fit(others, labels[others])
        if not scores[position].any():
            continue
        folded = np.flatnonzero(scores[position] > 0)
        assert len(folded)
        assert model.predict(int(known[position])) == scores[position].argmax()


def test_temperature_never_changes_the_order():
    rng = np.random.default_rng(2)
    raised = rng.normal(size=(60, 3))
    truth = np.eye(3)[rng.integers(0, 3, 60)]
    found = calibration(raised, truth)(raised)
    np.testing.assert_array_equal(found.argsort(axis=1), raised.argsort(axis=1))
    with pytest.raises(InputError, match="one of temperature, platt, isotonic, got 'beta'"):
        calibration(raised, truth, "beta")


def test_logits_of_amounts_are_logarithms_of_shares():
    amounts = np.array([[2.0, 6.0], [0.0, 0.0]])
    np.testing.assert_allclose(np.exp(logits(amounts, signed=False))[0], [0.25, 0.75])
    assert not logits(amounts, signed=False)[1].any()


def test_priors_become_the_means_and_nothing_stays_nothing():
    rng = np.random.default_rng(0)
    chances = rng.dirichlet(np.ones(3), size=300)
    chances[:20] = 0.0
    found = with_priors(chances, [2, 1, 1])
    np.testing.assert_allclose(found[20:].mean(axis=0), [0.5, 0.25, 0.25], atol=1e-5)
    np.testing.assert_allclose(found[20:].sum(axis=1), 1.0)
    assert not found[:20].any()
    np.testing.assert_allclose(with_guesses(found, [2, 1, 1])[:20], [[0.5, 0.25, 0.25]] * 20)
    unseen = np.array([[1.0, 0.0], [1.0, 0.0]])
    np.testing.assert_array_equal(with_priors(unseen, [0.5, 0.5]), unseen)
    for wrong in ([1.0], [1.0, -1.0], [0.0, 0.0], [np.nan, 1.0]):
        with pytest.raises(InputError, match="priors"):
            with_priors(unseen, wrong)


def test_true_shares_help_where_labels_are_skewed(split):
    data, _, _, labels = split
    rng = np.random.default_rng(0)
    skewed = np.concatenate(
        [rng.permutation(np.flatnonzero(labels == c))[: 40 if c == 0 else 3] for c in range(3)]
    )
    hidden = np.setdiff1d(np.arange(len(labels)), skewed)
    chances = Spreading(data.graph, data.n_classes).fit(skewed, labels[skewed])
    before = chances.predict_proba(hidden)
    after = with_priors(before, np.bincount(labels, minlength=data.n_classes))
    right = [np.mean(p.argmax(axis=1) == labels[hidden]) for p in (before, after)]
    assert right[1] > right[0] + 0.1


@pytest.mark.parametrize(("name", "least", "splits"), [("cora", 0.77, 2)])
def test_auto_is_right_and_calibrated_on_published_graphs(dataset, name, least, splits):
    data = dataset(name)
    data = data.largest_component() if name == "cora" else data
    labels = np.asarray(data.labels)
    right, gaps = [], []
    for seed in range(splits):
        order = np.random.default_rng(seed).permutation(len(labels))
        known, hidden = order[: len(order) // 20], order[len(order) // 20 :]
        model = CrossValidated(data.graph, data.n_classes).fit(known, labels[known])
        chances = model.predict_proba(hidden)
        right.append(np.mean(chances.argmax(axis=1) == labels[hidden]))
        gaps.append(calibration_error(chances, labels[hidden]))
    assert np.mean(right) > least
    assert np.mean(gaps) < 0.05
