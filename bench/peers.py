"""`auto` beside what users would pick: accuracy and calibration error from 1% and 5% of labels.

Every method sees the same splits: labels drawn at random, every class at least once. Accuracy is
that of each method's own predictions over the hidden nodes. Where no label reaches, `auto` says
unknown, which counts as wrong, while LabelSpreading, PageRank and GraphLearning answer with some
class; "auto, guessing" answers with the commonest label there, as users who need an answer can.
"reached" is over the hidden nodes in components that have a label, where all compare alike. The
calibration error (ECE, ten bins) is in points, over the answers with a probability. A cell of
ours is marked - where it is below the best peer by more than one standard error of the
difference, split by split.

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
from lapwing.batch.calibration.priors import with_guesses
from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.learner import shares
from lapwing.metrics import calibration_error
from lapwing.optional import need

Answers = tuple[np.ndarray, np.ndarray]
"""What a method predicts for all nodes, in its own words, and its probabilities."""
Method = Callable[[Graph, np.ndarray, np.ndarray, int], Answers]
"""Answers from a graph, labelled nodes, their labels, and the number of classes."""


def ours(name: str, **settings) -> Method:
    def run(graph, known, labels, k):
        model = make(name, graph, n_classes=k, **settings).fit(known, labels)
        everyone = np.arange(graph.n_nodes)
        return model.predict(everyone), model.predict_proba(everyone)

    return run


def auto_guessing(graph, known, labels, k) -> Answers:
    """`auto`, and the label shares where it says unknown."""
    chances = ours(DEFAULT_BATCH)(graph, known, labels, k)[1]
    chances = with_guesses(chances, np.bincount(labels, minlength=k))
    return chances.argmax(axis=1), chances


def seeds_of(graph: Graph, known: np.ndarray, labels: np.ndarray) -> np.ndarray:
    seeds = np.full(graph.n_nodes, -1)
    seeds[known] = labels
    return seeds


def graphlearning_poisson(graph, known, labels, _):
    """GraphLearning's Poisson learning; its scores, which are no probabilities, by a softmax.

    Where its scores are not numbers it still predicts class 0, and that is counted as it is.
    """
    ssl = need("graphlearning", extra="bench").ssl
    model = ssl.poisson(sparse.csr_matrix(graph.adjacency))
    scores = np.asarray(model.fit(known, labels))
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(model.predict()), shares(np.nan_to_num(raised))


def scikit_network(kind: str, **settings) -> Method:
    def run(graph, known, labels, k):
        module = need("sknetwork.classification", extra="bench")
        model = getattr(module, kind)(**settings)
        adjacency = sparse.csr_matrix(graph.adjacency)
        model.fit(adjacency, seeds_of(graph, known, labels))
        found = np.asarray(model.predict_proba())
        chances = np.pad(found, ((0, 0), (0, k - found.shape[1])))
        return np.asarray(model.predict()), chances

    return run


def label_spreading(graph, known, labels, k):
    """scikit-learn's LabelSpreading on the adjacency itself."""
    module = need("sklearn.semi_supervised", extra="bench")
    adjacency = sparse.csr_matrix(graph.adjacency)
    model = module.LabelSpreading(kernel=lambda *_: adjacency, alpha=0.9, max_iter=100)
    model.fit(np.arange(graph.n_nodes)[:, None], seeds_of(graph, known, labels))
    found = np.zeros((graph.n_nodes, k))
    found[:, model.classes_] = model.label_distributions_
    return model.transduction_, np.nan_to_num(found)


OURS: dict[str, Method] = {"auto": ours(DEFAULT_BATCH), "auto, guessing": auto_guessing}
PEERS: dict[str, Method] = {
    "GraphLearning Poisson": graphlearning_poisson,
    "scikit-network PageRank(.95, 50)": scikit_network(
        "PageRankClassifier", damping_factor=0.95, n_iter=50
    ),
    "scikit-network PageRank": scikit_network("PageRankClassifier"),
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


def measured(run: Method, found: data.Dataset, known: np.ndarray) -> tuple[float, float, float]:
    labels = np.asarray(found.labels)
    hidden = np.setdiff1d(np.flatnonzero(labels >= 0), known)
    guesses, chances = run(found.graph, known, labels[known], found.n_classes)
    right = guesses[hidden] == labels[hidden]
    places = found.graph.components
    reached = np.isin(places[hidden], places[known])
    return (
        float(right.mean()),
        float(right[reached].mean()),
        calibration_error(chances[hidden], labels[hidden]),
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
    leads = {mine: results[mine][:, 0] - results[best][:, 0] for mine in OURS}
    errors = {mine: lead.std(ddof=1) / np.sqrt(n_splits) for mine, lead in leads.items()}
    print(f"\n{name}, {fraction:.0%} of labels, {n_splits} splits ({len(splits[0])} labels)")
    print(f"  {'method':<34}accuracy      reached  ECE   CPU s")
    for method, table in results.items():
        mean, spread = 100 * table.mean(axis=0), 100 * table[:, 0].std(ddof=1)
        below = method in OURS and leads[method].mean() < -errors[method]
        mark = "-" if below else "*" if method == best else " "
        print(
            f"{mark} {method:<34}{mean[0]:5.2f} ± {spread / np.sqrt(n_splits):4.2f}  "
            f"{mean[1]:6.2f}  {mean[2]:5.2f}  {seconds[method]:5.2f}",
            flush=True,
        )
    for mine, lead in leads.items():
        print(
            f"  {mine} less the best peer (*): {100 * lead.mean():+.2f} ± {100 * errors[mine]:.2f}"
        )


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
