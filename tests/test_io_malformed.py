"""Every wrong input has an answer a person can act on: which file, which line, what must hold."""

import bz2
import gzip
import lzma
import random
import zlib
from contextlib import suppress

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import io as scipy_io
from scipy import sparse

from lapwing import Graph, read_graph
from lapwing.errors import InputError, ReadError
from lapwing.io import read_labels, write_graph
from lapwing.io.text import edge_list as edgelist

GOOD = b"source,target,weight\na,b,1\nb,c,2\n"
GRAPHML = b"""<graphml><key id="w" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">
<node id="a"/><node id="b"/>
<edge source="a" target="b"><data key="w">%s</data></edge>
%s
</graph></graphml>"""
GML = b"graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 target 2 %s ]\n%s]\n"
MTX = b"%%MatrixMarket matrix coordinate real general\n"


def mat(**variables):
    def write(path):
        with path.open("wb") as file:
            scipy_io.savemat(file, variables)

    return write


def parquet(table):
    return lambda path: pq.write_table(pa.table(table), path)


def npz(**arrays):
    def write(path):
        with path.open("wb") as file:
            np.savez(file, **arrays)

    return write


def matrix(rows):
    def write(path):
        with path.open("wb") as file:
            sparse.save_npz(file, sparse.csr_array(np.array(rows)))

    return write


BINARY = bytes(random.Random(0).randrange(256) for _ in range(4000))

