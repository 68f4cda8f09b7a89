"""Workers that hold shares of a graph find the same numbers, also when some are lost."""

import os
import signal
import sys
import time

import numpy as np
import pytest

from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.cluster import DamagedBlockError, connect, write_partitioned
from lapwing.cluster.classification import chances_at, checked_method, learned_on
from lapwing.cluster.engine.checkpoint import Checkpoints
from lapwing.cluster.engine.on_dask import OnDask
from lapwing.cluster.engine.out_of_core import OutOfCore
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.jobs import Running, classify_partitioned, embed_partitioned
from lapwing.cluster.labels import labels_of
from lapwing.cluster.reading.convert import convert_parquet
from lapwing.cluster.tasks import DaskTasks
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.reproduce import load_study, planned, records
from tests.cluster_running import (
    kill_one,
    local_cluster,
    pids,
    small_problem,
    table,
    wait_for_workers,
)
from tests.test_cluster_partition import parquet_folder

pytestmark = pytest.mark.timeout(380)


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return small_problem(tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as held:
        yield held


def alone(parts, labels, method):
    with OutOfCore(parts) as engine:
        reading = learned_on(engine, checked_method(method, len(labels.classes), {}), labels)
        return chances_at(engine, reading, np.arange(parts.n_nodes))


@pytest.mark.parametrize("method", ["pagerank", "propagation", "poisson"])
def test_workers_find_the_numbers_of_one_machine(problem, cluster, tmp_path, method):
    _, parts, _, labels = problem
    wait_for_workers(cluster, 2)
    engine = OnDask(cluster, parts, Checkpoints(tmp_path / "kept", method))
    reading = learned_on(engine, checked_method(method, len(labels.classes), {}), labels)
    found = chances_at(engine, reading, np.arange(parts.n_nodes))
    engine.close()
    assert np.abs(found - alone(parts, labels, method)).max() < 1e-5
    halo = sum(block.halo for block in parts.manifest.blocks)
    assert 0 < engine.moved < engine.passes * halo
    classes = len(labels.classes)
    each = engine.moved // engine.passes
    if method == "poisson":  # in double precision
        assert engine.moved_bytes == 8 * classes * engine.moved
    else:
        assert engine.moved_bytes == each * (4 * classes + (engine.passes - 1) * (2 * classes + 2))
    assert cluster.client.run(_shares_left) == dict.fromkeys(cluster.addresses(), 0)


def test_rare_classes_agree_as_well_as_frequent_ones(problem, cluster, tmp_path):
    graph, parts, _, _ = problem
    told = {node: "rare" if node == 7 else "frequent" for node in range(400)}
    labels = labels_of(parts, told)
    wait_for_workers(cluster, 2)
    engine = OnDask(cluster, parts, Checkpoints(tmp_path / "kept", "rare"))
    reading = learned_on(engine, checked_method("pagerank", 2, {}), labels)
    found = chances_at(engine, reading, parts.codes(graph.names))
    engine.close()
    assert labels.classes == ("frequent", "rare")
    model = PageRank(graph, 2).fit(np.arange(400), [int(n == 7) for n in range(400)])
    wanted = model.predict_proba(np.arange(graph.n_nodes))
    assert np.abs(found - wanted).max() < 1e-5


def _shares_left():
    return len(sys.modules["lapwing.cluster.engine.worker"]._SHARES)


def test_halves_of_floats_travel_on_request(problem, cluster, tmp_path):
    _, parts, _, labels = problem
    running = Running(cluster, halo="float16")
    classify_partitioned(parts, labels, tmp_path / "half", running=running)
    classify_partitioned(parts, labels, tmp_path / "whole", running=Running(cluster))
    half, whole = table(tmp_path / "half"), table(tmp_path / "whole")
    apart = np.abs(half.confidence - whole.confidence).max()
    assert 1e-7 < apart < 2e-2


class Killer:
    """Kills a worker when the third pass is done."""

    def __init__(self, cluster, at=3):
        self.cluster, self.at, self.passes, self.killed = cluster, at, 0, 0

    def __call__(self, steps=1, *_):
        self.passes += steps
        if self.passes >= self.at and not self.killed:
            self.killed += 1
            kill_one(self.cluster)


@pytest.mark.parametrize("halo", ["float32", None])
def test_a_worker_killed_while_diffusing_changes_no_number(problem, cluster, tmp_path, halo):
    _, parts, _, labels = problem
    classify_partitioned(parts, labels, tmp_path / "alone")
    wait_for_workers(cluster, 2)
    killer = Killer(cluster)
    running = Running(cluster, checkpoint_every=3, halo=halo, progress=killer)
    found = classify_partitioned(parts, labels, tmp_path / "out", running=running)
    assert killer.killed == 1
    assert found["workers_lost"] >= 1
    again, alone = table(tmp_path / "out"), table(tmp_path / "alone")
    if halo is None:  # changes travel in 16 bits
        assert again.label.equals(alone.label)
        assert np.abs(again.confidence - alone.confidence).max() < 1e-5
    else:
        assert again.equals(alone)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone", "out"]


def test_a_worker_killed_while_computing_rows_changes_no_number(problem, cluster, tmp_path):
    _, parts, _, _ = problem
    embed_partitioned(parts, tmp_path / "alone", rank=4)
    wait_for_workers(cluster, 2)
    killer = Killer(cluster, at=8)
    running = Running(cluster, checkpoint_every=4, progress=killer)
    embed_partitioned(parts, tmp_path / "out", rank=4, running=running)
    assert killer.killed == 1
    wanted, found = table(tmp_path / "alone"), table(tmp_path / "out")
    assert (
        np.abs(found - wanted).to_numpy().max() < 1e-5 * np.abs(wanted.iloc[:, 1:]).to_numpy().max()
    )


def test_a_worker_killed_while_reading_changes_no_edge(cluster, tmp_path):
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 200, (2, 600)).tolist()
    folder = parquet_folder(tmp_path / "edges", ends)
    wait_for_workers(cluster, 2)
    tasks = DaskTasks(cluster, Killer(cluster, at=12))
    parts = convert_parquet(folder, tmp_path / "g", blocks=4, tasks=tasks)
    parts.verify()
    wanted, again = Graph.from_edges((np.array(ends[0]), np.array(ends[1]))), parts.to_graph()
    order = again.indices(wanted.names)
    assert (again.adjacency[order][:, order] != wanted.adjacency).nnz == 0


