"""What every algorithm in the catalog must keep."""

import inspect
import pickle
from typing import Any, get_args, get_overloads, get_type_hints

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, make, play
from lapwing.catalog import ENTRIES
from lapwing.catalog.names import BanditName, ClassifierName, LearnerName
from lapwing.errors import InputError
from lapwing.learner import (
    BanditLearner,
    CanChangeEdges,
    CanMakeRoom,
    CanSave,
    CanUpdateAlways,
    CanWithdraw,
    Classifier,
    HasBinaryLearners,
    HasKernel,
    Learner,
    WrapsLearner,
)
from lapwing.types import UNKNOWN

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)]
WEIGHTS = [1.0, 1.3, 0.7, 0.41, 1.9, 1.1, 0.83, 0.37, 1.7, 1.21]
GRAPH = Graph.from_edges(EDGES, weights=WEIGHTS)
LABELS = np.array([0, 0, 0, 1, 1, 1, 2, 2])
ALL = np.arange(8)


def of_kind(*kinds):
    names = [name for name, entry in ENTRIES.items() if entry.kind in kinds]
    return pytest.mark.parametrize("name", names)


learners = of_kind("online", "selective")
bandits = of_kind("bandit")
batches = of_kind("batch")


def trained(name, steps=5, **parameters):
    learner = make(name, GRAPH, n_classes=3, **parameters)
    play(learner, ALL[:steps], LABELS).run()
    return learner


def restored(learner):
    return pickle.loads(pickle.dumps(learner))


@learners
def test_reading_changes_nothing(name):
    learner = trained(name)
    untouched = restored(learner)
    learner.scores(ALL), learner.predict(3), learner.queries(6)
    np.testing.assert_array_equal(learner.scores(ALL), untouched.scores(ALL))
    rounds = [each.stream(ALL[5:], LABELS[5:]) for each in (learner, untouched)]
    np.testing.assert_array_equal(rounds[0].guesses, rounds[1].guesses)
    np.testing.assert_array_equal(rounds[0].queried, rounds[1].queried)


@learners
def test_one_node_reads_like_many(name):
    learner = trained(name)
    single = np.stack([learner.scores(i) for i in range(8)])
    np.testing.assert_allclose(single, learner.scores(ALL), atol=1e-12)
    assert [int(learner.predict(i)) for i in range(8)] == learner.predict(ALL).tolist()


@learners
def test_a_round_without_label_teaches_nothing(name):
    learner = trained(name)
    before = learner.scores(ALL)
    learner.learn(6, None)
    np.testing.assert_array_equal(learner.scores(ALL), before)


@learners
def test_nothing_is_known_before_the_first_label(name):
    learner = make(name, GRAPH)
    assert learner.predict(ALL).tolist() == [UNKNOWN] * 8
    assert play(learner, [], LABELS).summary().rounds == 0


@learners
def test_a_class_may_appear_in_mid_stream(name):
    learner = make(name, GRAPH)
    for node, label in ((0, 0), (3, 1), (7, 3)):
        learner.learn(node, label)
        learner.scores(ALL)
    assert learner.n_classes == 4
    assert learner.scores(ALL).shape == (8, 4)


@learners
def test_nodes_may_repeat(name):
    game = play(make(name, GRAPH), [0, 3, 0, 7, 3, 0], LABELS)
    assert game.summary().rounds == 6
    assert game.summary().distinct_queries <= 3


@learners
@settings(max_examples=15)
@given(order=st.lists(st.integers(0, 7), min_size=1, max_size=20), grown=st.booleans())
def test_a_recorded_stream_is_the_verbs_one_by_one(name, order, grown):
    nodes = np.array(order)
    n_classes = None if grown else 3
    by_verbs, by_stream = (make(name, GRAPH, n_classes=n_classes) for _ in range(2))
    fast = by_stream.stream(nodes, LABELS[nodes])
    for node, guess, queried in zip(nodes.tolist(), fast.guesses, fast.queried, strict=True):
        assert_is_best(guess, by_verbs.scores(node))
        assert queried == by_verbs.queries(node)
        by_verbs.learn(node, int(LABELS[node]) if queried else None)
    np.testing.assert_allclose(by_verbs.scores(ALL), by_stream.scores(ALL), atol=1e-9)


def assert_is_best(guess, scores):
    """The guess has the largest score, up to rounding; without any it is unknown."""
    if guess == UNKNOWN:
        np.testing.assert_allclose(scores, 0.0, atol=1e-9)
    else:
        assert scores[guess] >= scores.max() - 1e-9


def answering(name):
    """A model of any kind that has seen labels of three classes."""
    if ENTRIES[name].kind == "batch":
        return make(name, GRAPH, n_classes=3).fit(ALL[:7], LABELS[:7])
    return trained(name, steps=7)


