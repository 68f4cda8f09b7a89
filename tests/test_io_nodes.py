"""Node tables: rows put to nodes by name, types kept, and what does not fit counted and named."""

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import io as scipy_io
from scipy import sparse

import lapwing
from lapwing import Graph, read_graph, read_nodes
from lapwing.compat import from_pyg
from lapwing.errors import InputError, ReadError
from lapwing.graph import NodeTable
from lapwing.io import write_table

PATH = Graph.from_edges([("ada", "bo"), ("bo", "cy")])
NUMBERED = Graph.from_edges([(3, 0), (0, 2), (2, 1)], names=[3, 0, 2, 1])
ROWS = {
    "id": ["cy", "ada", "bo"],
    "age": [5, 31, 47],
    "sure": [0.5, 1.0, 2.5],
    "job": ["c", "a", "b"],
}
NOTES = "1 node has no row: 'bo'; 1 row names no node: 'dan'"


def lists(table):
    return {name: values.tolist() for name, values in table.items()}


@pytest.mark.parametrize(
    "made",
    [dict, pd.DataFrame, lambda rows: pd.DataFrame(rows).set_index("id"), pl.DataFrame, pa.table],
    ids=["mapping", "pandas", "index", "polars", "arrow"],
)
def test_rows_of_every_table_find_their_nodes(made):
    table = read_nodes(made(ROWS), PATH)
    assert lists(table) == {"age": [31, 47, 5], "sure": [1.0, 2.5, 0.5], "job": ["a", "b", "c"]}
    assert table["age"].dtype == np.int64
    assert table["sure"].dtype == np.float64
    assert table.notes == ""


@pytest.mark.parametrize("suffix", ["csv", "tsv.gz", "parquet"])
def test_files_keep_types_too(suffix, tmp_path):
    path = write_table(ROWS, tmp_path / f"nodes.{suffix}")
    table = read_nodes(path, PATH)
    assert table["age"].dtype == np.int64
    assert table["sure"].dtype == np.float64
    assert table.row(PATH.index("cy")) == {"age": 5, "sure": 0.5, "job": "c"}


def test_what_does_not_fit_is_counted_and_named(tmp_path):
    path = tmp_path / "nodes.csv"
    path.write_text("who,age,sure,job\ncy,5,.5,\nada,31,,x\ndan,8,1,y\n")
    table = read_nodes(path, PATH, node_column="who")
    assert table.notes == NOTES
    assert table["age"].tolist() == [31, None, 5]
    np.testing.assert_array_equal(table["sure"], [np.nan, np.nan, 0.5])
    assert table["job"].tolist() == ["x", None, None]
    assert read_nodes(path, PATH).notes == NOTES  # the one column whose values are nodes
    many = {"node": [f"x{i}" for i in range(9)] + ["bo"], "a": range(10)}
    assert read_nodes(many, PATH).notes == (
        "2 nodes have no row: 'ada', 'cy'; 9 rows name no node: 'x0', 'x1', 'x2', ..."
    )


@pytest.mark.parametrize(
    ("text", "said", "answer"),
    [
        ("a,b\n1,2\n3,4\n", {}, r"which one names the node, with node_column \(--node-column\)"),
        ("ada,x\nbo,y\n", {"node_column": "page"}, "none named 'page'"),
        ("id,x\nada,1\nada,2\n", {}, "'ada' must have one row"),
        ("id,x\nzed,1\n", {}, "names none of the 3 nodes"),
        ("id,x\nada\n", {}, "needs 2 fields"),
        ("id,x,x\nada,1,2\n", {}, "'x' is repeated"),
        ("id,x\nada,1\n", {"node_column": 4}, r"0\.\.1, got 4"),
    ],
)
def test_wrong_node_tables_are_answered(text, said, answer, tmp_path):
    path = tmp_path / "nodes.csv"
    path.write_text(text)
    with pytest.raises(ReadError, match=answer):
        read_nodes(path, PATH, **said)


def test_other_wrong_tables():
    with pytest.raises(InputError, match="must be a file, a table or columns"):
        read_nodes(7, PATH)
    with pytest.raises(InputError, match="one row for each of 3 nodes, got 2"):
        PATH.with_node_table({"x": [1, 2]})
    with pytest.raises(InputError, match="no column is named 'y'; there are x"):
        PATH.with_node_table({"x": [1, 2, 3]}).node_table["y"]


def test_a_graph_is_read_with_its_node_table(tmp_path):
    edges, nodes = tmp_path / "edges.csv", write_table(ROWS, tmp_path / "nodes.csv")
    edges.write_text("source,target\nada,bo\nbo,cy\n")
    graph = read_graph(edges, nodes=nodes)
    assert graph == read_graph(edges)
    assert graph.hash == read_graph(edges).hash
    assert graph.node_table.row(0) == {"age": 31, "sure": 1.0, "job": "a"}
    assert len(read_graph(edges).node_table) == 0
    assert "age, sure, job" in graph._repr_html_()
    numbered = tmp_path / "numbers.csv"
    numbered.write_text("1,2\n2,3\n")
    table = {"id": ["3", "2", "1"], "x": [30, 20, 10]}
    assert read_graph(numbered, nodes=table).node_table["x"].tolist() == [10, 20, 30]