def test_a_worker_killed_in_a_study_changes_no_record(cluster, tmp_path):
    trials = planned(load_study("herbster2006/octopus"), quick=True)[:6]
    wait_for_workers(cluster, 2)
    killer = Killer(cluster, at=1)
    found = records(
        trials,
        tmp_path / "cluster.jsonl",
        each=lambda _: killer(),
        elsewhere=DaskTasks(cluster).as_done,
    )
    assert killer.killed == 1
    wanted = records(trials, tmp_path / "alone.jsonl")
    by_key = {each["key"]: each["measured"] for each in found}
    assert by_key == {each["key"]: each["measured"] for each in wanted}


def test_a_worker_that_joins_is_used_from_the_next_checkpoint(problem, tmp_path):
    _, parts, _, labels = problem
    with local_cluster(1) as cluster:
        checkpoints = Checkpoints(tmp_path / "kept", "join")
        used = []

        def more(_):
            used.append(len(engine._workers))
            if len(used) == 1:
                cluster._local.scale(2)
                wait_for_workers(cluster, 2)

        engine = OnDask(cluster, parts, checkpoints, checkpoint_every=4, progress=more)
        reading = learned_on(engine, checked_method("pagerank", len(labels.classes), {}), labels)
        found = chances_at(engine, reading, np.arange(parts.n_nodes))
        engine.close()
    assert used[0] == 1
    assert used[-1] == 2
    assert np.abs(found - alone(parts, labels, "pagerank")).max() < 1e-5


def test_a_worker_killed_as_soon_as_it_starts_is_replaced(cluster):
    wait_for_workers(cluster, 2)
    known = set(cluster.addresses())
    for _ in range(3):
        kill_one(cluster)
        cluster.addresses()  # asks for the missing worker
        while not (fresh := {at: pid for at, pid in pids(cluster).items() if at not in known}):
            time.sleep(0.002)
            cluster.addresses()
        os.kill(fresh[min(fresh)], signal.SIGKILL)
        known |= set(fresh)
        wait_for_workers(cluster, 2, besides=known)


def test_a_damaged_block_is_named_by_the_worker_that_opens_it(problem, cluster, tmp_path):
    graph, _, _, labels = problem
    write_partitioned(graph, tmp_path / "g", blocks=5)
    file = tmp_path / "g" / "blocks" / "00003.weights.npy"
    raw = bytearray(file.read_bytes())
    raw[-1] ^= 1
    file.write_bytes(raw)
    parts = PartitionedGraph(tmp_path / "g")
    with pytest.raises(DamagedBlockError, match=r"block 3 .*is damaged"):
        classify_partitioned(parts, labels, tmp_path / "out", running=Running(cluster))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g"]


def test_an_address_without_a_scheduler_is_an_error(monkeypatch):
    monkeypatch.setattr("lapwing.cluster.connection.TIMEOUT", 2)
    with pytest.raises(InputError, match="no scheduler answers at tcp://127"):
        connect("tcp://127.0.0.1:9")


def test_workers_without_a_block_are_no_reason_to_share_out_anew(tmp_path, cluster):
    _, parts, _, labels = small_problem(tmp_path, blocks=1)
    wait_for_workers(cluster, 2)
    checkpoints = Checkpoints(tmp_path / "kept", "one block")
    engine = OnDask(cluster, parts, checkpoints, progress=lambda _: None)
    learned_on(engine, checked_method("pagerank", len(labels.classes), {}), labels)
    assert engine.passes > 10
    assert checkpoints.path is None  # nothing was written, since it took seconds
    engine.close()
