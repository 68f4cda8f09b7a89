"""Nodes and edges that arrive: following them against computing everything again.

The last half of a graph's nodes arrives in 20 steps: PubMed in the order of its file, movies by
year, co-authors in the order of their file. At each step the learners that grow, the same learners
made anew and other libraries predict the nodes that are there and have no label. CPU seconds are
those of following the step (or computing everything again) and predicting the nodes that arrived.

On a million nodes and five million edges: edges one at a time, 100,000 at once, and what a read
costs after an edge was removed.

``python -m bench.arrivals [--part steps|million]``
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bench import peers
from bench.pictures import RESULTS, drawn, tables
from lapwing import Graph, data, make, read_graph
from lapwing.errors import MissingExtraError
from lapwing.types import UNKNOWN

STEPS, TOLD, SEED = 20, 0.05, 0
REPORTED = ("pubmed", "movies", "coauthor")
GROWING = ("push-lgc", "near-far")
OTHERS = ("scikit-network PageRank", "GraphLearning Poisson")
STEP_HEADER = [
    "| graph | nodes | method | accuracy, last step | mean accuracy | largest gap, points | "
    "CPU seconds, following | CPU seconds, again | times less |",
    "|---|---|---|---|---|---|---|---|---|",
]
MILLION_HEADER = ["| what | value |", "|---|---|"]


def in_order(name: str) -> tuple[Graph, np.ndarray, np.ndarray]:
    """A graph, its labels and its nodes in the order in which they arrive."""
    found = data.load(name)
    found = found if name == "movies" else found.largest_component()
    sources, targets, weights = found.graph.edges()
    graph = Graph.from_edges((sources, targets), weights=weights, names=range(found.graph.n_nodes))
    order = np.arange(graph.n_nodes)
    if name == "movies":
        years = [int(re.findall(r"\((\d{4})", str(title))[-1]) for title in found.graph.names]
        order = np.argsort(years, kind="stable")
    return graph, np.asarray(found.labels), order


def cpu(act: Callable[[], Any]) -> tuple[Any, float]:
    """The result, and the CPU seconds it took."""
    start = time.process_time()
    return act(), time.process_time() - start


def accuracy(guesses: np.ndarray, labels: np.ndarray, hidden: np.ndarray) -> float:
    return float((guesses[hidden] == labels[hidden]).mean())


def steps(name: str, seed: int = SEED) -> list[str]:
    """One row per method: 20 steps on one graph."""
    graph, labels, order = in_order(name)
    whole, labels = graph.subgraph(order), labels[order]
    n, k = whole.n_nodes, int(labels.max()) + 1
    rng = np.random.default_rng(seed)
    told = (rng.random(n) < TOLD) & (labels != UNKNOWN)
    cuts = np.linspace(n // 2, n, STEPS + 1).astype(int)
    sources, targets, weights = whole.edges()
    late = np.maximum(sources, targets)
    rows: dict[str, list[list[float]]] = {each: [] for each in (*GROWING, *OTHERS)}
    first = whole.subgraph(np.arange(cuts[0]))
    growing = {each: make(each, first, n_classes=k) for each in GROWING}
    for node in np.flatnonzero(told[: cuts[0]]).tolist():
        for learner in growing.values():
            learner.learn(node, int(labels[node]))
    for learner in growing.values():
        learner.predict(np.arange(cuts[0]))
    now = first
    for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        came = (late >= low) & (late < high)
        names = [whole.names[i] for i in range(low, high)]
        pairs = zip(sources[came].tolist(), targets[came].tolist(), strict=True)
        ends = [(whole.names[u], whole.names[v]) for u, v in pairs]
        arrived = np.flatnonzero(told[low:high]) + low
        known = np.flatnonzero(told[:high])
        every = np.arange(high)
        hidden = ~told[:high] & (labels[:high] != UNKNOWN)
        now, added = cpu(lambda now=now, names=names, ends=ends, came=came: (
            now.with_nodes(names).with_edges(ends, weights[came])))  # fmt: skip
        for each, learner in growing.items():

            def follow(learner=learner, now=now, arrived=arrived, low=low, high=high):
                learner.grow(now)
                for node in arrived.tolist():
                    learner.learn(node, int(labels[node]))
                learner.predict(np.arange(low, high))

            _, spent = cpu(follow)
            exact, again = cpu(lambda each=each, high=high, known=known: again_from(
                each, whole, labels, known, high, k))  # fmt: skip
            rows[each].append([
                accuracy(learner.predict(every), labels[:high], hidden),
                accuracy(exact.predict(every), labels[:high], hidden),
                spent + added, again,
            ])  # fmt: skip
        part = whole.subgraph(every)
        for each in OTHERS:
            try:
                guesses, again = cpu(lambda each=each, part=part, known=known: (
                    peers.PEERS[each](part, known, labels[known], k)[0]))  # fmt: skip
            except MissingExtraError:
                continue
            found = accuracy(np.asarray(guesses), labels[:high], hidden)
            rows[each].append([found, found, np.nan, again])
    return [row_of(name, n, each, np.array(found)) for each, found in rows.items() if found]


def again_from(
    name: str, whole: Graph, labels: np.ndarray, known: np.ndarray, high: int, k: int
) -> Any:
    """The learner made anew on the graph of the first nodes, with all labels learned."""
    sources, targets, weights = whole.edges()
    there = np.maximum(sources, targets) < high
    graph = Graph.from_edges(
        (sources[there], targets[there]), weights=weights[there], names=range(high)
    )
    learner = make(name, graph, n_classes=k)
    for node in known.tolist():
        learner.learn(node, int(labels[node]))
    learner.predict(np.arange(high))
    return learner


def row_of(name: str, n: int, method: str, found: np.ndarray) -> str:
    """A line of the table; `found` holds accuracy, accuracy again, CPU seconds and those again."""
    ours, again, spent, full = found.T
    own = method in GROWING
    gap = f"{100 * np.abs(ours - again).max():.2f}" if own else ""
    less = f"{full.sum() / spent.sum():.0f}" if own else ""
    follow = f"{spent.sum():.2f}" if own else ""
    label = method if own else f"{method}, from scratch"
    return (
        f"| {name} | {n:,} | {label} | {100 * ours[-1]:.1f} | {100 * ours.mean():.1f} | {gap} | "
        f"{follow} | {full.sum():.2f} | {less} |"
    )


def million(n: int = 1_000_000, single: int = 10_000, many: int = 100_000) -> list[str]:
    """The rows of the large graph."""
    found = data.planted_partition(n=n, mean_degree=10, mixing=0.2)
    graph, labels = found.graph, np.asarray(found.labels) % 10
    rng = np.random.default_rng(SEED)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "edges.csv"
        sources, targets, _ = graph.edges()
        np.savetxt(file, np.stack([sources, targets], axis=1), fmt="%d", delimiter=",")
        _, reading = cpu(lambda: read_graph(file))
    pairs = np.stack([sources, targets], axis=1)
    _, building = cpu(lambda: Graph.from_edges(pairs, names=range(n)))
    learner = make("push-lgc", graph, n_classes=10)
    for node in rng.choice(n, 1000, replace=False).tolist():
        learner.learn(node, int(labels[node]))
    graph = graph.with_edges([(0, n - 1)])
    learner.grow(graph)
    memory, ms = peak(), []
    for u, v in rng.integers(0, n, size=(single, 2)).tolist():
        if u == v:
            continue
        start = time.process_time()
        graph = graph.with_edges([(u, v)])
        learner.grow(graph)
        ms.append(1000 * (time.process_time() - start))
    more = peak() - memory
    ends = rng.integers(0, n, size=(many, 2))
    ends = ends[ends[:, 0] != ends[:, 1]]

    def at_once(graph: Graph = graph) -> Graph:
        grown = graph.with_edges(ends)
        learner.grow(grown)
        return grown

    graph, bulk = cpu(at_once)
    wanted = rng.choice(n, 100, replace=False)
    before, after, cut = [], [], []
    learner.predict_proba(wanted)
    for u, v in ends[rng.choice(len(ends), 100, replace=False)].tolist():
        _, spent = cpu(lambda: learner.predict_proba(wanted))
        before.append(1000 * spent)
        if not graph.has_edge(u, v):
            continue

        def remove(graph: Graph = graph, u: int = u, v: int = v) -> Graph:
            shorter = graph.without_edges([(u, v)])
            learner.grow(shorter)
            return shorter

        graph, spent = cpu(remove)
        cut.append(1000 * spent)
        _, spent = cpu(lambda: learner.predict_proba(wanted))
        after.append(1000 * spent)
    return [
        f"| nodes | {n:,} |",
        f"| edges | {len(pairs):,} |",
        f"| one edge of {len(ms):,}, median ms | {np.median(ms):.3f} |",
        f"| one edge, 99% ms | {np.percentile(ms, 99):.3f} |",
        f"| one edge, most ms | {max(ms):.1f} |",
        f"| memory that {len(ms):,} edges added, MB | {more / 1024:.0f} |",
        f"| {len(ends):,} edges at once, CPU s | {bulk:.2f} |",
        f"| reading the graph from a text again, CPU s | {reading:.2f} |",
        f"| building it from arrays again, CPU s | {building:.2f} |",
        f"| removing an edge, median ms | {np.median(cut):.3f} |",
        f"| reading 100 nodes before it, median ms | {np.median(before):.3f} |",
        f"| reading 100 nodes after it, median ms | {np.median(after):.3f} |",
        f"| reading 100 nodes after it, most ms | {max(after):.3f} |",
    ]


def peak() -> int:
    """The largest memory so far, in KB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def verdict(step_rows: list[str], million_rows: list[str]) -> str:
    """What the tables say, in words."""
    cells = [row.strip("| ").split(" | ") for row in step_rows]
    own = [row for row in cells if row[2] in GROWING]
    gap, less = max(float(row[5]) for row in own), [int(row[8].rstrip(" |")) for row in own]
    held = dict(row.strip("| ").split(" | ") for row in million_rows)
    one = next(value for what, value in held.items() if what.endswith("median ms") and "of" in what)
    bulk = float(next(value for what, value in held.items() if "at once" in what))
    again = float(held["reading the graph from a text again, CPU s"])
    return (
        f"Following 20 steps of arrivals stays within {gap:.2f} points of computing everything "
        f"again at each step, with {min(less)} to {max(less)} times less CPU. On a million nodes, "
        f"one edge takes {one} ms at the median, and 100,000 at once {bulk / again:.2f} of the CPU "
        f"of reading the graph again."
    )


