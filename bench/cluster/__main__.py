"""Measure PageRank on one machine, out of core, and on local workers, each in its own process.

``python -m bench.cluster NODES [--workers 2,4] [--parts one,core,cluster,kill] [--folder DIR]``;
each measurement is a line of ``bench/results/cluster.jsonl``, from which ``--page`` makes a page.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.cluster import graphs, page
from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.cluster.classification import chances_at, checked_method, learned_on
from lapwing.cluster.connection import connect
from lapwing.cluster.engine.checkpoint import Checkpoints
from lapwing.cluster.engine.on_dask import OnDask
from lapwing.cluster.engine.out_of_core import OutOfCore
from lapwing.cluster.engine.worker import peak_memory

RESULTS = Path(__file__).resolve().parents[1] / "results" / "cluster.jsonl"
COMPARED = 5000


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def sample(parts: Any) -> Any:
    return np.sort(np.random.default_rng(3).choice(parts.n_nodes, COMPARED, replace=False))


def one(parts: Any, folder: Path) -> dict[str, Any]:
    """The ordinary path: the whole graph in memory, in the same order."""
    told = graphs.labels(parts)
    before, start = cpu(), time.perf_counter()
    graph = parts.to_graph()
    graph.components, graph.degrees  # noqa: B018 - a partitioned graph has these on disk
    opening = cpu() - before
    model = PageRank(graph, len(told.classes)).fit(told.nodes, told.indicator.argmax(axis=1))
    used, seconds = cpu() - before, time.perf_counter() - start
    np.save(folder / f"one-{parts.n_nodes}.npy", model.predict_proba(sample(parts)))
    return {
        "what": "in memory", "cpu": used, "opening": opening, "seconds": seconds,
        "peak_mb": peak_mb(),
    }  # fmt: skip


def apart(parts: Any, folder: Path, found: Any) -> float:
    return float(np.abs(found - np.load(folder / f"one-{parts.n_nodes}.npy")).max())


def core(parts: Any, folder: Path) -> dict[str, Any]:
    """One block in memory at a time."""
    told = graphs.labels(parts)
    before, start = cpu(), time.perf_counter()
    with OutOfCore(parts, scratch=folder) as engine:
        reading = learned_on(engine, checked_method("pagerank", len(told.classes), {}), told)
        found = chances_at(engine, reading, sample(parts))
    return {
        "what": "out of core", "cpu": cpu() - before, "seconds": time.perf_counter() - start,
        "peak_mb": peak_mb(), "apart": apart(parts, folder, found),
    }  # fmt: skip


def on_workers(parts: Any, folder: Path, count: int, *, kill: bool = False) -> dict[str, Any]:
    """Local workers; with `kill`, one of them is killed after the tenth pass."""
    told = graphs.labels(parts)
    with connect(f"local:{count}") as cluster:
        client = cluster.client
        client.run(_warm)
        idle = client.run(peak_mb)
        first, here, start = client.run(cpu), cpu(), time.perf_counter()
        passes = [0]

        def each(steps: int) -> None:
            passes[0] += steps
            if kill and passes[0] >= 10 and len(passes) == 1:
                passes.append(1)
                os.kill(sorted(client.run(os.getpid).values())[0], signal.SIGKILL)

        checkpoints = Checkpoints(folder / "checkpoint", f"bench {parts.n_nodes}")
        engine = OnDask(cluster, parts, checkpoints, progress=each)
        engine._ready()
        opening = cpu() - here + sum(t - first.get(w, 0.0) for w, t in client.run(cpu).items())
        reading = learned_on(engine, checked_method("pagerank", len(told.classes), {}), told)
        seconds = time.perf_counter() - start
        used = cpu() - here + sum(t - first.get(w, 0.0) for w, t in client.run(cpu).items())
        found = chances_at(engine, reading, sample(parts))
        peaks = client.run(peak_mb)
        sizes = [
            client.submit(peak_memory, key, workers=[w], pure=False).result()
            for key, w in zip(engine._keys(), engine._workers, strict=True)
        ]
        engine.close()
        checkpoints.remove()
    shares = [
        (size["matrix"] + 64 * (3 * size["rows"] + 2 * size["halo_rows"])) / 2**20 for size in sizes
    ]
    return {
        "what": f"{count} workers" + (", one killed" if kill else ""), "cpu": used,
        "opening": opening, "seconds": seconds, "apart": apart(parts, folder, found),
        "passes": engine.passes,
        "moved_mb": engine.moved_bytes / max(engine.passes, 1) / 2**20,
        "peak_mb": max(peaks[w] - idle.get(w, min(idle.values())) for w in peaks),
        "share_mb": max(shares), "lost": engine.attempts,
    }  # fmt: skip


def _warm() -> None:
    """Load what a worker needs, and compile it."""
    import lapwing.cluster.engine.worker  # noqa: F401, PLC0415 - in the worker
    from lapwing.cluster.engine.messages import Messages, add_changes  # noqa: PLC0415 - as above
    from lapwing.linalg.passes import Passes  # noqa: PLC0415 - in the worker

    starts, ends = np.array([0, 1]), np.array([0], dtype=np.int32)
    passes = Passes.of_rows(starts, ends, None, None)
    passes.step(passes.room(np.ones((1, 10))), passes.room(np.ones((1, 10))), a=1.0)
    one, messages = passes.room(np.ones((1, 10))), Messages(np.zeros(1))
    messages.whole(one, 10)
    add_changes(one, one, 0, messages.changes(one, one, 10))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("nodes", type=int, nargs="?")
    parser.add_argument("--workers", default="2,4")
    parser.add_argument("--parts", default="one,core,cluster,kill")
    parser.add_argument(
        "--folder", type=Path, default=Path(tempfile.gettempdir()) / "lapwing-bench"
    )
    parser.add_argument("--step", default="")
    parser.add_argument("--page", action="store_true")
    asked = parser.parse_args()
    if asked.page or asked.nodes is None:
        page.write(RESULTS)
        return
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.step:
        print(json.dumps(measured(asked.step, asked.nodes, asked.folder)))
        return
    steps = ["make"] + [name for name in asked.parts.split(",") if name in ("one", "core")]
    if "cluster" in asked.parts:
        steps += [f"workers-{count}" for count in asked.workers.split(",")]
    steps += ["kill"] if "kill" in asked.parts else []
    for step in steps:
        command = [sys.executable, "-m", "bench.cluster", str(asked.nodes), "--step", step,
                   "--folder", str(asked.folder)]  # fmt: skip
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        line = done.stdout.strip().splitlines()[-1]
        print(line, flush=True)
        if step != "make":
            with RESULTS.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def measured(step: str, nodes: int, folder: Path) -> dict[str, Any]:
    start = time.perf_counter()
    parts = graphs.kept(folder, nodes)
    told: dict[str, Any] = {"nodes": nodes, "edges": parts.n_edges, "blocks": parts.n_blocks}
    if step == "make":
        halo = sum(block.halo for block in parts.manifest.blocks)
        return told | {"what": "made", "seconds": time.perf_counter() - start, "halo": halo}
    if step in ("one", "core"):
        return told | (one if step == "one" else core)(parts, folder)
    count = 2 if step == "kill" else int(step.removeprefix("workers-"))
    return told | on_workers(parts, folder, count, kill=step == "kill")


if __name__ == "__main__":
    main()
