"""Learners on a graph that grows: after any changes, what starting from the final graph gives."""

from __future__ import annotations

import json
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, Session, make
from lapwing.bandit.push_bandit import PushBandit
from lapwing.catalog import ENTRIES
from lapwing.data import planted_partition
from lapwing.embed import laplacian
from lapwing.embed.growing_rows import MOST_DRIFT, GrowingRows
from lapwing.errors import GraphError, InputError, ReadError
from lapwing.graph.growth import Change, weights_before
from lapwing.learner import BanditLearner, CanGrow, CanWithdraw, Classifier
from lapwing.linalg.push import changing_matrix
from lapwing.online import NearFar
from lapwing.online.near_far.spectral_rows import SpectralRows
from lapwing.online.push import Auto, Forgetting, PushLGC, PushPerceptron, PushRidge
from lapwing.play import Arrival, Stream, arrivals, play, read_stream
from lapwing.types import UNKNOWN

FIXED = {"1-proj", "c-proj", "mni-ag", "perceptron", "knn", "halving"}
"""Exact kernels, distances and counts of labellings."""
EXACT = {"auto", "push-lgc", "push-ridge", "push-perceptron", "push-bandit"}
HEARD = {"push-perceptron", "push-bandit"}
"""Those that learn from what they guessed: they keep what they heard, exactly."""
N, CLASSES = 6, 3
EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
BEFORE = Graph.from_edges(EDGES)

node, label = st.integers(0, 11), st.integers(0, CLASSES - 1)
weight = st.sampled_from([0.25, 0.5, 1.0, 3.0])
steps = st.lists(
    st.one_of(
        st.tuples(st.just("node")),
        st.tuples(st.just("edge"), node, node, weight),
        st.tuples(st.just("reweight"), st.integers(0, 99), weight),
        st.tuples(st.just("remove"), st.integers(0, 99)),
        st.tuples(st.just("learn"), node, label),
        st.tuples(st.just("withdraw"), node),
    ),
    max_size=14,
)


def changed(graph, verb, what):
    """The graph after one change; None if the change does not apply."""
    if verb == "node":
        return graph.with_nodes([graph.n_nodes])
    if verb == "edge":
        u, v = (min(end, graph.n_nodes) for end in what[:2])
        return None if u == v else graph.with_edges([(u, v)], [what[2]])
    sources, targets, _ = graph.edges()
    if not len(sources):
        return None
    pair = [(int(sources[what[0] % len(sources)]), int(targets[what[0] % len(sources)]))]
    if verb == "remove":
        return graph.without_edges(pair)
    return graph.with_edges(pair, [what[1]], parallel="replace")


def followed(learner, graph, story):
    """Play a story of changes and labels; return the final graph and the labels that stand."""
    labels = {}
    for verb, *what in story:
        if verb == "learn":
            at = what[0] % graph.n_nodes
            labels[at] = what[1]
            learner.learn(at, what[1])
        elif verb == "withdraw":
            at = what[0] % graph.n_nodes
            labels.pop(at, None)
            learner.withdraw(at)
        elif (after := changed(graph, verb, what)) is not None:
            graph = after
            learner.grow(graph)
            assert learner.n_nodes == graph.n_nodes
            assert learner.predict(graph.n_nodes - 1) >= UNKNOWN
    return graph, labels


def taught(learner, labels):
    for at, told in labels.items():
        learner.learn(at, told)
    return learner


def exact_names():
    """The algorithms of the catalog that claim to grow exactly, and can take labels back."""
    made = {name: make(name, BEFORE, n_classes=CLASSES) for name in ENTRIES}
    exact = {name for name, model in made.items() if model.grows == "exactly"}
    assert exact == EXACT
    withdrawing = {name for name in exact if isinstance(made[name], CanWithdraw)}
    assert exact - withdrawing == HEARD
    return sorted(withdrawing)


