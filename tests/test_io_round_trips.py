"""What is written is what is read back, for every format, any names and weights."""

import gzip
import json
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import io as scipy_io
from scipy import sparse

from lapwing import Graph, read_graph
from lapwing.errors import InputError
from lapwing.io import Labels, read_labels, write_graph, write_labels
from lapwing.types import UNKNOWN

EDGE_LISTS = ("csv", "tsv", "txt", "csv.gz", "tsv.zst", "txt.bz2", "edges.xz", "parquet")
WHOLE = ("graphml", "gml", "mtx", "mat", "npz", "lap", "graphml.gz", "mtx.gz", "npz.zst", "lap.gz")

WORDS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=8
).filter(lambda word: word == word.strip(" \t"))
XML_WORDS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"), max_size=8
)
INTEGERS = st.integers(-(2**63), 2**63 - 1)
WEIGHTS = st.floats(5e-324, 1e300)


@st.composite
def graphs(draw, names, isolated):
    known = draw(st.lists(names, unique=True, min_size=1, max_size=12))
    if all(isinstance(name, str) for name in known):
        known.append(draw(names.filter(lambda name: not name.isdigit() and name not in known)))
        known = [*known, "not a number"] if "not a number" not in known else known
    n = len(known)
    ends = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
    pairs = draw(st.lists(ends.filter(lambda e: e[0] != e[1]), max_size=25)) if n > 1 else []
    if not isolated:
        pairs += [(i, (i + 1) % n) for i in range(n) if n > 1]
    weights = draw(
        st.one_of(
            st.just([1.0] * len(pairs)),
            st.lists(WEIGHTS, min_size=len(pairs), max_size=len(pairs)),
        )
    )
    matrix = sparse.coo_array(
        (weights, tuple(np.array(pairs, dtype=int).reshape(-1, 2).T)), shape=(n, n)
    ).tocsr()
    return Graph.from_scipy(matrix, names=known, directed="max")


def there_and_back(graph, suffix, folder):
    path = Path(folder) / f"graph.{suffix}"
    write_graph(graph, path)
    assert [file.name for file in Path(folder).iterdir()] == [path.name]
    return read_graph(path)


def by_name(graph):
    sources, targets, weights = graph.edges()
    return {
        frozenset((graph.names[s], graph.names[t])): w
        for s, t, w in zip(sources, targets, weights, strict=True)
    }


@pytest.mark.parametrize("suffix", EDGE_LISTS)
@settings(max_examples=40)
@given(data=st.data())
def test_an_edge_list_keeps_every_edge(suffix, tmp_path_factory, data):
    names = data.draw(st.sampled_from((WORDS, INTEGERS)))
    graph = data.draw(graphs(names, isolated=False).filter(lambda g: g.n_edges > 0))
    read = there_and_back(graph, suffix, tmp_path_factory.mktemp("io"))
    assert by_name(read) == by_name(graph)
    assert set(read.names) == set(graph.names)


@pytest.mark.parametrize("suffix", WHOLE)
@settings(max_examples=40)
@given(data=st.data())
def test_other_formats_keep_nodes_and_their_order_too(suffix, tmp_path_factory, data):
    words = XML_WORDS if suffix.startswith("graphml") else st.text(max_size=8)
    if suffix == "gml":
        words = st.text(st.characters(exclude_categories=("Cs",)), max_size=8)
    names = data.draw(st.sampled_from((words, INTEGERS)))
    graph = data.draw(graphs(names, isolated=True))
    assert there_and_back(graph, suffix, tmp_path_factory.mktemp("io")) == graph


@pytest.mark.parametrize("suffix", ["npz", "mat", "mtx"])
def test_integers_and_text_are_kept_apart(suffix, tmp_path):
    graph = Graph.from_edges([(0, 1), (1, 2)], names=["7", "b", "007"])
    mixed = Graph.from_scipy(graph.adjacency, names=[7, "7", 2**80])
    assert there_and_back(graph, suffix, tmp_path).names == ("7", "b", "007")
    assert there_and_back(mixed, suffix, tmp_path).names == (7, "7", 2**80)


@pytest.mark.parametrize("suffix", [*EDGE_LISTS, *WHOLE])
def test_the_empty_graph(suffix, tmp_path):
    graph = Graph.from_edges([])
    assert there_and_back(graph, suffix, tmp_path).n_nodes == 0


@pytest.mark.parametrize("suffix", ["graphml", "gml"])
def test_networkx_reads_what_we_write_and_we_read_what_it_writes(suffix, tmp_path):
    graph = Graph.from_edges([("a", "b&\"'<é"), ("b&\"'<é", "c")], weights=[0.5, 2.0])
    path = tmp_path / f"graph.{suffix}"
    write_graph(graph, path)
    theirs = getattr(nx, f"read_{suffix}")(path)
    assert Graph.from_networkx(theirs) == graph
    getattr(nx, f"write_{suffix}")(graph.to_networkx(), path)
    assert read_graph(path) == graph
    directed = nx.DiGraph([(1, 2), (2, 1), (2, 3)])
    getattr(nx, f"write_{suffix}")(directed, path)
    read = read_graph(path)
    assert read.n_edges == 2
    assert read.notes.symmetrised == "max"


