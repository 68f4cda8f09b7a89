"""The front door: nodes by name, in memory or kept, opened from Python or from the terminal."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lapwing
from lapwing import Graph, Session, classify, read_graph
from lapwing.errors import InputError, UnknownNodeError
from lapwing.session import MemoryStore, Store, merge, verified
from lapwing.session.asking.reasons import expected_changes
from lapwing.session.opening.parts import parts
from lapwing.session.reading.readings import teach

EDGES = "source,target\na,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\n"
TRUTH = {"a": "red", "b": "red", "c": "red", "x": "blue", "y": "blue", "z": "blue"}


@pytest.fixture
def edges(tmp_path):
    file = tmp_path / "edges.csv"
    file.write_text(EDGES)
    return file


@pytest.fixture
def graph(edges):
    return read_graph(edges)


def answered(session, count=None):
    asked = []
    while (count is None or len(asked) < count) and (question := session.ask()) is not None:
        session.tell(question.node, TRUTH[question.node])
        asked.append((question.node, question.audit))
    return asked


def test_the_loop_of_the_guide_ends_by_itself(edges, tmp_path):
    graph = lapwing.read_graph(edges)
    session = lapwing.Session(graph, classes=["red", "blue"])
    while not session.advice().stop:
        question = session.ask()
        session.tell(question.node, TRUTH[question.node])
    session.predictions().to_csv(tmp_path / "predictions.csv")
    with (tmp_path / "predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["node", "label", "confidence", "runner_up", "asked"]
    assert {row["node"]: row["label"] for row in rows} == TRUTH
    assert session.advice().stop
    assert "no error is left" in str(session.advice())


def test_the_same_line_resumes_it(graph, tmp_path):
    with Session(graph, name="pages", store=tmp_path / "labels.db") as session:
        first = answered(session, 3)
    with Session(graph, name="pages", store=tmp_path / "labels.db") as again:
        assert again.labels() == {node: TRUTH[node] for node, _ in first}
        with pytest.raises(InputError, match="was begun with learner 'pool', got 'ollgc'"):
            Session(graph, name="pages", store=tmp_path / "labels.db", learner="ollgc")
        assert len(answered(again)) == 3


def test_it_needs_only_what_is_recorded_to_open(graph, edges, tmp_path):
    database = tmp_path / "labels.db"
    with Session(graph, ["red"], name="pages", store=database, seed=7, audit_share=0.5) as one:
        answered(one, 2)
    with Session.open(database, "pages") as two:
        assert two.dialogue.header["seed"] == 7
        assert two.ask() == one.ask() or two.ask().node == one.ask().node
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in (database, edges):
        (elsewhere / file.name).write_bytes(file.read_bytes())
        file.unlink()
    with Session.open(elsewhere / "labels.db", "pages") as three:
        assert three.labels() == two.labels()
    (elsewhere / "edges.csv").unlink()
    with pytest.raises(InputError, match="which was not found: pass the graph"):
        Session.open(elsewhere / "labels.db", "pages")
    with Session.open(elsewhere / "labels.db", "pages", graph=graph) as four:
        assert four.labels() == two.labels()


def test_other_names_or_another_graph_are_refused(graph):
    store = MemoryStore()
    Session(graph, name="s", store=store)
    renamed = Graph.from_scipy(graph.adjacency, names=["p", "q", "r", "s", "t", "u"])
    with pytest.raises(InputError, match="nodes have different names"):
        Session.open(store, "s", graph=renamed)
    with pytest.raises(InputError, match="no session named 's'"):
        Session.open(store, "s", graph=Graph.from_edges([("a", "b")]))


def test_two_graphs_may_have_sessions_of_one_name(graph):
    store, other = MemoryStore(), Graph.from_edges([("a", "b"), ("b", "c")])
    Session(graph, name="edges", store=store).tell("a", "red")
    Session(other, name="edges", store=store).tell("a", "blue")
    assert Session.open(store, "edges", graph=graph).labels() == {"a": "red"}
    assert Session.open(store, "edges", graph=other).labels() == {"a": "blue"}
    with pytest.raises(InputError, match="2 sessions are named 'edges'"):
        Session.open(store, "edges")


def test_an_audit_hides_the_guess_until_the_answer_is_in(graph):
    session = Session(graph, audit_share=1.0)
    session.tell({"a": "red", "z": "blue"})
    question = session.ask()
    assert question.audit
    assert (question.guess, question.confidence) == (None, None)
    assert "hidden" in question._repr_html_()
    assert all(near.guess is None for near in question.neighbors)
    assert "guess" not in repr(question).split("neighbors")[0]
    session.tell(question.node, TRUTH[question.node])
    assert question.guess in ("red", "blue")
    assert 0 < question.confidence <= 1


def test_a_spot_check_asked_again_stays_blind_when_the_session_is_opened_again(graph, tmp_path):
    session = Session(graph, name="s", store=tmp_path / "s.db", audit_share=1.0)
    for label in ("red", "blue", "red"):
        session.tell(session.ask().node, label)
    node = session.undo()
    assert session.reask(node).guess is None
    opened = Session.open(tmp_path / "s.db", "s", graph=graph)
    question = opened.ask()
    assert (question.node, question.audit, question.blind) == (node, False, True)
    assert (question.guess, question.confidence) == (None, None)
    assert all(near.guess is None for near in question.neighbors)
    assert "red" not in question._repr_html_().partition("neighbour")[0]
    opened.tell(question.node, "blue")
    assert question.guess is not None


def test_a_question_shows_its_neighbours_and_the_guess(graph):
    session = Session(graph, audit_share=0.0, labels={"c": "red", "z": "blue"})
    question = session.ask()
    names = {near.node: near.label for near in question.neighbors}
    assert set(names) == {graph.names[k] for k in graph.neighbors(graph.names.index(question.node))}
    assert all(names[node] == TRUTH[node] for node in names if node in ("c", "z"))
    assert question.guess in ("red", "blue")
    assert question.n_neighbors == len(names)


def test_several_questions_are_about_different_nodes(graph):
    session = Session(graph, ["red", "blue"])
    questions = session.ask(count=4)
    assert len({question.node for question in questions}) == 4
    session.tell({question.node: TRUTH[question.node] for question in questions})
    assert len(session.ask(count=10)) == 2


def test_known_labels_teach_and_are_no_audits(graph, tmp_path):
    session = Session(graph, labels={"a": "red", "z": "blue"}, audit_share=1.0)
    assert session.labels() == {"a": "red", "z": "blue"}
    assert session.error_estimate().audits == 0
    question = session.ask()
    teach(session.dialogue, {question.node: TRUTH[question.node]}, "me")
    assert session.error_estimate().audits == 0
    table = tmp_path / "known.csv"
    table.write_text("node,label\na,1\nz,2\n")
    read = Session(graph, labels=lapwing.read_labels(table, graph))
    assert read.labels() == {"a": "1", "z": "2"}


def test_resuming_does_not_undo_corrections_of_known_labels(graph):
    store, line = MemoryStore(), {"name": "s", "labels": {"a": "red", "z": "blue", "b": "red"}}
    session = Session(graph, store=store, **line)
    session.tell("a", "blue")
    session.withdraw("z")
    head = session.head
    again = Session(graph, store=store, **line)
    assert again.head == head
    assert again.labels() == {"a": "blue", "b": "red"}


def test_skip_undo_withdraw_and_answers(graph):
    session = Session(graph, by="ann")
    session.tell("a", "red")
    session.tell("z", "blue", by="bo")
    session.tell("b", "red")
    assert session.undo() == "b"
    assert [(row.node, row.label, row.by) for row in session.answers()] == [
        ("a", "red", "ann"),
        ("z", "blue", "bo"),
    ]
    session.withdraw("z", by="bo")
    assert session.labels() == {"a": "red"}
    session.skip("c")
    assert "c" not in {question.node for question in session.ask(count=6)}
    for act in (session.skip, session.withdraw, session.reask, session.predict):
        with pytest.raises(UnknownNodeError, match="no node is named"):
            act("nobody")
    with pytest.raises(UnknownNodeError):
        session.tell(["a"], "red")


def test_costs_and_forbidden_nodes_are_by_name(graph):
    session = Session(
        graph, audit_share=0.0, cost={"c": 1000.0, "x": float("inf")}, forbidden=["a"]
    )
    asked = [node for node, _ in answered(session)]
    assert sorted(asked) == ["b", "c", "y", "z"]
    assert asked[-1] == "c"
    with pytest.raises(InputError, match="the cost of 'c' must be above 0 or inf, got -1"):
        Session(graph, cost={"c": -1})


def test_predictions_in_blocks_are_those_at_once(monkeypatch):
    found = lapwing.data.planted_partition(n=300, mean_degree=8, seed=2)
    session = Session(found.graph, classes=["a", "b", "c"])
    for node in range(0, 40, 2):
        session.tell(node, "ab"[found.labels[node] % 2])
    at_once = session.predictions()
    monkeypatch.setattr("lapwing.online.pool.pool.BLOCK", 7)
    monkeypatch.setattr("lapwing.io.prediction_columns.BLOCK", 11)
    in_blocks = session.predictions()
    assert in_blocks.columns["label"] == at_once.columns["label"]
    assert in_blocks.columns["runner_up"] == at_once.columns["runner_up"]
    assert in_blocks.columns["asked"].sum() == 20
    np.testing.assert_allclose(in_blocks.columns["confidence"], at_once.columns["confidence"])


def test_predictions_convert_to_everything(graph, tmp_path):
    session = Session(graph, labels={"a": "red", "z": "blue"})
    found = session.predictions()
    assert session.predict("b") == "red"
    assert session.predict(["y", "a"]) == ["blue", "red"]
    assert repr(found) == "Predictions(6 nodes, 2 asked, 0 unknown)"
    assert found["a"].confidence == 1.0
    assert found["a"].asked
    assert "<table" in found._repr_html_()
    for table in (found.to_pandas(), found.to_polars(), found.to_arrow().to_pandas()):
        assert list(table.columns) == ["node", "label", "confidence", "runner_up", "asked"]
        assert list(table["node"]) == list(graph.names)
    found.to_parquet(tmp_path / "p.parquet")
    assert (tmp_path / "p.parquet").stat().st_size > 0


def test_classify_gives_the_same_table(graph):
    found = classify(graph, {"a": "red", "z": "blue"}, method="lgc")
    assert {row.node: row.label for row in found} == TRUTH
    assert [row.node for row in found if row.asked] == ["a", "z"]
    with pytest.raises(InputError, match="at least one node"):
        classify(graph, {})


# -- reasons ----------------------------------------------------------------------------------


def test_reasons_are_true(graph):
    session = Session(graph, audit_share=0.0)
    assert session.ask().reason == "first look at a region of 6 nodes without labels"
    audits = Session(graph, audit_share=1.0)
    assert audits.ask().reason == "drawn at random to check the predictions"
    session.tell("a", "red", by="ann")
    session.tell("a", "blue", by="bo")
    question = session.ask(by="cy")
    assert (question.node, question.reason) == ("a", "two people disagree about it")
    path = Graph.from_edges([(str(i), str(i + 1)) for i in range(20)])
    far = Session(path, audit_share=0.0, labels={"0": "red"})
    question = far.ask()
    assert question.reason.startswith("first look at a region of ")
    size = int(question.reason.split()[6])
    at = int(question.node)
    assert size == sum(abs(i - at) < at for i in range(1, 21)) > 2


def test_a_border_has_both_classes_beside_it():
    path = Graph.from_edges([("a", "m"), ("m", "z")])
    session = Session(path, audit_share=0.0, labels={"a": "red", "z": "blue"})
    question = session.ask()
    assert (question.node, question.reason) == ("m", "on the border between blue and red")
    assert {near.label for near in question.neighbors} == {"red", "blue"}


def test_expected_changes_are_counted_on_a_copy(graph):
    session = Session(graph, audit_share=0.0, labels={"a": "red", "z": "blue"})
    dialogue = session.dialogue
    before = dialogue.learner.scores(np.arange(6))
    node = graph.names.index("c")
    changes = expected_changes(dialogue.learner, graph, dialogue.labels, node)
    assert 0 <= changes <= 5
    np.testing.assert_array_equal(dialogue.learner.scores(np.arange(6)), before)


# -- the terminal -----------------------------------------------------------------------------


def asked_of(database, name):
    with Store(database) as store:
        events = store.events(name)
    return [(e.node, dict(e.detail)) for e in events if e.kind.value == "asked"]


def test_python_and_the_terminal_ask_the_same_questions_to_the_bit(run, edges, tmp_path):
    answers = tmp_path / "answers.csv"
    answers.write_text("node,label\n" + "".join(f"{n},{k}\n" for n, k in TRUTH.items()))
    here, there = tmp_path / "here.db", tmp_path / "there.db"
    options = ("--classes", "red,blue", "--oracle", answers, "--session", "s", "--target-error", 0)
    assert run("label", edges, *options, "--budget", 3, "--db", here)[0] == 0
    with Session(read_graph(edges), ["red", "blue"], name="s", store=there) as session:
        answered(session, 3)
    assert asked_of(here, "s") == asked_of(there, "s")
    with Session.open(here, "s") as session:
        answered(session)
    assert run("label", edges, *options, "--db", there)[0] == 0
    assert asked_of(here, "s") == asked_of(there, "s")
    assert len(asked_of(here, "s")) == 6
    for database in (here, there):
        with Store(database) as store:
            graph, header = read_graph(edges), store.record("s").header
            assert verified(store, "s", graph, **parts(header, graph)).same
        assert run("session", "verify", "s", "--db", database)[0] == 0


def test_sessions_come_out_are_renamed_merged_and_deleted(run, edges, tmp_path):
    database, out = tmp_path / "s.db", tmp_path / "labels.csv"
    graph = read_graph(edges)
    with Store(database) as store:
        Session(graph, name="one", store=store, by="ann").tell({"a": "red", "z": "blue"})
        Session(graph, name="two", store=store, by="bo").tell({"b": "red", "z": "blue"})
    at = ("--db", database)
    assert run("session", "labels", "one", "-o", out, *at)[0] == 0
    rows = list(csv.reader(out.read_text().splitlines()))
    assert rows[0] == ["node", "label", "by", "when"]
    assert [row[:3] for row in rows[1:]] == [["a", "red", "ann"], ["z", "blue", "ann"]]
    assert run("session", "predictions", "one", "-o", out, *at)[0] == 0
    assert len(out.read_text().splitlines()) == 7
    code, printed, _ = run("session", "merge", "one", "two", *at)
    assert code == 0
    assert "2 answers added" in printed
    assert run("session", "rename", "one", "both", *at)[0] == 0
    shown = json.loads(run("session", "show", "both", *at, "--json")[1])
    assert (shown["labels"], shown["audits"]) == (3, 0)
    assert sorted(shown["annotators"]) == ["ann", "bo"]
    assert run("session", "rename", "two", "both", *at)[0] == 1
    assert run("session", "delete", "two", "--yes", *at)[0] == 0
    listed = json.loads(run("session", "list", *at, "--json")[1])["sessions"]
    assert [row["name"] for row in listed] == ["both"]


def test_a_second_file_of_the_same_name_does_not_collide(run, edges, tmp_path):
    other = tmp_path / "other" / "edges.csv"
    other.parent.mkdir()
    other.write_text("source,target\na,b\nb,c\n")
    answers = tmp_path / "answers.csv"
    answers.write_text("node,label\na,red\nb,red\nc,blue\n")
    at = ("--oracle", answers, "--db", tmp_path / "s.db", "--budget", 2)
    for file in (edges, other, edges):
        assert run("label", file, *at)[0] == 0
    code, _, err = run("session", "show", "edges", "--db", tmp_path / "s.db")
    assert code == 1
    assert "2 sessions are named 'edges'" in " ".join(err.split())
    assert run("session", "show", "edges", "--graph", other, "--db", tmp_path / "s.db")[0] == 0


def test_known_labels_start_a_session_at_the_terminal(run, edges, tmp_path):
    known, answers = tmp_path / "known.csv", tmp_path / "answers.csv"
    known.write_text("node,label\na,red\nz,blue\n")
    answers.write_text("node,label\n" + "".join(f"{n},{k}\n" for n, k in TRUTH.items()))
    options = ("--labels", known, "--oracle", answers, "--audit", 1, "--target-error", 0, "--json")
    code, out, err = run("label", edges, *options, "--db", tmp_path / "s.db")
    assert code == 0, err
    told = json.loads(out)
    assert (told["labels"], told["audits"]) == (6, 4)


def test_merging_keeps_names_and_needs_one_graph(graph):
    one, two = Session(graph, by="ann"), Session(graph, by="bo")
    one.tell("a", "red")
    two.tell({"a": "blue", "z": "blue"})
    two.tell("a", "blue", by="ann")
    with pytest.raises(InputError, match="must be merged with another one, got itself"):
        merge(one, one)
    assert merge(one, two) == 2
    assert one.dialogue.state.votes.answers(0) == {"ann": 0, "bo": 1}
    with pytest.raises(InputError, match="must belong to the same graph"):
        merge(one, Session(Graph.from_edges([("a", "b")])))


CORE = """
import sys
EXTRAS = {"sqlalchemy", "alembic", "pandas", "pyarrow", "rich", "typer", "platformdirs", "polars"}
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Missing())
import lapwing
graph = lapwing.Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
session = lapwing.Session(graph, classes=["red", "blue"])
while not session.advice().stop:
    question = session.ask()
    session.tell(question.node, "red" if question.node in "abc" else "blue")
