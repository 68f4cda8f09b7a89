"""Certificates of whole problems: what a person sees."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from random_problems import problems

from lapwing import Graph, data
from lapwing.bounds import THEOREMS, certify, recorded, tightest
from lapwing.embed import laplacian
from lapwing.errors import InputError
from lapwing.online import MNI, OLLGC, Perceptron, Projections

CLUB = data.karate()


def club_runs():
    signs = np.where(CLUB.labels == 1, 1, -1)
    order = np.arange(34)
    plain = laplacian(CLUB.graph, rank=None)
    biased = laplacian(CLUB.graph, rank=None, bias=1.0)
    return [
        recorded("1-proj", Projections(plain), order, signs, settings={"bias": 0.0}),
        recorded("mni-ag", MNI(plain), order, signs, settings={"bias": 0.0}),
        recorded("perceptron", Perceptron(biased), order, signs, settings={"bias": 1.0}),
        recorded(
            "ollgc", OLLGC(biased), order, signs, rows=biased, settings={"mu": 0.1, "bias": 1.0}
        ),
    ]


def test_every_theorem_of_the_club_is_there_and_holds():
    found = certify(CLUB.graph, CLUB.labels, club_runs())
    promises = [each for each in found if each.any_order]
    assert len(promises) == sum(map(len, THEOREMS.values()))
    later = [(each.learner, each.theorem) for each in found if each.hindsight]
    assert later == [
        ("1-proj", "3.2"),
        ("mni-ag", "3.2"),
        ("perceptron", "2.1"),
        ("ollgc", "4"),
        ("ollgc", "Corollary 5"),
    ]
    assert all(each.holds in (True, None) for each in found)
    by = {(each.learner, each.theorem): each for each in promises}
    assert by["perceptron", "(16)"].value == pytest.approx(4 * 11 * (11 / 6 + 1))
    assert by["perceptron", "(16)"].actual == 2
    assert by["perceptron", "(16)"].vacuous
    assert by["1-proj", "3.2"].actual == 3
    assert by["mni-ag", "3.2"].applies
    assert by["any", "4.1"].ingredients["cut"] == 11
    best = tightest(found)
    assert best is not None
    assert best.value == min(
        each.value for each in promises if each.applies and each.bounds == "mistakes"
    )
    hindsight = [each.value for each in found if each.hindsight and each.bounds == "mistakes"]
    assert min(hindsight) < best.value  # a run always knows better; that is no promise


def test_certificates_read_as_sentences_and_as_json():
    for each in certify(CLUB.graph, CLUB.labels, club_runs()):
        assert each.paper
        if each.applies:
            assert each.says.endswith(".")
            assert each.ingredients
        else:
            assert each.why.startswith("needs ")
        assert json.loads(json.dumps(each.as_dict()))["theorem"] == each.theorem


def test_several_classes_add_up():
    graph = data.barbell(5).graph
    labels = np.array([0] * 5 + [1] * 4 + [2])
    whole = certify(graph, labels, learners=["perceptron"])
    parts = [certify(graph, (labels == k).astype(int), learners=["perceptron"]) for k in range(3)]
    for added, *each in zip(whole, *parts, strict=True):
        assert added.value == pytest.approx(sum(part.value for part in each))
        assert set(added.ingredients) == {"class 0", "class 1", "class 2"}
    with pytest.raises(InputError, match="runs must be 3 lists, one per problem, got 1"):
        certify(graph, labels, club_runs()[0])


@settings(max_examples=60, deadline=None)
@given(problems())
def test_more_labels_never_make_a_known_bound_smaller_than_the_mistakes(problem):
    """Mistakes of the multi-class perceptron stay below the added bounds."""
    labels = problem.rng.integers(0, 3, problem.n)
    best = tightest(certify(problem.graph, labels, learners=["perceptron"]))
    rows = laplacian(problem.graph, rank=None, bias=1.0)
    order = problem.order()
    margins = np.stack(
        [
            Perceptron(rows).stream(order, np.where(labels[order] == k, 1, -1)).margins
            for k in np.unique(labels)
        ]
    )
    guesses = np.unique(labels)[margins.argmax(axis=0)]
    assert (guesses != labels[order]).sum() <= best.value + 1e-9


def test_disconnected_graphs_and_wrong_labels_are_said():
    two = Graph.from_edges([(0, 1), (2, 3)])
    found = certify(two, np.array([0, 0, 1, 1]))
    assert not any(each.applies for each in found)
    assert all("2 components" in each.why for each in found)
    assert tightest(found) is None
    with pytest.raises(InputError, match="one class index for each of 4 nodes"):
        certify(two, np.array([0, 1]))
    with pytest.raises(InputError, match="no node has a label"):
        certify(two, np.array([-1, -1, -1, -1]))
    with pytest.raises(InputError, match="learner must be one of"):
        certify(two, np.array([0, 0, 1, 1]), learners=["oracle"])
