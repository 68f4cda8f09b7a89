"""A target error: audits are planned for it, and what they prove holds."""

import numpy as np
import pytest

from lapwing import Graph, Session, data
from lapwing.active import StakedAudit, audit_plan, staked_estimate
from lapwing.active.audits.measures import ClassAudit, measured_share
from lapwing.active.audits.proof import counted_from, log_wealth
from lapwing.errors import InputError
from lapwing.session.log.auditing.plans import AuditPlanner
from lapwing.session.store.memory import MemoryStore

GOAL = np.log(20.0)
DIGITS = data.load("digits")
TRUTH = np.asarray(DIGITS.labels)


@pytest.mark.parametrize("target", [0.05, 0.1, 0.25])
@pytest.mark.parametrize("informed", [True, False])
def test_a_true_error_at_the_target_is_rarely_refuted(target, informed):
    """There are as many more errors than the target allows as audits may find."""
    rng = np.random.default_rng([7, int(100 * target), informed])
    stops = 0
    for _ in range(100):
        stops += _at_target(rng, target, informed=informed) >= GOAL
    assert stops <= 10


def _at_target(rng, target, *, informed, n=400, audits=80):
    level = int(np.ceil(target * n))
    wrong = rng.permutation(n) < level + round(audits * target)
    free, record, best = np.ones(n, dtype=bool), [], 0.0
    for _ in range(audits):
        left = np.flatnonzero(free)
        doubts = np.where(wrong[left] == informed, 0.3, 0.02)
        plan = audit_plan(doubts, 0.4 * target, level)
        place = plan.draw(rng)
        node = left[place]
        record.append(
            StakedAudit(
                bool(wrong[node]), plan.chances[place], plan.chances.min(), plan.stake, len(left)
            )
        )
        free[node] = False
        rest = np.flatnonzero(free)
        if wrong[rest].sum() < level:
            return max(best, 0.0)
        best = max(best, log_wealth(np.array(record, dtype=float).T, level))
    return best


def test_the_bound_covers_the_nodes_left_whatever_was_asked():
    """Chosen questions take wrong nodes away; the bound is never below what is left."""
    rng, broken = np.random.default_rng(3), 0
    for _ in range(60):
        n = 300
        wrong = rng.permutation(n) < 40
        free, record, failed = np.ones(n, dtype=bool), [], False
        for turn in range(90):
            left = np.flatnonzero(free)
            if turn % 3 == 0:
                node = rng.choice(left)
            else:
                plan = audit_plan(np.where(wrong[left], 0.2, 0.05), 0.05, 45)
                place = plan.draw(rng)
                node = left[place]
                record.append(
                    StakedAudit(bool(wrong[node]), plan.chances[place], plan.chances.min(),
                                plan.stake, len(left))
                )  # fmt: skip
            free[node] = False
            if turn % 10 == 9:
                found = staked_estimate(record, left=int(free.sum()), n_nodes=n)
                failed |= found.upper * free.sum() < wrong[free].sum() - 1e-9
        broken += failed
    assert broken <= 3 + 3


def test_drawing_by_doubt_pays_where_errors_are_many_and_not_where_they_are_few():
    rng = np.random.default_rng(0)
    doubts = np.where(rng.random(1000) < 0.2, 0.4, 0.005)
    assert np.ptp(audit_plan(doubts, 0.06, 100).chances) > 0.0
    nothing = audit_plan(np.full(1000, 0.001), 0.001, 100)
    assert np.ptp(nothing.chances) == pytest.approx(0.0, abs=1e-12)
    assert audit_plan(doubts, 0.2, 100).stake == 0.0


def test_a_learner_that_gets_worse_is_noticed():
    """After a rise only later audits count, and the estimate says so."""

    def audit(wrong, t):
        return StakedAudit(wrong, 1 / (1000 - t), 1 / (1000 - t), 1 / (900 - t), 1000 - t)

    good = [audit(False, t) for t in range(40)]
    bad = [audit(t % 2 == 0, t) for t in range(40, 60)]
    assert staked_estimate(good, left=960, n_nodes=1000).below(0.1)
    after = staked_estimate([*good, *bad], left=940, n_nodes=1000)
    assert not after.below(0.1)
    assert "the error seems to have risen" in str(after)
    assert counted_from([each.wrong for each in good]) == 0


def test_a_session_says_that_its_learner_got_worse(monkeypatch):
    session = Session(DIGITS.graph, seed=5, learner="near-far", target_error=0.1)
    asked = session.dialogue

    def answered(count):
        for _ in range(count):
            question = asked.ask()
            asked.tell(question.node, str(TRUTH[question.node]))

    while not session.advice().stop:
        answered(1)
    spoilt, right = type(asked.learner), asked.learner.predict
    monkeypatch.setattr(spoilt, "predict", lambda _, nodes: (right(nodes) + 1) % 10)
    answered(20)
    assert not session.advice().stop
    assert "the error seems to have risen" in str(session.error_estimate())


