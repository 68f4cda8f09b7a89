"""Nothing a caller, a file or a disk does breaks a session: clear errors, nothing half done."""

import cProfile
import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from lapwing import Graph, make
from lapwing.active import UncertainReach
from lapwing.errors import InputError, LapwingError, ReadError
from lapwing.learner import Learner
from lapwing.session import (
    Dialogue,
    Event,
    Kind,
    MemoryStore,
    Store,
    StoreError,
    exported,
    imported,
    verified,
)
from lapwing.session.log.events import chained, root

EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3), (5, 6), (6, 7), (7, 5)]
GRAPH = Graph.from_edges(EDGES)
LONG = Graph.from_edges([(i, i + 1) for i in range(30_000)])


def parts(graph=GRAPH, learner="ollgc"):
    return {
        "make_learner": lambda: make(learner, graph),
        "make_strategy": lambda labels: UncertainReach(graph, labels),
    }


class Majority(Learner):
    """The commonest label for everyone: learning costs nothing."""

    n_nodes = 10**9

    def __init__(self):
        self.counts = Counter()

    @property
    def n_classes(self):
        return max(self.counts, default=-1) + 1

    def _scores(self, nodes):
        found = np.array([float(self.counts[k]) for k in range(self.n_classes)])
        return np.broadcast_to(found, (*np.shape(nodes), self.n_classes))

    def _learn(self, node, label):  # noqa: ARG002 - a learner's signature
        self.counts[label] += 1


class First:
    """The first candidate."""

    def __call__(self, learner, candidates):  # noqa: ARG002 - a strategy's signature
        return int(candidates[0])


CHEAP = {"make_learner": Majority, "make_strategy": lambda _: First()}


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
def begun(store):
    return Dialogue.create(store, "s", GRAPH, **parts())


# -- import ---------------------------------------------------------------------------------


def log_of(store, *events):
    lines = exported(store, "s").splitlines()
    return "\n".join([lines[0], *lines[1:], *(json.dumps(event) for event in events)]) + "\n"


def event(**fields):
    return {"number": 3, "at": "2026-01-01T00:00:00Z", "by": "ann", "detail": {}} | fields


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"kind": "told", "node": 555, "label": 0}, "line 4: a node must be an integer from 0 to"),
        ({"kind": "told", "node": -1, "label": 0}, "line 4: a node must be"),
        ({"kind": "told", "node": "ada", "label": 0}, "line 4: a node must be.*got 'ada'"),
        ({"kind": "told", "node": True, "label": 0}, "line 4: a node must be"),
        ({"kind": "told", "node": 1.5, "label": 0}, "line 4: a node must be"),
        ({"kind": "told", "node": 1, "label": 7}, "line 4: a label must be.*got 7"),
        ({"kind": "told", "node": 1, "label": "red"}, "line 4: a label must be.*got 'red'"),
        ({"kind": "told", "node": 1}, "line 4: a label must be.*got None"),
        ({"kind": "skipped", "node": 1, "label": 0}, "line 4: an event skipped has no label"),
        ({"kind": "asked", "node": 1, "detail": {"guess": 9}}, "line 4: a label must be"),
        ({"kind": "asked", "node": 1, "detail": {"guess": 0, "confidence": "high"}}, "confidence"),
        ({"kind": "class", "detail": {"name": "red"}}, "line 4: a class must have a new name"),
        ({"kind": "class", "detail": {"name": ""}}, "line 4: a class must have a new name"),
        ({"kind": "class", "detail": {"name": "a\x1bb"}}, "line 4: a label must hold no control"),
        ({"kind": "told", "node": 1, "label": 0, "by": ""}, "line 4: `by` and `at` must be text"),
        ({"kind": "told", "node": 1, "label": 0, "number": 9}, "line 4: must be event 3, got 9"),
        ({"kind": "told", "node": 1, "label": 0, "extra": 1}, "line 4: must be an event"),
        ({"kind": "dreamt", "node": 1}, "line 4: must be an event"),
    ],
)
def test_an_event_that_cannot_have_happened_is_not_imported(begun, store, tmp_path, wrong, says):
    begun.tell(0, "red")
    file = tmp_path / "log.jsonl"
    file.write_text(log_of(store, event(**wrong)))
    with Store(tmp_path / "s.db") as other:
        with pytest.raises(ReadError, match=says):
            imported(other, file)
        assert other.records() == []


