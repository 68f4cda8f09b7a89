"""The partitioned graph on disk, and methods on it with one block in memory at a time."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lapwing
from lapwing.cluster import (
    DamagedBlockError,
    PartitionedGraph,
    WholeSession,
    write_partitioned,
)
from lapwing.cluster.classification import METHODS, chances_at, checked_method, learned_on
from lapwing.cluster.description import labelling_on, structure_on
from lapwing.cluster.engine.out_of_core import OutOfCore
from lapwing.cluster.jobs import Running, classify_partitioned
from lapwing.cluster.labels import labels_of, read_sparse_labels
from lapwing.cluster.methods.poisson import flow_by_gradients
from lapwing.cluster.methods.quantiles import median_size
from lapwing.cluster.methods.rows import rows_on
from lapwing.cluster.methods.score_reading import FOUND
from lapwing.cluster.partition.order import neighbourly_order
from lapwing.cluster.reading.convert import convert_parquet
from lapwing.data import planted_partition
from lapwing.errors import InputError, ReadError, UnknownNodeError
from lapwing.graph import Graph
from lapwing.linalg.eigen.smooth_rows import scaled_vectors
from lapwing.linalg.solve.conjugate_gradients import solved
from tests.cluster_running import small_problem


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return small_problem(tmp_path_factory.mktemp("cluster"))


def in_memory(graph, told, method, **parameters):
    """The probabilities of one machine, by name."""
    classes = sorted(set(told.values()))
    model = lapwing.make(method, graph, n_classes=len(classes), **parameters)
    model.fit(graph.indices(told), np.array([classes.index(label) for label in told.values()]))
    return model.predict_proba(np.arange(graph.n_nodes))


def test_the_folder_holds_the_same_graph(problem):
    graph, parts, _, _ = problem
    again = parts.to_graph()
    order = again.indices(graph.names)
    assert (again.adjacency[order][:, order] != graph.adjacency).nnz == 0
    assert parts.manifest.n_components == graph.n_components
    assert parts.manifest.largest_component == np.bincount(graph.components).max()
    assert parts.names(parts.codes(graph.names)).tolist() == list(graph.names)
    for block, said in zip(parts.blocks(), parts.manifest.blocks, strict=True):
        assert (np.diff(block.halo) > 0).all()
        assert not ((block.halo >= said.first) & (block.halo < said.stop)).any()


def test_unknown_names_are_an_error(problem):
    _, parts, _, _ = problem
    with pytest.raises(UnknownNodeError, match="no node is named 123456"):
        parts.codes([0, 123456])
    with pytest.raises(InputError, match="must be integers in this graph"):
        parts.codes(["ada"])


def test_the_order_keeps_neighbours_together():
    graph = planted_partition(n=2000, mean_degree=10, mixing=0.05, seed=1).graph
    mixed = np.random.default_rng(0).permutation(graph.n_nodes)
    adjacency = graph.adjacency[mixed][:, mixed]
    order = neighbourly_order(adjacency, 4)
    assert sorted(order.tolist()) == list(range(graph.n_nodes))

    def crossing(matrix):
        rows, columns = matrix.nonzero()
        return np.mean(rows * 4 // graph.n_nodes != columns * 4 // graph.n_nodes)

    assert crossing(adjacency[order][:, order]) < crossing(adjacency) / 3


def test_a_damaged_block_is_named(problem, tmp_path):
    graph, *_ = problem
    write_partitioned(graph, tmp_path / "g", blocks=3)
    file = tmp_path / "g" / "blocks" / "00001.ends.npy"
    raw = bytearray(file.read_bytes())
    raw[-3] ^= 1
    file.write_bytes(raw)
    parts = PartitionedGraph(tmp_path / "g")
    parts.verify([0, 2])
    with pytest.raises(DamagedBlockError, match=r"block 1 .*is damaged: its hash must be"):
        parts.verify()
    with pytest.raises(DamagedBlockError, match="block 1"):
        classify_partitioned(parts, labels_of(parts, {0: "a", 1: "b"}), tmp_path / "out")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g"]
    file.unlink()
    with pytest.raises(DamagedBlockError, match=r"block 1 .*cannot be read"):
        parts.block(1)


def test_a_folder_that_is_something_else_is_not_replaced(problem, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    with pytest.raises(InputError, match="is not a partitioned graph: name another"):
        write_partitioned(problem[0], tmp_path / "mine")
    with pytest.raises(InputError, match=r"has no manifest\.json"):
        PartitionedGraph(tmp_path / "mine")
    (tmp_path / "mine" / "manifest.json").write_text(json.dumps({"format": "else"}))
    with pytest.raises(InputError, match="is not the manifest"):
        PartitionedGraph(tmp_path / "mine")


@pytest.mark.parametrize("method", METHODS)
def test_methods_block_by_block_equal_those_in_memory(problem, method):
    graph, parts, told, labels = problem
    wanted = in_memory(graph, told, method)
    with OutOfCore(parts) as engine:
        reading = learned_on(engine, checked_method(method, len(labels.classes), {}), labels)
        found = chances_at(engine, reading, parts.codes(graph.names))
    assert np.abs(found - wanted).max() < 1e-5
    assert (found[-2:] == 0).all(), "no label reaches the lonely pair"


def test_gradients_solve_what_one_machine_solves(problem):
    graph, parts, _, _ = problem
    nodes = parts.codes([0, 7, 30])
    sources = np.array([[1.0, 0.5], [-1.0, 0.0], [0.0, -0.5]])
    with OutOfCore(parts) as engine:
        flow_by_gradients(engine, nodes, sources, kept=1.1, tol=1e-9)
        found = engine.total(lambda part: np.array(part[FOUND]), combine="join")
    whole = parts.to_graph()
    right = np.zeros((graph.n_nodes, 2))
    right[nodes] = sources
    degrees = whole.degrees[:, None]
    wanted = solved(lambda v: 1.1 * degrees * v - whole.adjacency @ v, right, tol=1e-9)
    assert np.abs(found - wanted).max() < 1e-8


def test_medians_are_exact(problem):
    _, parts, _, _ = problem
    values = np.random.default_rng(0).standard_normal((parts.n_nodes, 3))
    values[::4] = 0
    for kind in (np.float32, np.float64):
        with OutOfCore(parts) as engine:

            def fill(part, kind=kind):
                part.make("x", 3, kind, walks=False)
                part["x"][...] = values[part.first : part.stop]

            engine.total(fill)
            sizes = np.abs(values.astype(kind))
            assert median_size(engine, "x") == np.median(sizes[sizes > 0])


@pytest.mark.parametrize(("seed", "n", "mixing", "rank"), [(8, 3000, 0.05, 32), (11, 600, 0.4, 8)])
def test_inner_products_of_rows_agree_where_eigenvalues_are_close(tmp_path, seed, n, mixing, rank):
    """Single columns are rotated by next to nothing then: only inner products are determined."""
    data = planted_partition(n=n, mean_degree=4, mixing=mixing, seed=seed)
    write_partitioned(data.graph, tmp_path / "g", blocks=5)
    parts = PartitionedGraph(tmp_path / "g")
    wanted = scaled_vectors(parts.to_graph().adjacency, rank - 1, tol=1e-2).astype(np.float64)
    with OutOfCore(parts) as engine:
        values = rows_on(engine, rank)
        found = engine.total(lambda part: np.array(part["rows"], np.float64), combine="join")
    assert np.diff(np.sort(values)).min() < 1e-3
    kernel = wanted @ wanted.T
    assert np.abs(found @ found.T - kernel).max() < 1e-5 * np.abs(kernel).max()


def test_rows_equal_those_of_one_machine(problem):
    _, parts, _, _ = problem
    wanted = scaled_vectors(parts.to_graph().adjacency, 7, tol=1e-2)
    with OutOfCore(parts) as engine:
        values = rows_on(engine, 8)
        found = engine.total(lambda part: np.array(part["rows"]), combine="join")
    assert found.shape == wanted.shape == (parts.n_nodes, len(values))
    assert np.abs(found - wanted).max() < 1e-5 * np.abs(wanted).max()


def test_descriptions_equal_those_in_memory(problem):
    graph, parts, told, labels = problem
    with OutOfCore(parts) as engine:
        said, classes = structure_on(engine), labelling_on(engine, labels)
    degrees = graph.degrees
    assert (said["n_nodes"], said["n_edges"]) == (graph.n_nodes, graph.n_edges)
    assert said["degrees"]["median"] == pytest.approx(np.median(degrees))
    assert said["degrees"]["min"] == degrees.min()
    assert said["degrees"]["max"] == pytest.approx(degrees.max())
    assert said["degrees"]["mean"] == pytest.approx(degrees.mean())
    by_node = {graph.index(name): label for name, label in told.items()}
    pairs = [
        (by_node[s] == by_node[t], w)
        for s, t, w in zip(*graph.edges(), strict=True)
        if s in by_node and t in by_node
    ]
    alike = sum(w for same, w in pairs if same) / sum(w for _, w in pairs)
    assert classes["homophily"] == pytest.approx(alike)


def parquet_folder(folder, ends, weights=None):
    folder.mkdir()
    for number, rows in enumerate(np.array_split(np.arange(len(ends[0])), 3)):
        columns = {"source": [ends[0][k] for k in rows], "target": [ends[1][k] for k in rows]}
        if weights is not None:
            columns["weight"] = weights[rows]
        pq.write_table(pa.table(columns), folder / f"part-{number}.parquet")
    return folder


@pytest.mark.parametrize("directed", [None, "max", "sum"])
def test_parquet_folders_give_the_graph_of_one_machine(tmp_path, directed):
    rng = np.random.default_rng(2)
    ends = [[f"n{k}" for k in rng.integers(0, 90, 300)] for _ in range(2)]
    weights = rng.integers(0, 4, 300).astype(float)
    wanted = Graph.from_edges(
        (np.array(ends[0], object), np.array(ends[1], object)), weights=weights, directed=directed
    )
    folder = parquet_folder(tmp_path / "edges", ends, weights)
    parts = convert_parquet(folder, tmp_path / "g", blocks=3, directed=directed)
    parts.verify()
    again = parts.to_graph()
    order = again.indices(wanted.names)
    assert (again.adjacency[order][:, order] != wanted.adjacency).nnz == 0
    assert parts.manifest.n_components == wanted.n_components
    components = np.concatenate([block.components for block in parts.blocks()])
    for one in range(again.n_components):
        mine = np.flatnonzero(again.components == one)
        assert set(components[mine]) == {mine.min()}
    assert parts.manifest.notes["self_loops"] == wanted.notes.self_loops
    assert sorted(path.name for path in tmp_path.iterdir()) == ["edges", "g"]


def test_bad_edges_are_refused_and_leave_nothing(tmp_path):
    folder = parquet_folder(tmp_path / "edges", [[1, 2, 3], [2, 3, 1]], np.array([1.0, 2.0, -1.0]))
    with pytest.raises(ReadError, match=r"part-2.parquet: weight must be at least 0.*row 1"):
        convert_parquet(folder, tmp_path / "g")
    (tmp_path / "none").mkdir()
    with pytest.raises(InputError, match="must hold Parquet files of edges"):
        convert_parquet(tmp_path / "none", tmp_path / "g")
    mixed = parquet_folder(tmp_path / "mixed", [[1, 2, 3], [2, 3, 1]])
    pq.write_table(pa.table({"source": ["a"], "target": ["b"]}), mixed / "part-9.parquet")
    with pytest.raises(ReadError, match="integers in all files, or text in all"):
        convert_parquet(mixed, tmp_path / "g")
    (folder / "part-1.parquet").write_bytes(b"PAR1 not really")
    with pytest.raises(ReadError, match=r"part-1.parquet"):
        convert_parquet(folder, tmp_path / "g")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["edges", "mixed", "none"]


def test_tables_of_labels_are_read_by_name(problem, tmp_path):
    _, parts, told, labels = problem
    rows = "".join(f"{node},{label}\n" for node, label in told.items())
    (tmp_path / "labels.csv").write_text("node,label\n" + rows)
    found = read_sparse_labels(tmp_path / "labels.csv", parts)
    assert found.nodes.tolist() == labels.nodes.tolist()
    assert (found.indicator == labels.indicator).all()
    assert found.classes == labels.classes
    (tmp_path / "wrong.csv").write_text("node,label\n0,a\n99999,b\n")
    with pytest.raises(ReadError, match=r"line 3: '99999' is not a node"):
        read_sparse_labels(tmp_path / "wrong.csv", parts)
    (tmp_path / "twice.csv").write_text("node,label\n0,a\n0,b\n")
    with pytest.raises(ReadError, match="two different labels"):
        read_sparse_labels(tmp_path / "twice.csv", parts)


def test_one_class_and_unseen_settings(problem, tmp_path):
    _, parts, _, _ = problem
    only = labels_of(parts, {0: "one"})
    found = classify_partitioned(parts, only, tmp_path / "out")
    assert found["unknown"] == parts.n_nodes - parts.manifest.largest_component
    with pytest.raises(InputError, match="halo must be one of"):
        Running(halo="int8")
    with pytest.raises(InputError, match="checkpoint_every must be at least 1"):
        Running(checkpoint_every=0)


def test_a_session_asks_near_doubt_and_audits_the_whole(tmp_path):
    data = planted_partition(n=600, mean_degree=8, mixing=0.05, seed=4)
    truth = {int(name): f"c{label % 2}" for name, label in enumerate(data.labels)}
    write_partitioned(data.graph, tmp_path / "g", blocks=3)
    parts = PartitionedGraph(tmp_path / "g")

    def opened():
        return WholeSession(
            parts, tmp_path / "session", classes=["c0", "c1"], working_nodes=150, audit_share=0.5
        )

    session = opened()
    audits = 0
    for turn in range(40):
        if turn % 10 == 0:
            session.predict()
        question = session.ask()
        assert question is not None
        audits += question.audit
        assert question.guess is None or not question.audit
        session.tell({question.node: truth[question.node]})
        nodes, near = session._working
        assert near.n_nodes <= 150
        assert set(nodes) <= set(range(parts.n_nodes))
    session.predict()
    bound = session.error_estimate()
    assert bound.audits == audits > 5
    assert bound.n_nodes == parts.n_nodes
    assert bound.left == parts.n_nodes - 40
    said = session.predictions(list(truth))
    wrong = np.mean([a != b for a, b in zip(said, truth.values(), strict=True)])
    assert wrong <= bound.upper
    again = opened()
    assert again.error_estimate() == bound
    assert again.predictions(list(truth)) == said
    assert sorted(path.name for path in (tmp_path / "session").iterdir()) == [
        "predicted.npy",
        "session.jsonl",
    ]


def test_a_session_refuses_what_does_not_fit(problem, tmp_path):
    _, parts, _, _ = problem
    session = WholeSession(parts, tmp_path, classes=["a", "b"])
    with pytest.raises(InputError, match="class must be one of a, b, got 'c'"):
        session.tell({0: "c"})
    with pytest.raises(InputError, match="was begun with another classes"):
        WholeSession(parts, tmp_path, classes=["a", "x"])
    with pytest.raises(InputError, match="two or more, all distinct"):
        WholeSession(parts, tmp_path / "else", classes=["a"])
