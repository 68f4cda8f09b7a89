"""Every reason a question gives is true: held against a slow and obvious computation."""

import copy
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import dijkstra

from lapwing import Graph, Session, active, make
from lapwing.session.asking.reasons import CLOSE, ball, expected_changes, region
from lapwing.types import UNKNOWN
from tests.random_graphs import sparse_graph


def steps(graph, node):
    """The number of edges from a node to every other."""
    return dijkstra(graph.adjacency, indices=node, unweighted=True)


@st.composite
def problems(draw):
    n = draw(st.integers(2, 30))
    graph = sparse_graph(n, draw(st.integers(0, 2 * n)), draw(st.integers(0, 10_000)))
    chosen = draw(st.sets(st.integers(0, n - 1), max_size=n - 1))
    node = draw(st.sampled_from(sorted(set(range(n)) - chosen)))
    return graph, dict.fromkeys(chosen, 0), node


@settings(max_examples=150, deadline=None)
@given(problems(), st.integers(1, 12))
def test_a_region_is_what_is_nearer_than_any_label(problem, most):
    graph, labels, node = problem
    away = steps(graph, node)
    nearest = min((away[other] for other in labels), default=np.inf)
    count = int((away < nearest).sum()) if np.isfinite(nearest) else int(np.isfinite(away).sum())
    assert region(graph, labels, node, most=10**9) == (count, True)
    found, whole = region(graph, labels, node, most=most)
    assert found == count if whole else found <= count
    assert whole or found > most


@settings(max_examples=80, deadline=None)
@given(problems(), st.integers(1, 12))
def test_a_ball_takes_the_nearest(problem, most):
    graph, _, node = problem
    away = steps(graph, node)
    found = ball(graph, node, most)
    others = np.sort(away[np.isfinite(away)])[1 : most + 1]
    assert sorted(away[found]) == others.tolist()
    assert len(set(found.tolist()) | {node}) == len(found) + 1


def changes_by_hand(learner, graph, node):
    """Teach each of the likeliest answers to a copy and count over all nodes."""
    chances, before = learner.predict_proba(node), learner.predict(np.arange(graph.n_nodes))
    known = set(learner.labels) | {node}
    others = np.array([k for k in range(graph.n_nodes) if k not in known], dtype=int)
    total = 0.0
    for label in sorted(range(len(chances)), key=lambda k: (-chances[k], k))[:3]:
        if chances[label] > 0:
            twin = copy.deepcopy(learner)
            twin.learn(node, label)
            total += chances[label] * np.sum(twin.predict(others) != before[others])
    return total


@pytest.mark.parametrize("seed", range(4))
def test_expected_changes_are_those_of_a_copy_that_learned(seed):
    graph = sparse_graph(60, 120, seed).largest_component()
    learner, rng = make("near-far", graph), np.random.default_rng(seed)
    for node in rng.permutation(graph.n_nodes)[:8].tolist():
        learner.learn(node, int(rng.integers(3)))
    labels = np.full(graph.n_nodes, UNKNOWN)
    labels[list(learner.labels)] = list(learner.labels.values())
    for node in np.flatnonzero(labels == UNKNOWN)[:6].tolist():
        found = expected_changes(learner, graph, labels, node)
        assert found == pytest.approx(changes_by_hand(learner, graph, node))


