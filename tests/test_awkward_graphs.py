"""Graphs on which a learner must not answer with the opposite."""

import numpy as np
import pytest

from lapwing import Graph, make
from lapwing.catalog import ENTRIES

ON_ROWS = [
    name for name, entry in ENTRIES.items() if entry.kind == "online" and entry.rows is not None
]
CLIQUES = [(i, j) for at in (0, 5) for i in range(at, at + 5) for j in range(at, i)]


@pytest.mark.parametrize("name", ON_ROWS)
def test_two_cliques_have_each_its_own_class(name):
    learner = make(name, Graph.from_edges(CLIQUES), n_classes=2)
    learner.stream(np.array([0, 5]), np.array([0, 1]), always=True)
    assert learner.predict(np.arange(10)).tolist() == [0] * 5 + [1] * 5


@pytest.mark.parametrize("name", ON_ROWS)
def test_a_class_without_a_label_is_never_predicted(name):
    path = Graph.from_edges([(i, i + 1) for i in range(29)])
    learner = make(name, path, n_classes=2)
    learner.learn(0, 0)
    assert 1 not in learner.predict(np.arange(30)).tolist()
