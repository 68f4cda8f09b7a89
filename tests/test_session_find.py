"""Sessions that find the nodes of a class, and what they claim about those still hidden."""

import numpy as np
import pytest

from lapwing import Graph, Session, data
from lapwing.active import AuditDraw, error_estimate, recall_estimate
from lapwing.errors import InputError
from lapwing.session import Event, Kind, MemoryStore, verified
from lapwing.session.log.auditing.recall import TILT
from lapwing.session.log.validity import Validity
from lapwing.session.opening.parts import parts
from lapwing.session.reading.finding import search_facts

DIGITS = data.load("digits").restricted(np.arange(300))
TRUTH = np.asarray(DIGITS.labels)
TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])


def begun(store=None, **chosen):
    chosen = {"goal": "find", "positive": "three", "name": "digits", **chosen}
    return Session(DIGITS.graph, store=store, **chosen)


def answered(session, count, wanted=(3,)):
    """Answer so many questions; the questions."""
    asked = []
    for _ in range(count):
        question = session.ask()
        if question is None:
            break
        asked.append(question)
        node = DIGITS.graph.names.index(question.node)
        session.tell(question.node, "three" if TRUTH[node] in wanted else "other")
    return asked


@pytest.fixture(scope="module")
def searched():
    store = MemoryStore()
    session = begun(store)
    return store, session, answered(session, 120)


def test_most_of_a_rare_class_is_found(searched):
    _, session, _ = searched
    found = sum(label == "three" for label in session.labels().values())
    assert found >= 0.8 * (TRUTH == 3).sum()
    assert session.recall().found == found


def test_a_session_reopens_with_its_goal_and_asks_the_same(searched):
    store, session, _ = searched
    again = Session.open(store, "digits", graph=DIGITS.graph)
    assert again.header["positive"] == ["three"]
    assert again.ask().node == session.ask().node
    assert [lead.node for lead in again.leads(9)] == [lead.node for lead in session.leads(9)]
    assert again.recall() == session.recall()
    chosen = parts(session.header, DIGITS.graph)
    assert verified(store, "digits", DIGITS.graph, **chosen).same


def test_resuming_with_another_goal_is_refused():
    store = MemoryStore()
    begun(store)
    begun(store)
    with pytest.raises(InputError, match="was begun with positive"):
        begun(store, positive=["two"])
    assert Session(DIGITS.graph, name="digits", store=store).header["goal"] == "find"


def test_reasons_give_the_probability_and_say_only_what_is_true():
    session = begun()
    for question in answered(session, 60):
        assert ("likely" in question.reason) <= (not question.audit)
    search = session.dialogue.strategy
    question = session.ask()
    while question.audit:
        session.tell(question.node, "other")
        question = session.ask()
    node = DIGITS.graph.names.index(question.node)
    own = float(search.chances(node))
    assert question.reason.startswith(f"{own:.0%} likely to be three")
    others = search.chances(session.dialogue.candidates())
    assert ("more than any other" in question.reason) == bool(own >= others.max())


def test_audits_wait_until_hits_become_rare_and_are_drawn_as_recorded(searched):
    store, session, asked = searched
    events = [e for e in store.events(session.dialogue.record) if e.kind is Kind.ASKED]
    audits = [event for event in events if event.detail["audit"]]
    drawn = [event.detail for event in audits if "chance" in event.detail]
    assert drawn
    for detail in drawn:
        assert (1 - TILT) / detail["left"] <= detail["least"] <= detail["chance"] <= 1
        assert detail["aside"] == 0
    state = session.dialogue.state
    assert len(state.recall.answered) == sum(question.audit for question in asked)
    tilted = sum(bool(detail.get("tilted")) for detail in drawn)
    assert len(state.audits) == len(state.recall.answered) - tilted
    assert all(question.guess is None or question.confidence is not None for question in asked)