def test_an_export_that_lost_its_end_or_was_changed_is_not_imported(begun, store, tmp_path):
    for node in range(4):
        begun.tell(node, "red")
    lines = exported(store, "s").splitlines()
    file = tmp_path / "log.jsonl"
    file.write_text("\n".join(lines[:-1]) + "\n")
    with pytest.raises(ReadError, match="must have 5 events, got 4: is its end missing"):
        imported(store, file, name="other")
    file.write_text("\n".join([*lines[:-1], lines[-1].replace('"node":3', '"node":4')]) + "\n")
    with pytest.raises(ReadError, match="was changed after the export"):
        imported(store, file, name="other")
    header = lines[0].replace('"n_nodes": 8', '"n_nodes": 9')
    file.write_text("\n".join([header, *lines[1:]]) + "\n")
    with pytest.raises(ReadError, match="was changed after the export"):
        imported(store, file, name="other")
    assert [record.name for record in store.records()] == ["s"]


def test_an_import_is_checked_against_the_graph_and_the_program(begun, store, tmp_path):
    begun.tell(0, "red")
    file = tmp_path / "log.jsonl"
    file.write_text(exported(store, "s"))
    with pytest.raises(ReadError, match="belongs to a graph of 8 nodes"):
        imported(store, file, name="t", graph=LONG)
    file.write_text('{"lapwing": 1, "name": "x", "created": "", "header": {}}\n')
    with pytest.raises(ReadError, match="line 1: n_nodes must be a whole number"):
        imported(store, file)
    newer = '{"lapwing": 1, "name": "x", "created": "", "header": {"n_nodes": 3, "version": "99"}}'
    file.write_text(newer + "\n")
    with pytest.raises(ReadError, match="recorded with lapwing 99"):
        imported(store, file)


def test_an_import_that_fails_at_the_database_leaves_nothing(tmp_path):
    memory = MemoryStore()
    session = Dialogue.create(memory, "s", GRAPH, **parts())
    for node in range(8):
        session.tell(node, "red")
    file = tmp_path / "log.jsonl"
    file.write_text(exported(memory, "s"))
    with Store(tmp_path / "s.db") as other:
        with closing(sqlite3.connect(tmp_path / "s.db")) as raw, raw:
            raw.execute(
                "CREATE TRIGGER full BEFORE INSERT ON events WHEN NEW.number = 6 "
                "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
            )
        with pytest.raises(LapwingError):
            imported(other, file)
        assert other.records() == []
        with closing(sqlite3.connect(tmp_path / "s.db")) as raw, raw:
            assert raw.execute("SELECT count(*) FROM events").fetchone() == (0,)
            raw.execute("DROP TRIGGER full")
        imported(other, file)
        assert other.verified("s") == memory.verified("s")


# -- opening --------------------------------------------------------------------------------


def test_another_learner_or_strategy_is_refused(begun, store):
    begun.tell(0, "red")
    with pytest.raises(InputError, match="recorded with the learner OneVsRest, got NearFar"):
        Dialogue(store, "s", GRAPH, **parts(learner="near-far"))
    with pytest.raises(InputError, match="recorded with the strategy UncertainReach"):
        Dialogue(store, "s", GRAPH, **(parts() | {"make_strategy": lambda _: First()}))


def test_a_session_of_a_newer_program_is_refused(store):
    with pytest.raises(InputError, match=r"recorded with lapwing 99\.0, this is"):
        Dialogue.create(store, "s", GRAPH, header={"version": "99.0"}, **parts())


def test_opening_checks_the_chain(tmp_path):
    where = tmp_path / "s.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        session.tell(0, "red")
        session.tell(5, "blue")
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("UPDATE events SET line = replace(line, '\"node\":5', '\"node\":4')")
    with (
        Store(where) as store,
        pytest.raises(StoreError, match="event 4 was changed after it was written"),
    ):
        Dialogue(store, "s", GRAPH, **parts())


