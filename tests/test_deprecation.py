"""Every former name still works, warns, and gives what the current name gives."""

import numpy as np
import pytest

import lapwing
from lapwing import Graph, make
from lapwing.catalog import PROTOCOLS
from lapwing.compat import NodeClassifier
from lapwing.online.sslgc import query_limits
from lapwing.session import Dialogue, MemoryStore, Session

GRAPH = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
NODES, LABELS, SHOWN = np.arange(6), np.array([0, 0, 0, 1, 1, 1]), np.ones(6, dtype=bool)
PARTS = {
    "make_learner": lambda: make("ollgc", GRAPH),
    "make_strategy": lambda _: lambda _, candidates: int(candidates[0]),
}


@pytest.fixture
def store():
    store = MemoryStore()
    Dialogue.create(store, "six", GRAPH, **PARTS, header={"audit_share": 0.0}).tell(0, "red")
    return store


def read(path, **columns):
    path.write_text("a,b,c\n0,x,red\n5,y,blue\n")
    return lapwing.read_labels(path, GRAPH, **columns).labels.tolist()


def played(method):
    learner = make("mixture", GRAPH, n_classes=2)
    return getattr(learner, method)(NODES, LABELS, *([SHOWN] if method == "rounds" else []))


def limits(name):
    return make(name, GRAPH, n_classes=2, kappa=0.5).limits(3).tolist()


def classified(method):
    return NodeClassifier(GRAPH, method=method).fit([0, 5], ["a", "b"]).predict(NODES).tolist()


FORMER = {
    "catalog.Kind": (
        lambda _, __: lapwing.catalog.Kind,
        lambda _, __: lapwing.catalog.AlgorithmKind,
    ),
    "data.Entry": (lambda _, __: lapwing.data.Entry, lambda _, __: lapwing.data.DatasetEntry),
    "reproduce.load": (
        lambda _, __: __import__("lapwing.reproduce").reproduce.load,
        lambda _, __: __import__("lapwing.reproduce").reproduce.load_study,
    ),
    "Labels.multi": (
        lambda _, __: lapwing.io.Labels(LABELS, ("a", "b")).multi,
        lambda _, __: lapwing.io.Labels(LABELS, ("a", "b")).multilabel,
    ),
    "Protocol.own": (
        lambda _, __: PROTOCOLS["yang2018"].own("molg-f", 10**5),
        lambda _, __: PROTOCOLS["yang2018"].on_others("molg-f", 10**5),
    ),
    "read_labels(node=, label=)": (
        lambda _, path: read(path, node="a", label="c"),
        lambda _, path: read(path, node_column="a", label_column="c"),
    ),
    "Learner.rounds": (
        lambda _, __: played("rounds").guesses.tolist(),
        lambda _, __: played("stream").guesses.tolist(),
    ),
    "Mixture.limits": (
        lambda _, __: limits("selective-mixture"),
        lambda _, __: query_limits(1, 3, 0.5).tolist(),
    ),
    "NodeClassifier(method='auto')": (
        lambda _, __: classified("auto"),
        lambda _, __: classified("cross-validated"),
    ),
    "Session(make_learner=)": (
        lambda store, _: Session(store, "six", GRAPH, **PARTS).labels.tolist(),
        lambda _, __: [0, -1, -1, -1, -1, -1],
    ),
    "Session.create": (
        lambda _, __: Session.create(MemoryStore(), "new", GRAPH, **PARTS).name,
        lambda _, __: "new",
    ),
    "Dialogue.choice": (
        lambda store, _: Dialogue(store, "six", GRAPH, **PARTS).choice(NODES[3:]),
        lambda store, _: Dialogue(store, "six", GRAPH, **PARTS).choices(NODES[3:])[0],
    ),
    "exported(name=)": (
        lambda store, _: lapwing.session.exported(store, name="six"),
        lambda store, _: lapwing.session.exported(store, session="six"),
    ),
    "verified(name=)": (
        lambda store, _: lapwing.session.verified(store, name="six", graph=GRAPH, **PARTS),
        lambda store, _: lapwing.session.verified(store, session="six", graph=GRAPH, **PARTS),
    ),
}


@pytest.mark.parametrize("name", FORMER)
def test_a_former_name_warns_and_works(name, store, tmp_path):
    former, current = FORMER[name]
    with pytest.warns(DeprecationWarning, match="is deprecated, use "):
        found = former(store, tmp_path / "labels.csv")
    assert found == current(store, tmp_path / "labels.csv")


def test_a_name_that_never_was_is_an_error():
    for room in ("catalog", "data"):
        with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
            _ = getattr(lapwing, room).Nothing