@contextmanager
def shared_rows(always):
    """Whether every change counts as many, after which push learners share the graph's rows."""
    with pytest.MonkeyPatch.context() as patch:
        if always:
            patch.setattr(changing_matrix, "FEW", 0)
            patch.setattr(changing_matrix, "PART", 10**9)
        yield


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("name", exact_names())
@settings(max_examples=50, deadline=None)
@given(story=steps)
def test_exact_learners_end_where_the_final_graph_begins(name, many, story):
    kind = ENTRIES[name].build
    learner = make(name, BEFORE, n_classes=CLASSES, eps=1e-12)
    with shared_rows(many):
        graph, labels = followed(learner, BEFORE, story)
    again = taught(make(name, graph, n_classes=CLASSES, eps=1e-12), labels)
    every = np.arange(graph.n_nodes)
    for m in range(len(learner.members)):
        ours, theirs = learner.state.of(every, m), again.state.of(every, m)
        np.testing.assert_allclose(ours, theirs, atol=1e-9)
    if kind is not Auto:  # its mixture also remembers how earlier guesses went
        np.testing.assert_allclose(learner.scores(every), again.scores(every), atol=1e-9)
    assert np.array_equal(learner.predict(every) == UNKNOWN, again.predict(every) == UNKNOWN)
    assert learner.asking.label_weight == pytest.approx(again.asking.label_weight, rel=1e-12)
    assert learner.graph == graph


@pytest.mark.parametrize("kind", [PushLGC, PushRidge])
@settings(max_examples=40, deadline=None)
@given(story=steps, eps=st.sampled_from([1e-1, 1e-2, 1e-3]))
def test_with_a_tolerance_they_differ_by_their_residual_bounds_at_most(kind, story, eps):
    learner = kind(BEFORE, CLASSES, eps=eps)
    graph, labels = followed(learner, BEFORE, story)
    again = taught(kind(graph, CLASSES, eps=eps), labels)
    every = np.arange(graph.n_nodes)
    apart = np.abs(learner.state.of(every, 0) - again.state.of(every, 0)).max(initial=0.0)
    assert apart <= learner.residual_bound() + again.residual_bound() + 1e-12
    assert learner.residual_bound() <= eps / (1 - learner.members[0].alpha) * (1 + 1e-9)


@settings(max_examples=30, deadline=None)
@given(story=steps)
def test_near_far_is_exact_near_by(story):
    learner = NearFar(BEFORE, CLASSES, rank=0)
    graph, labels = followed(learner, BEFORE, story)
    again = taught(NearFar(graph, CLASSES, rank=0), labels)
    every = np.arange(graph.n_nodes)
    near, fresh = learner.near.scores(every), again.near.scores(every)
    np.testing.assert_allclose(near, fresh, atol=1e-7)
    thoughts = [one._thoughts(every, one.near.scores(every)) for one in (learner, again)]
    np.testing.assert_allclose(*thoughts, atol=1e-6)  # the temperature remembers earlier guesses


@pytest.mark.parametrize("many", [False, True])
@settings(max_examples=30, deadline=None)
@given(story=steps)
def test_bandit_and_perceptron_keep_what_they_heard(many, story):
    bandit, perceptron = PushBandit(BEFORE, CLASSES, eps=1e-12), PushPerceptron(BEFORE, eps=1e-12)
    graph, heard, mistakes = BEFORE, [], np.zeros(40)
    for verb, *what in story:
        if verb == "learn":
            at, told = what[0] % graph.n_nodes, what[1]
            heard.append((at, told))
            bandit.learn(at, told, correct=told == 1)
            sign = 1 if told == 1 else -1
            mistakes[at] += sign if sign * perceptron.margin(at) <= 0 else 0
            perceptron.learn(at, sign)
        elif verb != "withdraw":
            graph = changed(graph, verb, what) or graph
            with shared_rows(many):
                bandit.grow(graph)
                perceptron.grow(graph)
    again = PushBandit(graph, CLASSES, eps=1e-12)
    for at, told in heard:
        again.learn(at, told, correct=told == 1)
    every = np.arange(graph.n_nodes)
    np.testing.assert_allclose(bandit.scores(every), again.scores(every), atol=1e-9)
    degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
    matrix = np.diag(degrees) - 0.9 * graph.adjacency.toarray()
    exact = np.linalg.solve(matrix, mistakes[: graph.n_nodes])
    np.testing.assert_allclose(perceptron.margin(every), exact, atol=1e-9)


