"""The same sessions in PostgreSQL, when a server can be started here."""

import importlib
import json
import warnings

import numpy as np
import pytest

from lapwing import Graph, make
from lapwing.active import UncertainReach
from lapwing.errors import InputError
from lapwing.session import Dialogue, Store, StoreError, exported, imported, verified

GRAPH = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])


def parts():
    return {
        "make_learner": lambda: make("auto", GRAPH),
        "make_strategy": lambda labels: UncertainReach(GRAPH, labels),
    }


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A database server of our own, gone with the tests."""
    folder = tmp_path_factory.mktemp("postgres")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module("psycopg")
            server = importlib.import_module("pgserver").get_server(folder)
    except (ImportError, OSError, RuntimeError, AssertionError) as wrong:
        pytest.skip(f"no PostgreSQL server can be started here: {wrong!r}")
    yield server.get_uri()
    server.cleanup()


def test_a_session_in_postgres_is_replayed_verified_and_moved(address, tmp_path):
    with Store(address) as store:
        session = Dialogue.create(store, "s", GRAPH, header={"seed": 4}, **parts())
        for label in ("red", "blue", "red"):
            session.tell(session.ask().node, label)
        session.undo()
    with Store(address) as store, Store("sqlite://") as elsewhere:
        again = Dialogue(store, "s", GRAPH, **parts())
        nodes = np.arange(GRAPH.n_nodes)
        np.testing.assert_array_equal(again.learner.scores(nodes), session.learner.scores(nodes))
        assert verified(store, "s", GRAPH, **parts()).same
        file = tmp_path / "s.jsonl"
        file.write_text(exported(store, "s"))
        imported(elsewhere, file)
        assert elsewhere.verified("s") == store.verified("s")


def test_two_writers_in_postgres_do_not_overwrite_each_other(address):
    with Store(address) as one, Store(address) as two:
        first = Dialogue.create(one, "both", GRAPH, **parts())
        second = Dialogue(two, "both", GRAPH, **parts())
        first.tell(0, "red")
        second.tell(1, "blue", "bo")
        first.tell(2, "blue")
        kinds = [event.kind.value for event in one.events("both")]
        assert kinds == ["class", "told", "class", "told", "told"]
        with pytest.raises(InputError, match="there is one named 'both'"):
            Dialogue.create(two, "both", GRAPH, **parts())


def test_the_command_labels_into_postgres(address, run):
    options = ("--oracle", "known", "--budget", 6, "--db", address, "--json")
    code, out, err = run("label", "karate", *options)
    assert code == 0, err
    assert json.loads(out)["labels"] == 6
    named = address.replace("postgresql://", "postgresql+psycopg://")
    code, out, _ = run("session", "verify", "karate", "--db", named, "--json")
    assert code == 0
    assert json.loads(out)["same"]


def test_a_server_that_is_not_there_is_said_in_one_line():
    pytest.importorskip("psycopg")
    with pytest.raises(StoreError, match="cannot be used as a database"):
        Store("postgresql://nobody@127.0.0.1:1/none")
