"""Labels beside a graph: one per node, several per node, and the published files."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy import io as scipy_io

from lapwing import Graph, read_graph
from lapwing.errors import InputError
from lapwing.io import Labels, read_labels, write_labels
from lapwing.types import UNKNOWN

PATH = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")])


def written(tmp_path, text, name="labels.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("node,label\na,x\nc,y\nb,x\n", {}),
        ("a,x\nc,y\nb,x\n", {}),
        ("a\tx\nc\ty\nb\tx\n", {"delimiter": "\t"}),
        ("label,node\nx,a\ny,c\nx,b\n", {}),
        ("when,who,what\n1,a,x\n2,c,y\n3,b,x\n", {"node_column": "who", "label_column": "what"}),
        ("1,a,x\n2,c,y\n3,b,x\n", {"node_column": 1, "label_column": 2}),
        ("x,y\na,x\nc,y\nb,x\n", {"header": True}),
        ("node,label\na,x\na,x\nc,y\nb,x\n", {}),
    ],
)
def test_one_label_a_node(text, said, tmp_path):
    labels = read_labels(written(tmp_path, text), PATH, **said)
    assert labels.classes == ("x", "y")
    assert labels.labels.tolist() == [0, 0, 1, UNKNOWN]
    assert not labels.multilabel
    assert repr(labels) == "Labels(3 of 4 nodes, 2 classes)"


def test_several_labels_a_node_make_a_matrix(tmp_path):
    labels = read_labels(written(tmp_path, "node,label\na,7\na,-1\nc,7\n"), PATH, multilabel=True)
    assert labels.classes == (-1, 7)
    assert labels.labels.toarray().tolist() == [[1, 1], [0, 0], [0, 1], [0, 0]]
    assert [part.tolist() for part in labels.pairs()] == [[0, 0, 2], [0, 1, 1]]


def test_classes_may_be_said(tmp_path):
    path = written(tmp_path, "a,x\nc,y\n")
    assert read_labels(path, PATH, classes=["z", "y", "x"]).labels.tolist() == [2, -1, 1, -1]
    with pytest.raises(InputError, match="classes must be distinct"):
        read_labels(path, PATH, classes=["x", "x", "y"])


def test_nodes_are_found_by_the_graphs_kind_of_name(tmp_path):
    path = written(tmp_path, "node,label\n12,x\n3,y\n")
    assert read_labels(path, Graph.from_edges([(3, 12)])).labels.tolist() == [1, 0]
    assert read_labels(path, Graph.from_edges([("3", "12")])).labels.tolist() == [1, 0]


def test_labels_must_fit_the_graph(tmp_path):
    labels = Labels(np.array([0, 1]), ("x", "y"))
    with pytest.raises(InputError, match="needs 4 rows of labels, got 2"):
        write_labels(labels, tmp_path / "a.csv", PATH)
    with pytest.raises(InputError, match="labels must be written as csv"):
        write_labels(Labels(np.zeros(4, int), ("x",)), tmp_path / "a.mat", PATH)
    assert list(tmp_path.iterdir()) == []


def test_classes_that_look_like_integers_are_written_all_the_same(tmp_path):
    write_labels(Labels(np.zeros(4, int), ("1",)), tmp_path / "a.csv", PATH)
    assert (tmp_path / "a.csv").read_text() == "node,label\na,1\nb,1\nc,1\nd,1\n"
    assert read_labels(tmp_path / "a.csv", PATH).classes == (1,)


def test_labels_in_a_mat_file(tmp_path):
    path = tmp_path / "a.mat"
    scipy_io.savemat(path, {"label": np.array([[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 0]])})
    labels = read_labels(path, PATH)
    assert labels.labels.tolist() == [0, 1, 0, UNKNOWN]
    assert labels.classes == (0, 1, 2)
    scipy_io.savemat(path, {"labels": np.array([3, 1, 3, 2])})
    assert read_labels(path, PATH).labels.tolist() == [2, 0, 2, 1]


PUBLISHED = [
    ("wvgn/pubmed.mat", None, 19_717, 44_324, 3, 3, False),
    ("wvgn/cora.mat", None, 24_519, 92_207, 2_755, 10, True),
    ("wvgn/imdb.mat", None, 19_359, 362_079, 0, 21, True),
    ("wvgn/wikipedia.mat", None, 4_777, 92_295, 222, 40, True),
    ("wvgn/network1/A.mat", "wvgn/network1/label.mat", 100, 1_047, 0, 2, False),
    ("wvgn/network2/A.mat", "wvgn/network2/label.mat", 120, 607, 0, 3, False),
    ("movies/edges.tsv.gz", "movies/labels.tsv.gz", 16_942, 416_771, 0, 6, False),
]


@pytest.mark.parametrize(
    ("file", "beside", "nodes", "edges", "loops", "classes", "multi"),
    PUBLISHED,
    ids=[row[0] for row in PUBLISHED],
)
def test_published_files(file, beside, nodes, edges, loops, classes, multi):
    folder = os.environ.get("LAPWING_DATA")
    if folder is None or not (Path(folder) / file).exists():
        pytest.skip(f"{file} is not here: set LAPWING_DATA to the folder of the data sets")
    graph = read_graph(Path(folder) / file)
    assert (graph.n_nodes, graph.n_edges, graph.notes.self_loops) == (nodes, edges, loops)
    labels = read_labels(Path(folder) / (beside or file), graph)
    assert (len(labels.classes), labels.multilabel) == (classes, multi)
    assert len(np.unique(labels.pairs()[0])) == nodes


def test_labels_give_nodes_and_rows_alike_in_both_forms():
    one = Labels(np.array([1, UNKNOWN, 0, UNKNOWN]), ("x", "y"))
    several = Labels(one.matrix(), ("x", "y"))
    nodes = np.array([2, 1, 0])
    for labels in (one, several):
        assert labels.nodes().tolist() == [0, 2]
        assert labels.rows(nodes).tolist() == [[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    assert several.multilabel
    assert not one.multilabel
