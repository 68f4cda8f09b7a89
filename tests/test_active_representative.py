"""The strategy of sessions: doubtful nodes that stand for others, by the learner's own rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_graphs import sparse_graph

from lapwing import Graph, Session, active, make
from lapwing.active import Representative, representative
from lapwing.active.representative import NOISE, TRUSTED, covariances
from lapwing.learner import ComparesNodes, JudgesNeighbours
from lapwing.online.pool import roster
from lapwing.session.log.questions import Asked, choices

PATH = Graph.from_edges([(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)])


class Told(ComparesNodes):
    """Rows and probabilities as given; nothing is said about neighbours."""

    def __init__(self, rows, chances):
        self.rows, self.chances = np.array(rows, dtype=float), np.array(chances)

    def likeness_rows(self, nodes):
        return self.rows[nodes]

    def predict_proba(self, nodes):
        return self.chances[nodes]


def test_a_score_by_hand():
    """Two kinds of nodes, one of each known; the others differ in doubt and in number."""
    rows = [[1, 0], [0, 1], [1, 0], [1, 0], [0, 1], [0, 0]]
    chances = [[0.5, 0.5]] * 2 + [[0.9, 0.1], [0.6, 0.4], [0.7, 0.3], [0.5, 0.5]]
    ask, free = Representative(PATH, {0: 0, 1: 1}), np.arange(2, 6)
    left = NOISE / (1 + NOISE)  # the variance of a kind once one of it is known
    doubts = np.array([0.2, 0.8, 0.6, 1.0])
    alike = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]) * left
    own = np.array([left, left, left, 0.0])
    by_hand = doubts * np.sqrt(alike**2 @ doubts / (own + NOISE))
    scores = ask.scores(Told(rows, chances), free, free, [0, 1])
    np.testing.assert_allclose(scores, by_hand)
    assert ask(Told(rows, chances), free) == 3
    assert ask.several(free, 2, Told(rows, chances)).tolist() == [3, 4]


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.integers(0, 12), st.integers(1, 6))
def test_both_ways_to_the_covariances_agree(seed, n_known, width):
    rng = np.random.default_rng(seed)
    nodes, others, known = (rng.normal(size=(count, width)) for count in (4, 5, n_known))
    shared, own = covariances(nodes, others, known)
    inverse = np.linalg.inv(known @ known.T + NOISE * np.eye(n_known))
    both = nodes @ others.T - nodes @ known.T @ inverse @ known @ others.T
    np.testing.assert_allclose(shared, both, atol=1e-9)
    itself = covariances(nodes, nodes, known)[0]
    np.testing.assert_allclose(own, np.diag(itself), atol=1e-9)


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000))
def test_renaming_nodes_renames_the_question(seed):
    """On a graph that is considered as a whole; rows and doubts are all different."""
    rng = np.random.default_rng(seed)
    graph = sparse_graph(40, 90, seed)
    rows, chances = rng.normal(size=(40, 3)), rng.dirichlet(np.ones(3), size=40)
    order = rng.permutation(40)
    place = np.argsort(order)
    renamed = Graph(graph.adjacency[order][:, order])
    known = {0: 0, 7: 1, 11: 2}
    free = np.setdiff1d(np.arange(40), list(known))
    first = Representative(graph, known)(Told(rows, chances), free)
    there = {int(place[node]): label for node, label in known.items()}
    second = Representative(renamed, there)(Told(rows[order], chances[order]), np.sort(place[free]))
    assert second == place[first]


def test_without_rows_it_chooses_as_uncertain_reach():
    graph, known = sparse_graph(60, 150, 3), {1: 0, 20: 1}
    free = np.setdiff1d(np.arange(60), list(known))
    reach = active.UncertainReach(graph, known)
    empty = Told(np.empty((60, 0)), np.full((60, 2), 0.5))
    for learner in (None, empty, make("near-far", graph)):
        ask = Representative(graph, known)
        assert ask(learner, free) == reach(learner, free)
        assert ask.several(free, 3, learner).tolist() == reach.several(free, 3).tolist()


def test_the_same_labels_ask_the_same_and_a_cost_counts():
    learner = Told(np.ones((6, 1)), np.full((6, 2), 0.5))
    cost = np.array([9.0, 9.0, 1.0, 9.0, 9.0, 9.0])
    assert Representative(PATH, {}, cost=cost)(learner, np.arange(6)) == 2
    graph = sparse_graph(400, 900, 0)
    many = Told(np.random.default_rng(0).normal(size=(400, 4)), np.full((400, 2), 0.5))
    asked = [Representative(graph, {}, seed=s)(many, np.arange(400)) for s in (1, 1, 2, 3, 4)]
    assert asked[0] == asked[1]
    assert len(set(asked)) > 1


class Trusting(Told, JudgesNeighbours):
    """The same from edges alone; neighbours are trusted as given."""

    compares_by_edges = True

    def __init__(self, rows, chances, trust):
        super().__init__(rows, chances)
        self.trust = trust

    @property
    def neighbour_trust(self):
        return self.trust

    def mark_chosen(self, _node):
        raise AssertionError("a strategy only reads")

    def lead_over_shares(self, _drawn, **_said):
        raise AssertionError("a strategy does not look at audits")


def test_where_neighbours_are_trusted_reach_decides():
    rng, graph = np.random.default_rng(6), sparse_graph(400, 900, 1)
    rows, chances = rng.normal(size=(400, 4)) / 2, rng.dirichlet(np.ones(2), size=400)
    known = {3: 0, 9: 1, 40: 1}
    free = np.setdiff1d(np.arange(400), list(known))
    reach, told = active.UncertainReach(graph, known)(None, free), Told(rows, chances)
    for trust, decides in ((TRUSTED, True), (TRUSTED - 0.01, False)):
        ask, learner = Representative(graph, known), Trusting(rows, chances, trust)
        assert ask.leaves_to_reach(learner) == decides
        expected = reach if decides else Representative(graph, known)(told, free)
        assert ask(learner, free) == expected
    assert Representative(graph, known)(told, free) != reach


def test_a_pool_without_attributes_compares_by_edges():
    graph = sparse_graph(60, 150, 3)
    told = graph.with_node_table({"size": np.linspace(0.0, 1.0, 60)})
    assert make("pool", graph).compares_by_edges
    assert make("pool", told, use=()).compares_by_edges
    assert not make("pool", told).compares_by_edges


def test_on_a_large_graph_reach_chooses_until_two_classes_are_known_and_places_are_there(
    monkeypatch,
):
    graph, labels = two_sided(300, True)
    monkeypatch.setattr(representative, "LARGE", 100)
    monkeypatch.setattr(roster, "MOST_FOR_SPECTRUM", 100)
    learner = make("pool", graph, n_classes=2)
    known = learner.labels
    ask, reach = Representative(graph, known), active.UncertainReach(graph, known)
    for node, label in enumerate(labels[:40].tolist()):
        left = np.arange(node, 300)
        told = len(set(labels[:node])) > 1
        assert ask.compares(learner) == told
        assert told or ask(learner, left) == reach(learner, left)
        learner.learn(node, label)
    assert learner.neighbour_trust > TRUSTED
    assert not ask.leaves_to_reach(learner)  # from 32 labels on it would on a smaller graph
    learner.postpone()
    assert ask.leaves_to_reach(learner)
    learner.adopt()
    assert not ask.leaves_to_reach(learner)


def two_sided(n, alike, seed=0):
    """Nodes of two classes; nearly all edges inside the classes, or nearly all between them."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 2
    edges = []
    while len(edges) < 4 * n:
        one, other = rng.integers(n, size=2).tolist()
        if one != other and (labels[one] == labels[other]) == (alike != (rng.random() < 0.05)):
            edges.append((one, other))
    return Graph.from_edges(edges, names=range(n)), labels