# name, content (bytes, or a function that writes it), options, line or None, words of the answer
FILES = [
    ("missing.csv", None, {}, None, "no such file"),
    ("empty.csv", b"", {}, None, "is empty"),
    ("blank.csv", b"\n \n\n", {}, None, "contains no rows"),
    ("comments.txt", b"# nothing\n# here\n", {}, None, "contains no rows"),
    ("garbage.csv", BINARY, {}, 1, "UTF-8|NUL byte"),
    ("late-nul.csv", GOOD + b"c,d\0,1\n", {}, 4, "NUL byte"),
    ("utf16.csv", "a,b\n".encode("utf-16"), {}, None, "UTF-16"),
    ("latin.csv", "a,b\nb,caf\xe9\n".encode("latin-1"), {}, 2, "UTF-8 text, got byte 0xe9"),
    ("packed.csv", gzip.compress(GOOD), {}, None, r"is compressed.*\.gz"),
    ("unpacked.csv.gz", GOOD, {}, None, r"damaged or truncated \.gz data"),
    ("cut.csv.gz", gzip.compress(GOOD * 99)[:-30], {}, None, r"damaged or truncated \.gz data"),
    (
        "checksum.csv.gz",
        gzip.compress(GOOD)[:-8] + b"12345678",
        {},
        None,
        r"damaged or truncated \.gz",
    ),
    ("cut.csv.bz2", bz2.compress(GOOD)[:-9], {}, None, r"damaged or truncated \.bz2 data"),
    ("cut.csv.xz", lzma.compress(GOOD)[:-9], {}, None, r"damaged or truncated \.xz data"),
    (
        "bad.csv.zst",
        b"\x28\xb5\x2f\xfdnot zstd at all",
        {},
        None,
        r"truncated \.zst data",
    ),
    ("nothing.csv.gz", gzip.compress(b""), {}, None, "empty when decompressed"),
    ("one-column.csv", b"a\nb\nc\n", {}, 1, "at least two columns.*got 1"),
    ("wrong.csv", GOOD, {"delimiter": ";"}, 1, "at least two columns.*got 1"),
    ("two-columns.csv", b"source,target\na,b\n", {"weight": "weight"}, 1, "none named 'weight'"),
    ("short.csv", GOOD + b"c\n", {}, 4, "needs 3 fields like the first row, got 1"),
    ("long.csv", GOOD + b"c,d,1,x\n", {}, 4, "needs 3 fields like the first row, got 4"),
    ("no-end.csv", GOOD + b"c,,1\n", {}, 4, r"two ends, got \('c', ''\)"),
    ("no-weight.csv", GOOD + b"c,d,\n", {}, 4, r"edge \('c', 'd'\) has no weight"),
    ("word.csv", GOOD + b"c,d,heavy\n", {}, 4, "must be a number, got 'heavy'"),
    ("comma.csv", b"a;b;1,5\nb;c;2,5\n", {"delimiter": ";"}, 1, "must be a number, got '1,5'"),
    ("either.csv", b"a;b;1,5\nb;c;2,5\n", {}, 1, r"may be any of \[',', ';'\]"),
    ("negative.csv", GOOD + b"c,d,-2\n", {}, 4, r"edge \('c', 'd'\) must be positive.*got -2"),
    ("nan.csv", GOOD + b"c,d,nan\n", {}, 4, r"edge \('c', 'd'\) must be positive.*got nan"),
    ("infinite.csv", GOOD + b"c,d,1e999\n", {}, 4, "must be positive and finite, got 1e999"),
    ("quote.csv", b'a,b\n"c,d\ne,f\n', {}, 2, "is not a table"),
    ("after-quote.csv", b'a,b\n"c"x,d\n', {}, 2, "is not a table"),
    (
        "twice.csv",
        b"source,source,weight\na,b,1\n",
        {"source": "source"},
        1,
        "'source' is repeated",
    ),
    ("same.csv", GOOD, {"source": "source", "target": "source"}, 1, "must differ"),
    ("unknown.csv", GOOD, {"source": "from"}, 1, "none named 'from'"),
    ("outside.csv", GOOD, {"target": 7}, 1, r"0\.\.2, got 7"),
    ("maybe.csv", b"x,y\n" + b"1,2\n" * 250 + b"c,d\n", {}, 1, "may be a header or an edge"),
    ("opened.csv", b'source,target\nada,bbo,"o\nada,d\nbo,cy\n', {}, 2, "quote is opened"),
    (
        "header.csv",
        b"author,coauthor\nada,bo\nbo,cy\ncy,ada\n",
        {},
        1,
        "header or an edge.*--no-header",
    ),
    ("which.csv", b"paper,cites,year,venue\na,b,1,x\n", {"header": True}, 1, r"--source.*--target"),
    ("cut.parquet", b"PAR1 and then nothing", {}, None, "damaged or truncated Parquet data"),
    ("narrow.parquet", parquet({"a": [1]}), {}, None, "at least two columns"),
    ("null.parquet", parquet({"a": ["x", None], "b": ["y", "z"]}), {}, None, "empty in row 2"),
    ("floats.parquet", parquet({"a": [0.5], "b": [1.5]}), {}, None, "integers or text, got double"),
    ("mixed.parquet", parquet({"a": ["1"], "b": [2]}), {}, None, "both text, got one of each"),
    ("weight.parquet", parquet({"a": [1], "b": [2], "weight": [-1.0]}), {}, None, "has -1.0"),
    ("words.parquet", parquet({"a": [1], "b": [2], "weight": ["x"]}), {}, None, "hold numbers"),
    ("cut.graphml", GRAPHML[:60], {}, None, "not well-formed XML"),
    ("html.graphml", b"<html></html>", {}, 1, "must hold <graphml>, got <html>"),
    ("none.graphml", b"<graphml/>", {}, None, "contains no <graph>"),
    (
        "stranger.graphml",
        GRAPHML % (b"1", b'<edge source="a" target="z"/>'),
        {},
        5,
        "'z', which is not",
    ),
    ("twice.graphml", GRAPHML % (b"1", b'<node id="a"/>'), {}, 5, "'a' is repeated"),
    ("nameless.graphml", GRAPHML % (b"1", b"<node/>"), {}, 5, "attribute 'id'"),
    ("hyper.graphml", GRAPHML % (b"1", b"<hyperedge/>"), {}, 5, "hyperedges"),
    ("nested.graphml", GRAPHML % (b"1", b"<graph/>"), {}, 5, "one graph"),
    ("weight.graphml", GRAPHML % (b"heavy", b""), {}, 4, "must be a number, got 'heavy'"),
    ("some.graphml", GRAPHML % (b"1", b'<edge source="b" target="a"/>'), {}, 5, "has no weight"),
    ("attribute.graphml", GRAPHML % (b"1", b""), {"weight": "mass"}, None, "named 'mass'"),
    (
        "bomb.graphml",
        b'<!DOCTYPE g [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><graphml>&b;</graphml>',
        {},
        1,
        "entities",
    ),
    ("open.gml", b"graph [\n node [ id 1 ]\n", {}, 3, r"'\]' is missing"),
    ("close.gml", b"graph [ ]\n]\n", {}, 2, r"unexpected '\]'"),
    ("quote.gml", b'graph [\n node [ id 1 label "a ]\n]', {}, 2, "not closed"),
    ("none.gml", b'Creator "me"\n', {}, None, "must hold one graph"),
    ("nameless.gml", b'graph [\n node [ label "a" ]\n]', {}, 2, "must have id"),
    (
        "stranger.gml",
        GML % (b"", b" edge [ source 1 target 9 ]\n"),
        {},
        5,
        "ends at 9, which is",
    ),
    ("twice.gml", GML % (b"", b" node [ id 1 ]\n"), {}, 5, "1 is repeated"),
    ("weight.gml", GML % (b"weight -1", b""), {}, 4, "must be positive and finite, got -1"),
    ("csv.mtx", GOOD, {}, None, "not a MatrixMarket file"),
    ("cut.mtx", MTX + b"3 3 5\n1 2 1.0\n", {}, None, "not a MatrixMarket file"),
    ("outside.mtx", MTX + b"2 2 1\n5 1 1.0\n", {}, None, "not a MatrixMarket file"),
    ("word.mtx", MTX + b"2 2 2\n1 2 1.0\n%\n2 one 1\n", {}, 5, "needs 3 numbers, got '2 one 1'"),
    ("many.mtx", MTX + b"9 9 99999999999\n1 2 1.0\n", {}, 2, "do not fit into"),
    ("wide.mtx", MTX + b"99999999999 99999999999 1\n1 2 1.0\n", {}, None, "out of proportion"),
    ("more.mtx", MTX + b"2 2 1\n1 2 1.0\n2 1 1.0\n", {}, None, "needs 1 entries, got more"),
    (
        "kind.mtx",
        b"%%MatrixMarket matrix coordinate complex general\n1 1 0\n",
        {},
        1,
        "'complex' must be one of",
    ),
    ("oblong.mtx", MTX + b"2 3 1\n1 2 1.0\n", {}, None, "must be square, got 2 x 3"),
    ("directed.mtx", MTX + b"2 2 1\n1 2 1.0\n", {}, None, 'needs directed="max"'),
    ("names.mtx", MTX + b'%name "a"\n2 2 2\n1 2 1\n2 1 1\n', {}, None, "2 in all, got 1"),
    ("garbage.mat", BINARY, {}, None, "not a MATLAB file"),
    ("keys.mat", mat(Laplacian=np.eye(2)), {}, None, r"named graph or network or A, has \['Lap"),
    ("both.mat", mat(graph=np.eye(2), A=np.eye(2)), {}, None, "needs one variable"),
    ("text.mat", mat(graph=np.array([["ab", "cd"]])), {}, None, "real numbers"),
    ("complex.mat", mat(graph=np.array([[0, 1j], [1j, 0]])), {}, None, "real numbers"),
    ("negative.mat", mat(graph=-np.ones((2, 2))), {}, None, "must be positive and finite"),
    ("garbage.npz", BINARY, {}, None, "not a sparse matrix"),
    ("other.npz", npz(a=np.zeros(3)), {}, None, "not a sparse matrix"),
    (
        "outside.npz",
        npz(
            format=np.array(b"csr"),
            shape=np.array([2, 2]),
            data=np.ones(2),
            indices=np.array([1, 7]),
            indptr=np.array([0, 1, 2]),
        ),
        {},
        None,
        "not a sparse matrix",
    ),
    ("pickle.npz", npz(format=np.array([{}], dtype=object)), {}, None, "not a sparse matrix"),
    ("nan.npz", matrix([[0, np.nan], [np.nan, 0]]), {}, None, "must be positive and finite"),
    ("odd.npz", matrix([[0, 1.0], [2.0, 0]]), {}, None, "must be symmetric"),
]


