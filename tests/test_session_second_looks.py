"""Answers that look wrong are asked about again, unseen, and tell how many are wrong."""

import numpy as np
import pytest

from lapwing import Session, data
from lapwing.active import suspicion, without_wrong_answers
from lapwing.errors import InputError
from lapwing.learner import Slips
from lapwing.session import Event, Kind
from lapwing.session.log.exchange import verified
from lapwing.session.log.validity import Validity
from lapwing.session.opening.parts import parts
from lapwing.session.store.memory import MemoryStore

FOUND = data.stochastic_block_model(sizes=[60, 60, 60], within=0.25, between=0.01, seed=3)
TRUTH = np.asarray(FOUND.labels)


def answered(rate, *, count=110, store=None, at_once=None, **given):
    """A session of so many questions; a share of the first answers is wrong, none of the second."""
    given = {"second_looks": True, "learner": "near-far", "seed": 4} | given
    session = Session(FOUND.graph, ["0", "1", "2"], name="blocks", store=store, **given)
    asked = []
    while len(asked) < count:
        questions = session.ask(at_once) if at_once else [session.ask()]
        for question in questions:
            again = question.node in session.labels()
            slip = not again and np.random.default_rng([question.node, 5]).random() < rate
            asked.append(question)
            session.tell(question.node, str((TRUTH[question.node] + int(slip)) % 3))
    return session, [question for question in asked if question.again]


def wrong_labels(session):
    return sum(int(label) != TRUTH[node] for node, label in session.labels().items())


def test_wrong_answers_are_asked_about_again_and_corrected():
    session, looks = answered(0.1)
    plain, none = answered(0.1, second_looks=None)
    assert none == []
    assert wrong_labels(plain) >= 8
    assert wrong_labels(session) <= wrong_labels(plain) / 3
    assert 5 <= len(looks) <= 25
    assert all(question.blind for question in looks)
    assert {question.reason for question in looks} == {"a second look: the answer looked odd"}


def test_right_answers_are_hardly_ever_asked_about_again():
    session, looks = answered(0.0)
    assert len(looks) <= 2
    assert session.dialogue.state.looks.rate < 0.03


def test_second_looks_come_among_several_questions_too():
    session, looks = answered(0.1, at_once=4)
    assert looks
    assert wrong_labels(session) <= 5


@pytest.mark.parametrize(("learner", "count"), [("near-far", 110), ("pool", 70)])
def test_the_log_is_replayed_to_the_same_state(learner, count):
    store = MemoryStore()
    session, looks = answered(0.1, store=store, learner=learner, count=count)
    assert looks
    again = Session.open(store, "blocks", graph=FOUND.graph)
    every = np.arange(FOUND.graph.n_nodes)
    assert np.array_equal(again.dialogue.chances(every), session.dialogue.chances(every))
    one, other = session.dialogue.state.looks, again.dialogue.state.looks
    assert (one.heard, one.waiting, one.wrong) == (other.heard, other.waiting, other.wrong)
    record = store.record("blocks")
    found = verified(store, record, FOUND.graph, **parts(record.header, FOUND.graph))
    assert found.same
    assert again.ask().node == session.ask().node


def test_a_label_that_is_rather_wrong_is_kept_from_the_learner_until_it_is_answered_again():
    store = MemoryStore()
    session = Session(FOUND.graph, ["0", "1", "2"], name="blocks", store=store,
                      second_looks=True, learner="near-far", seed=4)  # fmt: skip
    nodes = [node for start in (0, 60, 120) for node in range(start, start + 15)]
    wrong = (3, 65, 125)
    session.tell({node: str((TRUTH[node] + (node in wrong)) % 3) for node in nodes})
    question = session.ask()  # judges first
    state = session.dialogue.state
    assert state.looks.doubted == set(wrong)
    assert question.node in wrong
    learner = session.dialogue.learner
    assert set(learner.labels) == set(nodes) - set(wrong) == set(state.taught)
    assert set(session.labels()) == set(nodes)
    session.tell(question.node, str((TRUTH[question.node] + 1) % 3))  # the same answer again
    assert session.dialogue.learner.labels[question.node] == (TRUTH[question.node] + 1) % 3
    other = session.ask().node
    session.tell(other, str(TRUTH[other]))
    assert session.dialogue.learner.labels[other] == TRUTH[other]
    again = Session.open(store, "blocks", graph=FOUND.graph)
    assert again.dialogue.learner.labels == session.dialogue.learner.labels
    assert again.dialogue.state.looks.doubted == set(wrong) - {question.node, other}
    record = store.record("blocks")
    assert verified(store, record, FOUND.graph, **parts(record.header, FOUND.graph)).same


