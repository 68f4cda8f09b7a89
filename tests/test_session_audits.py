"""Audits: drawn uniformly, and the only answers that tell how wrong the predictions are."""

import numpy as np
import pytest
from scipy.stats import chisquare

from lapwing import Graph, make
from lapwing.active import UncertainReach
from lapwing.session import Dialogue, Store

GRAPH = Graph.from_edges(
    [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)]
)


def begun(store, share, seed=0, name="s"):
    return Dialogue.create(
        store,
        name,
        GRAPH,
        make_learner=lambda: make("ollgc", GRAPH),
        make_strategy=lambda labels: UncertainReach(GRAPH, labels),
        header={"audit_share": share, "seed": seed},
    )


@pytest.fixture
def store():
    with Store("sqlite://") as held:
        yield held


def test_only_answers_to_audits_count(store):
    session, audits = begun(store, 0.5, seed=1), []
    while (question := session.ask()) is not None:
        answer = "red" if question.node < 4 else "blue"
        wrong = question.guess < 0 or session.classes[question.guess] != answer
        if question.audit:
            audits.append(wrong)
        session.tell(question.node, answer)
    assert 0 < len(audits) < GRAPH.n_nodes
    assert session.state.audits == audits
    assert session.error_estimate().audits == len(audits)


def test_an_answer_that_nobody_asked_for_is_no_audit(store):
    session = begun(store, 1.0)
    question = session.ask("ann")
    assert question.audit
    for node in range(GRAPH.n_nodes):
        if node != question.node:
            session.tell(node, "red", "bo")
    assert session.state.audits == []
    session.tell(question.node, "red", "ann")
    assert session.state.audits == [True]


def test_a_question_chosen_for_its_use_is_no_audit(store):
    session = begun(store, 0.0)
    while (question := session.ask()) is not None:
        assert not question.audit
        session.tell(question.node, "red")
    assert session.state.audits == []
    assert session.error_estimate().audits == 0


def test_a_skipped_or_disputed_node_is_no_audit(store):
    session = begun(store, 1.0)
    session.skip(session.ask().node)
    assert session.state.audits == []
    session.tell(3, "red", "ann")
    session.tell(3, "blue", "bo")
    again = session.ask("cy")
    assert (again.node, again.audit) == (3, False)
    session.tell(3, "blue", "cy")
    assert session.state.audits == []


def test_a_correction_does_not_count_again(store):
    session = begun(store, 1.0)
    node = session.ask().node
    session.tell(node, "red")
    session.tell(node, "blue")
    session.withdraw(node)
    session.tell(node, "red")
    assert session.state.audits == [True]


def test_audits_are_drawn_uniformly_from_the_candidates(store):
    session = begun(store, 1.0)
    candidates = np.array([1, 2, 4, 7])
    counts = dict.fromkeys(candidates.tolist(), 0)
    for seed in range(2000):
        session.header = {"audit_share": 1.0, "seed": seed}
        node, audit = session.choices(candidates)[0]
        assert audit
        counts[node] += 1
    assert chisquare(list(counts.values())).pvalue > 0.01


def test_audits_stay_uniform_as_a_session_goes_on(store):
    """The second audit of a session is uniform over what the first answer left."""
    counts = np.zeros((GRAPH.n_nodes, GRAPH.n_nodes))
    for seed in range(600):
        session = begun(store, 1.0, seed=seed, name=f"s{seed}")
        first = session.ask().node
        session.tell(first, "red")
        counts[first, session.ask().node] += 1
    assert (counts.diagonal() == 0).all()
    pairs = counts[~np.eye(GRAPH.n_nodes, dtype=bool)]
    assert chisquare(pairs).pvalue > 0.01


def test_the_share_of_audits_is_what_the_header_says(store):
    session = begun(store, 0.3)
    drawn = 0
    for seed in range(2000):
        session.header = {"audit_share": 0.3, "seed": seed}
        drawn += session.choices(np.arange(GRAPH.n_nodes))[0][1]
    assert chisquare([drawn, 2000 - drawn], [600, 1400]).pvalue > 0.01