@pytest.mark.parametrize("big", [0, 1 << 20], ids=["compiled", "careful"])
@pytest.mark.parametrize(
    ("name", "content", "said", "line", "answer"), FILES, ids=[case[0] for case in FILES]
)
def test_a_wrong_file_is_answered(big, name, content, said, line, answer, tmp_path, monkeypatch):
    monkeypatch.setattr(edgelist, "BIG", big)
    path = tmp_path / name
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ReadError, match=answer) as caught:
        read_graph(path, **said)
    assert caught.value.path == path
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) < len(str(path)) + 250
    if line is not None:
        assert caught.value.line == line
        assert f"line {line}: " in str(caught.value)


LABELS = [
    ("stranger.csv", b"node,label\na,x\nzed,y\n", {}, 3, "'zed' is not a node of the graph"),
    ("header.csv", b"paper,topic\na,x\n", {}, 1, "'paper' is not a node.*header=True"),
    ("empty.csv", b"node,label\na,\n", {}, 2, "label of 'a' is empty"),
    ("short.csv", b"node,label\na\n", {}, 2, "needs 2 fields"),
    ("one.csv", b"a\nb\n", {}, 1, "at least two columns"),
    (
        "wide.csv",
        b"a,x,1\nb,y,2\n",
        {},
        1,
        r"the node and its class, with node_column \(--node-column\)",
    ),
    ("named.csv", b"id,label\na,x\n", {"label_column": "topic"}, 1, "none named 'topic'"),
    ("class.csv", b"node,label\na,x\nb,q\n", {"classes": ["x", "y"]}, 3, "'q' is not one of"),
    ("latin.csv", "node,label\na,\xe9\n".encode("latin-1"), {}, 2, "UTF-8"),
    ("missing.csv", None, {}, None, "no such file"),
    (
        "twice.csv",
        b"node,label\na,x\nb,y\na,y\n",
        {},
        None,
        r"1 of 2 nodes have different labels: 'a' \('x', 'y'\).*multilabel",
    ),
    ("table.csv", b"id,page_id,page_name,page_type\na,1,n,x\nb,2,m,y\n", {}, 1, r"--label-column"),
    ("half.csv", b"id,page_id,page_type\na,1,x\n", {"node_column": "id"}, 1, r"--label-column"),
    (
        "rivals.csv",
        b"id,label,class\na,1,x\n",
        {},
        1,
        r"any of class, label: specify label_column \(--l",
    ),
    ("stranger.parquet", parquet({"node": ["zed"], "label": ["x"]}), {}, None, "row 1 is about"),
    ("null.parquet", parquet({"node": ["a"], "label": [None]}), {}, None, "empty in row 1"),
    ("keys.mat", mat(y=np.ones(3)), {}, None, "needs one variable named label"),
    (
        "size.mat",
        mat(label=np.ones((2, 2))),
        {},
        None,
        "3 nodes, but the labels have the shape 2 x 2",
    ),
    ("twos.mat", mat(label=2 * np.ones((3, 2))), {}, None, "must hold 0 and 1"),
    ("halves.mat", mat(label=np.full((3, 1), 0.5)), {}, None, "must be integers"),
]


