"""F1 with as many guesses as true labels, against scikit-learn's."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.metrics import f1_score

from lapwing.errors import InputError
from lapwing.learner import top_classes
from lapwing.metrics import F1, brier, calibration_error, f1, log_loss


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