def tampered(tmp_path, *statements):
    """A database with five answers, changed behind our back; its head before."""
    where = tmp_path / "s.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        session.tell_many({0: "red", 1: "red", 5: "blue", 6: "blue", 7: "blue"})
        head = session.head
        assert head == store.verified("s") == store.record("s").head
    with closing(sqlite3.connect(where)) as raw, raw:
        for statement in statements:
            raw.execute(statement)
    return where, head


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM events WHERE number = 7", "must have 7 events, got 6: the end"),
        ("DELETE FROM events WHERE number > 4", "must have 7 events, got 4: the end"),
        ("DELETE FROM events", "must have 7 events, got 0: the end"),
        ("UPDATE sessions SET created = '2020-01-01T00:00:00Z'", "the header or event 1"),
        ("UPDATE sessions SET header = replace(header, 'n_nodes', 'nodes')", "header or event 1"),
        ("UPDATE sessions SET n_events = 6", "its last event was changed after it was written"),
        ("UPDATE events SET number = 8 WHERE number = 7", "must have 7 events"),
    ],
)
def test_what_was_cut_or_changed_shows(tmp_path, statement, says):
    where, _ = tampered(tmp_path, statement)
    with Store(where) as store, pytest.raises(StoreError, match=says):
        store.verified("s")
    with Store(where) as store, pytest.raises((StoreError, InputError)):
        Dialogue(store, "s", GRAPH, **parts())


def test_a_last_label_flipped_with_its_chain_recomputed_shows(tmp_path):
    where, head = tampered(tmp_path)
    with Store(where) as store:
        record, lines = store.lines("s")
    digest = record.root
    texts = [line.text for line in lines]
    texts[-1] = texts[-1].replace('"label":1', '"label":0')
    assert texts[-1] != lines[-1].text
    with closing(sqlite3.connect(where)) as raw, raw:
        for number, text in enumerate(texts, start=1):
            digest = chained(digest, text)
            change = "UPDATE events SET line = ?, digest = ? WHERE number = ?"
            raw.execute(change, (text, digest, number))
    with Store(where) as store, pytest.raises(StoreError, match="its last event was changed"):
        store.verified("s")
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("UPDATE sessions SET head = ?", (digest,))
    with Store(where) as store:
        store.verified("s")
        assert verified(store, "s", GRAPH, expect=digest, **parts()).same
        with pytest.raises(StoreError, match=f"must have the head {head}"):
            verified(store, "s", GRAPH, expect=head, **parts())
        with pytest.raises(StoreError, match="this is a different log"):
            verified(store, "s", GRAPH, expect=head[:12], **parts())
        with pytest.raises(InputError, match="must be 8 to 64 hexadecimal digits"):
            verified(store, "s", GRAPH, expect="abc", **parts())


def test_the_root_covers_header_and_creation():
    assert root("now", {"seed": 0}) != root("then", {"seed": 0})
    assert root("now", {"seed": 0}) != root("now", {"seed": 1})


# -- what callers pass ------------------------------------------------------------------------


def test_a_label_has_one_text_form(begun):
    begun.tell(3, 1)
    begun.tell(4, "1")
    begun.tell(5, np.int64(1))
    assert begun.classes == ["1"]
    begun.tell(6, "caf\u00e9")
    begun.tell(7, "cafe\u0301")
    assert begun.classes == ["1", "caf\u00e9"]


@pytest.mark.parametrize(
    "label", ["", " ", " red", "red\n", "a\x00b", "a\x1b[2J", 1.5, None, True, ["red"], b"red"]
)
def test_what_is_no_label_is_refused_and_leaves_nothing(begun, label):
    with pytest.raises(InputError, match="a label must"):
        begun.tell(3, label)
    with pytest.raises(InputError, match="a label must"):
        begun.tell_many({2: "red", 3: label})
    assert begun.classes == []
    assert begun.state.n_events == 0


@pytest.mark.parametrize("node", [-1, 8, 10**9, 1.5, "a", None, float("nan"), True])
def test_what_is_no_node_is_refused_everywhere(begun, node):
    for act in (begun.reask, begun.skip, begun.withdraw, lambda n: begun.tell(n, "red")):
        with pytest.raises(InputError, match="a node must be an integer from 0 to 7"):
            act(node)
    assert begun.state.n_events == 0


def test_people_have_names(begun):
    for by in ("", " ann", None, 3, "a\x07"):
        with pytest.raises(InputError, match="by must"):
            begun.tell(3, "red", by)
    with pytest.raises(InputError, match="count must be at least 1"):
        begun.ask_several(0)


def test_the_same_answer_again_changes_nothing(begun):
    begun.tell(3, "red")
    head = begun.head
    begun.tell(3, "red")
    assert begun.head == head