@pytest.mark.parametrize(
    ("name", "content", "said", "line", "answer"), LABELS, ids=[case[0] for case in LABELS]
)
def test_wrong_labels_are_answered(name, content, said, line, answer, tmp_path):
    path = tmp_path / name
    if callable(content):
        content(path)
    elif content is not None:
        path.write_bytes(content)
    graph = Graph.from_edges([("a", "b"), ("b", "c")])
    with pytest.raises(ReadError, match=answer) as caught:
        read_labels(path, graph, **said)
    assert str(caught.value).startswith(str(path))
    assert caught.value.line == line


GRAPHS = [
    (lambda: Graph.from_edges([(0, 1, 2, 3)]), "pairs, or all be triples"),
    (lambda: Graph.from_edges([(0, 1), (2,)]), r"edge 1 is \(2,\)"),
    (lambda: Graph.from_edges(np.zeros((2, 3))), r"shape \(m, 2\), got \(2, 3\)"),
    (lambda: Graph.from_edges([("a", "b")], weights=[-1]), r"edge 0 \('a', 'b'\) has -1"),
    (lambda: Graph.from_edges([("a", "b")], weights=[np.nan]), r"edge 0 \('a', 'b'\) has nan"),
    (lambda: Graph.from_edges([("a", "b")], weights=["x"]), "must be numbers"),
    (lambda: Graph.from_edges([("a", "b")], weights=[1, 2]), "1 edges need 1 weights, got 2"),
    (lambda: Graph.from_edges([("a", "z")], names=["a", "b"]), "'z' is not one"),
    (lambda: Graph.from_edges([(0, 5)], names=["a", "b"]), r"0\.\.1, got 5"),
    (lambda: Graph.from_edges([(0, 1)], names=["a", "a"]), "'a' is repeated"),
    (lambda: Graph.from_edges([(0, 1)], parallel="mean"), "parallel must be one of"),
    (lambda: Graph.from_edges([(0, 1)], directed="yes"), "directed must be one of"),
    (lambda: Graph.from_scipy(np.ones((2, 3))), "must be square, got 2 x 3"),
    (lambda: Graph.from_scipy(np.array([[0, 1], [2, 0]])), "must be symmetric"),
    (lambda: Graph.from_scipy(np.ones((2, 2)), names=["a"]), "2 in all, got 1"),
    (lambda: Graph.from_edge_index([[0, 1]]), r"shape \(2, m\)"),
    (lambda: read_graph("a.docx"), "the suffix '.docx' is not known"),
    (lambda: read_graph("a.csv", format="xls"), "format must be one of"),
    (lambda: read_graph("a.csv", delimiter="--"), "one ASCII character"),
    (lambda: read_graph("a.csv", header=False, source="x"), "no column named 'x'"),
    (lambda: read_graph("a.mtx", weight="w"), "weight= has no effect on a mtx file"),
]