def page(step_rows: list[str], million_rows: list[str]) -> str:
    """The whole page from the lines of its tables."""
    missing = [each for each in OTHERS if not any(each in row for row in step_rows)]
    absent = f" Not installed in this run: {', '.join(missing)}." if missing else ""
    lines = [
        "# What does it cost to follow a growing graph?", "", verdict(step_rows, million_rows), "",
        "![CPU seconds of following 20 steps, and of computing everything again](arrivals.png)", "",
        "## Nodes arriving in 20 steps", "",
        *STEP_HEADER, *step_rows, "",
        "## A million nodes", "",
        *MILLION_HEADER, *million_rows, "",
        "## Method", "",
        "`python -m bench.arrivals`, one thread. The last half of the nodes arrives in 20 steps:",
        "PubMed and co-authors in the order of their files, movies by year. One node in twenty has",
        "a label, told when it arrives; accuracy is on all other nodes that are there. The gap is",
        "the largest difference in accuracy at any step. Following means `Graph.with_nodes`,",
        "`Graph.with_edges` and `learner.grow`, then the new labels and predictions of the nodes",
        "that arrived; computing again means building the graph, making the learner, learning all",
        f"labels and predicting.{absent}", "",
    ]  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=list(REPORTED))
    parser.add_argument("--part", choices=("all", "steps", "million"), default="all")
    parser.add_argument("--nodes", type=int, default=1_000_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["LAPWING_CACHE"] = cache  # rows are computed, not read
        kept = tables((RESULTS / "arrivals.md").read_text()) if chosen.part != "all" else []
        old = [["| " + " | ".join(row) + " |" for row in table[1:]] for table in kept]
        steps("coauthor") if chosen.part != "million" else None  # compiled code is loaded
        step_rows = old[0] if chosen.part == "million" else [
            row for name in chosen.graphs for row in steps(name)
        ]  # fmt: skip
        large = old[1] if chosen.part == "steps" else million(chosen.nodes)
    (RESULTS / "arrivals.md").write_text(page(step_rows, large), encoding="utf-8")
    drawn("arrivals")
    print(page(step_rows, large))


if __name__ == "__main__":
    main()