GROWN = BEFORE.with_edges([(5, 6), (6, 7), (7, 4), (0, 8)], [1.0, 2.0, 1.0, 0.5])
LABELS = np.array([0, 0, 0, 1, 1, 1])


def trained(name, graph=BEFORE):
    model = make(name, graph, n_classes=CLASSES)
    if isinstance(model, Classifier):
        return model.fit(np.arange(6), LABELS)
    for at in (0, 5, 1, 4, 2, 3):
        if isinstance(model, BanditLearner):
            model.learn(at, int(LABELS[at]), True)
        else:
            model.learn(at, int(LABELS[at]))
    return model


@pytest.mark.parametrize("name", list(ENTRIES))
def test_every_algorithm_grows_or_says_that_it_cannot(name):
    model = trained(name)
    if name in FIXED:
        before = model.scores(np.arange(6))
        assert model.grows is None
        with pytest.raises(InputError, match=r"cannot grow: .* make a new one on the grown graph"):
            model.grow(GROWN)
        np.testing.assert_array_equal(model.scores(np.arange(6)), before)
        return
    assert model.grows is not None
    assert (model.grows == "exactly") == (name in EXACT)
    with pytest.raises(InputError, match="grow needs the changed Graph, got list"):
        model.grow(EDGES)
    with pytest.raises(GraphError, match="must keep all 6 nodes of the earlier one, got 3"):
        model.grow(Graph.from_edges(EDGES[:3]))
    model.grow(GROWN)
    every = np.arange(9)
    scores, guesses = model.scores(every), model.predict(every)
    assert scores.shape == (9, CLASSES)
    assert np.isfinite(scores).all()
    if not isinstance(model, BanditLearner | Classifier):
        assert set(guesses[6:8]) <= {1, UNKNOWN}
        assert guesses[8] in (0, UNKNOWN)
    if isinstance(model, Classifier):
        again = trained(name, GROWN)
        np.testing.assert_allclose(scores, again.scores(every), atol=1e-4)
        model.fit(every, np.append(LABELS, [1, 1, 0]))
    elif isinstance(model, BanditLearner):
        model.learn(8, 0, True)
    else:
        model.learn(8, 0)
        assert model.predict(8) == 0
    model.grow(GROWN.with_nodes([9]))
    assert isinstance(model, BanditLearner) or model.predict(9) == UNKNOWN
    model.grow(GROWN.with_nodes([9]))  # nothing new


@pytest.mark.parametrize("name", [n for n, entry in ENTRIES.items() if entry.kind == "batch"])
def test_batch_methods_follow_a_story_to_the_same_scores(name):
    model, graph = trained(name), BEFORE
    story = [("node",), ("edge", 6, 4, 1.0), ("reweight", 2, 3.0), ("remove", 0),
             ("edge", 0, 7, 1.0)]  # fmt: skip
    known, labels = np.array([0, 2, 3, 4, 5, 6]), np.array([0, 0, 1, 1, 1, 1])
    for verb, *what in story:
        graph = changed(graph, verb, what)
        model.grow(graph)
        if verb == "reweight":  # node 1's label is withdrawn, node 6 gets one
            model.fit(known, labels)
    assert graph.n_nodes == 8
    every = np.arange(8)
    again = make(name, graph, n_classes=CLASSES).fit(known, labels)
    np.testing.assert_allclose(model.scores(every), again.scores(every), atol=1e-4)


def test_a_learner_on_bare_rows_says_what_it_needs():
    with pytest.raises(InputError, match="was made on rows without a graph; make it on a Graph"):
        make("ollgc", np.eye(3)).grow(BEFORE)