@pytest.mark.parametrize("name", list(ENTRIES))
def test_probabilities_sum_to_one_and_agree_with_the_scores(name):
    model = answering(name)
    chances, scores = model.predict_proba(ALL), model.scores(ALL)
    assert chances.shape == scores.shape == (8, 3)
    assert (chances >= 0).all()
    guesses = model.predict(ALL)
    known = guesses != UNKNOWN
    if ENTRIES[name].kind != "bandit":
        assert known.tolist() == (scores != 0).any(axis=1).tolist()
    np.testing.assert_allclose(chances.sum(axis=1), known.astype(float), atol=1e-12)
    np.testing.assert_allclose(model.predict_proba(3), chances[3], atol=1e-12)
    for row, guess in zip(chances[known], guesses[known], strict=True):
        assert row[guess] >= row.max() - 1e-9


@pytest.mark.parametrize("name", list(ENTRIES))
def test_nothing_known_is_a_row_of_zeros(name):
    model = make(name, GRAPH, n_classes=3)
    assert model.predict_proba(ALL).tolist() == [[0.0] * 3] * 8


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_model_shows_its_parameters(name):
    shown = repr(make(name, GRAPH, n_classes=3))
    assert "object at 0x" not in shown
    assert len(shown) < 300
    own = inspect.signature(type(make(name, GRAPH, n_classes=3))).parameters.values()
    for parameter in own:
        if parameter.kind is parameter.KEYWORD_ONLY:
            assert f"{parameter.name}=" in shown


def test_parameters_are_shown_with_their_values():
    assert repr(make("ollgc-every-label", GRAPH, mu=0.25)) == "SharedRidge(mu=0.25, kappa=None)"
    shown = repr(make("gpa", GRAPH, n_classes=3))
    assert shown == "OneVsRest(GPA(every_label=False), n_classes=3, share=False)"
    assert "alpha=0.8" in repr(make("push-lgc", GRAPH, alpha=0.8))
    again = repr(restored(make("molg-b", GRAPH, n_classes=3, b=12.5)))
    assert again.startswith("MOLGBandit(n_classes=3, b=12.5, phi=10.0")


@bandits
def test_a_bandit_predicts_many_as_one_and_always_has_a_guess(name):
    learner = trained(name)
    assert all(learner.guess(node) in range(3) for node in range(8))
    one_by_one = [learner.predict(node) for node in range(8)]
    assert all(isinstance(guess, int) for guess in one_by_one)
    assert learner.predict(ALL).tolist() == one_by_one
    assert learner.predict(ALL[:0]).tolist() == []


@learners
def test_capabilities_keep_their_promises(name, tmp_path):
    learner = trained(name)
    if isinstance(learner, CanWithdraw):
        learner.withdraw(4)
        assert not np.allclose(learner.scores(4), trained(name).scores(4))
    if isinstance(learner, CanMakeRoom):
        growing = make(name, GRAPH)
        growing.make_room(3)
        growing.learn(0, 2)
        assert growing.predict(0) == 2
    if isinstance(learner, CanSave):
        learner.save(tmp_path / "learner")
        other = make(name, GRAPH, n_classes=3).load(tmp_path / "learner")
        np.testing.assert_array_equal(other.scores(ALL), learner.scores(ALL))
    if isinstance(learner, CanChangeEdges):
        learner.add_edge(0, 7, 5.0)
        learner.remove_edge(0, 7)
        with pytest.raises(InputError, match="there is no edge between 0 and 7"):
            learner.remove_edge(0, 7)


PUSHED = {"auto", "push-lgc", "push-ridge"}


@pytest.mark.parametrize(
    ("capability", "verbs", "some"),
    [
        (CanWithdraw, ["withdraw"], PUSHED),
        (CanMakeRoom, ["make_room"], PUSHED),
        (CanSave, ["save", "load"], PUSHED),
        (CanChangeEdges, ["add_edge", "remove_edge"], PUSHED),
        (WrapsLearner, ["inner"], {"random-gpa"}),
        (HasBinaryLearners, ["learners", "unnamed"], {"gpa", "1-proj", "perceptron"}),
    ],
)
def test_who_has_the_verbs_has_the_capability(capability, verbs, some):
    able = set()
    for name, entry in ENTRIES.items():
        if entry.kind in ("online", "selective"):
            learner = make(name, GRAPH)
            assert isinstance(learner, capability) == all(hasattr(learner, v) for v in verbs)
            able |= {name} if isinstance(learner, capability) else set()
    assert some <= able