def test_several_questions_at_once_are_about_different_nodes_and_verified(begun, store):
    begun.tell(0, "red")
    begun.tell(5, "blue")
    asked = begun.ask_several(4)
    assert len({question.node for question in asked}) == 4
    assert begun.ask_several(4) == asked
    assert begun.ask() == asked[0]
    other = begun.ask("bo")
    assert other.node not in {question.node for question in asked}
    for question in asked[1:]:
        begun.tell(question.node, "red")
    assert begun.ask() == asked[0]
    assert len(begun.ask_several(9)) == 2
    assert verified(store, "s", GRAPH, **parts()).same
    again = Dialogue(store, "s", GRAPH, **parts())
    assert again.ask_several(9) == begun.ask_several(9)


def test_with_every_node_asked_no_error_is_left(store):
    session = Dialogue.create(store, "s", GRAPH, header={"audit_share": 0.5}, **parts())
    while (question := session.ask()) is not None:
        session.tell(question.node, "red" if question.node < 4 else "blue")
    estimate = session.error_estimate()
    assert (estimate.estimate, estimate.upper, estimate.left) == (0.0, 0.0, 0)
    assert estimate.below(0.001)
    assert "no error is left" in str(estimate)


# -- threads and time -------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["memory", "file", "sqlite://"])
def test_two_threads_share_a_session(tmp_path, where):
    store = {"memory": MemoryStore, "file": lambda: Store(tmp_path / "s.db")}.get(
        where, lambda: Store("sqlite://")
    )()
    graph = Graph.from_edges([(i, i + 1) for i in range(200)])
    session = Dialogue.create(store, "s", graph, **CHEAP)
    failed = []

    def answer(by):
        try:
            for _ in range(25):
                question = session.ask(by)
                session.tell(question.node, "red" if question.node % 2 else "blue", by)
        except Exception as wrong:
            failed.append(wrong)

    threads = [threading.Thread(target=answer, args=(by,)) for by in ("ann", "bo", "cy")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    told = [event for event in store.events("s") if event.kind is Kind.TOLD]
    assert len(told) == len({event.node for event in told}) == 75
    store.verified("s")
    store.close()


def replay_calls(count):
    """Function calls to open a session of so many answers, asked and told, some undone."""
    store, rng = MemoryStore(), np.random.default_rng(0)
    header = {"graph_hash": LONG.hash, "n_nodes": LONG.n_nodes, "made_of": {}}
    events = [Event(1, Kind.CLASS, "t", "me", detail={"name": name}) for name in ("a", "b")]
    events[1] = Event(2, Kind.CLASS, "t", "me", detail={"name": "b"})
    for node in rng.permutation(LONG.n_nodes)[:count].tolist():
        guess = {"guess": -1, "confidence": 0.0, "audit": node % 5 == 0}
        events.append(Event(len(events) + 1, Kind.ASKED, "t", "me", node=node, detail=guess))
        events.append(Event(len(events) + 1, Kind.TOLD, "t", "me", node=node, label=node % 2))
        if node % 10 == 0:
            two = "you" if node % 20 else "me"
            events.append(Event(len(events) + 1, Kind.TOLD, "t", two, node=node, label=0))
    store.create("s", "t", header, events)
    calls = cProfile.Profile()
    session = calls.runcall(Dialogue, store, "s", LONG, **CHEAP)
    return sum(each.callcount for each in calls.getstats()), session


def test_replay_takes_work_in_proportion_to_the_log():
    short, _ = replay_calls(2_000)
    long, session = replay_calls(20_000)
    assert len(session.state.labels) > 15_000
    assert long < 12 * short


def test_undo_reads_no_log(begun, store, monkeypatch):
    begun.tell_many({0: "red", 5: "blue", 3: "red"})
    begun.tell(0, "blue")
    monkeypatch.setattr(store, "lines", None)
    assert [begun.undo(), begun.undo(), begun.undo(), begun.undo()] == [0, 3, 5, None]


# -- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty: remove it"),
        (b"hello, world\n" * 100, "it is not an SQLite file"),
    ],
)
def test_an_empty_or_foreign_file_is_refused_and_left_alone(tmp_path, content, says):
    where = tmp_path / "s.db"
    where.write_bytes(content)
    with pytest.raises(StoreError, match=says):
        Store(where)
    assert where.read_bytes() == content


def test_somebody_elses_database_is_refused_and_left_alone(tmp_path):
    where = tmp_path / "s.db"
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match="is not a database of lapwing sessions"):
        Store(where)
    with closing(sqlite3.connect(where)) as raw, raw:
        tables = raw.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("recipes",)]


