"""Several labels per node: probabilities that hold, thresholds per class, a fair default."""

import numpy as np
import pytest

from lapwing.batch import WVGN, HeatKernel
from lapwing.batch.calibration.label_rules import (
    RULES,
    chosen_labels,
    chosen_rule,
    class_thresholds,
)
from lapwing.batch.calibration.label_sets import LabelSets
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.data import barbell, planted_partition
from lapwing.errors import InputError
from lapwing.metrics import label_calibration_error


@pytest.fixture(scope="module")
def overlapping():
    """Communities as labels, and one more label that every second community has, too."""
    found = planted_partition(n=400, mixing=0.3, seed=1)
    own = np.eye(found.n_classes)[found.labels]
    return found.graph, np.column_stack([own, own[:, ::2].sum(axis=1)])


def test_probabilities_of_labels_hold_and_thresholds_find_them(overlapping):
    graph, truth = overlapping
    given = np.random.default_rng(0).permutation(len(truth))[:150]
    rest = np.setdiff1d(np.arange(len(truth)), given)
    model = LabelSets(HeatKernel(graph)).fit(given, truth[given])
    chances, sets = model.predict_proba(rest), model.label_sets(rest)
    assert label_calibration_error(chances, truth[rest]) < 0.06
    assert 0.8 < sets.sum() / truth[rest].sum() < 1.25
    assert 2 * (sets * truth[rest]).sum() / (sets.sum() + truth[rest].sum()) > 0.7
    assert sets.sum(axis=1).min() == 1
    assert sets.sum(axis=1).max() <= truth.sum(axis=1).max()


def test_each_rule_wins_where_it_is_right():
    """A count where all nodes have two labels; thresholds where one class is judged too low."""
    rng = np.random.default_rng(3)
    pairs = np.array([rng.permutation([1.0, 1.0, 0.0, 0.0]) for _ in range(200)])
    level = 0.4 * rng.random((200, 1))
    assert chosen_rule(0.5 * pairs + level, pairs, most=2).name == "count"
    some = (rng.random((200, 4)) < 0.3).astype(float)
    low = (0.2 + 0.5 * some) * [1.0, 1.0, 1.0, 0.2]
    per_class = chosen_rule(low, some, most=4)
    assert per_class.name == "threshold per class"
    assert (per_class.sets(low)[:, 3] == some[:, 3]).all()
    assert chosen_rule(np.zeros((0, 4)), np.zeros((0, 4)), most=1).name in RULES


def test_a_rule_is_never_judged_by_the_nodes_it_learned_from():
    """Chance labels: thresholds that fit their own nodes must gain nothing by it."""
    rng = np.random.default_rng(5)
    seen = []
    truth, chances = (rng.random((40, 3)) < 0.4).astype(float), rng.random((40, 3))
    original = dict(RULES)

    def spying(name):
        def learned(given, true):
            seen.append(len(given))
            return original[name](given, true)

        return learned

    with pytest.MonkeyPatch.context() as patch:
        for name in original:
            patch.setitem(RULES, name, spying(name))
        chosen_rule(chances, truth, most=3)
    assert sorted(set(seen)) == [32, 40]
    assert seen.count(40) == 1


def test_a_class_is_given_as_often_as_it_is_true():
    rng = np.random.default_rng(0)
    chances = rng.random((50, 3))
    truth = (rng.random((50, 3)) < [0.5, 0.2, 0.04]).astype(float)
    cut = class_thresholds(chances, truth)
    given = chances >= cut
    assert given[:, 0].sum() == truth[:, 0].sum()
    assert given[:, 1].sum() == truth[:, 1].sum()
    assert truth[:, 2].sum() < 5
    assert (chances >= cut[2]).sum() == truth.sum()


def test_a_class_of_which_only_its_share_is_known_is_given_to_nobody():
    chances = np.full((20, 1), 0.4)
    truth = np.r_[np.ones(8), np.zeros(12)][:, None]
    assert not (chances >= class_thresholds(chances, truth)).any()


def test_unreached_nodes_have_no_label():
    assert chosen_labels(np.zeros((2, 3)), np.zeros(3)).sum() == 0
    assert chosen_labels(np.zeros((2, 3)), np.zeros(3), per_node=2).sum() == 0
    with pytest.raises(InputError, match="per_node must be"):
        chosen_labels(np.zeros((2, 3)), np.zeros(3), per_node=0)


def test_the_default_tries_wvgn_where_nodes_have_several_labels():
    found = barbell(m=12)
    one = np.eye(2)[found.labels]
    several = np.column_stack([one, one[:, 0]])
    given = np.r_[0:8, 12:20]
    model = CrossValidated(found.graph).fit(given, several[given])
    assert "wvgn" in model.why
    assert "wvgn" not in CrossValidated(found.graph).fit(given, one[given]).why
    model.chosen = "wvgn"
    assert isinstance(model.candidate(), WVGN)
