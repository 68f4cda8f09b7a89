"""Graph files that are mapped into memory: what they keep, and what happens to damaged ones."""

import json
import mmap
import struct
import zlib

import numpy as np
import pytest
from scipy import sparse

from lapwing import Graph, Session, read_graph
from lapwing.errors import InputError, ReadError
from lapwing.io import write_graph
from lapwing.io.graphs.mapped.container import mapped_arrays, write_arrays

TRIANGLES = [("a", "b"), ("b", "ü"), ("ü", "a"), ("ü", "d"), ("d", "e"), ("e", "f"), ("f", "d")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "graph.lap"


def test_a_mapped_graph_is_the_graph_that_was_written(path):
    table = {
        "age": [3, 1, 4, 1, 5, 9], "share": [0.5, np.nan, 1, 2, 3, 4],
        "title": ["x", None, "\0ö", "", "y", "z"], "image": np.arange(24.0).reshape(6, 2, 2),
        "words": sparse.csr_array(np.eye(6)),
    }  # fmt: skip
    graph = Graph.from_edges(TRIANGLES).with_node_table(table, notes="as read")
    left = write_graph(graph.with_node_table({**table, "tags": [[1]] * 6}, notes="as read"), path)
    again = read_graph(path)
    assert left == ("tags",)
    assert again == graph
    assert again.hash == graph.hash == Graph.from_scipy(again.adjacency).hash
    assert again.notes == graph.notes
    assert again.node_table.digest == graph.node_table.digest
    assert again.node_table.notes == "as read"
    assert again.names.index("ü") == 2


def test_its_arrays_stay_in_the_file_and_weights_take_no_room(path):
    n = 3_000
    write_graph(Graph.from_edges(np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)), path)
    adjacency = read_graph(path).adjacency
    base = adjacency.indices
    while isinstance(base, np.ndarray):
        base = base.base
    assert isinstance(base, mmap.mmap)
    assert not adjacency.indices.flags.writeable
    assert path.stat().st_size < 4 * (n + 1) + 4 * adjacency.nnz + 2_000


@pytest.mark.parametrize("names", [range(3), [7, 5, 2**63 - 1], ["a", 1, "1"], ["x", "y", "é"]])
def test_names_keep_their_kind(path, names):
    matrix = np.array([[0, 2.0, 0], [2.0, 0, 0.5], [0, 0.5, 0]])
    write_graph(Graph.from_scipy(matrix, names=names), path)
    again = read_graph(path)
    assert list(again.names) == list(names)
    assert [type(name) for name in again.names] == [type(name) for name in names]
    assert again.degrees.tolist() == [2.0, 2.5, 0.5]


def test_names_that_no_file_can_hold_are_refused(path):
    with pytest.raises(InputError, match="text or integers"):
        write_graph(Graph.from_edges([((0, 1), (1, 2))]), path)
    assert not path.exists()


@pytest.mark.parametrize("cut", [0, 4, 20, 40, 300, -64, -1])
def test_a_truncated_file_is_named(path, cut):
    write_graph(Graph.from_edges(TRIANGLES), path)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut])
    with pytest.raises(ReadError, match=r"graph\.lap: is (truncated|empty|not a graph file)"):
        read_graph(path)


def test_every_damaged_byte_that_counts_is_noticed(path):
    graph = Graph.from_edges(TRIANGLES)
    write_graph(graph, path)
    whole = path.read_bytes()
    unnoticed, unnamed = 0, []
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x10]) + whole[at + 1 :])
        try:
            unnoticed += read_graph(path) == graph  # a byte between two arrays
        except ReadError as told:
            unnamed += [] if "graph.lap" in str(told) else [told]
    assert not unnamed
    padding = len(whole) - 32 - sum(_sizes(whole))
    assert unnoticed == padding


