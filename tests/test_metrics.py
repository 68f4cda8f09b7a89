"""F1 against scikit-learn's, and what the measures are given."""

import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from lapwing.errors import InputError
from lapwing.learner import Trace, top_classes
from lapwing.metrics import (
    F1,
    brier,
    calibration_error,
    cumulative,
    f1,
    label_calibration_error,
    log_loss,
    reliability,
    summary,
)


def test_it_is_scikit_learns_on_the_top_classes():
    rng = np.random.default_rng(0)
    scores, truth = rng.random((50, 6)), (rng.random((50, 6)) < 0.3).astype(int)
    kept = truth.any(axis=1)
    guesses = top_classes(scores, truth.sum(axis=1))
    micro = f1_score(truth[kept], guesses[kept], average="micro")
    macro = f1_score(truth[kept], guesses[kept], average="macro", zero_division=0)
    assert f1(scores, truth) == pytest.approx((micro, macro))
    assert f1(scores, sparse.csr_array(truth)) == f1(scores, truth)


def test_one_label_a_node_is_accuracy():
    rng = np.random.default_rng(1)
    scores, labels = rng.normal(size=(40, 3)), rng.integers(3, size=40)
    found = f1(scores, labels)
    assert found.micro == pytest.approx((scores.argmax(axis=1) == labels).mean())
    assert found.macro == pytest.approx(f1_score(labels, scores.argmax(axis=1), average="macro"))


def test_unknown_nodes_are_wrong_and_unlabelled_ones_do_not_count():
    scores = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    assert f1(scores, np.array([0, 0, -1])).micro == 0.5
    assert f1(scores, np.array([-1, -1, -1])) == F1(0.0, 0.0)
    assert f1(scores, np.array([0, 1, 1])).macro == pytest.approx((1.0 + 2 / 3) / 2)


def test_a_class_never_guessed_right_counts_as_zero():
    scores = np.array([[1.0, 0.5, 0.0], [1.0, 0.5, 0.0]])
    assert f1(scores, np.array([0, 1])).macro == pytest.approx((2 / 3 + 0.0) / 2)


def test_lengths_must_agree():
    with pytest.raises(InputError, match="one row per row of scores, 2 in all, got 1"):
        f1(np.zeros((2, 3)), np.array([0]))


@pytest.mark.parametrize("bad", [-5, 2, 10**9, 1.5, "a", None, float("nan")])
@pytest.mark.parametrize("measure", [f1, brier, log_loss, calibration_error])
def test_labels_that_are_no_classes_are_refused(measure, bad):
    with pytest.raises(InputError, match="a label must be"):
        measure(np.array([[0.5, 0.5], [0.9, 0.1]]), [0, bad])


CHANCES = np.array([[0.5, 0.5], [0.2, 0.8]])
MEASURES = [reliability, calibration_error, label_calibration_error, brier, log_loss, f1]


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(
    ("table", "labels", "complaint"),
    [
        ([0.5, 0.5], [0, 1], "one row per node and one column per class, got (2,)"),
        ([["a", "b"]], [0], "must be a table of numbers"),
        (None, [0], "one row per node"),
        ([[np.nan, 1.0]], [0], "must be finite, got nan"),
        (CHANCES, [0], "one"),
        (CHANCES, [0, 2], "a label must be an integer from 0 to 1, got 2"),
        (CHANCES, [0, 1.5], "a label must be"),
        (CHANCES, [[1, 0, 0], [0, 1, 0]], "2 columns, got (2, 3)"),
        (CHANCES, [[1, 0], [0, 7]], "labels must hold only 0 and 1, got 7"),
        (CHANCES, "ab", "labels must be a flat list"),
    ],
)
def test_measures_check_what_they_are_given(measure, table, labels, complaint):
    with pytest.raises(InputError, match=re.escape(complaint)):
        measure(table, labels)


@pytest.mark.parametrize("measure", MEASURES[:-1])
def test_probabilities_lie_between_0_and_1(measure):
    with pytest.raises(InputError, match="must lie between 0 and 1, got "):
        measure([[-0.5, 1.5]], [0])


def test_bins_floors_and_rounds_are_checked():
    for bad in (0, -1, 1.5, "a", None, True):
        with pytest.raises(InputError, match="bins must be"):
            reliability(CHANCES, [0, 1], bins=bad)
    for bad in (0, 1, -1, "a", np.nan):
        with pytest.raises(InputError, match="floor must"):
            log_loss(CHANCES, [0, 1], floor=bad)
    trace = Trace(guesses=np.array([0, 1]), queried=np.array([True, True]))
    with pytest.raises(InputError, match="nodes must have one entry per round, 2 in all"):
        summary(trace, np.array([0]), np.array([0, 1]), n_classes=2)
    with pytest.raises(InputError, match="labels must have one entry per round"):
        summary(trace, np.array([0, 1]), np.array([0]), n_classes=2)
    with pytest.raises(InputError, match="one number per round"):
        cumulative(np.zeros((2, 2)))
