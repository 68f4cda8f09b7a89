"""Node indices as X: scikit-learn's own tools work on lapwing's models."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from lapwing import Graph, data, make
from lapwing.compat import NodeClassifier
from lapwing.errors import InputError

KARATE = data.karate()
NODES = np.arange(34)
LABELS = np.array(KARATE.classes)[np.asarray(KARATE.labels)]


@pytest.mark.parametrize("method", ["cross-validated", "spreading", "poisson", "ollgc", "mixture"])
def test_cross_validation_with_text_labels(method):
    model = NodeClassifier(KARATE.graph, method=method)
    scores = cross_val_score(model, NODES, LABELS, cv=3, error_score="raise")
    assert scores.mean() > 0.7


def test_grid_search_over_methods_and_their_parameters():
    grid = {"method": ["spreading"], "params": [{"alpha": 0.1}, {"alpha": 0.9}, None]}
    found = GridSearchCV(NodeClassifier(KARATE.graph), grid, cv=3, error_score="raise")
    found.fit(NODES[:, None], LABELS)
    assert found.best_params_["params"] in grid["params"]
    assert found.best_score_ > 0.8


def test_clone_keeps_the_graph_and_forgets_the_labels():
    model = NodeClassifier(KARATE.graph, method="spreading", params={"alpha": 0.5})
    model.fit(NODES[:4], LABELS[[0, 1, 32, 33]])
    copy = clone(model)
    assert copy.graph is KARATE.graph
    assert copy.params == {"alpha": 0.5}
    assert not hasattr(copy, "model_")


def test_pipeline_from_names_to_labels():
    graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")])
    model = make_pipeline(
        FunctionTransformer(graph.indices), NodeClassifier(graph, method="spreading")
    )
    model.fit(["a", "e"], ["red", "blue"])
    assert model.predict(["b", "d"]).tolist() == ["red", "blue"]
    np.testing.assert_allclose(model.predict_proba(["b"]).sum(), 1.0)


def test_scores_and_probabilities_are_the_models():
    model = NodeClassifier(KARATE.graph, method="poisson").fit([0, 33], [7, 3])
    inner = make("poisson", KARATE.graph, n_classes=2).fit([0, 33], [1, 0])
    assert model.classes_.tolist() == [3, 7]
    np.testing.assert_allclose(model.predict_proba(NODES), inner.predict_proba(NODES))
    scores = inner.scores(NODES)
    np.testing.assert_allclose(model.decision_function(NODES), scores[:, 1] - scores[:, 0])
    assert ((model.decision_function(NODES) > 0) == (model.predict(NODES) == 7)).all()


def test_partial_fit_goes_on():
    parts = NodeClassifier(KARATE.graph, method="ollgc")
    parts.partial_fit([0, 33], LABELS[[0, 33]], classes=KARATE.classes)
    parts.partial_fit([1, 32], LABELS[[1, 32]])
    whole = NodeClassifier(KARATE.graph, method="ollgc").fit([0, 33, 1, 32], LABELS[[0, 33, 1, 32]])
    np.testing.assert_allclose(parts.predict_proba(NODES), whole.predict_proba(NODES))
    with pytest.raises(InputError, match="among the classes of the first call, got"):
        parts.partial_fit([2], ["nobody"])
    with pytest.raises(InputError, match="learns all labels at once: use fit"):
        NodeClassifier(KARATE.graph, method="spreading").partial_fit([0], ["a"])


def test_what_no_label_reaches_is_unknown_and_never_a_class():
    pairs = Graph.from_edges([(0, 1), (2, 3)])
    model = NodeClassifier(pairs, method="spreading")
    assert model.fit([0], ["red"]).predict([1, 2]).tolist() == ["red", "unknown"]
    assert model.fit([0], [5]).predict([1, 2]).tolist() == [5, -1]
    assert not model.predict_proba([2]).any()
    with pytest.raises(InputError, match="-1 is a class"):
        model.fit([0, 1], [-1, 1]).predict([2])
    filled = NodeClassifier(pairs, method="spreading", unknown=0).fit([0, 1], [-1, 1])
    assert filled.predict([2]).tolist() == [0]


def test_mistakes_are_told():
    with pytest.raises(InputError, match="needs a graph"):
        NodeClassifier().fit([0], [0])
    with pytest.raises(InputError, match="one per row, got shape"):
        NodeClassifier(KARATE.graph).fit([[0, 1], [2, 3]], [0, 1])
    with pytest.raises(InputError, match="one label per node, 2 in all"):
        NodeClassifier(KARATE.graph).fit([0, 1], [0])
    with pytest.raises(InputError, match="has no fit"):
        NodeClassifier(KARATE.graph, method="banditron").fit([0], [0])