def check(session, question):
    """Whether the words of one question are true of the session as it is."""
    dialogue, graph = session.dialogue, session.graph
    node, words = graph.names.index(question.node), question.reason
    labels, learner = dialogue.labels, dialogue.learner
    if question.audit:
        return words == "drawn at random to check the predictions"
    if found := re.fullmatch(r"first look at a region of (at least )?([\d,]+) nodes.*", words):
        away, known = steps(graph, node), np.flatnonzero(labels != UNKNOWN)
        nearest = away[known].min() if len(known) else np.inf
        count = int((away < nearest).sum())
        said = int(found[2].replace(",", ""))
        return said <= count if found[1] else said == count
    if found := re.fullmatch(r"on the border between (\w+) and (\w+)", words):
        chances = sorted(learner.predict_proba(node))
        near = graph.neighbors(node)
        kinds = np.where(labels[near] == UNKNOWN, learner.predict(near), labels[near])
        names = {dialogue.classes[k] for k in kinds if k != UNKNOWN}
        return {found[1], found[2]} <= names and chances[-2] >= CLOSE * chances[-1]
    if found := re.fullmatch(
        r"its answer is expected to change about ([\d,]+) predictions?", words
    ):
        return int(found[1].replace(",", "")) == round(changes_by_hand(learner, graph, node))
    if found := re.fullmatch(r"chosen by uncertain-reach from ([\d,]+) nodes", words):
        free, known = np.union1d(dialogue.candidates(), [node]), dict(dialogue.state.labels)
        best = active.UncertainReach(graph, known)(None, free)
        return int(found[1].replace(",", "")) == len(free) and node == best
    if found := re.fullmatch(r"tells most about other nodes in doubt, of ([\d,]+) nodes", words):
        free = np.union1d(dialogue.candidates(), [node])
        scores = dialogue.strategy.scores(learner, free, free, list(dialogue.state.labels))
        highest = scores[free == node][0] >= scores.max() * (1 - 1e-9)
        return int(found[1].replace(",", "")) == len(free) and highest
    return False


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.integers(0, 3))
def test_every_question_of_a_session_gives_a_true_reason(seed, kinds):
    graph = sparse_graph(30, 50, seed)
    rng = np.random.default_rng(seed)
    session = Session(graph, ["red", "blue", "green"], seed=seed % 7)
    for _ in range(graph.n_nodes):
        question = session.ask()
        assert check(session, question), question.reason
        session.tell(question.node, ["red", "blue", "green"][int(rng.integers(kinds % 3 + 1))])


def test_reasons_are_computed_on_large_graphs_too():
    rng = np.random.default_rng(0)
    n = 22_000
    edges = np.column_stack([rng.integers(0, n, 60_000), rng.integers(0, n, 60_000)])
    graph = Graph.from_edges(edges[edges[:, 0] != edges[:, 1]])
    session = Session(graph, ["red", "blue"], audit_share=0.0)
    words = []
    for k in range(30):
        question = session.ask()
        words.append(question.reason)
        session.tell(question.node, "red" if k % 2 else "blue")
    assert words[1].startswith("first look at a region of at least 2,")
    node = graph.neighbors(graph.names.index(question.node))[0]
    learner = session.dialogue.learner
    changed = expected_changes(learner, graph, session.dialogue.labels, int(node))
    assert changed >= 0.0
    assert all(re.match("first look|on the border|its answer|tells most", each) for each in words)


def test_asked_again_and_disagreement_are_said():
    graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")])
    session = Session(graph, labels={"a": "red"}, audit_share=0.0)
    session.tell("b", "blue", by="bo")
    assert session.reask("b", by="cy").reason == "asked again"
    session.tell("b", "red", by="cy")
    assert session.ask(by="dan").reason == "two people disagree about it"
    dull = Session(graph, strategy="random", labels={"a": "red", "b": "red"}, audit_share=0.0)
    assert dull.ask().reason in ("drawn at random from 1 nodes", "chosen by random from 1 nodes")


def test_on_a_large_graph_no_learner_is_copied_for_a_reason(monkeypatch):
    monkeypatch.setattr("lapwing.session.asking.reasons.MOST_COPIED", 5)
    monkeypatch.setattr("lapwing.session.asking.reasons.expected_changes", None)
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    session = Session(graph, audit_share=0.0)
    said = []
    for _ in range(4):
        question = session.ask()
        said.append(question.reason)
        session.tell(question.node, "red" if question.node < 3 else "blue")
    assert said[-1] == "chosen by uncertain-reach from 3 nodes"
    graph_alone = Session(graph, learner="near-far", audit_share=0.0, labels={0: "red", 5: "blue"})
    assert graph_alone.ask().reason == "chosen by uncertain-reach from 4 nodes"
