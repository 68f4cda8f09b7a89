"""A session remembers what it shows of a node, and marks what would give the label away."""

import json

import numpy as np
import pytest

import lapwing
from bench.terminal import Terminal
from lapwing import Graph, Session
from lapwing.errors import InputError
from lapwing.session import Store, verified
from lapwing.session.opening.parts import parts

EDGES = "source,target\nada,bo\nbo,cy\ncy,ada\ncy,dee\n"
PAGES = (
    "page,title,url\nada,Ada's page,http://a\nbo,Bo's page,http://b\n"
    "cy,Cy's page,\ndee,Dee's page,\n"
)


@pytest.fixture
def files(tmp_path):
    edges, pages = tmp_path / "edges.csv", tmp_path / "pages.csv"
    edges.write_text(EDGES)
    pages.write_text(PAGES)
    return edges, pages


def described(files):
    return lapwing.read_graph(files[0], nodes=files[1], node_column="page")


def test_an_opened_session_shows_its_columns_again(files, tmp_path):
    database = tmp_path / "s.db"
    with Session(described(files), name="p", store=database, show=["title"]) as session:
        first = session.ask()
        assert first.shown == ("title",)
    with Session.open(database, "p") as again:
        assert again.ask().attributes == first.attributes
        assert again.shown == ("title",)
        assert again.graph.hash == session.graph.hash
    with Session(lapwing.read_graph(files[0]), name="p", store=database) as plain:
        assert plain.ask().attributes["title"] == first.attributes["title"]
    with Store(database) as store:
        assert [e.kind.value for e in store.events("p")].count("shown") == 1
        assert "nodes" not in store.record("p").header


def test_tables_that_moved_are_found_beside_the_database_and_missing_ones_warn(files, tmp_path):
    edges, pages = files
    with Session(described(files), name="p", store=tmp_path / "s.db", show=["url"]):
        pass
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in (tmp_path / "s.db", edges, pages):
        (elsewhere / file.name).write_bytes(file.read_bytes())
        file.unlink()
    with Session.open(elsewhere / "s.db", "p") as moved:
        assert moved.ask().attributes["title"]
    (elsewhere / "pages.csv").unlink()
    with (
        pytest.warns(UserWarning, match="pages.csv is not there"),
        pytest.warns(UserWarning, match="begun with another node table: answers are kept"),
    ):
        without = Session.open(elsewhere / "s.db", "p")
    assert without.ask().attributes == {}
    assert without.shown == ()


def test_another_choice_is_recorded_and_draws_stay_the_same(files):
    plain = Session(described(files), audit_share=0.5, show=["url"])
    shown = Session(described(files), audit_share=0.5, show=["title"])
    for label in "xyx":
        one, two = plain.ask(), shown.ask()
        assert (one.node, one.audit) == (two.node, two.audit)
        plain.tell(one.node, label)
        shown.tell(two.node, label)
    again = Session(described(files), store=shown.store, name=shown.name, show=["url"])
    assert again.shown == ("url",)
    with pytest.raises(InputError, match="no column is named 'titel'"):
        Session(described(files), show=["titel"])
    record = again.dialogue.record
    report = verified(again.store, record, again.graph, **parts(record.header, again.graph))
    assert report.same
    assert report.n_questions == 3


def test_a_table_teaches_only_a_session_that_was_begun_with_it(tmp_path):
    graph, club = clubs(30)
    known = {f"n{k}": club[k] for k in (1, 3, 5, 7, 17, 19, 21, 23)}
    rows = "".join(f"n{k},{club[k]},page {k}\n" for k in range(30))
    (tmp_path / "nodes.csv").write_text("node,club,title\n" + rows)
    bare = Graph.from_scipy(graph.adjacency, names=list(graph.names))
    full = lapwing.io.described_graph(bare, tmp_path / "nodes.csv")
    plain = Session(bare, name="s", store=tmp_path / "plain.db", labels=known)
    taught = Session(full, name="s", store=tmp_path / "taught.db", labels=known)
    sure = [session.predictions()["n2"].confidence for session in (plain, taught)]
    assert sure[0] != sure[1]
    later = Session(full, name="s", store=tmp_path / "plain.db")
    assert later.predictions()["n2"].confidence == sure[0]
    assert later.ask().attributes["title"]
    again = Session.open(tmp_path / "taught.db", "s", graph=bare)
    assert again.predictions()["n2"].confidence == sure[1]
    record = again.dialogue.record
    assert verified(again.store, record, again.graph, **parts(record.header, again.graph)).same


