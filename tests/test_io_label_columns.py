"""Labels in a column of a table that describes the nodes."""

import pytest

import lapwing
from lapwing.errors import ReadError


@pytest.fixture
def graph(tmp_path):
    (tmp_path / "edges.csv").write_text("a,b\nb,c\n")
    return lapwing.read_graph(tmp_path / "edges.csv")


def test_rows_without_a_label_are_skipped_in_a_table_that_describes_nodes(graph, tmp_path):
    (tmp_path / "nodes.csv").write_text("id,title,kind\na,Bread,x\nb,Soup,\nz,Imprint,\n")
    known = lapwing.read_labels(
        tmp_path / "nodes.csv", graph, node_column="id", label_column="kind"
    )
    assert known.labels.tolist() == [0, -1, -1]
    assert known.classes == ("x",)


def test_a_label_of_a_node_that_is_not_there_is_refused(graph, tmp_path):
    (tmp_path / "nodes.csv").write_text("id,title,kind\na,Bread,x\nz,Imprint,y\n")
    with pytest.raises(ReadError, match=r"line 3: 'z' is not a node"):
        lapwing.read_labels(tmp_path / "nodes.csv", graph, node_column="id", label_column="kind")


def test_in_two_columns_an_empty_label_is_an_error(graph, tmp_path):
    (tmp_path / "labels.csv").write_text("node,label\na,x\nb,\n")
    with pytest.raises(ReadError, match="line 3: label of 'b' is empty"):
        lapwing.read_labels(tmp_path / "labels.csv", graph)
