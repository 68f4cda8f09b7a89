"""Sessions whose graph grows: the log holds it, a replay asks the same, the bound covers it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from lapwing import Graph, Session
from lapwing.errors import InputError
from lapwing.session import Dialogue, Store, exported, imported, verified
from lapwing.session.log.events import Event, Kind
from lapwing.session.log.growth import MOST_PLAIN, Growth
from lapwing.session.opening.parts import parts
from lapwing.session.store.memory import MemoryStore


def planted(n, seed=0, first=0):
    """Two groups of nodes by parity; edges mostly within a group, from `first` on to earlier."""
    rng = np.random.default_rng(seed)
    edges = []
    for v in range(max(first, 2), n):
        for _ in range(3):
            u = int(rng.integers(0, v))
            if (u - v) % 2 and rng.random() < 0.9:
                u = u + 1 if u + 1 < v else u - 1
            if 0 <= u != v:
                edges.append((f"n{u}", f"n{v}"))
    return edges


def truth(name):
    return "even" if int(name[1:]) % 2 == 0 else "odd"


def answered(session, count):
    asked = []
    for _ in range(count):
        question = session.ask()
        asked.append((question.node, question.guess, question.confidence, question.audit))
        session.tell(question.node, truth(question.node))
    return asked


def begun(store, **more):
    graph = Graph.from_edges(planted(60))
    return Session(graph, ["even", "odd"], name="s", store=store, **more)


FIRST, SECOND = planted(90, seed=1, first=60), planted(400, seed=2, first=90)
KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from test_session_growth import *
with Session.open(Store(sys.argv[1]), "s", graph=Graph.from_edges(planted(60))) as session:
    answered(session, 6)
    session.grow(edges=FIRST)
    answered(session, 6)
    session.grow(edges=SECOND, nodes=["n400"])
    answered(session, 5)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_session_grown_twice_and_killed_asks_the_same_and_verifies(tmp_path):
    file, tests = tmp_path / "s.db", str(__import__("pathlib").Path(__file__).parent)
    begun(file).close()
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), tests], check=False)
    assert done.returncode == -9
    alive = begun(MemoryStore())
    expected = answered(alive, 6)
    alive.grow(edges=FIRST)
    expected += answered(alive, 6)
    alive.grow(edges=SECOND, nodes=["n400"])
    expected += answered(alive, 5)
    reopened = Session.open(file, "s", graph=Graph.from_edges(planted(60)))
    events = reopened.store.events("s")
    told = [e for e in events if e.kind is Kind.ASKED]
    recorded = [(e.node, e.detail["guess"], e.detail["confidence"]) for e in told]
    names, classes = alive.graph.names, alive.classes
    ours = [(names.index(n), classes.index(g) if g else -1, c) for n, g, c, _ in expected]
    hidden = [audit for *_, audit in expected]
    for (node, guess, sure), mine, audit in zip(recorded, ours, hidden, strict=True):
        assert node == mine[0]
        assert audit or (guess, sure) == mine[1:]
    assert answered(reopened, 10) == answered(alive, 10)
    first = reopened.dialogue.first_graph
    report = verified(reopened.store, "s", first, **parts(reopened.dialogue.header, first))
    assert report.same
    assert report.n_questions == 27
    assert any("packed" in e.detail for e in events if e.kind is Kind.GROWN)
    reopened.close()


def test_the_grown_graph_opens_the_session_too_and_it_can_be_moved(tmp_path):
    session = begun(MemoryStore())
    answered(session, 4)
    growth = session.grow(edges=FIRST[:20], remove=[planted(60)[0]])
    assert growth.weights.min() == 0.0
    for graph in (session.graph, Graph.from_edges(planted(60))):
        again = Session.open(session.store, "s", graph=graph)
        assert again.graph == session.graph
        assert Session(graph, name="s", store=session.store).labels() == session.labels()
    (tmp_path / "s.jsonl").write_text(exported(session.store, "s"))
    other = Store(tmp_path / "o.db")
    assert imported(other, tmp_path / "s.jsonl", graph=session.graph) == "s"
    moved = Session.open(other, "s", graph=session.graph)
    assert answered(moved, 5) == answered(session, 5)
    with pytest.raises(InputError, match=r"no session named .s."):
        Session.open(other, "s", graph=Graph.from_edges([("n1", "n2")]))
    other.close()


def test_a_wrong_growth_is_refused_and_leaves_no_trace():
    session = begun(MemoryStore())
    before = session.head
    for wrong, message in (
        ({}, "grow needs edges, nodes"),
        ({"remove": [("n0", "n59")]}, "there is no edge"),
        ({"graph": Graph.from_edges([("n0", "n1")])}, "must keep all 60 nodes, 'n"),
        ({"nodes": [("a", 1)]}, "must be text or whole numbers"),
        ({"edges": [("n0", "x")], "weights": [-1.0]}, "must be positive"),
    ):
        with pytest.raises(InputError, match=message):
            session.grow(**wrong)
    assert session.head == before
    assert str(session.grow(nodes=["n0"])) == "nothing changed"
    assert session.head == before
    fixed = Session(Graph.from_edges(planted(20)), learner="1-proj", strategy="random")
    with pytest.raises(InputError, match=r"cannot grow: .*; make a new one on the grown graph"):
        fixed.grow(nodes=["x"])
    plain = Graph.from_edges([(0, 1)])
    made = {k: v for k, v in parts(fixed.dialogue.header, plain).items() if k != "remade"}
    made["make_learner"] = parts(session.dialogue.header, plain)["make_learner"]
    bare = Dialogue.create(MemoryStore(), "b", plain, **made)
    with pytest.raises(InputError, match="give `remade`"):
        bare.grow(plain.with_nodes([2]))


def test_a_growth_is_checked_when_it_is_read():
    path = Graph.from_edges([("a", "b"), ("b", "c")])
    long = path.with_edges([(f"x{i}", f"x{i + 1}") for i in range(MOST_PLAIN)])
    for grown in (path.with_nodes(["d"]), long, path.without_edges([("a", "b")])):
        growth = Growth.between(path, grown)
        again = Growth.of(growth.detail)
        assert again.after(path) == grown
        assert again.undone(grown) == path
    for detail in ({}, {"packed": "no"}, {"nodes": [1.5], "edges": []}, {"nodes": [], "edges": 3}):
        with pytest.raises(InputError):
            Growth.of(detail)
    for edges in ([[1, 0, 1.0, 0.0]], [[0, 9, 1.0, 0.0]], [[0, 1, -1.0, 0.0]]):
        with pytest.raises(InputError):
            Growth.of({"nodes": [], "edges": edges}).check(3)
    session = begun(MemoryStore())
    lie = Growth.between(session.graph, session.graph.with_nodes(["z"])).detail
    event = Event(session.dialogue.state.n_events + 1, Kind.GROWN, "t", "me",
                  detail=lie | {"graph_hash": "0" * 64})  # fmt: skip
    session.store.append("s", event)
    with pytest.raises(Exception, match="the graph must have the hash 000000000000"):
        session.dialogue.catch_up()


def test_the_bound_covers_the_grown_graph():
    session = begun(MemoryStore(), audit_share=1.0)
    answered(session, 40)
    before = session.error_estimate()
    assert before.left == 20
    session.grow(edges=SECOND + FIRST)
    after = session.error_estimate()
    assert after.n_nodes == session.graph.n_nodes == 400
    assert after.left == 360
    assert "the 340 nodes added last have no audit of their own" in str(after)
    new_wrong = (340 * 1.0 + 20 * before.upper) / 360
    assert new_wrong <= after.upper <= 1.0
    answered(session, 60)
    later = session.error_estimate()
    assert later.audits == 100
    assert later.upper < after.upper
    truths = [truth(str(name)) for name in session.graph.names]
    left = [n for n in range(400) if n not in session.dialogue.state.labels]
    guesses = session.predict([session.graph.names[n] for n in left])
    wrong = np.mean([g != truths[n] for g, n in zip(guesses, left, strict=True)])
    assert wrong <= later.upper
    session.grow(nodes=["n401"])
    assert session.error_estimate().audits == 60  # those since the growth before speak of all


def test_new_nodes_are_predicted_and_asked_about_at_once():
    session = begun(MemoryStore(), audit_share=0.0)
    answered(session, 12)
    grown = session.grow(edges=[("n0", "n60"), ("n2", "n60"), ("n4", "n60")], nodes=["n62"])
    assert str(grown) == "2 nodes added; 3 edges added"
    assert session.predict("n60") == "even"
    assert session.predict("n62") is None
    assert session.graph.index("n62") in session.dialogue.candidates()
    assert session.ask(70)[-1] is not None
    session.tell("n62", "even")
    session.withdraw("n62")
    assert session.predict("n62") is None


def test_new_nodes_bring_attributes_which_answer_where_no_edge_does(tmp_path):
    graph = Graph.from_edges(planted(60))
    colours = ["green leaf" if truth(str(n)) == "even" else "blue sea" for n in graph.names]
    described = graph.with_node_table({"words": colours, "size": [1.0] * 60})
    session = Session(described, ["even", "odd"], name="s", store=tmp_path / "s.db")
    answered(session, 16)
    table = {
        "title": ["left out", "", "no", ""],
        "node": ["n60", "n61", "n0", "n62"],
        "words": ["green leaf", "blue sea", "blue sea", None],
        "size": [2.0, None, 9.0, None],
    }
    growth = session.grow(nodes=table, edges=[("n62", "n2")])
    assert str(growth) == "3 nodes added, 2 with attributes; 1 edge added"
    assert session.graph.node_table.row(60) == {"words": "green leaf", "size": 2.0}
    assert session.graph.node_table["words"][0] == colours[0]
    assert session.predict(["n60", "n61"]) == ["even", "odd"]
    assert "rests on its attributes alone" in str(session.explain("n61"))
    (tmp_path / "more.csv").write_text("node,words\nn64,green leaf\n")
    session.grow(nodes=tmp_path / "more.csv")
    asked = answered(session, 6)
    told = session.predict(list(session.graph.names))
    session.close()
    with Session.open(tmp_path / "s.db", "s", graph=described) as again:
        assert again.predict(list(again.graph.names)) == told
        assert again.graph.node_table.digest == session.graph.node_table.digest
        first = again.dialogue.first_graph
        report = verified(again.store, "s", first, **parts(again.dialogue.header, first))
        assert report.same
        assert report.n_questions == 22 == 16 + len(asked)
        for wrong, message in (
            ({"node": ["x"], "size": ["large"]}, "'size' holds numbers, a new node has 'large'"),
            ({"node": ["x", "x"], "size": [1.0, 2.0]}, "must have one row|repeated"),
            ({}, "must have a column that names them"),
            ({"node": ["x"], "size": []}, "must have 1 values, got 0"),
        ):
            with pytest.raises(InputError, match=message):
                again.grow(nodes=wrong)