@learners
def test_binary_parts_have_the_capabilities_they_show(name):
    learner = make(name, GRAPH)
    while isinstance(learner, WrapsLearner):
        learner = learner.inner
    if isinstance(learner, HasBinaryLearners):
        part = learner.unnamed
        assert isinstance(part, HasKernel) == hasattr(part, "norms")
        assert isinstance(part, CanUpdateAlways) == hasattr(part, "aggressive")


def test_names_are_typed_by_what_make_returns():
    typed = {
        Learner: (LearnerName, ("online", "selective")),
        BanditLearner: (BanditName, ("bandit",)),
        Classifier: (ClassifierName, ("batch",)),
    }
    for contract, (names, kinds) in typed.items():
        of_kinds = [name for name, entry in ENTRIES.items() if entry.kind in kinds]
        assert sorted(get_args(names)) == sorted(of_kinds)
        assert all(isinstance(make(name, GRAPH, n_classes=2), contract) for name in of_kinds)


def test_make_is_typed_per_kind():
    hints = [get_type_hints(each) for each in get_overloads(make)]
    assert {each["name"]: each["return"] for each in hints} == {
        LearnerName: Learner,
        BanditName: BanditLearner,
        ClassifierName: Classifier,
        str: Any,
    }


@of_kind("online", "selective", "bandit")
def test_a_learner_put_away_goes_on_where_it_was(name):
    learner = trained(name)
    twin = restored(learner)
    rounds = [play(each, ALL[5:], LABELS).run().trace.guesses for each in (learner, twin)]
    np.testing.assert_array_equal(*rounds)


@of_kind("online", "selective", "bandit")
def test_the_same_seed_is_the_same_run(name):
    seed = {"seed": 3} if "seed" in ENTRIES[name].parameters else {}
    games = [play(make(name, GRAPH, n_classes=3, **seed), ALL, LABELS) for _ in range(2)]
    traces = [game.run().trace for game in games]
    np.testing.assert_array_equal(traces[0].guesses, traces[1].guesses)
    np.testing.assert_array_equal(traces[0].queried, traces[1].queried)


@learners
@settings(max_examples=15)
@given(order=st.permutations(range(8)), names=st.permutations(range(8)))
def test_names_of_nodes_do_not_matter(name, order, names):
    renamed = Graph.from_edges(
        [(names[u], names[v]) for u, v in EDGES], weights=WEIGHTS, names=range(8)
    )
    to = np.array(names)
    labels = np.empty(8, dtype=np.intp)
    labels[to] = LABELS
    first, second = make(name, GRAPH, n_classes=3), make(name, renamed, n_classes=3)
    play(first, order, LABELS).run()
    play(second, to[list(order)], labels).run()
    np.testing.assert_allclose(second.scores(to), first.scores(ALL), atol=1e-6)


@learners
def test_what_no_label_can_reach_is_unknown(name):
    graph = Graph.from_edges([(0, 1), (1, 2), (3, 4)], names=range(6))
    learner = make(name, graph, n_classes=2)
    learner.learn(0, 1)
    learner.learn(1, 0)
    assert learner.predict(np.array([3, 4, 5])).tolist() == [UNKNOWN] * 3


@batches
def test_a_batch_method_does_not_answer_where_no_label_is(name):
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (3, 4)], names=range(6))
    model = make(name, graph, n_classes=2).fit(np.array([0, 1]), np.array([0, 1]))
    assert model.predict(np.array([3, 4, 5])).tolist() == [UNKNOWN] * 3


@bandits
def test_a_bandit_guesses_the_same_until_it_is_told(name):
    learner = trained(name)
    before = pickle.dumps(learner)
    assert learner.predict(6) == learner.predict(6)
    assert pickle.dumps(learner) == before


@pytest.mark.parametrize("name", list(ENTRIES))
def test_parameters_are_checked_by_name(name):
    with pytest.raises(InputError, match=r"has no parameter 'colour'; its parameters are"):
        make(name, GRAPH, n_classes=3, colour="red")


def test_names_are_checked():
    with pytest.raises(InputError, match="no algorithm is called 'sslg'; did you mean sslgc"):
        make("sslg", GRAPH)
    with pytest.raises(InputError, match="n_classes must be at least 1"):
        make("gpa", GRAPH, n_classes=0)
    with pytest.raises(InputError, match="rows must be finite, the row of node 1 is not"):
        make("gpa", np.array([[1.0], [np.nan]]))
    with pytest.raises(InputError, match=r"has no parameter 'rank' on rows"):
        make("gpa", np.eye(3), rank=5)
    with pytest.raises(InputError, match="needs a Graph, got ndarray"):
        make("1-proj", np.eye(3))


def test_entries_speak_for_themselves():
    for name, entry in ENTRIES.items():
        assert name == entry.name == name.lower()
        assert entry.summary
        assert len(entry.summary) < 90
        assert entry.paper
