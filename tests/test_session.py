"""Sessions: the log is everything, and nothing is ever lost from it."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph, data, make
from lapwing.active import UncertainReach
from lapwing.errors import InputError, ReadError
from lapwing.session import (
    BehindError,
    Dialogue,
    Event,
    Kind,
    Store,
    StoreError,
    exported,
    imported,
    verified,
)
from lapwing.session.log.events import chained
from lapwing.session.log.reliability import beliefs, reliabilities
from lapwing.session.store.memory import MemoryStore

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)]
GRAPH = Graph.from_edges(EDGES)
KARATE = data.load("karate").graph
CLASSES = ("red", "blue", "green")


def parts(graph=GRAPH):
    return {
        "make_learner": lambda: make("ollgc", graph),
        "make_strategy": lambda labels: UncertainReach(graph, labels),
    }


@pytest.fixture
def store():
    with Store("sqlite://") as held:
        yield held


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["ask", "tell", "skip", "undo", "withdraw"]),
        st.sampled_from(["ann", "bo"]),
        st.integers(0, 7),
        st.sampled_from(CLASSES),
    ),
    max_size=25,
)


def acted(session, actions):
    for verb, by, node, label in actions:
        if verb == "ask":
            session.ask(by)
        elif verb == "tell":
            session.tell(node, label, by)
        elif verb == "skip":
            session.skip(node, by)
        elif verb == "undo":
            session.undo(by)
        elif by in session.state.votes.answers(node):
            session.withdraw(node, by)


@settings(max_examples=60, deadline=None)
@given(ACTIONS)
def test_state_is_the_log_replayed_to_the_bit(actions):
    with Store("sqlite://") as store:
        live = Dialogue.create(store, "s", GRAPH, header={"audit_share": 0.3}, **parts())
        acted(live, actions)
        again = Dialogue(store, "s", GRAPH, **parts())
        nodes = np.arange(GRAPH.n_nodes)
        assert again.classes == live.classes
        assert again.state.labels == live.state.labels
        assert again.state.audits == live.state.audits
        assert set(again.state.open) == set(live.state.open)
        np.testing.assert_array_equal(again.learner.scores(nodes), live.learner.scores(nodes))
        np.testing.assert_array_equal(again.strategy.scores(nodes), live.strategy.scores(nodes))
        report = verified(store, "s", GRAPH, **parts())
        assert report.same
        assert report.n_events == live.state.n_events


@settings(max_examples=25, deadline=None)
@given(ACTIONS)
def test_a_session_travels_and_stays_the_same(tmp_path_factory, actions):
    file = tmp_path_factory.mktemp("travel") / "s.jsonl"
    with Store("sqlite://") as store, Store("sqlite://") as elsewhere:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        acted(session, actions)
        file.write_text(exported(store, "s"))
        imported(elsewhere, file)
        assert elsewhere.verified("s") == store.verified("s")
        assert exported(elsewhere, "s") == exported(store, "s")


def test_two_people_are_never_asked_the_same_question(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    first, second = session.ask("ann"), session.ask("bo")
    assert first.node != second.node
    assert session.ask("ann") == first
    session.tell(first.node, "red", "ann")
    assert session.ask("ann").node not in (first.node, second.node)


def test_a_dispute_is_kept_and_asked_again_of_a_third(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    session.tell(3, "red", "ann")
    session.tell(3, "blue", "bo")
    assert session.labels[3] == -1
    assert session.state.votes.answers(3) == {"ann": 0, "bo": 1}
    assert session.ask("cy").node == 3
    session.tell(3, "blue", "cy")
    assert session.classes[session.labels[3]] == "blue"


def test_correcting_and_withdrawing_leave_no_trace_in_the_learner(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    session.tell(0, "red")
    session.tell(5, "red")
    session.tell(5, "blue")
    session.tell(7, "red")
    session.withdraw(7)
    fresh = make("ollgc", GRAPH)
    fresh.learn(0, 0)
    fresh.learn(5, 1)
    nodes = np.arange(8)
    np.testing.assert_allclose(session.learner.scores(nodes), fresh.scores(nodes), atol=1e-12)
    kinds = [event.kind.value for event in store.events("s")]
    assert kinds == ["class", "told", "told", "class", "corrected", "told", "withdrawn"]


def test_undo_takes_back_the_latest_answer_that_stands(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    assert session.undo() is None
    session.tell(0, "red")
    session.tell(5, "blue")
    assert session.undo() == 5
    assert session.undo() == 0
    assert session.undo() is None
    assert session.state.labels == {}


def test_audits_are_a_uniform_draw_and_count_only_what_was_guessed_before():
    with Store("sqlite://") as store:
        session = Dialogue.create(store, "s", GRAPH, header={"audit_share": 1.0}, **parts())
        asked = []
        while (question := session.ask()) is not None:
            assert question.audit
            asked.append(question.node)
            session.tell(question.node, "red")
        assert sorted(asked) == list(range(8))
        assert session.state.audits == [True] + [False] * 7
        assert session.error_estimate().audits == 8


def test_a_changed_line_is_noticed(tmp_path):
    where = tmp_path / "s.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        session.tell(0, "red")
        session.tell(5, "blue")
        assert len(store.verified("s")) == 64
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("UPDATE events SET line = replace(line, '\"node\":5', '\"node\":4')")
    with (
        Store(where) as store,
        pytest.raises(StoreError, match="event 4 was changed after it was written"),
    ):
        store.verified("s")


def test_a_removed_line_is_noticed_by_the_numbers(tmp_path):
    """The chain is made good again behind the gap: only the numbers tell."""
    where = tmp_path / "s.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        for node in range(4):
            session.tell(node, "red")
        lines = [event.line() for event in store.events("s")]
        beginning = store.record("s").root
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("DELETE FROM events WHERE number = 3")
        digest = chained(chained(beginning, lines[0]), lines[1])
        for number in (4, 5):
            digest = chained(digest, lines[number - 1])
            raw.execute("UPDATE events SET digest = ? WHERE number = ?", (digest, number))
    with (
        Store(where) as store,
        pytest.raises(StoreError, match="event 3 was changed after it was written"),
    ):
        store.verified("s")


def test_a_gap_in_event_numbers_is_not_imported(store, tmp_path):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    for node in range(4):
        session.tell(node, "red")
    lines = exported(store, "s").splitlines()
    file = tmp_path / "gap.jsonl"
    for wrong, says in (
        (lines[:3] + lines[4:], "line 4: must be event 3, got 4"),
        ([lines[0], *lines[2:]], "line 2: must be event 1, got 2"),
        ([*lines, lines[-1]], "line 7: must be event 6, got 5"),
    ):
        file.write_text("\n".join(wrong) + "\n")
        with pytest.raises(ReadError, match=says):
            imported(store, file, name="other")
    assert [record.name for record in store.records()] == ["s"]


def test_sqlite_is_durable(tmp_path):
    with Store(tmp_path / "s.db") as store, store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_two_writers_do_not_overwrite_each_other(tmp_path):
    with Store(tmp_path / "s.db") as one, Store(tmp_path / "s.db") as two:
        first = Dialogue.create(one, "s", GRAPH, **parts())
        second = Dialogue(two, "s", GRAPH, **parts())
        first.tell(0, "red")
        with pytest.raises(BehindError, match="somebody else wrote"):
            two.append("s", Event(1, "told", "2026-01-01T00:00:00Z", "ann", node=3, label=0))
        second.tell(1, "blue", "bo")
        second.tell(2, "green", "bo")
        first.tell(2, "blue")
        assert [first.classes[first.state.labels[n]] for n in (0, 1)] == ["red", "blue"]
        assert first.state.votes.answers(2) == {"bo": 2, "me": 1}
        second.catch_up()
        assert second.state.labels == first.state.labels
        assert verified(one, "s", GRAPH, **parts()).same


def ask_and_tell(path, by, count):
    with Store(path) as store:
        session = Dialogue(store, "s", KARATE, **parts(KARATE))
        for _ in range(count):
            question = session.ask(by)
            session.tell(question.node, "even" if question.node % 2 == 0 else "odd", by)


def test_people_in_different_processes_share_a_session_and_none_is_asked_what_another_is(tmp_path):
    path = tmp_path / "s.db"
    with Store(path) as store:
        Dialogue.create(store, "s", KARATE, **parts(KARATE))
        people = [
            get_context("spawn").Process(target=ask_and_tell, args=(path, by, 8))
            for by in ("ann", "bo", "cy")
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
        assert [person.exitcode for person in people] == [0, 0, 0]
        told = [event for event in store.events("s") if event.kind is Kind.TOLD]
        assert len(told) == 24
        assert len({event.node for event in told}) == 24
        assert verified(store, "s", KARATE, **parts(KARATE)).same


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1: must be one JSON object"),
        ("[1]\n", "line 1: must be one JSON object"),
        ('{"name": "x"}\n', "line 1: must begin with a session's header"),
        ('{"lapwing": 1, "name": "x", "created": "", "header": {}}\nnot json\n', "line 2: must be"),
        ('{"lapwing": 1, "name": "x", "created": "", "header": {}}\n{"kind": "x"}\n', "line 2"),
    ],
)
def test_a_file_that_is_no_session_is_refused_whole(store, tmp_path, text, says):
    file = tmp_path / "bad.jsonl"
    file.write_text(text)
    with pytest.raises(ReadError, match=says):
        imported(store, file)
    assert store.records() == []


def test_wrong_names_and_graphs_are_refused(store):
    Dialogue.create(store, "s", GRAPH, **parts())
    with pytest.raises(InputError, match="there is one named 's'"):
        Dialogue.create(store, "s", GRAPH, **parts())
    with pytest.raises(InputError, match="no session named 't'; there are: s"):
        store.events("t")
    other = Graph.from_edges([(0, 1)])
    with pytest.raises(InputError, match="belongs to a graph of 8 nodes"):
        Dialogue(store, "s", other, **parts(other))


WRITER = """
import sys
from lapwing import Graph, data, make
from lapwing.session import Dialogue, Store
graph = Graph.from_edges([(i, i + 1) for i in range(5000)])
first = lambda labels: lambda learner, candidates: int(candidates[0])
store = Store(sys.argv[1])
session = Dialogue.create(store, "s", graph, make_learner=lambda: make("gpa", graph, rank=3),
                         make_strategy=first)
