"""Rows made in the background: nobody waits for them, and a replay uses them at the same place."""

import threading
import time

import numpy as np
import pytest

from lapwing import Session, data
from lapwing.online.near_far import spectral_rows
from lapwing.session import MemoryStore, Store, verified
from lapwing.session.opening.parts import parts

DIGITS = data.load("digits")


class Gate:
    """Rows that are not ready before somebody opens the gate."""

    def __init__(self, monkeypatch):
        self.open, self.begun = threading.Event(), threading.Event()
        compute = spectral_rows._computed

        def rows(graph, count):
            if graph.n_nodes >= DIGITS.graph.n_nodes:
                self.begun.set()
                assert self.open.wait(60)
            return compute(graph, count)

        monkeypatch.setattr(spectral_rows, "_computed", rows)


@pytest.fixture
def gate(monkeypatch):
    return Gate(monkeypatch)


def told(session, count):
    asked = []
    for _ in range(count):
        question = session.ask()
        asked.append((question.node, question.audit, question._guess, question._confidence))
        session.tell(question.node, DIGITS.classes[DIGITS.labels[question.node]])
    return asked


def arrived(session):
    for _ in range(600):
        if session.dialogue.state.is_ready:
            return
        time.sleep(0.05)
    raise AssertionError("the rows never arrived")


def kinds(session):
    return [event.kind.value for event in session.store.events(session.dialogue.record)]


def test_questions_are_asked_before_the_rows_are_there_and_the_log_says_when(gate, tmp_path):
    known = {node: DIGITS.classes[DIGITS.labels[node]] for node in range(0, 60, 3)}
    session = Session(
        DIGITS.graph, name="d", store=tmp_path / "s.db", labels=known, background=True
    )
    assert gate.begun.wait(60)
    first = told(session, 5)
    assert "ready" not in kinds(session)
    gate.open.set()
    arrived(session)
    later = told(session, 5)
    assert kinds(session).count("ready") == 1
    ready = kinds(session).index("ready")
    assert kinds(session)[ready:].count("asked") == 5
    record = session.dialogue.record
    report = verified(session.store, record, DIGITS.graph, **parts(record.header, DIGITS.graph))
    assert report.same
    assert report.n_questions == 10
    with Session.open(tmp_path / "s.db", "d", graph=DIGITS.graph) as again:
        assert again.head == session.head
        assert told(again, 4) == told(Session.open(copied(session), "d", graph=DIGITS.graph), 4)
    waiting = Session(DIGITS.graph, labels=known)
    assert told(waiting, 1)[0][3] != first[0][3]
    assert len(later) == 5


def copied(session):
    """The same log in memory, as it was before anything else is asked."""
    store, record = MemoryStore(), session.dialogue.record
    events = session.store.events(record)[: session.dialogue.state.n_events]
    store.create(record.name, record.created, record.header, events)
    return store


def test_a_resumed_session_without_rows_begins_to_make_them_again(gate, tmp_path):
    with Session(DIGITS.graph, name="d", store=tmp_path / "s.db", background=True) as session:
        told(session, 4)
    with Session.open(tmp_path / "s.db", "d", graph=DIGITS.graph) as again:
        told(again, 1)
        assert "ready" not in kinds(again)
        gate.open.set()
        arrived(again)
        told(again, 1)
        assert kinds(again).count("ready") == 1
        with Store(tmp_path / "s.db") as other:
            assert other.verified("d") == again.head


def test_a_session_grows_while_its_rows_are_pending(gate, tmp_path):
    known = {node: DIGITS.classes[DIGITS.labels[node]] for node in range(0, 60, 3)}
    newest = DIGITS.graph.n_nodes
    with Session(
        DIGITS.graph, name="d", store=tmp_path / "s.db", labels=known, background=True
    ) as session:
        assert gate.begun.wait(60)
        told(session, 2)
        session.grow(edges=[(0, newest), (1, newest)])
        session.tell(newest, DIGITS.classes[DIGITS.labels[0]])
        told(session, 2)
        assert "ready" not in kinds(session)
        gate.open.set()
        arrived(session)
        told(session, 2)
        assert kinds(session).count("ready") == 1
        assert kinds(session).index("grown") < kinds(session).index("ready")
        record, head = session.dialogue.record, session.head
        report = verified(session.store, record, DIGITS.graph, **parts(record.header, DIGITS.graph))
        assert report.same
        assert report.n_questions == 6
    with Session.open(tmp_path / "s.db", "d", graph=DIGITS.graph) as again:
        assert again.head == head
        assert again.graph.n_nodes == newest + 1
        told(again, 1)


def test_a_graph_without_rows_has_nothing_to_wait_for():
    graph = DIGITS.graph
    session = Session(graph, learner="near-far", parameters={"rank": 0}, background=True)
    session.ask()
    assert not session.dialogue.state.is_ready
    plain = Session(graph, learner="near-far", parameters={"rank": 0})
    plain.ask()
    assert kinds(session) == kinds(plain) == ["asked"]


def test_an_error_in_the_background_is_raised_where_rows_are_needed(monkeypatch):
    def broken(graph, _):
        if graph.n_nodes > 2:
            raise MemoryError("no room")
        return np.zeros((2, 1))

    monkeypatch.setattr(spectral_rows, "_computed", broken)
    session = Session(DIGITS.graph, labels={0: "0", 1: "1"}, background=True)
    arrived(session)
    with pytest.raises(MemoryError, match="no room"):
        session.ask()