def test_a_learner_that_cannot_forget_is_not_told_doubted_labels_either():
    session = Session(FOUND.graph, ["0", "1", "2"], second_looks=True, learner="ollgc", seed=4)
    session.tell({node: str(TRUTH[node]) for node in (3, 4, 65, 66, 125, 126)})
    before, dialogue = session.dialogue.learner.scores(np.arange(180)), session.dialogue
    detail = {"again": [], "doubted": [3], "wrong": 0.0, "rate": 0.1}
    dialogue._happened(dialogue._draft(Kind.JUDGED, "me", detail=detail))
    without = Session(FOUND.graph, ["0", "1", "2"], learner="ollgc", seed=4)
    without.tell({node: str(TRUTH[node]) for node in (4, 65, 66, 125, 126)})
    found = dialogue.learner.scores(np.arange(180))
    assert np.allclose(found, without.dialogue.learner.scores(np.arange(180)))
    assert not np.allclose(found, before)
    assert session.labels()[3] == str(TRUTH[3])


def test_a_skipped_second_look_does_not_come_back_at_once():
    session, _ = answered(0.2, count=60)
    while not (question := session.ask()).again:
        session.tell(question.node, str((TRUTH[question.node] + 1) % 3))
    session.skip(question.node)
    assert session.ask().node != question.node


def test_probabilities_allow_for_labels_that_are_wrong():
    """The learner does so itself, and is surer than one that takes all labels for right."""
    session, _ = answered(0.2, count=100)
    dialogue = session.dialogue
    learner = dialogue.learner
    assert 0.0 < learner.heat.slips.rate == dialogue.state.looks.rate
    nodes = np.flatnonzero(dialogue.labels < 0)
    found = dialogue.chances(nodes)
    assert np.array_equal(found, learner.predict_proba(nodes))
    trusting = answered(0.2, count=100, second_looks=None)[0].dialogue.learner
    before = trusting.predict_proba(nodes).max(axis=1).mean()
    trusting.expect_slips(Slips(0.2))
    assert trusting.predict_proba(nodes).max(axis=1).mean() > before
    shown = session.predictions()[FOUND.graph.names[nodes[0]]]
    assert shown.confidence == pytest.approx(float(found[0].max()))
    assert np.allclose(dialogue.chances(int(nodes[0])), found[0])


def test_the_advice_says_what_wrong_answers_do_to_the_bound():
    noisy, clean = answered(0.15)[0], answered(0.0)[0]
    assert "of the answers are wrong" in noisy.advice(target_error=0.01).note
    assert "of the answers are wrong" not in clean.advice(target_error=0.01).note


def test_confirmed_answers_are_no_longer_odd():
    session, _ = answered(0.1, second_looks=None, seed=5)
    odd = session.odd_answers()[0]
    session.reask(odd.node, blind=True)
    session.tell(odd.node, odd.label)
    now = {each.node: each.wrong for each in session.odd_answers(least=0.0)}
    assert now[odd.node] < odd.wrong / 2


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ({"again": [0], "wrong": 2.0, "rate": 0.1}, "wrong must be a share, got 2.0"),
        ({"again": [0], "wrong": 0.1}, "rate must be a share, got None"),
        ({"again": 3, "wrong": 0.1, "rate": 0.1}, "again must list nodes, got 3"),
        ({"again": [9], "wrong": 0.1, "rate": 0.1}, "9"),
        ({"again": [], "doubted": 3, "wrong": 0.1, "rate": 0.1}, "doubted must list nodes, got 3"),
        ({"again": [], "doubted": [9], "wrong": 0.1, "rate": 0.1}, "9"),
    ],
)
def test_a_log_with_a_judgement_that_cannot_be_is_refused(detail, said):
    event = Event(1, Kind.JUDGED, "2026-01-01T00:00:00Z", "me", detail=detail)
    with pytest.raises(InputError, match=said):
        Validity(5).check(event)


def test_second_looks_are_wanted_or_not():
    with pytest.raises(InputError, match="second_looks must be"):
        Session(FOUND.graph, second_looks=3)


def test_repeated_answers_tell_slips_from_unclear_classes():
    """A learner that expects 10% wrong answers everywhere: only second answers tell them apart."""
    rng = np.random.default_rng(0)
    chances = np.full((300, 4), 0.1 / 3)
    chances[:, 0] = 0.9
    answers = np.where(rng.random(300) < 0.1, rng.integers(1, 4, size=300), 0)
    odd = np.flatnonzero(answers)
    once = np.eye(4)[answers]
    confirmed, changed = once.copy(), once.copy()
    confirmed[odd, answers[odd]] += 1.0
    changed[odd, 0] += 1.0
    rates = [suspicion(chances, answers, times).rate for times in (confirmed, once, changed)]
    assert rates[0] < 0.02
    assert rates[0] < rates[1]
    assert rates[2] == pytest.approx(len(odd) / (300 + len(odd)), abs=0.02)
    with pytest.raises(InputError, match="times must have the shape of chances"):
        suspicion(chances, answers, once[:5])


def test_the_probabilities_of_answers_are_turned_into_those_of_classes():
    rng = np.random.default_rng(1)
    truth = rng.dirichlet(np.ones(4), size=50) * 0.95 + 0.0125
    said = 0.8 * truth + 0.2 * (1.0 - truth) / 3.0
    assert without_wrong_answers(said, 0.2) == pytest.approx(truth, abs=2e-3)
    assert without_wrong_answers(said, 0.0) == pytest.approx(said, abs=2e-3)