for node in range(5000):
    session.tell(node, "red" if node % 2 else "blue")
    print(node, flush=True)
"""


def test_kill_minus_nine_loses_no_answer_that_was_acknowledged(tmp_path):
    where = tmp_path / "s.db"
    command = [sys.executable, "-c", WRITER, str(where)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(25):
            process.stdout.readline()
        time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
        acknowledged = 24 + len(process.stdout.read().split())
    with Store(where) as store:
        told = [e.node for e in store.events("s") if e.kind.value == "told"]
        store.verified("s")
    assert told == list(range(len(told)))
    assert len(told) - 1 >= acknowledged


def test_an_event_is_one_line_of_json(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    session.ask()
    session.tell(0, "red")
    for line in exported(store, "s").splitlines():
        assert json.loads(line)


def test_a_dispute_is_settled_by_who_has_been_right_and_settled_anew_when_that_changes(store):
    session = Dialogue.create(store, "s", GRAPH, **parts())
    session.tell(7, "red", "ann")
    session.tell(7, "blue", "bo")
    assert session.labels[7] == -1
    for node in (0, 1, 2):
        session.tell(node, "red", "ann")
        session.tell(node, "red", "cy")
        session.tell(node, "blue", "bo")
    assert session.classes[session.labels[7]] == "red"
    assert session.state.votes.answers(7) == {"ann": 0, "bo": 1}
    trust = session.state.votes.reliability()
    assert trust["bo"] < 0.7 < 0.9 < min(trust["ann"], trust["cy"])
    for node in (0, 1, 2):
        session.tell(node, "blue", "cy")
    assert session.labels[7] != 0
    assert session.state.votes.reliability()["bo"] > session.state.votes.reliability()["ann"]


def test_reliabilities_are_recovered_from_answers_alone():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, size=400)
    skill = {"good": 0.97, "fair": 0.8, "poor": 0.4}
    answers = {
        node: {
            name: int(label if rng.random() < chance else (label + rng.integers(1, 4)) % 4)
            for name, chance in skill.items()
        }
        for node, label in enumerate(truth.tolist())
    }
    found = reliabilities(answers, 4)
    assert all(abs(found[name] - chance) < 0.06 for name, chance in skill.items())
    weighed = [max(b := beliefs(said, found, 4), key=b.get) for said in answers.values()]
    voted = [Counter(said.values()).most_common(1)[0][0] for said in answers.values()]
    assert np.mean(weighed == truth) > np.mean(voted == truth)


def test_one_persons_answers_need_nobody_elses():
    assert reliabilities({1: {"ann": 0}, 2: {"ann": 1}}, 2) == {"ann": 0.9}
    assert reliabilities({}, 2) == {}


def test_a_new_session_makes_its_learner_and_its_strategy_once():
    graph = Graph.from_edges([(0, 1), (1, 2), (2, 0)])
    made = []

    def make_learner():
        made.append("learner")
        return make("auto", graph)

    def make_strategy(labels):
        made.append("strategy")
        return lambda _, candidates: int(candidates[len(labels)])

    dialogue = Dialogue.create(
        MemoryStore(), "three", graph, make_learner=make_learner, make_strategy=make_strategy,
        classes=["red", "blue"], header={"audit_share": 0.0},
    )  # fmt: skip
    dialogue.tell(2, "blue")
    assert dialogue.ask().node == 1
    assert dialogue.learner.predict(2) == 1
    assert made == ["learner", "strategy"]