def test_scipys_own_files(tmp_path):
    matrix = sparse.csr_array(np.array([[0, 2.5, 0], [2.5, 0, 1], [0, 1, 0]]))
    sparse.save_npz(tmp_path / "a.npz", matrix)
    scipy_io.mmwrite(tmp_path / "a.mtx", matrix)
    scipy_io.savemat(tmp_path / "a.mat", {"network": matrix, "group": np.eye(3)})
    for suffix in ("npz", "mtx", "mat"):
        assert read_graph(tmp_path / f"a.{suffix}") == Graph.from_scipy(matrix)


def test_a_compressed_file_is_the_same_every_time(tmp_path):
    graph = Graph.from_edges([("a", "b")])
    write_graph(graph, tmp_path / "a.csv.gz")
    first = (tmp_path / "a.csv.gz").read_bytes()
    write_graph(graph, tmp_path / "a.csv.gz")
    assert (tmp_path / "a.csv.gz").read_bytes() == first
    assert gzip.decompress(first) == b"source,target\na,b\n"


def test_a_failed_write_leaves_the_old_file_alone(tmp_path):
    path = tmp_path / "a.csv"
    write_graph(Graph.from_edges([("a", "b")]), path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="nodes without edges, there are 1, the first is 'c'"):
        write_graph(Graph.from_edges([(0, 1)], names=["a", "b", "c"]), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


@pytest.mark.parametrize(
    ("names", "suffix", "said"),
    [
        ([" a", "b"], "csv", "begin or end with a space"),
        (["", "b"], "tsv", "must not be empty"),
        (["1", "2"], "csv", "all of them read as integers"),
        (["1", "2"], "graphml", "all of them read as integers"),
        (["a\x01", "b"], "graphml", "XML cannot hold"),
        ([(0, 1), (1, 2)], "csv", "all text or all 64-bit integers"),
        ([(0, 1), (1, 2)], "npz", "text or integers"),
        (["a", 1], "gml", "all text or all 64-bit integers"),
        (["a", 1], "parquet", "all text or all 64-bit integers"),
        (["\ud800", "b"], "csv", "valid Unicode"),
    ],
)
def test_what_a_format_would_lose_is_refused(names, suffix, said, tmp_path):
    graph = Graph.from_scipy(np.array([[0, 1], [1, 0]]), names=names)
    with pytest.raises(InputError, match=said):
        write_graph(graph, tmp_path / f"a.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["nowhere/a.csv", "a.docx", "."])
def test_where_nothing_can_be_written(path, tmp_path):
    with pytest.raises(InputError):
        write_graph(Graph.from_edges([(0, 1)]), tmp_path / path, format=None)


@pytest.mark.parametrize("suffix", ["csv", "tsv.gz", "parquet"])
@settings(max_examples=40)
@given(data=st.data())
def test_labels_round_trip(suffix, tmp_path_factory, data):
    path = tmp_path_factory.mktemp("io") / f"labels.{suffix}"
    graph = data.draw(graphs(data.draw(st.sampled_from((WORDS, INTEGERS))), isolated=True))
    classes = data.draw(
        st.one_of(
            st.lists(WORDS.filter(lambda w: not w.isdigit()), unique=True, min_size=1, max_size=4),
            st.lists(INTEGERS, unique=True, min_size=1, max_size=4),
        )
    )
    one = st.lists(st.integers(UNKNOWN, len(classes) - 1), min_size=graph.n_nodes)
    single = np.array(data.draw(one)[: graph.n_nodes], dtype=np.intp)
    write_labels(Labels(single, tuple(classes)), path, graph)
    read = read_labels(path, graph, classes=classes)
    assert not read.multilabel
    np.testing.assert_array_equal(read.labels, single)
    several = np.zeros((graph.n_nodes, len(classes)), dtype=np.int8)
    several[0] = 1
    several[np.flatnonzero(single >= 0), single[single >= 0]] = 1
    write_labels(Labels(sparse.csr_array(several), tuple(classes)), path, graph)
    read = read_labels(path, graph, classes=classes, multilabel=True)
    assert read.multilabel == (len(classes) > 1)
    if read.multilabel:
        np.testing.assert_array_equal(read.labels.toarray(), several)


def test_names_of_others_in_a_mat_file(tmp_path):
    scipy_io.savemat(
        tmp_path / "a.mat",
        {"A": np.array([[0, 1], [1, 0]]), "names": np.array(["x", "yy"], dtype=object)},
    )
    assert read_graph(tmp_path / "a.mat").names == ("x", "yy")


def test_mtx_comments_hold_names_as_json(tmp_path):
    write_graph(Graph.from_edges([("a", "b\n")]), tmp_path / "a.mtx")
    lines = (tmp_path / "a.mtx").read_text().splitlines()
    assert [json.loads(line[6:]) for line in lines if line.startswith("%name ")] == ["a", "b\n"]
