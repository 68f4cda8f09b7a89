"""A small graph in blocks, a cluster of two workers, and ways to lose one of them."""

import os
import signal
import time

import numpy as np
import pyarrow.parquet as pq

from lapwing.cluster import PartitionedGraph, write_partitioned
from lapwing.cluster.connection import connect
from lapwing.cluster.labels import labels_of
from lapwing.data import planted_partition
from lapwing.graph import Graph

PATIENCE = 180


def small_problem(folder, *, n=600, blocks=5):
    """A connected graph, an island and a lonely pair; a few labels; the graph in blocks."""
    data = planted_partition(n=n, mean_degree=6, mixing=0.15, seed=3)
    sources, targets, _ = data.graph.edges()
    island = np.arange(n, n + 6)
    ends = np.r_[sources, island[:-1], n + 8], np.r_[targets, island[1:], n + 9]
    weights = 0.5 + np.random.default_rng(0).integers(1, 5, len(ends[0]))
    graph = Graph.from_edges(ends, weights=weights.astype(float))
    parts_folder = folder / "graph.parts"
    write_partitioned(graph, parts_folder, blocks=blocks)
    rng = np.random.default_rng(1)
    some = rng.choice(n, 30, replace=False)
    told = {int(node): f"class {data.labels[node] % 3}" for node in some}
    told[n] = "class 1"
    parts = PartitionedGraph(parts_folder)
    return graph, parts, told, labels_of(parts, told)


def local_cluster(count=2):
    return connect(f"local:{count}")


def pids(cluster):
    """The processes of the workers, by address."""
    return cluster.client.run(os.getpid, on_error="ignore")  # a worker may be dying


def kill_one(cluster):
    """Kill one worker, as a machine that fails would."""
    os.kill(sorted(pids(cluster).values())[0], signal.SIGKILL)


def wait_for_workers(cluster, count, *, besides=()):
    """Wait until there are so many workers, a new one among them if some are named."""
    end = time.monotonic() + PATIENCE
    while len(found := cluster.addresses()) < count or (besides and set(found) <= set(besides)):
        assert time.monotonic() < end, "the workers did not come back"
        time.sleep(0.1)


def table(folder):
    """The predictions or rows in a folder, sorted by node."""
    return pq.read_table(folder).to_pandas().sort_values("node").reset_index(drop=True)