@pytest.mark.parametrize(("make", "answer"), GRAPHS, ids=[case[1] for case in GRAPHS])
def test_wrong_arguments_are_answered(make, answer):
    with pytest.raises(InputError, match=answer):
        make()


def test_a_folder_is_not_a_file(tmp_path):
    folder = tmp_path / "a.csv"
    folder.mkdir()
    with pytest.raises(ReadError, match="is a folder, not a file"):
        read_graph(folder)


def test_there_are_at_least_thirty_different_wrong_inputs():
    files, labels = ({name for name, *_ in cases} for cases in (FILES, LABELS))
    assert (len(files), len(labels)) == (len(FILES), len(LABELS))
    assert len({answer for *_, answer in FILES}) >= 30
    assert len(files) + len(labels) + len(GRAPHS) >= 100


@pytest.mark.parametrize("suffix", ["csv", "txt", "parquet", "graphml", "gml", "mtx", "mat", "npz"])
def test_damage_anywhere_is_never_a_foreign_error(suffix, tmp_path):
    """Cut and flipped bytes give a graph or our own error, never one of zlib or SciPy."""
    from_good = tmp_path / f"good.{suffix}"
    graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a")], weights=[1.0, 0.5, 2.0])
    write_graph(graph, from_good)
    good, rng = from_good.read_bytes(), random.Random(zlib.crc32(suffix.encode()))
    path = tmp_path / f"bad.{suffix}"
    for _ in range(60):
        bad = bytearray(good)
        for _ in range(rng.randint(1, 4)):
            bad[rng.randrange(len(bad))] = rng.randrange(256)
        path.write_bytes(bytes(bad[: rng.choice([len(bad), rng.randrange(1, len(bad))])]))
        with suppress(ReadError):
            assert read_graph(path).n_nodes >= 0


@pytest.mark.parametrize(
    "text", [b"a,b\nb\n", b"a,b\nb,\xff\n", b"a,b\nb,\0\n", b'a,b\nb,"c\n'], ids=repr
)
def test_a_reader_that_fails_has_closed_its_file(text, tmp_path, monkeypatch):
    path = tmp_path / "edges.csv"
    path.write_bytes(text)
    opened, own = [], type(path).open

    def noted(*args, **kwargs):
        opened.append(own(*args, **kwargs))
        return opened[-1]

    monkeypatch.setattr(type(path), "open", noted)
    with pytest.raises(ReadError) as held:
        read_graph(path, header=False)
    assert held.value.__traceback__ is not None
    assert opened
    assert all(file.closed for file in opened)