def test_rows_of_new_nodes_are_close_to_computing_them_and_are_computed_again_after_drift():
    rng = np.random.default_rng(0)
    group = np.arange(120) % 3
    same = group[:, None] == group
    dense = np.triu(rng.random((120, 120)) < np.where(same, 0.25, 0.02), 1)
    whole = np.argwhere(dense)
    start = Graph.from_edges(whole[(whole < 100).all(axis=1)], names=range(100))
    rows = GrowingRows(start, lambda graph: laplacian(graph, rank=3, normalized=True))
    assert not rows.made
    centres = np.stack([rows.rows[group[:100] == k].mean(axis=0) for k in range(3)])
    for first in range(100, 120, 5):
        arrived = whole[(whole < first + 5).all(axis=1) & (whole >= first).any(axis=1)]
        longer = rows.graph.with_nodes(range(first, first + 5))
        rows = rows.grown(longer.with_edges(arrived))
    nearest = np.argmin(np.linalg.norm(rows.rows[100:, None] - centres, axis=2), axis=1)
    assert (nearest == group[100:]).all()
    assert 0.0 < rows.drift <= MOST_DRIFT
    assert rows.history == ()
    before, kernel = rows.rows, None
    while not rows.history:
        more = rng.integers(0, 120, size=(60, 2))
        rows = rows.grown(rows.graph.with_edges(more[more[:, 0] != more[:, 1]]))
        kernel = laplacian(rows.graph, rank=3, normalized=True)
    assert rows.history == ("rows computed again at 120 nodes",)
    assert rows.drift == 0.0
    np.testing.assert_allclose(rows.rows @ rows.rows.T, kernel @ kernel.T, atol=1e-9)
    turned = np.linalg.norm(rows.rows - before), np.linalg.norm(kernel - before)
    assert turned[0] <= turned[1] + 1e-9


def test_near_far_says_when_its_rows_were_computed_again_or_refreshed():
    learner = make("near-far", BEFORE)
    learner.learn(0, 0)
    learner.learn(5, 1)
    assert learner.predict(3) == 1
    learner.grow(BEFORE.with_edges([(0, 1)], [0.01]))
    assert learner.history == ()
    learner.grow(GROWN)
    assert learner.history == ("rows computed again at 9 nodes",)
    assert learner.far.rows.shape[0] == 9
    found = planted_partition(n=600, mean_degree=8, mixing=0.1)
    graph, sources, targets = found.graph, *found.graph.edges()[:2]
    early = np.maximum(sources, targets) < 500
    rows = SpectralRows(Graph.from_edges((sources[early], targets[early]), names=range(500)), None)
    assert not rows.grown(graph).made
    assert rows.rows.shape[0] == 500
    grown = rows.grown(graph)
    assert grown.history == ("rows refreshed at 600 nodes",)
    assert grown.drift == 0.0
    exact = SpectralRows(graph, None).rows
    assert grown.rows.shape == exact.shape
    kernels = grown.rows @ grown.rows.T, exact @ exact.T
    assert np.linalg.norm(kernels[0] - kernels[1]) < 0.15 * np.linalg.norm(kernels[1])
    assert rows.grown(graph).rows.tobytes() == grown.rows.tobytes()


def test_the_old_names_change_the_graph_too():
    learner = PushRidge(BEFORE)
    assert isinstance(learner, CanGrow)
    learner.learn(0, 0)
    learner.add_edge(0, 5, 2.0)
    assert learner.graph == BEFORE.with_edges([(0, 5)], [2.0])
    learner.remove_edge(0, 5)
    assert learner.graph == BEFORE