def test_a_database_with_another_mark_is_refused(tmp_path):
    where = tmp_path / "s.db"
    Store(where).close()
    with closing(sqlite3.connect(where)) as raw, raw:
        raw.execute("PRAGMA application_id = 7")
    with pytest.raises(StoreError, match="is not a database of lapwing sessions, or it is damaged"):
        Store(where)


def test_the_one_file_holds_every_answer_while_the_session_runs(tmp_path):
    where, copy = tmp_path / "s.db", tmp_path / "copy.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        for node in range(5):
            session.tell(node, "red")
            copy.write_bytes(where.read_bytes())
            with Store(copy) as other:
                assert other.verified("s") == session.head


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o277])
def test_files_and_folders_belong_to_their_owner_alone(tmp_path, umask):
    before = os.umask(umask)
    try:
        with Store(tmp_path / "new" / "folder" / "s.db") as store:
            Dialogue.create(store, "s", GRAPH, **parts()).tell(0, "red")
            files = list((tmp_path / "new" / "folder").iterdir())
    finally:
        os.umask(before)
    assert {file.name for file in files} <= {"s.db", "s.db-wal", "s.db-shm"}
    for file in (tmp_path / "new" / "folder").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    for folder in (tmp_path / "new", tmp_path / "new" / "folder"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_path_that_cannot_be_a_file_is_refused_in_a_sentence(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be used as a database"):
        Store(tmp_path / "file" / "s.db")
    with pytest.raises(StoreError, match="must be a file"):
        Store(tmp_path)
    with pytest.raises(StoreError, match="must be a file or a database's address"):
        Store("://")


def test_a_lock_held_too_long_is_said_and_work_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("lapwing.session.store.connection.WAIT", 0.2)
    where = tmp_path / "s.db"
    with Store(where) as store:
        session = Dialogue.create(store, "s", GRAPH, **parts())
        session.tell(0, "red")
        with closing(sqlite3.connect(where, isolation_level=None)) as raw:
            raw.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match=r"another program has held .* locked"):
                session.tell(1, "blue")
            assert session.classes == ["red"]
            raw.execute("ROLLBACK")
        session.tell(1, "blue")
        assert [event.kind.value for event in store.events("s")][-2:] == ["class", "told"]
        store.verified("s")


FULL = """
import resource, signal, sys
from lapwing import Graph
from lapwing.session import Dialogue, Store, StoreError
from tests.test_session_safety import CHEAP
graph = Graph.from_edges([(i, i + 1) for i in range(3000)])
store = Store(sys.argv[1])
session = Dialogue.create(store, "s", graph, **CHEAP)
session.tell(0, "red")
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (120_000, resource.RLIM_INFINITY))
told = 1
try:
    while told < 3000:
        session.tell(told, "blue")
        told += 1
except StoreError as wrong:
    print(wrong)
assert len(session.state.labels) == told
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
for node in range(told, told + 10):
    session.tell(node, "blue")
print(told + 10)
"""


def test_a_full_disk_is_said_and_work_goes_on_once_there_is_room(tmp_path):
    where = tmp_path / "s.db"
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(where)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr
    said, count = done.stdout.splitlines()
    assert "nothing was recorded" in said
    with Store(where) as store:
        store.verified("s")
        told = [event.node for event in store.events("s") if event.kind is Kind.TOLD]
    assert told == list(range(int(count)))
    assert 10 < len(told) < 3000


def test_bytes_changed_in_the_file_are_noticed_or_harmless(tmp_path):
    where, _ = tampered(tmp_path)
    good, rng = where.read_bytes(), np.random.default_rng(0)
    with Store(where) as store:
        right = exported(store, "s")
    noticed = 0
    for _ in range(40):
        place = int(rng.integers(len(good)))
        changed = bytearray(good)
        changed[place] ^= 1 << int(rng.integers(8))
        where.write_bytes(changed)
        try:
            with Store(where) as store:
                session = Dialogue(store, "s", GRAPH, **parts())
                assert session.state.labels == {0: 0, 1: 0, 5: 1, 6: 1, 7: 1}
                assert exported(store, "s") == right
        except LapwingError:
            noticed += 1
        for left in ("s.db-wal", "s.db-shm"):
            (tmp_path / left).unlink(missing_ok=True)
    assert 0 < noticed < 40