def test_leads_are_the_unasked_nodes_in_the_order_of_their_probability(searched):
    _, session, _ = searched
    leads = session.leads()
    assert len(leads) == DIGITS.graph.n_nodes - session.n_labels
    assert not {lead.node for lead in leads} & set(session.labels())
    chances = [lead.probability for lead in leads]
    assert chances == sorted(chances, reverse=True)
    assert all(0 < chance < 1 for chance in chances)
    never = begun(forbidden=[DIGITS.graph.names[0]])
    assert len(never.leads()) == DIGITS.graph.n_nodes - 1
    with pytest.raises(InputError, match="count must be"):
        session.leads(0)


def test_advice_says_how_many_are_hidden_and_stops_at_the_target():
    session = begun(learner="near-far")
    assert session.advice().why == "no three node found yet"
    answered(session, 25)
    assert "are still hidden" in session.advice(target_recall=1.0).why
    answered(session, 400)
    done = session.advice(target_recall=0.9)
    assert done.stop
    assert session.recall().lower == 1.0
    assert str(session.recall()).startswith("all ")
    assert session.standing(target_recall=0.9).recall == session.recall()


def test_the_target_recall_is_met_when_it_stops():
    session = begun(audit_share=0.5, learner="near-far")
    while not session.advice(target_recall=0.6).stop:
        answered(session, 20)
    assert session.n_labels < DIGITS.graph.n_nodes
    found = sum(label == "three" for label in session.labels().values())
    assert found >= 0.6 * (TRUTH == 3).sum()


def test_several_classes_can_be_found_and_budgets_hold():
    session = begun(positive=["three", 8], classes=["other"])
    assert session.classes == ["other", "three", "8"]
    assert session.header["positive_classes"] == [1, 2]
    session.tell(DIGITS.graph.names[int(np.flatnonzero(TRUTH == 8)[0])], 8)
    assert "likely to be three or 8" in session.ask().reason
    assert session.advice(budget=1).stop


def test_new_nodes_could_not_be_drawn_before_they_came():
    session = begun(audit_share=1.0)
    answered(session, 40)
    before = session.recall()
    session.grow(nodes=["new", "newer"])
    after = session.recall()
    assert after.most >= before.most + 2
    assert after.found == before.found
    draws = session.dialogue.state.recall.draws(
        session.dialogue.state.labels, [0], session.graph.n_nodes
    )
    assert {draw.aside for draw in draws} == {2}


def test_an_ordinary_session_can_tell_the_recall_of_a_class():
    session = Session(DIGITS.graph, audit_share=1.0, seed=3, learner="near-far")
    for _ in range(120):
        question = session.ask()
        session.tell(question.node, str(TRUTH[DIGITS.graph.names.index(question.node)]))
    claim = session.recall(["3"])
    assert claim.fewest <= (TRUTH == 3).sum() <= claim.most
    measures = session.class_measures("3")
    assert measures.recall.lower <= measures.recall.estimate <= measures.recall.upper
    assert measures.precision.audits > 0
    assert "precision about" in str(measures)
    with pytest.raises(InputError, match="a class must be one of"):
        session.recall(["9999"])
    for call in (session.recall, session.leads, lambda: session.advice(target_recall=0.5)):
        with pytest.raises(InputError, match="has no class to find"):
            call()


def test_a_rare_class_is_pointed_out():
    session = Session(DIGITS.graph, ["fine", "rare"], audit_share=1.0, learner="near-far")
    for _ in range(40):
        question = session.ask()
        node = DIGITS.graph.names.index(question.node)
        session.tell(question.node, "rare" if TRUTH[node] == 3 and node % 3 == 0 else "fine")
    advice = session.advice()
    assert "of all nodes are fine" in advice.note
    assert "certify recall instead (recall:rare>=0.9)" in advice.note
    assert advice.note[1:] in str(advice)
    even = Session(DIGITS.graph, audit_share=1.0, learner="near-far")
    for k in range(30):
        even.tell(even.ask().node, "ab"[k % 2])
    assert even.advice().note == ""


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"goal": "find"}, "needs the classes to find"),
        ({"positive": "x"}, "positive goes with goal='find'"),
        ({"goal": "find", "positive": []}, "at least one class"),
        ({"goal": "seek", "positive": "x"}, "goal must be one of label, find"),
        ({"goal": "find", "positive": ["x", "x"]}, "classes must be distinct"),
    ],
)
def test_a_goal_that_makes_no_sense_is_refused(chosen, said):
    with pytest.raises(InputError, match=said):
        Session(TRIANGLES, **chosen)


