"""A scheduler that is killed, and Ctrl-C: what is left of the processes, and of the work."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lapwing.cluster import PartitionedGraph, connect
from lapwing.cluster.connection import SchedulerLostError
from lapwing.cluster.engine.on_dask import OnDask, checkpoint_folder
from lapwing.cluster.jobs import Running, classify_partitioned
from lapwing.cluster.labels import labels_of
from tests.cluster_running import local_cluster, pids, small_problem, table, wait_for_workers
from tests.test_cluster_partition import parquet_folder

pytestmark = pytest.mark.timeout(380)


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return small_problem(tmp_path_factory.mktemp("cluster"))


@pytest.fixture(scope="module")
def cluster():
    with local_cluster(2) as held:
        yield held


def dask(*arguments):
    command = [sys.executable, "-m", "dask", *arguments]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def test_after_a_scheduler_is_killed_the_same_call_continues(
    problem, tmp_path, cluster, monkeypatch
):
    _, parts, _, labels = problem
    file = tmp_path / "scheduler.json"
    scheduler = dask(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
        "--scheduler-file", str(file),
    )  # fmt: skip
    worker = None
    try:
        until(file.exists)
        worker = dask("worker", "--scheduler-file", str(file), "--nthreads", "1", "--no-nanny",
                      "--no-dashboard", "--host", "127.0.0.1")  # fmt: skip
        until(lambda: '"address"' in file.read_text())
        address = file.read_text().split('"address": "')[1].split('"')[0]
        output = tmp_path / "out"

        def killing(steps, passes=[]):  # noqa: B006 - counts
            passes.append(steps)
            if sum(passes) >= 8:
                scheduler.kill()

        with connect(address) as first:
            running = Running(first, checkpoint_every=4, halo="float32", progress=killing)
            with pytest.raises(SchedulerLostError, match="the same command"):
                classify_partitioned(parts, labels, output, running=running)
        assert not output.exists()
        assert list(checkpoint_folder(output).glob("at-*/state.json"))
    finally:
        for process in (scheduler, worker):
            if process is not None:
                process.kill()
                process.wait()
    wait_for_workers(cluster, 1)
    from_passes, opened = [], OnDask._open

    def opening(engine):
        from_passes.append(engine.checkpoints.passes)
        opened(engine)

    monkeypatch.setattr(OnDask, "_open", opening)
    classify_partitioned(parts, labels, output, running=Running(cluster, 4, "float32"))
    assert from_passes[0] in (4, 8)  # the kill may come before the second checkpoint is written
    classify_partitioned(parts, labels, tmp_path / "alone")
    assert table(output).equals(table(tmp_path / "alone"))
    assert not checkpoint_folder(output).exists()


def test_the_two_terminals_of_the_guide(tmp_path):
    rng = np.random.default_rng(5)
    ends = [[f"n{k}" for k in side] for side in rng.integers(0, 200, (2, 600))]
    parquet_folder(tmp_path / "edges", ends)
    (tmp_path / "told.csv").write_text(f"node,label\n{ends[0][0]},a\n{ends[0][1]},b\n")
    file = tmp_path / "scheduler.json"
    started = [
        dask("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
             "--scheduler-file", str(file)),
    ]  # fmt: skip
    try:
        until(lambda: file.exists() and '"address"' in file.read_text())
        address = file.read_text().split('"address": "')[1].split('"')[0]
        started.append(dask("worker", address, "--nworkers", "2", "--nthreads", "1"))
        for command in (
            ("convert", "edges/", "graph.parts", "--blocks", "4"),
            ("info", "graph.parts", "--labels", "told.csv"),
            ("classify", "graph.parts", "--labels", "told.csv", "-o", "predictions"),
            ("embed", "graph.parts", "--rank", "3", "-o", "rows"),
        ):
            done = subprocess.run(
                [sys.executable, "-m", "lapwing", *command, "--cluster", address],
                cwd=tmp_path, capture_output=True, text=True, timeout=200,
            )  # fmt: skip
            assert done.returncode == 0, done.stderr
    finally:
        for process in started:
            process.terminate()
            process.wait()
    classify_partitioned(
        parts := PartitionedGraph(tmp_path / "graph.parts"),
        labels_of(parts, {ends[0][0]: "a", ends[0][1]: "b"}),
        tmp_path / "alone",
    )
    found, alone = table(tmp_path / "predictions"), table(tmp_path / "alone")
    assert len(found) == len(table(tmp_path / "rows")) == parts.n_nodes
    assert np.abs(found.confidence - alone.confidence).max() < 1e-5


def until(true, seconds=180):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def test_ctrl_c_leaves_nothing_behind(problem, tmp_path):
    _, parts, told, _ = problem
    rows = "".join(f"{node},{label}\n" for node, label in told.items())
    (tmp_path / "labels.csv").write_text("node,label\n" + rows)
    command = [
        sys.executable, "-m", "lapwing", "classify", str(parts.folder), "--labels",
        str(tmp_path / "labels.csv"), "-o", str(tmp_path / "out"), "--cluster", "local:2",
        "--method", "lgc", "--param", "alpha=0.9999", "--param", "tol=1e-13",
        "--checkpoint-every", "5",
    ]  # fmt: skip
    process = subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    until(lambda: list(tmp_path.glob(".out.checkpoint/at-*")), 250)
    others = descendants(process.pid)
    assert others
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=200)
    assert process.returncode == 130
    assert "Traceback" not in said
    until(lambda: not any(alive(pid) for pid in others))
    assert [path.name for path in tmp_path.iterdir()] == ["labels.csv"]


def descendants(pid):
    """The processes that a process has started, and theirs."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, path.read_text().split()):
            found += [child, *descendants(child)]
    return found


def alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def test_the_helpers_see_processes(cluster):
    assert all(alive(pid) for pid in pids(cluster).values())
