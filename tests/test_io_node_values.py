"""Node tables go out with a graph and come back as they were."""

import json

import numpy as np
import pytest

from lapwing import Graph, read_graph, read_nodes
from lapwing.io import write_graph, write_nodes


def described(**more):
    graph = Graph.from_edges([("ada", "bo"), ("bo", "cy <&\"'>"), ("cy <&\"'>", "ada")])
    columns = {
        "title": ["Ada's <page> & more", 'quo"ted \u00e9 \u2028', None],
        "age": [31, None, -7],
        "height": [1.75, float("nan"), 2.0],
        "full": ["a", "b\nc", " d "],
        "count": [1, 2, 3],
        **more,
    }
    return graph.with_node_table(columns)


def same(one, other):
    """Whether two values are the same, or both missing."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    missing = [value is None or value != value for value in (one, other)]
    return all(missing) or (one == other and type(one) is type(other))


@pytest.mark.parametrize("suffix", ["graphml", "gml"])
def test_numbers_and_texts_survive_in_files_of_text(tmp_path, suffix):
    graph = described(image=np.zeros((3, 2, 2)))
    left = write_graph(graph, tmp_path / f"g.{suffix}")
    again = read_graph(tmp_path / f"g.{suffix}")
    assert left == ("image",)
    assert again.hash == graph.hash
    assert set(again.node_table) == set(graph.node_table) - {"image"}
    for node in range(3):
        row, back = graph.node_table.row(node), again.node_table.row(node)
        assert all(same(row[name], back[name]) for name in back), (row, back)


@pytest.mark.parametrize("suffix", ["npz", "mat"])
def test_arrays_and_whole_texts_survive_in_binary_files(tmp_path, suffix):
    pixels = np.arange(12.0).reshape(3, 2, 2)
    graph = described(image=pixels, labels=["x", "y", "z"], word=["one", "two ö", "three"])
    left = write_graph(graph, tmp_path / f"g.{suffix}")
    again = read_graph(tmp_path / f"g.{suffix}")
    assert set(left) == {"title", "age", "labels"} | ({"full"} if suffix == "mat" else set())
    assert again.hash == graph.hash
    assert np.array_equal(again.node_table["image"], pixels)
    for node in range(3):
        row, back = graph.node_table.row(node), again.node_table.row(node)
        assert all(same(row[name], back[name]) for name in set(row) - set(left) - {"image"})


def test_true_and_false_survive_in_graphml_and_forbidden_letters_are_left_out(tmp_path):
    graph = described(yes=[True, False, True], odd=["a\x01", "b", "c"])
    assert write_graph(graph, tmp_path / "g.graphml") == ("odd",)
    assert read_graph(tmp_path / "g.graphml").node_table["yes"].tolist() == [True, False, True]
    assert set(write_graph(graph, tmp_path / "g.gml")) == {"yes"}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_table_of_nodes_comes_back(tmp_path, suffix):
    graph = described()
    assert write_nodes(graph, tmp_path / f"nodes.{suffix}") == ()
    again = read_nodes(tmp_path / f"nodes.{suffix}", graph)
    for node in range(3):
        row, back = graph.node_table.row(node), again.row(node)
        if suffix == "csv":
            row, back = ({k: v for k, v in each.items() if k != "full"} for each in (row, back))
        assert all(same(row[name], back[name]) for name in row), (row, back)


def test_networkx_gets_the_attributes_and_gives_them_back():
    graph = described()
    again = Graph.from_networkx(graph.to_networkx())
    for node, name in enumerate(graph.names):
        assert again.node_table.present(again.index(name)) == graph.node_table.present(node)


def test_convert_writes_the_table_and_says_what_is_left_out(run, tmp_path):
    nodes = tmp_path / "nodes.csv"
    code, out, err = run("convert", "digits", tmp_path / "d.graphml", "--json")
    assert code == 0, err
    assert json.loads(out)["columns_left_out"] == ["image"]
    code, out, err = run("convert", "digits", tmp_path / "d.npz", "--nodes-output", nodes, "--json")
    assert code == 0, err
    assert json.loads(out)["columns_left_out"] == []
    assert read_graph(tmp_path / "d.npz").node_table["image"].shape == (1797, 8, 8)
    labels = tmp_path / "labels.csv"
    assert run("convert", "digits", tmp_path / "d.csv", "--labels-output", labels)[0] == 0
    assert len(labels.read_text().splitlines()) == 1798


def test_a_column_of_titles_taken_for_labels_is_noted(run, tmp_path):
    edges = "source,target\n" + "".join(f"n{k},n{k + 1}\n" for k in range(30))
    (tmp_path / "e.csv").write_text(edges)
    rows = "".join(f"n{k},Title {k},{'xy'[k % 2]}\n" for k in range(31))
    (tmp_path / "n.csv").write_text("Id,Label,kind\n" + rows)
    code, _, err = run("info", tmp_path / "e.csv", "--labels", tmp_path / "n.csv", "--json")
    assert code == 0, err
    assert "31 labels are of 31 classes: is this the right column?" in " ".join(err.split())
    options = ("--labels", tmp_path / "n.csv", "--label-column", "kind", "--json")
    assert "note" not in run("info", tmp_path / "e.csv", *options)[2]