@pytest.mark.parametrize("many", [False, True])
def test_components_are_repaired_locally(many):
    rng = np.random.default_rng(3)
    ends = rng.integers(0, 40, size=(70, 2))
    graph = Graph.from_edges(ends[ends[:, 0] != ends[:, 1]], names=range(40))
    learner = PushLGC(graph, 2, eps=1e-6)
    for at in range(0, 40, 7):
        learner.learn(at, at % 2)
    for _ in range(150):
        more = rng.integers(0, graph.n_nodes, size=(2, 2))
        graph = graph.with_edges(more[more[:, 0] != more[:, 1]])
        sources, targets, _ = graph.edges()
        cut = rng.integers(0, len(sources), 2)
        graph = graph.without_edges(list({(int(sources[c]), int(targets[c])) for c in cut}))
        graph = graph.with_nodes([graph.n_nodes]) if rng.random() < 0.1 else graph
        with shared_rows(many):
            learner.grow(graph)
        label, sums = learner.state.components()
        where = graph.components
        assert len(set(zip(label.tolist(), where.tolist(), strict=True))) == graph.n_components
        expected = np.zeros((graph.n_components, 2))
        np.add.at(expected, where, learner.state.targets)
        np.testing.assert_array_equal(sums[label], expected[where])


once = st.tuples(st.integers(0, 5), st.integers(0, 1), st.floats(0.0, 3.0))
labelled = st.lists(once, max_size=6)


@pytest.mark.parametrize("kind", [PushLGC, PushRidge, Auto])
@settings(max_examples=25, deadline=None)
@given(told=labelled, pause=st.floats(0.0, 200.0))
def test_fading_is_exact(kind, told, pause):
    learner = Forgetting(kind(BEFORE, 2, eps=1e-12), labels=2.0, edges=5.0, clock="time")
    now, latest = 0.0, {}
    for at, label, wait in told:
        now += wait
        learner.advance(now)
        learner.learn(at, label)
        latest[at] = (label, now)
    now += pause
    learner.advance(now)
    grown = BEFORE.with_edges([(5, 6), (0, 1)], [2.0, 3.0])
    learner.grow(grown)
    learner.advance(now + 1.0)
    sources, targets, weights = grown.edges()
    old = weights_before(BEFORE.adjacency, Change(7, sources, targets, weights))
    faded = old * 2.0 ** (-(now + 1.0) / 5.0) + (weights - old) * 2.0 ** (-1.0 / 5.0)
    exact = kind(Graph.from_edges((sources, targets), weights=faded, names=range(7)), 2, eps=1e-13)
    for at, (label, when) in latest.items():
        left = 2.0 ** (-(now + 1.0 - when) / 2.0)
        if left < 2.0**-40:
            continue
        exact.tell_outside_rounds(at, label)
        exact.state.fade(at, exact.asking.label_weight * left, left)
        assert learner.strength(at) == pytest.approx(left)
    exact.state.settle()
    every = np.arange(7)
    for m in range(len(exact.members)):
        ours, theirs = learner.inner.state.of(every, m), exact.state.of(every, m)
        if not exact.members[m].ridge:  # a source's F = sqrt(D) x does not depend on the unit
            ours = ours * np.sqrt(learner.inner.state.diagonal)[:, None]
            theirs = theirs * np.sqrt(exact.state.diagonal)[:, None]
        np.testing.assert_allclose(ours, theirs, atol=1e-7, rtol=1e-6)


def test_forgetting_by_events_and_its_errors():
    learner = Forgetting(PushRidge(BEFORE, 2), labels=1.0)
    learner.learn(0, 0)
    learner.learn(5, 1)
    assert learner.strength(0) == 0.5
    learner.learn(0, 0)
    assert learner.strength(0) == 1.0
    learner.withdraw(0)
    assert learner.strength(0) == 0.0
    for _ in range(50):
        learner.learn(5, None)
    assert learner.predict(5) == UNKNOWN
    many = Forgetting(PushLGC(BEFORE, 2), edges=0.05)
    many.learn(0, 1)
    graph = BEFORE
    for i in range(6):
        graph = graph.with_edges([(5, 6 + i)])
        many.grow(graph)
    assert many.predict(11) == 1
    assert np.isfinite(many.scores(np.arange(12))).all()
    with pytest.raises(InputError, match="time must not go back"):
        many.advance(-1.0)
    with pytest.raises(InputError, match="labels must be positive, got 0"):
        Forgetting(PushLGC(BEFORE), labels=0.0)
    taught_one = PushLGC(BEFORE)
    taught_one.learn(0, 0)
    with pytest.raises(InputError, match="must have no labels yet"):
        Forgetting(taught_one)


