"""The graph: what goes in, what is refused, what never changes."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lapwing import Graph
from lapwing.errors import GraphError, InputError, UnknownNodeError
from lapwing.graph import assembly
from lapwing.graph.checks import copied_if_valid

PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=40)
WEIGHTS = st.floats(0.01, 100, allow_nan=False)


def dense(n, edges, weights, combine=np.add):
    matrix = np.zeros((n, n))
    for (u, v), w in zip(edges, weights, strict=True):
        if u != v:
            matrix[u, v] = matrix[v, u] = combine(matrix[u, v], w)
    return matrix


@given(PAIRS, st.data())
def test_edges_make_the_matrix_they_say(pairs, data):
    weights = data.draw(st.lists(WEIGHTS, min_size=len(pairs), max_size=len(pairs)))
    graph = Graph.from_edges(np.array(pairs).reshape(-1, 2), weights=weights, names=range(10))
    np.testing.assert_allclose(graph.adjacency.toarray(), dense(10, pairs, weights))
    most = Graph.from_edges(pairs, weights=weights, names=range(10), parallel="max")
    np.testing.assert_allclose(most.adjacency.toarray(), dense(10, pairs, weights, np.maximum))
    assert graph.notes.self_loops == sum(u == v for u, v in pairs)
    assert graph.notes.parallel_edges == len(pairs) - graph.notes.self_loops - graph.n_edges


@given(PAIRS, st.data())
def test_directed_input_is_symmetrised_as_asked(pairs, data):
    weights = data.draw(st.lists(WEIGHTS, min_size=len(pairs), max_size=len(pairs)))
    matrix = sparse.coo_array(
        (weights, tuple(np.array(pairs, dtype=int).reshape(-1, 2).T)), (10, 10)
    )
    square = matrix.toarray()
    np.fill_diagonal(square, 0)
    for rule, expected in (("max", np.maximum(square, square.T)), ("sum", square + square.T)):
        graph = Graph.from_edges(pairs, weights=weights, names=range(10), directed=rule)
        np.testing.assert_allclose(graph.adjacency.toarray(), expected)
        assert graph.notes.symmetrised == rule
        assert f"symmetrised by {rule}" in str(graph.notes)
        assert Graph.from_scipy(matrix, directed=rule).hash == graph.hash


@given(PAIRS, st.permutations(range(10)))
def test_renaming_nodes_permutes_everything(pairs, names):
    graph = Graph.from_edges(pairs, names=range(10))
    renamed = Graph.from_edges([(names[u], names[v]) for u, v in pairs], names=range(10))
    to = np.array(names)
    np.testing.assert_array_equal(
        renamed.adjacency.toarray()[np.ix_(to, to)], graph.adjacency.toarray()
    )
    np.testing.assert_array_equal(renamed.degrees[to], graph.degrees)
    assert renamed.n_components == graph.n_components
    same = graph.components[:, None] == graph.components
    there = renamed.components[to][:, None] == renamed.components[to]
    np.testing.assert_array_equal(same, there)


@given(PAIRS)
def test_components_and_the_largest_agree_with_networkx(pairs):
    graph = Graph.from_edges(pairs, names=range(10))
    theirs = graph.to_networkx()
    assert graph.n_components == nx.number_connected_components(theirs)
    largest = graph.largest_component()
    assert largest.n_nodes == max(map(len, nx.connected_components(theirs)))
    assert largest.n_components == 1
    np.testing.assert_array_equal(
        largest.adjacency.toarray(),
        nx.to_numpy_array(theirs.subgraph(list(largest.names)), nodelist=list(largest.names)),
    )


def test_every_door_leads_to_the_same_graph():
    edges = [("a", "b", 2.0), ("b", "c", 1.0), ("c", "a", 0.5)]
    graph = Graph.from_edges(edges)
    table = {"source": ["a", "b", "c"], "target": ["b", "c", "a"], "weight": [2.0, 1.0, 0.5]}
    network = nx.Graph()
    network.add_weighted_edges_from(edges)
    index = np.array([[0, 1, 1, 2, 2, 0], [1, 0, 2, 1, 0, 2]])
    others = [
        Graph.from_table(pd.DataFrame(table)),
        Graph.from_table(pl.DataFrame(table)),
        Graph.from_table(pa.table(table), source="source", target="target", weight="weight"),
        Graph.from_networkx(network),
        Graph.from_scipy(graph.adjacency, names=["a", "b", "c"]),
        Graph.from_scipy(graph.adjacency.toarray(), names="abc"),
        Graph.from_edges([(0, 1), (1, 2), (2, 0)], weights=[2.0, 1.0, 0.5], names="abc"),
    ]
    for other in others:
        assert other == graph
    from_index = Graph.from_edge_index(index, edge_weight=[2, 2, 1, 1, 0.5, 0.5])
    assert from_index.hash == graph.hash
    assert Graph.from_networkx(graph.to_networkx()) == graph
    assert (graph.to_scipy() != graph.adjacency).nnz == 0


def test_a_digraph_says_that_it_was_symmetrised():
    network = nx.DiGraph()
    network.add_weighted_edges_from([("a", "b", 1.0), ("b", "a", 3.0)])
    assert Graph.from_networkx(network).adjacency.max() == 3.0
    assert Graph.from_networkx(network, directed="sum").adjacency.max() == 4.0
    assert "symmetrised by max" in str(Graph.from_networkx(network).notes)


def test_a_multigraph_sums_its_parallel_edges():
    network = nx.MultiGraph([("a", "b"), ("a", "b"), ("b", "b")])
    graph = Graph.from_networkx(network)
    assert graph.adjacency[0, 1] == 2.0
    assert str(graph.notes) == "1 self-loops dropped; 1 parallel edges merged"


def test_names_translate_at_the_door():
    graph = Graph.from_edges([("x", ("t", 1)), (("t", 1), 7)])
    assert graph.names == ("x", ("t", 1), 7)
    assert graph.index(("t", 1)) == 1
    assert graph.indices(["x", 7]).tolist() == [0, 2]
    far = Graph.from_edges(np.array([[2**62, 5], [5, -3]]))
    assert far.names == (-3, 5, 2**62)
    with pytest.raises(UnknownNodeError, match="no node is named '5'; there is one named 5"):
        far.index("5")
    with pytest.raises(UnknownNodeError, match="no node is named 0"):
        far.index(0)


def test_nothing_can_be_written_to():
    graph = Graph.from_edges([(0, 1), (1, 2)])
    for array in (graph.adjacency.data, graph.adjacency.indices, graph.degrees, graph.components):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 5
    graph.to_scipy().data[0] = 5
    assert graph.adjacency.max() == 1.0


def test_the_hash_is_stable_and_about_content():
    graph = Graph.from_edges([(0, 1), (1, 2)])
    assert graph.hash == Graph.from_edges([(2, 1), (1, 0)]).hash
    assert graph.hash != Graph.from_edges([(0, 1), (1, 2)], weights=[1, 2]).hash
    assert graph.hash != Graph.from_edges([(0, 1), (1, 2)], names=range(4)).hash
    assert graph.hash == Graph.from_edges([("a", "b"), ("b", "c")]).hash


def test_the_empty_and_the_edgeless_graph_are_graphs():
    empty = Graph.from_edges([])
    assert (empty.n_nodes, empty.n_edges, empty.n_components) == (0, 0, 0)
    alone = Graph.from_edges([], names=["a", "b"])
    assert (alone.n_nodes, alone.n_components) == (2, 2)
    assert alone.largest_component().n_nodes == 1
    assert empty.largest_component_nodes().tolist() == []


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda: Graph.from_edges([(0, 1)], weights=[-1]), r"edge 0 \(0, 1\) has -1"),
        (lambda: Graph.from_edges([("a", "b", float("nan"))]), r"edge 0 \('a', 'b'\) has nan"),
        (lambda: Graph.from_edges([(0, 1), (1, 2)], weights=[1, np.inf]), "edge 1 .* has inf"),
        (lambda: Graph.from_edges([(0, 1)], weights=[1, 2]), "1 edges need 1 weights, got 2"),
        (lambda: Graph.from_edges([(0, 1, 1.0)], weights=[1]), "weights must be given once"),
        (lambda: Graph.from_edges([(0, 1)], weights=["x"]), "weights must be numbers"),
        (lambda: Graph.from_edges([(0, 1), (1,)]), "edges must be pairs"),
        (lambda: Graph.from_edges([0, 1]), "edges must be pairs"),
        (lambda: Graph.from_edges(np.ones((2, 3))), r"shape \(m, 2\), got \(2, 3\)"),
        (lambda: Graph.from_edges([("a", "z")], names=["a", "b"]), "'z' is not one"),
        (lambda: Graph.from_edges([(0, 5)], names=["a", "b"]), r"nodes in 0..1, got 5"),
        (lambda: Graph.from_edges([(0, -1)], names=["a", "b"]), r"nodes in 0..1, got -1"),
        (lambda: Graph.from_edges([(0, 1)], names=["a", "a"]), "'a' is repeated"),
        (lambda: Graph.from_edges([([], "a")]), "hashable"),
        (lambda: Graph.from_edges([(0, 1)], parallel="mean"), "parallel must be one of"),
        (lambda: Graph.from_edges([(0, 1)], directed="left"), "directed must be one of"),
        (lambda: Graph.from_scipy(np.ones((2, 3))), "square, got 2 x 3"),
        (lambda: Graph.from_scipy(np.array([[0, 1], [0, 0]])), "symmetric, weight of .* is "),
        (lambda: Graph.from_scipy(-np.ones((2, 2))), "positive and finite"),
        (lambda: Graph.from_scipy(np.ones((2, 2)), names=["a"]), "2 in all, got 1"),
        (lambda: Graph.from_table(pd.DataFrame({"a": [1]})), "must have two columns"),
        (
            lambda: Graph.from_table(pl.DataFrame({"a": [1], "b": [2]}), source="x"),
            "none named 'x'",
        ),
        (lambda: Graph.from_table(pd.DataFrame({"a": ["x", None], "b": ["y", "z"]})), "row 1 is"),
        (lambda: Graph.from_table(pl.DataFrame({"a": [1, None], "b": [2, 3]})), "row 1 is"),
        (lambda: Graph.from_edge_index([[0, 1]]), r"shape \(2, m\), got \(1, 2\)"),
        (lambda: Graph.from_edge_index([[0.5], [1.0]]), "must hold integers"),
    ],
)
def test_what_is_not_a_graph_is_refused_clearly(build, says):
    with pytest.raises(GraphError, match=says):
        build()


def test_a_node_outside_the_graph_is_never_another_node():
    graph = Graph.from_edges([(0, 1)])
    for wrong in (-1, 2, [0, 9]):
        with pytest.raises(UnknownNodeError, match=r"must be an integer from 0 to 1"):
            graph.checked(wrong)
    with pytest.raises(InputError, match="must be an integer"):
        graph.subgraph([0.5])
    with pytest.raises(GraphError, match="distinct"):
        graph.subgraph([0, 0])


@pytest.mark.parametrize("both", [True, False])
@pytest.mark.parametrize("add", [True, False])
@pytest.mark.parametrize("weighted", [True, False])
def test_numpy_assembles_small_graphs_to_the_same_bits_as_compiled_code(
    both, add, weighted, monkeypatch
):
    rng = np.random.default_rng(0)
    sources, targets = rng.integers(0, 40, (2, 6000))
    weights = rng.random(6000) * (rng.random(6000) > 0.1) if weighted else None
    small = assembly.assembled(40, sources, targets, weights, both=both, add=add)
    monkeypatch.setattr(assembly, "BY_NUMPY", -1)
    large = assembly.assembled(40, sources, targets, weights, both=both, add=add)
    assert small[1] == large[1]
    for ours, compiled in zip(small[0], large[0], strict=True):
        assert ours.dtype == compiled.dtype
        assert np.array_equal(ours, compiled)


@pytest.mark.parametrize("missing", [None, float("nan")])
def test_a_missing_end_is_not_a_node(missing):
    with pytest.raises(GraphError, match="both ends of an edge must be names, edge 1 has"):
        Graph.from_edges([("a", "b"), ("b", missing)])


def test_the_digest_does_not_depend_on_how_much_is_converted_at_a_time(monkeypatch):
    edges = [(0, 1), (1, 2), (2, 0), (2, 3)]
    whole = Graph.from_edges(edges).hash
    monkeypatch.setattr("lapwing.graph.structure.HASHED", 3)
    assert Graph.from_edges(edges).hash == whole


@pytest.mark.parametrize("seed", range(20))
def test_a_valid_matrix_is_copied_and_any_other_built_anew(seed, monkeypatch):
    random = np.random.default_rng(seed)
    half = sparse.random_array((12, 12), density=0.2, rng=random)
    matrix = sparse.csr_array(sparse.triu(half, 1) + sparse.triu(half, 1).T)
    made = Graph.from_scipy(matrix)
    monkeypatch.setattr("lapwing.graph.graph.copied_if_valid", lambda _: None)
    anew = Graph.from_scipy(matrix)
    assert made.hash == anew.hash
    assert made.adjacency.indices.dtype == anew.adjacency.indices.dtype
    assert made.adjacency.indptr.dtype == anew.adjacency.indptr.dtype
    matrix.data[:] = 7.0
    assert made.hash == anew.hash


def invalid(change):
    matrix = sparse.csr_array(np.array([[0.0, 1, 1], [1, 0, 0], [1, 0, 0]]))
    change(matrix)
    return matrix


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m.data.__setitem__(0, 2.0),
        lambda m: m.data.__setitem__(slice(None), np.nan),
        lambda m: m.data.__setitem__(slice(None), -1.0),
        lambda m: m.data.__setitem__(slice(None), 0.0),
        lambda m: m.data.__setitem__(slice(None), np.inf),
        lambda m: m.indices.__setitem__(slice(None), [2, 1, 0, 0]),
        lambda m: m.indices.__setitem__(slice(None), [1, 1, 0, 0]),
        lambda m: m.indices.__setitem__(slice(None), [0, 1, 0, 2]),
    ],
)
def test_a_matrix_that_is_no_adjacency_is_not_taken_for_one(change):
    assert copied_if_valid(invalid(lambda _: None)) is not None
    assert copied_if_valid(invalid(change)) is None


def test_only_square_real_csr_matrices_are_taken_as_they_are():
    square = np.array([[0.0, 1], [1, 0]])
    assert copied_if_valid(square) is None
    assert copied_if_valid(sparse.coo_array(square)) is None
    assert copied_if_valid(sparse.csr_array(square + 0j)) is None
    assert copied_if_valid(sparse.csr_array(square[:1])) is None
    assert copied_if_valid(sparse.csr_array((0, 0))).shape == (0, 0)
    assert copied_if_valid(sparse.csr_matrix(square > 0)).data.tolist() == [1.0, 1.0]


def test_positions_as_names_are_found_without_a_dictionary():
    graph = Graph.from_edges([(0, 1)], names=range(10**6))
    assert [graph.index(name) for name in (7, 7.0, np.int64(999_999))] == [7, 7, 999_999]
    assert graph.names._positions is None
    for name in (10**6, -1, 0.5, "7", None, [7]):
        with pytest.raises(UnknownNodeError):
            graph.index(name)