def _sizes(whole):
    length = struct.unpack_from("<Q", whole, 16)[0]
    places = json.loads(whole[32 : 32 + length])["arrays"].values()
    yield length
    for place in places:
        yield int(np.prod(place["shape"])) * np.dtype(place["kind"]).itemsize


def test_another_version_is_told(path):
    write_graph(Graph.from_edges(TRIANGLES), path)
    whole = bytearray(path.read_bytes())
    whole[8:12] = struct.pack("<I", 9)
    path.write_bytes(whole)
    with pytest.raises(ReadError, match=r"has version 9 of the format.*lapwing convert"):
        read_graph(path)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("indices", [1, 0, 2, 9, 3, 2], "outside the matrix"),
        ("indices", [1, 0, 2, -1, 3, 2], "outside the matrix"),
        ("indptr", [0, 1, 9, 4, 6], "rows do not end"),
        ("indptr", [0, 1, 2, 4], "does not have 4 rows"),
        ("weights", [1.0, 2.0], "as many weights"),
        ("weights", [1], "other kinds of numbers"),
        ("names.ends", [0, 1, 2, 3, 9], "do not end where"),
        ("names.bytes", [0xFF, 0xFF, 0xFF, 0xFF], "decode"),
    ],
)
def test_a_file_made_by_others_cannot_lead_outside_the_arrays(path, part, value, message):
    write_graph(Graph.from_edges([("a", "b"), ("b", "c"), ("c", "d")]), path)
    facts, arrays = mapped_arrays(path, path, in_memory=True)
    kind = None if part == "weights" else arrays[part].dtype
    write_arrays(path, facts, arrays | {part: np.array(value, dtype=kind)})
    with pytest.raises(ReadError, match=message):
        read_graph(path)


@pytest.mark.parametrize("header", [b"{}", b"[1]", b'{"facts": 1, "arrays": {"a": {}}}', b"\xff"])
def test_a_header_of_others_is_refused(path, header):
    size = -(-(32 + len(header)) // 64) * 64
    start = struct.pack("<8sIIQQ", b"LAPWING\0", 1, zlib.crc32(header), len(header), size)
    path.write_bytes((start + header).ljust(size, b"\0"))
    with pytest.raises(ReadError, match="is damaged"):
        read_graph(path)


def test_options_of_tables_have_no_effect(path):
    write_graph(Graph.from_edges(TRIANGLES), path)
    for option in ({"directed": "max"}, {"source": "a"}, {"header": True}):
        with pytest.raises(InputError, match="has no effect on a lap file"):
            read_graph(path, **option)


def test_a_session_is_reopened_on_a_mapped_graph(path, tmp_path):
    write_graph(Graph.from_edges(TRIANGLES), path)
    store = tmp_path / "labels.db"
    session = Session(read_graph(path), classes=["x", "y"], name="s", store=store)
    question = session.ask()
    session.tell(question.node, "x")
    again = Session.open(store, "s")
    assert again.labels() == {question.node: "x"}
    assert again.predict("a") == session.predict("a")


def test_commands_take_mapped_graphs(run, path, tmp_path):
    labels = tmp_path / "labels.csv"
    labels.write_text("node,label\na,x\nf,y\n")
    csv = tmp_path / "edges.csv"
    csv.write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in TRIANGLES))
    code, out, _ = run("convert", csv, path, "--json")
    assert code == 0
    assert json.loads(out)["n_edges"] == 7
    code, out, _ = run("info", path, "--json")
    assert (code, json.loads(out)["n_nodes"]) == (0, 6)
    for file in (csv, path):
        output = tmp_path / f"{file.suffix[1:]}-out.csv"
        code, _, told = run("classify", file, "--labels", labels, "--output", output)
        assert code == 0, told
    assert (tmp_path / "csv-out.csv").read_text() == (tmp_path / "lap-out.csv").read_text()
    path.write_bytes(path.read_bytes()[:-70])
    code, _, told = run("info", path)
    assert code != 0
    assert "truncated" in told
    assert "Traceback" not in told
