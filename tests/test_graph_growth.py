"""Graphs that change: each change makes a new graph, equal to one built from scratch."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lapwing import Graph
from lapwing.errors import GraphError, UnknownNodeError

N = 8
pairs = st.tuples(st.integers(0, N - 1), st.integers(0, N - 1)).filter(lambda e: e[0] != e[1])
weighed = st.tuples(pairs, st.sampled_from([0.5, 1.0, 2.0]))
steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.lists(weighed, min_size=1, max_size=4)),
        st.tuples(st.just("replace"), st.lists(weighed, min_size=1, max_size=4)),
        st.tuples(st.just("remove"), st.lists(pairs, min_size=1, max_size=3)),
        st.tuples(st.just("node"), st.just([])),
        st.tuples(st.just("read"), st.just([])),
    ),
    max_size=8,
)


def _key(u, v):
    return (min(u, v), max(u, v))


def _built(n, weights):
    edges = [edge for edge, weight in weights.items() if weight]
    return Graph.from_edges(
        np.array(edges, dtype=np.intp).reshape(-1, 2),
        weights=[weights[edge] for edge in edges],
        names=range(n),
    )


@settings(max_examples=150, deadline=None)
@given(steps)
def test_any_changes_end_at_the_graph_built_from_scratch(steps):
    weights = {(i, i + 1): 1.0 for i in range(N - 1)}
    n = N
    graph = _built(n, weights)
    history = [(graph, n, dict(weights))]
    for what, edges in steps:
        if what in ("add", "replace"):
            for (u, v), weight in edges:
                before = weights.get(_key(u, v), 0.0) if what == "add" else 0.0
                weights[_key(u, v)] = before + weight
            graph = graph.with_edges(
                [edge for edge, _ in edges],
                [weight for _, weight in edges],
                parallel="sum" if what == "add" else "replace",
            )
        elif what == "remove":
            there = [edge for edge in edges if weights.get(_key(*edge))]
            for edge in there:
                weights[_key(*edge)] = 0.0
            graph = graph.without_edges(there)
        elif what == "node":
            graph, n = graph.with_nodes([n]), n + 1
        else:
            assert graph.adjacency.shape == (n, n)
        history.append((graph, n, dict(weights)))
    for made, size, known in reversed(history):
        expected = _built(size, known)
        assert made.n_nodes == size
        assert made == expected
        assert made.hash == expected.hash
        np.testing.assert_array_equal(made.degrees, expected.degrees)
    first = history[0][0]
    change = graph.change_since(first)
    again = {edge: weight for edge, weight in history[0][2].items() if weight}
    for u, v, weight in zip(change.sources, change.targets, change.weights, strict=True):
        again[int(u), int(v)] = float(weight)
    assert _built(n, again) == graph


def test_many_changes_at_once_are_the_same_as_building_again():
    rng = np.random.default_rng(0)
    ends = np.sort(rng.integers(0, 3_000, size=(9_000, 2)), axis=1)
    ends = np.unique(ends[ends[:, 0] != ends[:, 1]], axis=0)
    early, late = ends[:4_000], ends[4_000:]
    graph = Graph.from_edges(early, names=range(3_000)).with_edges([(0, 2_999)])
    grown = graph.with_edges(np.concatenate([late, late[::2, ::-1]]))
    weights = np.ones(len(ends) + len(late[::2]) + 1)
    every = np.concatenate([early, late, late[::2], [(0, 2_999)]])
    assert grown == Graph.from_edges(every, weights=weights, names=range(3_000))
    assert grown.adjacency.has_sorted_indices
    assert len(grown.change_since(graph)) == len(late)
    less = grown.without_edges(late)
    assert less == graph
    assert less.change_since(grown).weights.sum() == 0.0


def test_two_graphs_grown_from_one_do_not_meet():
    path = Graph.from_edges([("a", "b"), ("b", "c")])
    left, right = path.with_edges([("c", "x")]), path.with_edges([("c", "y"), ("y", "z")])
    assert left.names == ("a", "b", "c", "x")
    assert right.names == ("a", "b", "c", "y", "z")
    assert path.names == ("a", "b", "c")
    assert (path.n_edges, left.n_edges, right.n_edges) == (2, 3, 4)
    assert "x" not in path.names
    with pytest.raises(UnknownNodeError, match="no node is named 'x'"):
        path.index("x")


def test_growing_keeps_indices_and_counts_what_was_dropped():
    path = Graph.from_edges([("a", "b"), ("b", "c")])
    grown = path.with_edges([("a", "a"), ("a", "c"), ("c", "a"), ("d", "a")], [1, 1, 2, 0])
    assert grown.index("b") == path.index("b")
    assert str(grown.notes) == (
        "1 self-loops dropped; 1 parallel edges merged; 1 edges of weight 0 dropped"
    )
    assert grown.edges()[2].tolist() == [1.0, 3.0, 1.0]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: g.with_edges([("a", "b")], [-1.0]), "must be positive and finite"),
        (lambda g: g.with_edges([("a", "b")], [float("nan")]), "must be positive and finite"),
        (lambda g: g.with_edges([("a", "b")], parallel="mean"), "parallel must be one of sum"),
        (lambda g: g.with_edges([("a",)]), "edges must be pairs"),
        (lambda g: g.with_edges([("a", None)]), "a new node must have a name, got None"),
        (lambda g: g.with_edges([("a", float("nan"))]), "a new node must have a name, got nan"),
        (lambda g: g.with_edges([("a", ["b"])]), "names of nodes must be hashable"),
        (lambda g: g.with_nodes([["x"]]), "names must be hashable"),
        (lambda g: g.without_edges([("a", ["b"])]), "names of nodes must be hashable"),
        (lambda g: g.with_nodes([None]), "a new node must have a name, got None"),
        (lambda g: g.with_nodes(["a"]), "'a' is in the graph already"),
        (lambda g: g.with_nodes(["x", "x"]), "is repeated"),
        (lambda g: g.without_edges([("a", "c")]), r"there is no edge \('a', 'c'\) to remove"),
        (lambda g: g.without_edges([("a", "q")]), "'q' is not one"),
        (
            lambda g: g.change_since(g.with_nodes(["x"])),
            "must keep all 4 nodes of the earlier one, got 3",
        ),
    ],
)
def test_wrong_changes_are_refused_and_change_nothing(change, message):
    graph = Graph.from_edges([("a", "b"), ("b", "c")])
    before = graph.hash
    with pytest.raises(GraphError if "one of" not in message else ValueError, match=message):
        change(graph)
    assert graph.hash == before
    assert graph.with_edges([("c", "a")]).n_edges == 3


def test_many_small_changes_keep_few_in_memory_and_pickle():
    graph = Graph.from_edges([(0, 1)])
    for i in range(2, 3_000):
        graph = graph.with_edges([(i, i - 1)])
    assert graph.n_edges == 2_999
    assert len(graph._overlay.log) <= 1_100
    assert pickle.loads(pickle.dumps(graph)) == graph