@pytest.mark.parametrize("alike", [True, False])
def test_what_counts_as_alike_follows_the_labels(alike):
    """Where neighbours differ, rows of places in the graph give way to those of structure."""
    graph, labels = two_sided(160, alike)
    session = Session(graph, ["a", "b"], seed=1)
    first = session.dialogue.learner.neighbour_trust
    for _ in range(40):
        question = session.ask()
        session.tell(question.node, "ab"[labels[question.node]])
    learner = session.dialogue.learner
    trust = learner.neighbour_trust
    assert trust > 0.9 if alike else trust < 0.1 < first
    rows = learner.likeness_rows(np.arange(160))
    same = (rows @ rows.T)[labels[:, None] == labels].mean()
    other = (rows @ rows.T)[labels[:, None] != labels].mean()
    assert same > 0.01
    assert same > 2 * other
    audits = sum(Asked.of(event).audit for event in session.dialogue.state.asked.values())
    assert 2 <= audits <= 20  # no drift to audits: what was chosen stays close to a fair sample
    free = learner.predict(np.arange(160)) == labels
    assert free.mean() > 0.85


def test_a_session_asked_for_several_asks_about_different_kinds():
    graph, labels = two_sided(160, True)
    session = Session(graph, ["a", "b"], seed=1, audit_share=0.0)
    for question in session.ask(count=10):
        session.tell(question.node, "ab"[labels[question.node]])
    asked = session.dialogue.state.labels
    assert len(asked) == 10
    assert 2 <= sum(asked.values()) <= 8
    state, header = session.dialogue.state, session.dialogue.header
    free = session.dialogue.candidates()
    twice = [
        [each.node for each in choices(state, header, session.dialogue.strategy, free, 5)]
        for _ in range(2)
    ]
    assert twice[0] == twice[1]
    assert len(set(twice[0])) == 5