def test_an_audit_with_an_impossible_chance_is_refused():
    detail = {"guess": -1, "confidence": 0.0, "audit": True, "left": 5, "aside": 0}
    for chance, least in ((0.1, 0.2), (2.0, 0.1), ("0.1", 0.1), (0.1, 0.0)):
        event = Event(
            1, Kind.ASKED, "2026-01-01", "ann", node=0, detail=detail | {"chance": chance,
            "least": least},
        )  # fmt: skip
        with pytest.raises(InputError, match="an audit's chance"):
            Validity(6).check(event)


def simulated(seed, *, n=150, total=12, questions=90, share=0.5):
    """A search whose probabilities are poor; whether the bounds held throughout."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) < total
    belief = rng.uniform(0.02, 0.3, n) + 0.2 * truth * (rng.random(n) < 0.5)
    free, draws, found = np.ones(n, bool), [], 0
    for turn in range(questions):
        left = np.flatnonzero(free)
        if rng.random() < share:
            chances = TILT * belief[left] / belief[left].sum() + (1 - TILT) / len(left)
            at = rng.choice(len(left), p=chances)
            node = left[at]
            draws.append(
                AuditDraw(bool(truth[node]), chances[at], chances.min(), found, len(left))
            )  # fmt: skip
        else:
            node = left[np.argmax(belief[left])]
        free[node] = False
        found += int(truth[node])
        if turn % 3:
            continue
        claim = recall_estimate(draws, found=found, left=int(free.sum()))
        if not claim.fewest <= total <= claim.most:
            return False
    return True


def test_bounds_hold_throughout_in_nineteen_of_twenty_searches():
    held = [simulated(seed) for seed in range(200)]
    assert np.mean(held) >= 0.95


def test_uniform_audits_say_as_much_about_recall_as_about_the_error():
    draws = [AuditDraw(k == 5, 1 / (80 - k), 1 / (80 - k), k > 5, 80 - k) for k in range(40)]
    claim = recall_estimate(draws, found=1, left=40, confidence=0.9)
    wrong = [each.positive for each in draws]
    bound = error_estimate(wrong, left=[*range(80, 40, -1), 40], confidence=0.95)
    assert claim.most - 1 <= bound.upper * 40


def test_a_recall_estimate_refuses_what_makes_no_sense():
    draw = AuditDraw(True, 0.1, 0.2, 0, 10)
    with pytest.raises(InputError, match="an audit's chance"):
        recall_estimate([draw], found=1, left=9)
    with pytest.raises(InputError, match="found must be"):
        recall_estimate([], found=-1, left=9)
    with pytest.raises(InputError, match="confidence must"):
        recall_estimate([], found=1, left=9, confidence=1.0)
    assert str(recall_estimate([], found=0, left=0)).startswith("all 0 found")
    assert recall_estimate([], found=0, left=3).lower == 0.0


def test_a_target_recall_that_seems_reached_is_proven_by_more_audits():
    plain, aimed = begun(audit_share=0.2, seed=1), begun(audit_share=0.2, seed=1, target_recall=0.3)
    counts = []
    for session in (plain, aimed):
        answered(session, 45)
        counts.append(len(session.dialogue.state.recall.answered))
    assert counts[1] >= counts[0] + 5, counts
    store = aimed.store
    chosen = parts(aimed.header, DIGITS.graph)
    assert verified(store, aimed.dialogue.record, DIGITS.graph, **chosen).same
    assert aimed.header["target_recall"] == 0.3


def test_facts_of_a_search_say_what_was_found_and_what_is_hidden():
    session = begun(seed=2)
    assert search_facts(session.dialogue, session.recall())["hit_rate"] is None
    answered(session, 20)
    claim = session.recall()
    facts = search_facts(session.dialogue, claim)
    assert facts["found"] == claim.found
    assert facts["hit_rate"] == claim.found / 20
    assert facts["hidden_at_most"] >= facts["estimated_hidden"] >= 0.0
    assert "found (three)" in session._repr_html_()
