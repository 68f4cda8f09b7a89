"""networkx, PyG and river: what goes in comes out."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pytest

from lapwing import Graph, data, make
from lapwing.compat import RiverClassifier, from_networkx, from_pyg, to_networkx, to_pyg
from lapwing.errors import InputError, UnknownNodeError

KARATE = data.karate()


def test_networkx_there_and_back():
    club = nx.karate_club_graph()
    for node in list(club)[5:20]:
        del club.nodes[node]["club"]
    graph, labels = from_networkx(club, label="club")
    assert labels.classes == ("Mr. Hi", "Officer")
    assert (labels.labels == -1).sum() == 15
    known = np.flatnonzero(labels.labels >= 0)
    model = make("spreading", graph, n_classes=2).fit(known, labels.labels[known])
    chances = model.predict_proba(np.arange(34))
    told = to_networkx(graph, probabilities=chances, classes=labels.classes)
    again, guessed = from_networkx(told)
    assert again == graph
    assert (guessed.labels == model.predict(np.arange(34))).all()
    assert told.nodes[0]["confidence"] == pytest.approx(chances[0].max())
    assert "label" not in to_networkx(graph).nodes[0]


def test_networkx_mistakes():
    mixed = nx.path_graph(2)
    mixed.nodes[0]["label"], mixed.nodes[1]["label"] = 1, "one"
    with pytest.raises(InputError, match="one sortable type"):
        from_networkx(mixed)
    with pytest.raises(InputError, match="one entry per node, 34 in all, got 2"):
        to_networkx(KARATE.graph, labels=np.array([0, 1]))


class Tensor:
    """What of a torch tensor is used: it leaves its gradients and device, and becomes an array."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def detach(self):
        return self

    def cpu(self):
        return self.values


def test_pyg_there_and_back():
    labels = np.asarray(KARATE.labels)
    told = to_pyg(KARATE.graph, labels=labels, train=np.array([0, 33]))
    assert told["edge_index"].shape == (2, 2 * KARATE.graph.n_edges)
    tensors = {key: Tensor(value) for key, value in told.items() if key != "num_nodes"}
    found = from_pyg(SimpleNamespace(**tensors, num_nodes=34, test_mask=Tensor(labels > 5)))
    assert found.graph == KARATE.graph
    assert found.train.tolist() == [0, 33]
    assert found.validation.size == found.test.size == 0
    model = make("spreading", found.graph).fit(found.train, found.labels[found.train])
    assert np.mean(model.predict(np.arange(34)) == labels) > 0.9


def test_pyg_with_less_and_with_more():
    edges = np.array([[0, 1], [1, 0]])
    bare = from_pyg(SimpleNamespace(edge_index=edges))
    assert bare.graph.n_nodes == 2
    assert bare.train.size == 0
    full = from_pyg(
        SimpleNamespace(
            edge_index=edges, edge_attr=np.array([[2.0], [2.0]]), y=np.array([[1], [-1], [0]])
        )
    )
    assert full.graph.n_nodes == 3
    assert full.graph.degrees.tolist() == [2.0, 2.0, 0.0]
    assert full.train.tolist() == [0, 2]
    for wrong, said in (
        ({}, "must have an edge_index"),
        ({"edge_index": edges, "y": np.array([0.5, 1.0])}, "y must be one class index"),
        ({"edge_index": edges, "train_mask": np.array([0, 1])}, "train_mask must be one bool"),
    ):
        with pytest.raises(InputError, match=said):
            from_pyg(SimpleNamespace(**wrong))


@pytest.mark.parametrize("method", ["ollgc", "gpa"])
def test_river_learns_as_the_learner_does(method):
    labels = np.array(KARATE.classes)[np.asarray(KARATE.labels)]
    model = RiverClassifier(KARATE.graph, method=method)
    assert model.predict_proba_one({"node": 0}) == {}
    wrong = 0
    for node in np.random.default_rng(0).permutation(34).tolist():
        x = {"node": KARATE.graph.names[node]}
        wrong += model.predict_one(x) != labels[node]
        model.learn_one(x, labels[node])
    assert wrong <= 12
    chances = model.predict_proba_one({"node": KARATE.graph.names[0]})
    assert sum(chances.values()) == pytest.approx(1.0)
    assert max(chances, key=chances.get) == "Mr. Hi"
    assert model.clone().predict_one({"node": KARATE.graph.names[0]}) is None


def test_a_selective_learner_says_which_labels_it_wants():
    model = RiverClassifier(KARATE.graph, method="sslgc")
    names = KARATE.graph.names
    inner = make("sslgc", KARATE.graph)
    for node in range(34):
        wanted = model.wants_one({"node": names[node]})
        assert wanted == (node == 0 or inner.queries(node))
        label = int(KARATE.labels[node])
        model.learn_one({"node": names[node]}, label if wanted else None)
        code = model.classes.index(label) if wanted else None
        inner.learn(node, code)


def test_river_mistakes():
    with pytest.raises(InputError, match="is not an online learner"):
        RiverClassifier(KARATE.graph, method="spreading")
    model = RiverClassifier(Graph.from_edges([("a", "b")]), method="gpa")
    with pytest.raises(InputError, match="under 'node', got"):
        model.learn_one({"name": "a"}, 1)
    with pytest.raises(UnknownNodeError):
        model.predict_one("zed")