session.predictions().to_csv(sys.argv[1])
try:
    lapwing.Session(graph, store="labels.db")
except lapwing.session.StoreError:
    raise
except ImportError as missing:
    print(missing)
"""


def test_in_memory_it_needs_the_core_install_only(tmp_path):
    command = [sys.executable, "-c", CORE, str(tmp_path / "p.csv")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "lapwing[session]" in done.stdout
    assert len(Path(tmp_path / "p.csv").read_text().splitlines()) == 6


def test_a_session_of_near_far_reopens_as_near_far(graph, tmp_path):
    store = tmp_path / "labels.db"
    with Session(graph, name="pages", store=store, learner="near-far") as session:
        answered(session, 3)
    with Session.open(store, "pages", graph=graph) as again:
        assert type(again.dialogue.learner).__name__ == "NearFar"
    with Session(graph, name="others", store=store) as session:
        assert type(session.dialogue.learner).__name__ == "ExpertPool"


def test_an_explanation_names_labels_and_neighbours_and_keeps_audits_hidden(graph):
    with Session(graph, audit_share=1.0) as session:
        nodes = list(graph.names)
        taught = [nodes[0], nodes[1], nodes[-1], nodes[-2]]
        session.tell({node: TRUTH[node] for node in taught})
        told = session.explain(nodes[2])
        assert told.label == session.predict(nodes[2])
        assert {name for name, _, _ in told.labels} == set(taught)
        assert sum(abs(share) for _, share in told.parts) == pytest.approx(1.0, abs=0.05)
        question = session.ask()
        hidden = session.explain(question.node)
        assert hidden.label is None
        assert hidden.parts == ()
        assert "hidden until answered" in str(hidden)
        session.tell(question.node, TRUTH[question.node])
        assert session.explain(question.node).label == TRUTH[question.node]


def test_a_session_forgets_by_events_only(graph):
    """Nobody tells a session the time, so nothing would ever fade."""
    with pytest.raises(InputError, match="clock must be 'events', got 'time'"):
        Session(graph, learner="push-lgc", parameters={"half_life": 3.0, "clock": "time"})
