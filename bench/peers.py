"""`auto` beside what users would pick: accuracy and calibration error from 1% and 5% of labels.

Every method sees the same splits: labels drawn at random, every class at least once. Accuracy
is over the hidden nodes, an unknown one counting as wrong; "reached" is over the hidden nodes in
components that have a label. The calibration error (ECE, ten bins) is in points, over the
answers given. A cell of `auto` is marked - where it is below the best peer by more than one
standard error of the difference, split by split.

``python -m bench.peers [--graphs cora pubmed] [--splits 10] [--fractions 0.01 0.05]``
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable

import numpy as np
from scipy import sparse

from lapwing import Graph, data, make
from lapwing.catalog.today import AUTO
from lapwing.learner import shares
from lapwing.metrics import calibration_error
from lapwing.optional import need

Chances = Callable[[Graph, np.ndarray, np.ndarray, int], np.ndarray]
"""Probabilities of all nodes, from a graph, labelled nodes, their labels, and the classes."""


def ours(name: str, **settings) -> Chances:
    def run(graph, known, labels, k):
        model = make(name, graph, n_classes=k, **settings).fit(known, labels)
        return model.predict_proba(np.arange(graph.n_nodes))

    return run


def seeds_of(graph: Graph, known: np.ndarray, labels: np.ndarray) -> np.ndarray:
    seeds = np.full(graph.n_nodes, -1)
    seeds[known] = labels
    return seeds


def graphlearning_poisson(graph, known, labels, _):
    """GraphLearning's Poisson learning; its scores through a softmax."""
    ssl = need("graphlearning", extra="bench").ssl
    scores = np.asarray(ssl.poisson(sparse.csr_matrix(graph.adjacency)).fit(known, labels))
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares(np.nan_to_num(raised))


def scikit_network(kind: str, **settings) -> Chances:
    def run(graph, known, labels, k):
        module = need("sknetwork.classification", extra="bench")
        model = getattr(module, kind)(**settings)
        adjacency = sparse.csr_matrix(graph.adjacency)
        model.fit(adjacency, seeds_of(graph, known, labels))
        found = np.asarray(model.predict_proba())
        return np.pad(found, ((0, 0), (0, k - found.shape[1])))

    return run


def label_spreading(graph, known, labels, k):
    """scikit-learn's LabelSpreading on the adjacency itself."""
    module = need("sklearn.semi_supervised", extra="bench")
    adjacency = sparse.csr_matrix(graph.adjacency)
    model = module.LabelSpreading(kernel=lambda *_: adjacency, alpha=0.9, max_iter=100)
    model.fit(np.arange(graph.n_nodes)[:, None], seeds_of(graph, known, labels))
    found = np.zeros((graph.n_nodes, k))
    found[:, model.classes_] = model.label_distributions_
    return np.nan_to_num(found)


OURS: dict[str, Chances] = {"auto": ours(AUTO), "lgc": ours("spreading", tol=1e-6)}
PEERS: dict[str, Chances] = {
    "GraphLearning Poisson": graphlearning_poisson,
    "scikit-network PageRank(.95, 50)": scikit_network(
        "PageRankClassifier", damping_factor=0.95, n_iter=50
    ),
    "scikit-network diffusion(100)": scikit_network("DiffusionClassifier", n_iter=100),
    "LabelSpreading .9": label_spreading,
}


def problem(name: str) -> data.Dataset:
    found = data.load(name)
    return found.largest_component() if name == "cora" else found


def split(labels: np.ndarray, fraction: float, rng: np.random.Generator) -> np.ndarray:
    """Random nodes, that share of all, one of every class first."""
    order = rng.permutation(np.flatnonzero(labels >= 0))
    _, first = np.unique(labels[order], return_index=True)
    rest = np.delete(order, first)
    count = max(round(fraction * len(order)), len(first))
    return np.concatenate([order[first], rest[: count - len(first)]])


def measured(run: Chances, found: data.Dataset, known: np.ndarray) -> tuple[float, float, float]:
    labels = np.asarray(found.labels)
    hidden = np.setdiff1d(np.flatnonzero(labels >= 0), known)
    chances = run(found.graph, known, labels[known], found.n_classes)[hidden]
    guesses = np.where(chances.any(axis=1), chances.argmax(axis=1), -1)
    right = guesses == labels[hidden]
    places = found.graph.components
    reached = np.isin(places[hidden], places[known])
    return (
        float(right.mean()),
        float(right[reached].mean()),
        calibration_error(chances, labels[hidden]),
    )


def compare(name: str, fraction: float, n_splits: int) -> None:
    found = problem(name)
    labels = np.asarray(found.labels)
    results: dict[str, np.ndarray] = {}
    seconds = {}
    splits = [split(labels, fraction, np.random.default_rng(s)) for s in range(n_splits)]
    for method, run in (OURS | PEERS).items():
        start = time.process_time()
        results[method] = np.array([measured(run, found, known) for known in splits])
        seconds[method] = (time.process_time() - start) / n_splits
    best = max(PEERS, key=lambda peer: results[peer][:, 0].mean())
    lead = results["auto"][:, 0] - results[best][:, 0]
    error = lead.std(ddof=1) / np.sqrt(n_splits)
    below = "-" if lead.mean() < -error else " "
    print(f"\n{name}, {fraction:.0%} of labels, {n_splits} splits ({len(splits[0])} labels)")
    print(f"  {'method':<34}accuracy      reached  ECE   CPU s")
    for method, table in results.items():
        mean, spread = 100 * table.mean(axis=0), 100 * table[:, 0].std(ddof=1)
        mark = below if method == "auto" else "*" if method == best else " "
        print(
            f"{mark} {method:<34}{mean[0]:5.2f} ± {spread / np.sqrt(n_splits):4.2f}  "
            f"{mean[1]:6.2f}  {mean[2]:5.2f}  {seconds[method]:5.2f}",
            flush=True,
        )
    print(f"  auto less the best peer (*): {100 * lead.mean():+.2f} ± {100 * error:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="*", default=["cora", "pubmed", "coauthor", "citeseer"])
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--fractions", type=float, nargs="*", default=[0.01, 0.05])
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    for name in chosen.graphs:
        for fraction in chosen.fractions:
            compare(name, fraction, chosen.splits)


if __name__ == "__main__":
    main()