def test_a_plain_label_shows_what_was_chosen_before(files, tmp_path):
    edges, pages = files
    words = ("--classes", "x,y", "--audit", "0", "--db", tmp_path / "s.db")
    with Terminal("label", edges, "--nodes", pages, "--node-column", "page", "--show", "title",
                  *words) as at:  # fmt: skip
        at.prompted(1)
        at.answer("1")
        at.leave()
    with Terminal("label", edges, "--db", tmp_path / "s.db") as at:
        at.prompted(1)
        screen = at.leave()
    assert "'s page" in screen
    assert "http://" not in screen


def clubs(n=12):
    club = ["left" if k < n // 2 else "right" for k in range(n)]
    edges = [(f"n{a}", f"n{b}") for a in range(n) for b in range(a) if club[a] == club[b]]
    graph = Graph.from_edges([*edges, ("n0", f"n{n - 1}")], names=[f"n{k}" for k in range(n)])
    columns = {"club": club, "age": list(range(n)), "title": [f"page {k}" for k in range(n)]}
    return graph.with_node_table(columns), club


def test_a_column_that_is_the_label_is_left_out_or_marked():
    graph, club = clubs(14)
    known = {f"n{k}": club[k] for k in range(2, 12)}
    session = Session(graph, labels=known, parameters={"use": ["age"]})
    question = session.ask()
    assert question.shown == ("age", "title")
    assert "club" in question.attributes
    named = Session(graph, labels=known, parameters={"use": ["age"]}, show=["club"]).ask()
    assert named.giveaways == {"club"}
    assert "club (gives the label away)" in named._repr_html_()
    few = Session(graph, labels={"n0": "left", "n13": "right"}).ask()
    assert few.shown == ("club", "age", "title")


def test_info_marks_a_column_that_is_the_label(run, tmp_path):
    graph, club = clubs()
    lapwing.io.write_graph(graph, tmp_path / "g.csv")
    rows = "".join(f"n{k},{club[k]},{k}\n" for k in range(12))
    (tmp_path / "nodes.csv").write_text("node,club,age\n" + rows)
    options = ("--nodes", tmp_path / "nodes.csv", "--labels", tmp_path / "nodes.csv")
    code, out, err = run("info", tmp_path / "g.csv", *options, "--label-column", "club", "--json")
    assert code == 0, err
    assert json.loads(out)["node_columns"] == {"age": "numbers"}
    other = "".join(f"n{k},{club[k]}\n" for k in range(12))
    (tmp_path / "labels.csv").write_text("node,label\n" + other)
    options = ("--nodes", tmp_path / "nodes.csv", "--labels", tmp_path / "labels.csv")
    code, out, err = run("info", tmp_path / "g.csv", *options, "--json")
    assert code == 0, err
    columns = json.loads(out)["node_columns"]
    assert columns == {"club": "text, gives the label away", "age": "numbers"}


def test_a_demo_on_your_own_graph_reports_what_nodes_are(run, tmp_path):
    graph, club = clubs(30)
    lapwing.io.write_graph(graph, tmp_path / "g.csv")
    rows = "".join(f"n{k},{club[k]},page {k}\n" for k in range(30))
    (tmp_path / "nodes.csv").write_text("node,club,title\n" + rows)
    options = ("--nodes", tmp_path / "nodes.csv", "--labels", tmp_path / "nodes.csv")
    code, out, err = run(
        "demo", tmp_path / "g.csv", *options, "--label-column", "club", "--show", "title",
        "-o", tmp_path / "out",
    )  # fmt: skip
    assert code == 0, err
    assert "question 1: node n" in out
    report = (tmp_path / "out" / "report.html").read_text()
    assert "<th>title</th>" in report
    assert "page 3" in report or "page 7" in report or "page 2" in report
    assert np.isfinite(float(out.split("True error: ")[1].split("%")[0]))
