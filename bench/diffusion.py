"""Diffusion from 1% labels over a million nodes, five million edges and ten planted classes.

Each method runs in a process of its own, on the same graph and labels read from the same file;
CPU seconds and peak memory are those of learning and predicting, after a first call on a tiny
graph (compilation is cached on disk). "rise" is the peak above what the loaded graph needs.

``python -m bench.diffusion [--nodes 1000000]``
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing import Graph, data, make
from lapwing.optional import need

CLASSES = 10
Predict = Callable[[sparse.csr_array, np.ndarray], np.ndarray]


def ours(name: str) -> Predict:
    def run(adjacency, seeds):
        graph = Graph._trusted(adjacency, data_names(adjacency.shape[0]), data.karate().graph.notes)
        known = np.flatnonzero(seeds >= 0)
        model = make(name, graph, n_classes=CLASSES).fit(known, seeds[known])
        return model.predict(np.arange(graph.n_nodes))

    return run


def data_names(n: int):
    """Names 0..n-1, as a graph of an adjacency alone has them."""
    return Graph.from_edges([], names=range(n)).names


def scikit_network(n_iter: int) -> Predict:
    def run(adjacency, seeds):
        module = need("sknetwork.classification", extra="bench")
        return module.DiffusionClassifier(n_iter=n_iter).fit_predict(adjacency, seeds)

    return run


METHODS: dict[str, Predict] = {
    "scikit-network diffusion(10)": scikit_network(10),
    "scikit-network diffusion(100)": scikit_network(100),
    "spreading": ours("spreading"),
    "pagerank": ours("pagerank"),
    "propagation": ours("propagation"),
    "lgc": ours("lgc"),
}


def peak_mb() -> float:
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def measure(name: str, file: Path) -> None:
    """One method, in this process; prints one JSON object."""
    warnings.simplefilter("ignore")
    saved = np.load(file)
    n = len(saved["labels"])
    parts = (saved["data"], saved["indices"], saved["indptr"])
    adjacency = sparse.csr_matrix(parts, shape=(n, n))
    tiny = sparse.csr_matrix(np.ones((3, 3)) - np.eye(3))
    tiny.indices, tiny.indptr = (
        tiny.indices.astype(adjacency.indices.dtype),
        tiny.indptr.astype(adjacency.indptr.dtype),
    )
    run = METHODS[name]
    run(prepared(tiny, name), np.array([0, 1, -1]))
    adjacency = prepared(adjacency, name)
    Path("/proc/self/clear_refs").write_text("5")
    before, start = peak_mb(), time.process_time()
    guesses = run(adjacency, saved["seeds"])
    seconds, peak = time.process_time() - start, peak_mb()
    hidden = saved["seeds"] < 0
    right = float((guesses[hidden] == saved["labels"][hidden]).mean())
    print(json.dumps({"seconds": seconds, "before": before, "peak": peak, "right": right}))


def prepared(adjacency: sparse.csr_matrix, name: str) -> sparse.csr_matrix | sparse.csr_array:
    return adjacency if name.startswith("scikit") else sparse.csr_array(adjacency)


def problem(n: int, folder: Path) -> Path:
    size = n // CLASSES
    planted = data.planted_partition(
        n=n, mixing=0.4, mean_degree=10, communities=(size, size), seed=0
    )
    rng = np.random.default_rng(0)
    labels = np.asarray(planted.labels)
    seeds = np.where(rng.random(n) < 0.01, labels, -1)
    adjacency = planted.graph.adjacency
    file = folder / "planted.npz"
    np.savez(
        file,
        data=adjacency.data,
        indices=adjacency.indices,
        indptr=adjacency.indptr,
        labels=labels,
        seeds=seeds,
    )
    print(f"{planted}, {int((seeds >= 0).sum()):,} labels", flush=True)
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--only", help="one method, on --file, in this process")
    parser.add_argument("--file", type=Path)
    chosen = parser.parse_args()
    if chosen.only:
        measure(chosen.only, chosen.file)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = problem(chosen.nodes, Path(folder))
        print(f"{'method':<30}  CPU s  peak GB  rise GB  accuracy %")
        for name in METHODS:
            command = [sys.executable, "-m", "bench.diffusion", "--only", name, "--file", str(file)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            told = json.loads(out.splitlines()[-1])
            print(
                f"{name:<30}  {told['seconds']:<5.1f}  {told['peak'] / 1024:<7.2f}  "
                f"{(told['peak'] - told['before']) / 1024:<7.2f}  {100 * told['right']:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