def test_the_audits_that_remain_are_said():
    session = Session(DIGITS.graph, seed=5, learner="near-far", target_error=0.1)
    session.tell(dict(zip(DIGITS.graph.names[:40], map(str, TRUTH[:40]), strict=True)))
    left = session.standing().answers_left
    assert f"{left} more spot checks without an error would bring the bound" in str(
        session.advice()
    )
    for _ in range(left):
        question = session.dialogue.ask()
        session.dialogue.tell(question.node, session.classes[question.guess])
    assert session.advice().stop


def test_a_session_stops_soon_and_is_right():
    session = Session(DIGITS.graph, seed=5, learner="near-far", target_error=0.1)
    asked = session.dialogue
    while not session.advice().stop:
        question = asked.ask()
        asked.tell(question.node, str(TRUTH[question.node]))
        assert len(asked.state.labels) < 200
    left = np.flatnonzero(asked.labels < 0)
    names = np.array([int(name) for name in session.classes])
    assert (names[asked.learner.predict(left)] != TRUTH[left]).sum() < 0.1 * len(TRUTH)
    assert "fewer than 10%" in session.advice().why
    assert session.target_error == 0.1


def test_what_an_audit_was_drawn_with_is_in_the_log_and_replays():
    store = MemoryStore()
    session = Session(
        DIGITS.graph, name="s", store=store, seed=1, learner="near-far", target_error=0.1
    )
    asked = session.dialogue
    for _ in range(45):
        question = asked.ask()
        asked.tell(question.node, str(TRUTH[question.node]))
    audits = [e for e in asked.state.asked.values() if e.detail["audit"]]
    assert audits
    assert all({"chance", "least", "stake", "left", "aside"} <= e.detail.keys() for e in audits)
    again = Session(DIGITS.graph, name="s", store=store)
    assert again.error_estimate() == session.error_estimate()
    assert again.ask().node == session.ask().node


def test_a_share_given_by_the_user_keeps_its_meaning():
    session = Session(DIGITS.graph, audit_share=0.3)
    assert "target_error" not in session.header
    session.dialogue.ask()
    both = Session(DIGITS.graph, audit_share=0.3, target_error=0.2)
    assert (both.header["audit_share"], both.target_error) == (0.3, 0.2)


@pytest.mark.parametrize("bad", [0, 1, -0.1, 2, "a", float("nan")])
def test_a_target_lies_between_none_and_all(bad):
    with pytest.raises(InputError, match="target_error"):
        Session(DIGITS.graph, target_error=bad)
    with pytest.raises(InputError, match="target_error"):
        Session(DIGITS.graph, goal="find", positive="3", target_error=0.1)


@pytest.mark.parametrize("counted", [True, False])
def test_the_bounds_of_recall_precision_and_f1_hold(counted):
    """Whether or not the nodes predicted as the class were counted at each audit."""
    rng, broken = np.random.default_rng(11), dict.fromkeys(("recall", "precision", "f1"), 0)
    n, sessions = 400, 60
    for _ in range(sessions):
        label = rng.random(n) < 0.2
        guess = np.where(rng.random(n) < 0.12, ~label, label)
        free, audits = np.ones(n, dtype=bool), []
        for _ in range(120):
            left = np.flatnonzero(free)
            weights = np.where(guess[left], 2.0, 1.0) * rng.uniform(0.5, 1.5, len(left))
            chances = weights / weights.sum()
            place = rng.choice(len(left), p=chances)
            node = left[place]
            audits.append(
                ClassAudit(label[node] and not guess[node], guess[node] and not label[node],
                           label[node], int((label & ~free).sum()), chances[place], chances.min(),
                           len(left), 0,
                           int((label & ~free).sum() + (guess & free).sum()) if counted else -1)
            )  # fmt: skip
            free[node] = False
        missed, claimed = (free & label & ~guess).sum(), (free & guess & ~label).sum()
        known, predicted = (label & ~free).sum(), (label & ~free).sum() + (free & guess).sum()
        right = label.sum() - missed
        true = {
            "recall": right / label.sum(), "precision": 1 - claimed / predicted,
            "f1": 2 * right / (2 * right + missed + claimed),
        }  # fmt: skip
        for measure in broken:
            total = predicted if measure == "precision" else known
            broken[measure] += measured_share(audits, measure, total=total).lower > true[measure]
    assert max(broken.values()) <= 6


@pytest.mark.parametrize(
    ("claim", "most"),
    [("recall:rare>=0.5", 200), ("precision:rare>=0.5", 350), ("macro-f1>=0.5", 350)],
)
def test_a_session_certifies_what_it_was_asked_to(claim, most):
    rare = TRUTH == 3
    session = Session(
        DIGITS.graph, ["fine", "rare"], learner="near-far", certify=claim, seed=2
    )  # fmt: skip
    asked = session.dialogue
    while not session.advice().stop:
        question = asked.ask()
        asked.tell(question.node, "rare" if rare[question.node] else "fine")
        assert len(asked.state.labels) < most
    left = np.flatnonzero(asked.labels < 0)
    guess = asked.learner.predict(left) == 1
    missed, claimed = (rare[left] & ~guess).sum(), (~rare[left] & guess).sum()
    assert missed < 0.5 * rare.sum()
    assert claimed < 0.5 * rare.sum()
    assert claim.split(":")[0].split(">")[0].replace("macro-f1", "macro-F1") in session.advice().why