def test_a_table_follows_its_nodes_and_cannot_be_written_to():
    words = sparse.csr_array(np.eye(3))
    graph = PATH.with_node_table({"age": [1, 2, 3], "words": words, "image": np.zeros((3, 2, 2))})
    part = graph.subgraph([2, 0]).node_table
    assert part["age"].tolist() == [3, 1]
    assert part["words"].toarray().tolist() == [[0, 0, 1], [1, 0, 0]]
    grown = graph.with_edges([("cy", "dan")]).node_table
    assert grown["age"].tolist() == [1, 2, 3, None]
    assert grown["words"].toarray()[3].tolist() == [0, 0, 0]
    assert np.isnan(grown["image"][3]).all()
    for values in (graph.node_table["age"], graph.node_table["words"].data):
        with pytest.raises(ValueError, match="read-only"):
            values[0] = 9
    assert isinstance(PATH.node_table, NodeTable)


GRAPHML = """<graphml><key id="t" for="node" attr.name="title" attr.type="string"/>
<key id="n" for="node" attr.name="count" attr.type="int"><default>7</default></key>
<key id="x" for="node" attr.name="size" attr.type="double"/>
<key id="b" for="node" attr.name="new" attr.type="boolean"/>
<graph edgedefault="undirected"><node id="a"><data key="t"> A &amp; B</data><data key="n">3</data>
<data key="x">.5</data><data key="b">true</data></node><node id="b"/>
<edge source="a" target="b"/></graph></graphml>"""
GML = """graph [ node [ id 1 label "a" title "A" size 0.5 count 3 ] node [ id 2 label "b" ]
edge [ source 1 target 2 ] ]"""


def test_graph_formats_keep_what_they_say_of_nodes(tmp_path):
    (tmp_path / "a.graphml").write_text(GRAPHML)
    table = read_graph(tmp_path / "a.graphml").node_table
    assert table.row(0) == {"count": 3, "title": " A & B", "size": 0.5, "new": True}
    assert table.row(1) == {"count": 7, "title": None, "size": None, "new": None}
    (tmp_path / "a.gml").write_text(GML)
    graph = read_graph(tmp_path / "a.gml")
    assert graph.node_table.row(0) == {"title": "A", "size": 0.5, "count": 3}
    assert graph.names == ("a", "b")


def test_matrices_keep_their_other_arrays(tmp_path):
    adjacency, features = np.array([[0, 1], [1, 0]]), np.array([[1.5, 2], [3, 4]])
    said = {"graph": adjacency, "label": [[0], [1]], "x": features, "year": [1990, 2001], "k": 3}
    scipy_io.savemat(tmp_path / "a.mat", said)
    table = read_graph(tmp_path / "a.mat").node_table
    assert sorted(table) == ["x", "year"]
    assert table["year"].tolist() == [1990, 2001]
    matrix = sparse.csr_array(adjacency)
    parts = {"data": matrix.data, "indices": matrix.indices, "indptr": matrix.indptr}
    np.savez(
        tmp_path / "a.npz",
        format=np.array(b"csr"),
        shape=[2, 2],
        x=features,
        labels=[0, 1],
        **parts,
    )
    table = read_graph(tmp_path / "a.npz").node_table
    assert lists(table) == {"x": features.tolist()}


def test_other_libraries_graphs_bring_their_nodes_data():
    made = nx.path_graph(["a", "b"])
    made.nodes["a"]["title"] = "A"
    assert Graph.from_networkx(made).node_table["title"].tolist() == ["A", None]

    class Data:
        edge_index = np.array([[0, 1], [1, 0]])
        x = np.array([[1.0], [2.0]])

    assert from_pyg(Data()).graph.node_table["x"].tolist() == [[1.0], [2.0]]


def test_readers_are_at_the_top():
    assert {"read_graph", "read_labels", "read_nodes"} <= set(lapwing.__all__)


def test_vectors_of_a_numpy_file_go_to_the_nodes_of_their_numbers(tmp_path):
    file, vectors = tmp_path / "x.npy", np.arange(12.0).reshape(6, 2)
    np.save(file, vectors)
    found = read_nodes(file, NUMBERED)
    np.testing.assert_array_equal(found["x"], vectors[[3, 0, 2, 1]])
    assert found.notes == "2 rows name no node"
    edges = tmp_path / "edges.csv"
    edges.write_text("source,target\n3,0\n0,2\n2,1\n")
    graph = read_graph(edges, nodes=file)
    assert graph.node_table["x"][graph.index(1)].tolist() == [2.0, 3.0]


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (np.zeros((3, 2)), "has 3 rows without names, so nodes must be called 0 to 2, got 3"),
        (np.array(["a", "b", "c", "d"]), "must be an array of numbers with one row per node"),
        (np.array([{}] * 4), "must be an array of numbers"),
        (np.float64(3.0), "must be an array of numbers with one row per node"),
    ],
)
def test_a_numpy_file_that_is_no_row_per_node_is_refused(tmp_path, values, words):
    np.save(tmp_path / "x.npy", values, allow_pickle=True)
    with pytest.raises(ReadError, match=words):
        read_nodes(tmp_path / "x.npy", NUMBERED)
    if values.shape == (3, 2):
        with pytest.raises(ReadError, match="nodes must be called 0 to 2, got 'ada'"):
            read_nodes(tmp_path / "x.npy", PATH)


def test_a_truncated_numpy_file_is_refused(tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((4, 2)))
    (tmp_path / "x.npy").write_bytes((tmp_path / "x.npy").read_bytes()[:100])
    with pytest.raises(ReadError, match="must be an array of numbers"):
        read_nodes(tmp_path / "x.npy", NUMBERED)