def test_a_stream_of_arrivals_predicts_each_node_from_the_edges_it_brought():
    rng = np.random.default_rng(1)
    group = np.arange(90) % 2
    chance = np.where(group[:, None] == group, 0.2, 0.01)
    pairs = np.argwhere(np.triu(rng.random((90, 90)) < chance, 1))
    graph = Graph.from_edges(pairs, names=range(90))
    told = rng.random(90) < 0.3
    stream = arrivals(graph, rng.permutation(90), group, told, start=30)
    game = play(make("push-lgc", stream.graph), stream)
    guesses = list(game)
    assert len(guesses) == 60
    assert all(guess.arriving for guess in guesses)
    assert [stream.events[guess.event].node for guess in guesses] == [g.node for g in guesses]
    assert np.mean([guess.guess == group[guess.node] for guess in guesses]) > 0.8
    counted = game.summary()
    later = {event.node for event in stream.events if event.kind == "node"}
    assert counted.nodes == 60
    assert counted.judged == sum(bool(told[node]) for node in later)
    assert counted.error < 0.2
    events = [Arrival("label", 0, label=1), Arrival("question", 5)]
    assert [found.guess for found in play(make("push-lgc", BEFORE), Stream(BEFORE, events))] == [1]
    for wrong, message in (
        (Arrival("node", 9, edges=((9, 77),)), "event 1 brings an edge to 77, which is not there"),
        (Arrival("node", 3), "events 1 to 1: names must be distinct"),
        (Arrival("edge", 0), "must have one in `edges`"),
        (Arrival("label", 0), "tells the label of 0, got none"),
        (Arrival("label", 44, label=0), "event 1: no node is named 44"),
        (Arrival("colour", 0), "kind must be one of"),
    ):
        with pytest.raises(InputError, match=message):
            play(make("push-lgc", BEFORE), Stream(BEFORE, [wrong])).run()
    with pytest.raises(InputError, match="a stream brings its labels"):
        play(make("push-lgc", BEFORE), Stream(BEFORE, []), np.zeros(6))
    with pytest.raises(InputError, match="needs the label of each node"):
        play(make("push-lgc", BEFORE), [0, 1])


def test_a_node_is_predicted_before_what_comes_after_it():
    """A guess uses no edge of a later node, and no time after its own."""
    two = Graph.from_edges([("a", "b"), ("c", "d")])
    known = [Arrival("label", "a", label=0), Arrival("label", "c", label=1)]
    later = [
        Arrival("node", "x"),
        Arrival("edge", "x", edges=(("x", "b"),)),
        Arrival("node", "y", edges=(("y", "x"), ("y", "c", 9.0))),
        Arrival("edge", "x", edges=(("x", "c", 9.0),)),
        Arrival("question", "x"),
    ]
    game = play(make("push-lgc", two, n_classes=2), Stream(two, known + later)).run()
    assert [(found.node, found.guess) for found in game.guesses] == [("x", 0), ("y", 1), ("x", 1)]
    both = [
        Arrival("node", "x", (("x", "y"),), at=1.0),
        Arrival("node", "y", (("y", "c"),), at=1.0),
    ]
    game = play(make("push-lgc", two, n_classes=2), Stream(two, known + both)).run()
    assert [found.guess for found in game.guesses] == [1, 1]
    apart = [both[0], both[1]._replace(at=2.0)]
    with pytest.raises(InputError, match="event 3 brings an edge to 'y', which is not there"):
        play(make("push-lgc", two, n_classes=2), Stream(two, known + apart)).run()
    timed = [
        Arrival("label", "a", label=0, at=0.0),
        Arrival("edge", "b", edges=(("b", "c"),), at=1.0),
        Arrival("question", "c", at=11.0),
    ]
    learner = make("push-lgc", two, n_classes=2, edge_half_life=10.0, clock="time")
    play(learner, Stream(two, timed)).run()
    exact = make("push-lgc", two, n_classes=2, edge_half_life=10.0, clock="time")
    exact.learn(0, 0)
    exact.advance(1.0)
    exact.grow(two.with_edges([("b", "c")]))
    exact.advance(11.0)
    np.testing.assert_allclose(learner.scores(np.arange(4)), exact.scores(np.arange(4)))


