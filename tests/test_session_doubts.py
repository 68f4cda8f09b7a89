"""Answers that look wrong, what people mix up, and what wrong answers do to the bound."""

import json

import numpy as np
import pytest

from lapwing import Session, data
from lapwing.active import error_estimate, suspicion
from lapwing.errors import InputError
from lapwing.session.log.answer_noise import allowing_for_wrong_answers, risk_split
from lapwing.session.log.confusion import confusions


def labelled(*, learner="near-far", wrong=(3, 17, 40), **given):
    """A session on 120 nodes in three blocks, 90 of them answered, some of them wrongly."""
    found = data.stochastic_block_model(sizes=[40, 40, 40], within=0.3, between=0.02, seed=2)
    truth = np.asarray(found.labels)
    order = [
        node for node in np.random.default_rng(0).permutation(120).tolist() if node not in wrong
    ]
    order = [*wrong, *order]
    session = Session(found.graph, ["0", "1", "2"], learner=learner, **given)
    session.tell({
        node: str((truth[node] + 1) % 3 if node in wrong else truth[node]) for node in order[:90]
    })  # fmt: skip
    return session, truth


@pytest.mark.parametrize("learner", ["near-far", "pool"])
def test_wrong_answers_look_odd_and_right_ones_do_not(learner):
    session, truth = labelled(learner=learner)
    found = session.odd_answers()
    assert {each.node for each in found} == {3, 17, 40}
    assert {each.node: each.likelier for each in found} == {n: str(truth[n]) for n in (3, 17, 40)}
    assert [each.wrong for each in found] == sorted((each.wrong for each in found), reverse=True)


def test_a_learner_that_forgets_nothing_is_taught_anew():
    session, _ = labelled(learner="ollgc")
    ranked = [each.node for each in session.odd_answers(least=0.0)]
    assert {3, 17, 40} <= set(ranked[:8])


def test_looking_for_odd_answers_changes_nothing():
    session, _ = labelled()
    before, head = session.dialogue.learner.predict_proba(np.arange(120)).copy(), session.head
    session.odd_answers()
    session.people_errors()
    assert np.array_equal(session.dialogue.learner.predict_proba(np.arange(120)), before)
    assert session.head == head


def test_only_answers_of_a_class_are_not_judged():
    session, _ = labelled(wrong=())
    session.tell(5, "rare")
    assert all(each.node != 5 for each in session.odd_answers(least=0.0))


def test_how_likely_must_be_a_share():
    session, _ = labelled()
    with pytest.raises(InputError, match="least must lie between 0 and 1"):
        session.odd_answers(least=2.0)


def test_a_second_look_hides_the_guess_until_it_is_answered():
    session, truth = labelled()
    question = session.reask(3, blind=True)
    assert question.blind
    assert question.guess is None
    assert question.reason == "a second look: the answer looked odd"
    session.tell(3, str(truth[3]))
    assert question.guess is not None
    assert {each.node for each in session.odd_answers()} == {17, 40}


def test_suspicion_finds_the_share_of_wrong_answers():
    """Where most nodes are clear, slips stand out; chances are those of the truth."""
    rng = np.random.default_rng(0)
    sure = np.where(rng.random(800) < 0.8, 0.99, 0.5)
    chances = np.repeat(((1.0 - sure) / 3.0)[:, None], 4, axis=1)
    chances[:, 0] = sure
    truth = np.array([rng.choice(4, p=row) for row in chances])
    slips = rng.random(800) < 0.2
    answers = np.where(slips, (truth + rng.integers(1, 4, size=800)) % 4, truth)
    found = suspicion(chances, answers)
    assert found.rate == pytest.approx(0.2, abs=0.05)
    clear = slips & (truth == 0) & (sure > 0.9)
    assert (found.wrong[clear] > 0.5).mean() > 0.95
    assert (found.wrong[~slips] < 0.5).mean() > 0.95


def test_confusions_tell_who_mixes_up_what():
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=300)
    priors = {node: np.eye(3)[truth[node]] * 0.7 + 0.1 for node in range(300)}
    mixed = np.where((truth == 1) & (rng.random(300) < 0.4), 2, truth)
    said = {node: {"ann": int(truth[node]), "bo": int(mixed[node])} for node in range(300)}
    found = confusions(said, priors, ["a", "b", "c"])
    assert found["bo"].said[1][2] == pytest.approx(0.4, abs=0.08)
    assert found["bo"].mix_ups()[0][:2] == ("b", "c")
    assert found["ann"].right > 0.97 > found["bo"].right


def test_the_corrected_bound_holds_where_answers_are_wrong():
    """True error 8%, 10% wrong answers, 3 classes: nominal 95% over 300 simulated sessions."""
    rng = np.random.default_rng(2)
    held, tighter = 0, 0
    for _ in range(300):
        missed, slips = rng.random(150) < 0.08, rng.random(150) < 0.1
        disagree = np.where(missed & slips, rng.random(150) < 0.5, missed | slips)
        one, other = rng.random(60) < 0.1, rng.random(60) < 0.1
        pairs = np.where(one & other, rng.random(60) < 0.5, one | other)
        plain = error_estimate(disagree.tolist(), confidence=risk_split(0.95)[0])
        found = allowing_for_wrong_answers(plain, pairs.tolist(), 3, 0.95)
        held += found.upper >= 0.08
        tighter += found.upper < plain.upper
    assert held >= 285
    assert tighter > 150


def test_the_bound_of_a_session_with_nodes_asked_twice_is_corrected():
    session, truth = labelled(wrong=(), twice=1.0, audit_share=0.5, seed=1)
    for turn in range(20):
        for by in ("ann", "bo"):
            question = session.ask(by=by)
            if question is None:
                continue
            slip = by == "bo" and turn % 2 == 0
            session.tell(question.node, str((truth[question.node] + slip) % 3), by=by)
    estimate = session.error_estimate()
    assert "nodes asked twice" in str(estimate)
    assert estimate.confidence == 0.95


def test_the_terminal_lists_odd_answers_and_people(run, tmp_path):
    edges = "\n".join(f"{n},{(n + step) % 40}" for n in range(40) for step in (1, 2, 3))
    (tmp_path / "ring.csv").write_text(f"a,b\n{edges}\n")
    rows = "\n".join(f"{n},{'red' if (n < 20) != (n == 9) else 'blue'}" for n in range(40))
    (tmp_path / "truth.csv").write_text(f"node,label\n{rows}\n")
    db = tmp_path / "s.db"
    made = run(
        "label", tmp_path / "ring.csv", "--oracle", tmp_path / "truth.csv", "--db", db,
        "--session", "ring", "--budget", 40,
    )  # fmt: skip
    assert made[0] == 0
    shown = json.loads(run("session", "odd", "ring", "--db", db, "--json")[1])
    assert [each["node"] for each in shown["odd"]] == ["9"]
    code, out, _ = run("session", "people", "ring", "--db", db)
    assert code == 0
    assert "blue for red" in out
    assert run("session", "odd", "ring", "--db", db, "--least", 2)[0] != 0
