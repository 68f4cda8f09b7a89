"""Herbster 2005: Cora one class against the rest, and USPS odd against even (Section 6)."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from lapwing import data
from lapwing.active import Uniform, act_mu, act_st, chosen
from lapwing.embed import laplacian
from lapwing.online import MNI, Perceptron, Projections
from lapwing.online.columns import DenseColumns

Count = Callable[[DenseColumns, np.ndarray, np.ndarray], int]


def by_learner(make: Callable[[DenseColumns], Projections | Perceptron]) -> Count:
    """Mistakes of a learner over a stream."""
    return lambda K, nodes, y: int((y * make(K).stream(nodes, y).margins <= 0).sum())


ONLINE: dict[str, Count] = {
    "1-proj": by_learner(lambda K: Projections(K)),
    "C-proj": by_learner(lambda K: Projections(K, strategy="all", cyclic=True)),
    "MNI-ag": by_learner(lambda K: MNI(K)),
    "aggressive {t}": by_learner(lambda K: Projections(K, aggressive=True)),
    "perceptron": by_learner(lambda K: Perceptron(K)),
}


def future_mistakes(
    K: DenseColumns, y: np.ndarray, strategy, count: int, rng, *, suffix_aggressive: bool = False
) -> int:
    """C_fe(count): mistakes on a random order of the rest after `count` nodes were chosen."""
    learner = Projections(K)
    asked = []
    for node in chosen(learner, strategy, np.arange(len(y)), count):
        asked.append(node)
        learner.learn(node, int(y[node]))
    learner.aggressive = suffix_aggressive
    rest = rng.permutation(np.setdiff1d(np.arange(len(y)), asked))
    return int((y[rest] * learner.stream(rest, y[rest]).margins <= 0).sum())


def kernel(graph, bias: float) -> DenseColumns:
    rows = laplacian(graph, rank=None, bias=bias)
    return DenseColumns(rows @ rows.T)


def show(name: str, values: list[float], seconds: float) -> None:
    print(f"{name:32s} {np.mean(values):8.1f} +- {np.std(values):5.1f}   {seconds:6.1f} s")


def cora(permutations: int) -> None:
    found = data.load("cora").largest_component()
    wanted = found.classes.index("Neural_Networks")
    y = np.where(found.labels == wanted, 1, -1)
    print(f"Cora, Neural_Networks {int((y > 0).sum())} of {len(y)}, {permutations} permutations")
    plain = kernel(found.graph, 0.0)
    orders = [np.random.default_rng(seed).permutation(len(y)) for seed in range(permutations)]
    for bias in (0.0, 0.1):
        K = DenseColumns(plain.matrix + bias)
        print(f"b = {bias:g}")
        for name, count in ONLINE.items():
            if bias == 0 and name == "perceptron":
                continue
            begin = time.perf_counter()
            counts = [count(K, order, y[order]) for order in orders]
            show(name, counts, time.perf_counter() - begin)
    for name, strategy in (("Act-st", act_st), ("Act-mu", act_mu), ("random", None)):
        begin = time.perf_counter()
        counts = [
            future_mistakes(
                plain, y, strategy or Uniform(seed=seed), 50, np.random.default_rng(seed)
            )
            for seed in range(permutations)
        ]
        show(f"{name}, C_fe(50), b = 0", counts, time.perf_counter() - begin)


def usps(draws: int, permutations: int) -> None:
    found = data.load("usps")
    print(f"USPS, 100 a digit, 3-NN, odd against even, {draws} draws x {permutations} orders")
    names = [
        *[n for n in ONLINE if n != "perceptron"],
        "Act-st",
        "Act-mu",
        "Act-st, aggressive rest",
    ]
    table: dict[str, list[float]] = {name: [] for name in names}
    for draw in range(draws):
        rng = np.random.default_rng(draw)
        kept = np.concatenate(
            [rng.choice(np.flatnonzero(found.labels == k), 100, replace=False) for k in range(10)]
        )
        graph = data.knn_graph(found.points[kept], 3)
        if graph.n_components > 1:
            nodes = graph.largest_component_nodes()
            graph, kept = graph.subgraph(nodes), kept[nodes]
        y = np.where(found.labels[kept] % 2 == 1, 1, -1)
        K = kernel(graph, 0.0)
        orders = [rng.permutation(len(y)) for _ in range(permutations)]
        for name in names:
            if name in ONLINE:
                first = [
                    ONLINE[name](K, o, y[o]) - ONLINE[name](K, o[:5], y[o[:5]]) for o in orders
                ]
            else:
                strategy = act_mu if name == "Act-mu" else act_st
                first = [
                    future_mistakes(K, y, strategy, 5, rng, suffix_aggressive="rest" in name)
                    for _ in orders
                ]
            table[name].append(float(np.mean(first)))
    base = np.array(table["1-proj"])
    for name, values in table.items():
        share = np.array(values) / base
        print(
            f"{name:28s} C_fe(5) {np.mean(values):6.1f} +- {np.std(values):5.1f}"
            f"   over 1-proj {share.mean():.2f} +- {share.std():.2f}"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--permutations", type=int, default=20)
    options.add_argument("--draws", type=int, default=10)
    options.add_argument("--only", choices=["cora", "usps"])
    chosen_options = options.parse_args()
    if chosen_options.only != "usps":
        cora(chosen_options.permutations)
    if chosen_options.only != "cora":
        usps(chosen_options.draws, chosen_options.permutations)


if __name__ == "__main__":
    main()