EVENTS = """event,node,other,weight,label,time
label,0,,,red,0
label,5,,,blue,1
node,6,,,,2
edge,6,5,2.5,,2
label,6,,,blue,3
question,1,,,,4
"""


def test_a_file_of_events_is_a_stream_and_says_what_is_wrong_with_it(tmp_path):
    file = tmp_path / "events.csv"
    file.write_text(EVENTS)
    stream = read_stream(file, BEFORE)
    assert stream.classes == ("red", "blue")
    assert stream.events[3] == Arrival("edge", 6, edges=((6, 5, 2.5),), at=2.0)
    learner = make("push-lgc", BEFORE, half_life=1.0, clock="time")
    game = play(make("push-lgc", BEFORE), stream).run()
    assert game.table()["guess"] == ["blue", "red"]
    game = play(learner, stream).run()
    assert game.table()["guess"] == ["blue", "blue"]  # the red label is four half-lives old
    assert game.table()["told_later"] == ["blue", None]
    assert learner.strength(0) == 0.5**4
    assert game.graph == BEFORE.with_edges([(6, 5)], [2.5])
    rows = [line.split(",") for line in EVENTS.splitlines()]
    other = tmp_path / "events.jsonl"
    lines = [{k: v for k, v in zip(rows[0], row, strict=True) if v} for row in rows[1:]]
    other.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert read_stream(other, BEFORE) == stream
    for text, message in (
        ("a,b\n1,2\n", "must have columns event and node"),
        ("event,node\nnode,\n", "event 1 must name a node in column node"),
        ("event,node\nnode,x\n", "event 1 must name a node by its number"),
        ("event,node\nparty,1\n", "event 1 must be one of node, edge, label, question"),
        ("event,node,other\nedge,1,\n", "event 1 must name a node in column other"),
        ("event,node,label\nlabel,1,\n", "event 1 tells a label, got none"),
        ("event,node,other,weight\nedge,1,2,-1\n", "event 1 must have a weight above 0"),
        ("event,node,time\nquestion,1,5\nquestion,1,4\n", "event 2 goes back in time"),
        ("event,node,time\nquestion,1,soon\n", "event 1 must have a finite number in column time"),
    ):
        file.write_text(text)
        with pytest.raises(ReadError, match=message):
            read_stream(file, BEFORE)
    other.write_text("[1]\n")
    with pytest.raises(ReadError, match="line 1 must be a JSON object"):
        read_stream(other, BEFORE)


def test_learners_forget_by_name():
    learner = make("auto", BEFORE, n_classes=2, half_life=2.0, edge_half_life=3.0)
    assert isinstance(learner, Forgetting)
    learner.learn(0, 0)
    learner.learn(5, 1)
    learner.learn(4, 1)
    assert learner.strength(0) == 0.5
    with pytest.raises(InputError, match="only auto, push-lgc and push-ridge can forget"):
        make("near-far", BEFORE, half_life=2.0)
    with pytest.raises(InputError, match="clock must be"):
        make("auto", BEFORE, half_life=2.0, clock="moon")
    session = Session(BEFORE, learner="push-lgc", parameters={"half_life": 1.0})
    session.tell({0: "red", 5: "blue"})
    session.grow(edges=[(0, 6)])
    assert session.predict(6) == "red"
    assert session.dialogue.learner.strength(5) == 0.5