def test_a_part_is_measured_alone():
    graph = DIGITS.graph.with_node_table({"side": ["a"] * 900 + ["b"] * 897})
    session = Session(graph, learner="near-far", certify="error<0.3@side=b", parameters={})
    asked = session.dialogue
    for _ in range(60):
        question = asked.ask()
        asked.tell(question.node, str(TRUTH[question.node]))
    part = session.certificate("error", part="side=b")
    assert part.part == 897
    inside = sum(node >= 900 for node in asked.state.recall.answered)
    assert part.audits == inside > 0.7 * len(asked.state.recall.answered)
    named = session.certificate("error", part=graph.names[900:])
    assert named == part
    for bad in ("side", "colour=red", "side=c", []):
        with pytest.raises(InputError, match="part must"):
            session.certificate("error", part=bad)


@pytest.mark.parametrize(
    "bad", ["recall>=0.9", "error:red<0.1", "recall:red", "f2>=0.1", "error<x", "error<2"]
)
def test_claims_that_say_nothing_are_refused(bad):
    with pytest.raises(InputError):
        Session(DIGITS.graph, certify=bad)


def test_imbalance_is_said_and_recall_offered():
    rare = TRUTH == 3
    session = Session(DIGITS.graph, ["fine", "rare"], learner="near-far", seed=4, target_error=0.1)
    few = np.flatnonzero(rare)[:50]
    rare[few] = False
    rare[np.flatnonzero(TRUTH == 3)[60:]] = False
    asked = session.dialogue
    while len(asked.state.recall.answered) < 25:
        question = asked.ask()
        asked.tell(question.node, "rare" if rare[question.node] else "fine")
    assert "certify recall instead (recall:rare>=0.9)" in session.advice().note


def test_a_chance_may_differ_from_the_least_one_in_its_last_digit():
    chance = 0.0005571030640668524
    audit = StakedAudit(False, chance, float(np.nextafter(chance, 1)), 0.0047, 1795)
    assert staked_estimate([audit], left=1794, n_nodes=1797).audits == 1
    with pytest.raises(InputError, match="a chance from least to 1"):
        staked_estimate([audit._replace(least=1.01 * chance)], left=1794, n_nodes=1797)


def test_a_target_that_is_out_of_reach_for_now_is_said_so():
    """Labels without any pattern: about half is wrong, however many are told."""
    found = data.stochastic_block_model(sizes=[100, 100], within=0.1, between=0.1, seed=1)
    session = Session(found.graph, ["0", "1"], target_error=0.2, learner="near-far")
    coin = np.random.default_rng(2).integers(2, size=200)
    for _ in range(60):
        question = session.ask()
        session.tell(question.node, str(coin[question.node]))
    assert "too near 20% for spot checks to prove it soon" in session.advice().note
    assert "too near" not in session.advice(target_error=0.9).words


def test_audits_before_they_are_due_are_uniform_draws():
    """They tell whether chosen labels mislead, which a sample by doubt would not."""
    session = Session(DIGITS.graph, target_error=0.1, seed=2000)
    chances = []
    for _ in range(40):
        question = session.ask()
        detail = session.dialogue.state.open[DIGITS.graph.index(question.node)].detail
        if question.audit:
            chances.append((len(session.labels()), detail["chance"] * detail["left"]))
        session.tell(question.node, str(TRUTH[DIGITS.graph.index(question.node)]))
    early = [share for labels, share in chances if labels < 10]
    assert early
    assert early == pytest.approx([1.0] * len(early))


@pytest.mark.parametrize("skipped", [(), (3, 9)])
def test_an_audit_counts_what_is_predicted_of_all_nodes_without_a_label(skipped):
    session = Session(DIGITS.graph, target_error=0.1)
    session.tell({DIGITS.graph.names[n]: str(TRUTH[n]) for n in range(100, 130)})
    dialogue = session.dialogue
    left = np.setdiff1d(np.flatnonzero(dialogue.labels < 0), skipped)
    planner = AuditPlanner(dialogue.state, dialogue.header, left)
    guesses = dialogue.learner.predict(np.flatnonzero(dialogue.labels < 0))
    _, drawn = planner.drawn(np.random.default_rng(0), left)
    assert drawn["predicted"] == np.bincount(guesses, minlength=len(dialogue.classes)).tolist()


def test_what_was_asked_about_throughout_is_certain():
    graph = Graph.from_edges([(k, k + 1) for k in range(5)])
    session = Session(graph, ["low", "high"], certify="recall:high>=0.8")
    assert session.advice().words == "recall of high is not shown to be at least 80% yet"
    session.tell({node: "high" if node > 2 else "low" for node in graph.names})
    certain = session.certificate("recall", of="high")
    assert str(certain) == "recall of high 100%: every node has been asked about"
    assert certain.reaches(1.0)
    assert session.certificate("error").bound == 0.0
    assert session.advice().stop
