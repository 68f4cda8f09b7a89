"""Wrong values at the front door: sessions, predictions, graphs that change, the catalog."""

import numpy as np
import pytest

from lapwing import Graph, Session, classify, make
from lapwing.errors import InputError, LapwingError

GRAPH = Graph.from_edges(
    [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "f"), ("f", "d")]
)
WRONG = [-1, 10**9, 1.5, float("nan"), True, b"a", object, np.array([1, 2]), {"zzz": 1}]
ids = [repr(value)[:20] for value in WRONG]
wrong = pytest.mark.parametrize("bad", WRONG, ids=ids)


@wrong
@pytest.mark.parametrize(
    "argument", ["name", "store", "labels", "learner", "strategy", "cost", "by"]
)
def test_a_session_is_made_of_what_it_takes(bad, argument):
    if not isinstance(bad, np.ndarray):
        with pytest.raises(LapwingError, match="classes must be a list"):
            Session(GRAPH, bad)
    with pytest.raises(LapwingError):
        Session(GRAPH, **{argument: bad})


def test_a_text_is_not_a_list_of_classes():
    with pytest.raises(LapwingError, match="classes must be a list, got 'xy'"):
        Session(GRAPH, "xy")


@wrong
def test_a_session_is_told_of_nodes_and_labels_by_people(bad):
    session = Session(GRAPH, ["x", "y"])
    for act in (session.skip, session.withdraw, session.reask, session.explain):
        with pytest.raises(LapwingError):
            act(bad)
    with pytest.raises(LapwingError):
        session.tell(bad, "x")
    with pytest.raises(LapwingError):
        session.tell("a", "x", by=bad)
    with pytest.raises(LapwingError):
        session.ask(by=bad)
    with pytest.raises(LapwingError):
        session.grow(bad)
    with pytest.raises(LapwingError):
        session.predictions()[bad]
    assert session.labels() == {}


@wrong
def test_graphs_change_by_edges_and_names(bad):
    for act in (GRAPH.with_edges, GRAPH.without_edges, Graph.from_edges, GRAPH.change_since):
        with pytest.raises(LapwingError):
            act(bad)
    with pytest.raises(LapwingError):
        GRAPH.with_node_table(bad)
    with pytest.raises(LapwingError):
        GRAPH.neighbors(bad)
    if not isinstance(bad, np.ndarray):
        with pytest.raises(LapwingError):
            GRAPH.with_nodes(bad)


@wrong
def test_the_catalog_makes_what_it_knows_on_graphs(bad):
    with pytest.raises(LapwingError):
        make(bad, GRAPH)
    with pytest.raises(LapwingError):
        make("ollgc", GRAPH, n_classes=bad)
    if bad is not WRONG[1]:
        for name in ("thompson", "cross-validated"):
            with pytest.raises(LapwingError):
                make(name, GRAPH, n_classes=2, seed=bad)
    for method in (bad, "zzz"):
        with pytest.raises(LapwingError):
            classify(GRAPH, {"a": "x", "f": "y"}, method=method)
    with pytest.raises(LapwingError):
        classify(bad, {"a": "x"})
    with pytest.raises(LapwingError):
        classify(GRAPH, bad)


@wrong
def test_predictions_go_to_files(bad):
    found = classify(GRAPH, {"a": "x", "f": "y"}, method="lgc")
    for act in (found.to_csv, found.to_parquet):
        with pytest.raises(LapwingError):
            act(bad)


@pytest.mark.parametrize(
    "words",
    [
        ("play", "karate", "--seed", "-1"),
        ("play", "karate", "--learner", "molg-b", "--set", "seed=-1"),
        ("label", "karate", "--oracle", "known", "--budget", "3", "--db", "mysql://nowhere"),
        ("play", "karate", "--shuffles", "0"),
    ],
)
def test_commands_refuse_in_one_line(run, words):
    code, out, err = run(*words)
    assert (code, out) == (1, "")
    assert err.startswith("lapwing: ")
    assert err.count("\n") == 1


def test_a_command_that_reads_makes_no_database(run, tmp_path):
    where = tmp_path / "none.db"
    for words in (("list",), ("show", "x"), ("verify", "x")):
        code, _, err = run("session", *words, "--db", where)
        assert code == 1
        assert f"there is no database {where}" in err
    assert not where.exists()


def test_an_oracle_without_labels_begins_no_session(run, tmp_path):
    edges, where = tmp_path / "e.csv", tmp_path / "s.db"
    edges.write_text("source,target\na,b\nb,c\n")
    code, _, err = run("label", edges, "--oracle", "known", "--budget", "3", "--db", where)
    assert (code, err.startswith("lapwing: ")) == (1, True)
    assert not where.exists()


def test_a_class_named_twice_is_refused_when_a_session_is_resumed_too(tmp_path):
    store = tmp_path / "labels.db"
    graph = Graph.from_edges([(0, 1), (1, 2)])
    for _ in range(2):
        with pytest.raises(InputError, match="classes must be distinct, got a, a"):
            Session(graph, ["a", "a"], name="pages", store=store)
        Session(graph, ["a", "b"], name="pages", store=store).close()
