"""Which node next? Every strategy at equal budget, judged on held-out nodes it may not ask about.

Half of the nodes are held out by the seed and never asked; accuracy is over those alone, so no
strategy gains by asking about the nodes it would get wrong. One downstream predictor is the same
for all ("walks": personalised PageRank); "blend" is lapwing's batch default on the same labels.
GraphLearning and scikit-activeml cannot start from nothing: they get one random label a class,
which counts towards their budget.

``python -m bench.active [--graphs cora usps] [--seeds 10] [--strategies auto random]``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing import Graph, active, data, make
from lapwing.embed import laplacian
from lapwing.figures import new_figure, saved
from lapwing.figures.style import PALETTE
from lapwing.optional import need

BUDGETS = (20, 50, 100, 200)
GRAPHS = ("cora", "coauthor", "citeseer", "pubmed", "usps", "movies")
Asker = Callable[[Graph, np.ndarray, np.ndarray, int], Iterator[int]]
"""Nodes to ask about, from the graph, all labels (for answers), the pool, and a seed."""


def rows_of(graph: Graph) -> np.ndarray:
    return laplacian(graph, rank=min(100, graph.n_nodes), bias=1.0)


def by(build: Callable, *, learner: str | None = None) -> Asker:
    """One of lapwing's strategies, with a learner of its own where it needs one."""

    def ask(graph, labels, pool, seed):
        known: dict[int, int] = {}
        strategy = build(graph, known, seed)
        model = make(learner, graph) if learner else None
        left = pool.copy()
        while len(left):
            node = strategy(model, left)
            yield node
            left = left[left != node]
            known[node] = int(labels[node])
            if model is not None:
                model.learn(node, int(labels[node]))

    return ask


def one_a_class(labels: np.ndarray, pool: np.ndarray, seed: int) -> list[int]:
    order = np.random.default_rng(seed).permutation(pool)
    return [int(order[np.argmax(labels[order] == k)]) for k in np.unique(labels[order])]


def graphlearning(kind: str) -> Asker:
    """GraphLearning's acquisition functions on its Poisson learning and spectral covariance."""

    def ask(graph, labels, pool, seed):
        gl = need("graphlearning", extra="bench")
        known = one_a_class(labels, pool, seed)
        yield from known
        model = gl.ssl.poisson(sparse.csr_matrix(graph.adjacency))
        values, vectors = model.graph.eigen_decomp(normalization="normalized", k=50)
        settings = {"C": np.diag(1.0 / (values + 1e-11)), "V": vectors}
        acquisition = getattr(gl.active_learning, kind)(
            **(settings if kind != "unc_sampling" else {})
        )
        acquisition.update(np.array(known), labels[known])
        fits = kind in ("unc_sampling", "model_change")
        while True:
            u = model.fit(np.array(known), labels[known]) if fits else None
            left = np.setdiff1d(pool, known)
            node = int(left[np.argmax(acquisition.compute(u, left))])
            yield node
            known.append(node)
            acquisition.update(np.array([node]), labels[[node]])

    return ask


def scikit_activeml(graph, labels, pool, seed) -> Iterator[int]:
    """scikit-activeml's margin sampling with logistic regression on spectral rows."""
    skactiveml = need("skactiveml.pool", extra="bench")
    classifier = need("skactiveml.classifier", extra="bench")
    logistic = need("sklearn.linear_model", extra="bench").LogisticRegression
    rows = laplacian(graph, rank=32, normalized=True, unit_rows=True)
    known = one_a_class(labels, pool, seed)
    yield from known
    told = np.full(graph.n_nodes, np.nan)
    strategy = skactiveml.UncertaintySampling(method="margin_sampling", random_state=seed)
    while True:
        told[known] = labels[known]
        model = classifier.SklearnClassifier(
            logistic(max_iter=200), classes=np.unique(labels[labels >= 0])
        )
        left = np.setdiff1d(pool, known)
        chosen = strategy.query(X=rows, y=told, clf=model, candidates=left)
        yield int(chosen[0])
        known.append(int(chosen[0]))


STRATEGIES: dict[str, Asker] = {
    "auto": by(lambda g, known, _s: active.UncertainReach(g, known)),
    "random": by(lambda _g, _known, s: active.Uniform(seed=s)),
    "margin": by(lambda _g, _known, _s: active.margin, learner="auto"),
    "vopt": by(lambda g, known, _s: active.VarianceMinimisation(rows_of(g), known)),
    "sigma-opt": by(lambda g, known, _s: active.SigmaOptimality(rows_of(g), known)),
    "error-bound": by(lambda g, known, _s: active.ErrorBoundMinimisation(rows_of(g), known)),
    "model-change": by(lambda g, known, _s: active.ModelChange(rows_of(g), known), learner="auto"),
    "GL margin": graphlearning("unc_sampling"),
    "GL vopt": graphlearning("var_opt"),
    "GL sigma-opt": graphlearning("sigma_opt"),
    "GL model-change": graphlearning("model_change"),
    "skactiveml margin": scikit_activeml,
}
PREDICTORS = {
    "walks": lambda graph, k: make("pagerank", graph, n_classes=k),
    "blend": lambda graph, k: make("blend", graph, n_classes=k),
}


def problem(name: str) -> data.Dataset:
    found = data.load(name)
    return found if name == "citeseer" else found.largest_component()


def curve(ask: Asker, found: data.Dataset, seed: int) -> tuple[dict[str, list[float]], float]:
    """Accuracy on the held-out half at each budget, by predictor, and seconds a question."""
    labels, n = np.asarray(found.labels), found.graph.n_nodes
    order = np.random.default_rng(seed).permutation(np.flatnonzero(labels >= 0))
    held, pool = order[: n // 2], np.sort(order[n // 2 :])
    start = time.perf_counter()
    asked = []
    for node in ask(found.graph, labels, pool, seed):
        asked.append(node)
        if len(asked) == max(BUDGETS):
            break
    seconds = (time.perf_counter() - start) / len(asked)

    def right(build, known):
        model = build(found.graph, found.n_classes).fit(known, labels[known])
        return float((model.predict(held) == labels[held]).mean())

    if len(set(asked)) < len(asked):
        raise AssertionError("a strategy asked a node twice")
    accuracy = {
        name: [right(build, asked[:b]) for b in BUDGETS] for name, build in PREDICTORS.items()
    }
    return accuracy, seconds


def labels_needed(curves: np.ndarray, accuracy: float) -> str:
    mean = curves.mean(axis=0)
    if mean[-1] < accuracy:
        return f"> {BUDGETS[-1]}"
    return f"{np.interp(accuracy, np.maximum.accumulate(mean), BUDGETS):.0f}"


def draw(name: str, found: dict[str, np.ndarray]) -> Path:
    figure, axes = new_figure(width=5.5, height=4.0)
    ax = axes[0, 0]
    for k, (strategy, curves) in enumerate(found.items()):
        error = curves.std(axis=0) / np.sqrt(len(curves))
        style = "-" if k < len(PALETTE) else "--"
        colour = PALETTE[k % len(PALETTE)]
        ax.errorbar(BUDGETS, 100 * curves.mean(axis=0), 100 * error, label=strategy, color=colour,
                    linestyle=style, marker="o", markersize=3, linewidth=1.2)  # fmt: skip
    ax.set_xlabel("labels", fontsize=9)
    ax.set_ylabel("accuracy on held-out nodes, %", fontsize=9)
    ax.set_title(name, fontsize=10, loc="left")
    ax.legend(fontsize=7, frameon=False)
    return saved(figure, Path("bench/out") / f"active-{name}.png")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="*", default=GRAPHS)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--strategies", nargs="*", default=list(STRATEGIES))
    chosen = parser.parse_args()
    for name in chosen.graphs:
        found = problem(name)
        print(f"\n{found!r}, {chosen.seeds} seeds, accuracy % on the held-out half")
        walks: dict[str, np.ndarray] = {}
        for strategy in chosen.strategies:
            runs = [curve(STRATEGIES[strategy], found, seed) for seed in range(chosen.seeds)]
            for predictor in PREDICTORS:
                rows = np.array([accuracy[predictor] for accuracy, _ in runs])
                walks.setdefault(strategy, rows)
                cells = "  ".join(
                    f"{100 * m:5.1f} +- {100 * s:3.1f}"
                    for m, s in zip(rows.mean(0), rows.std(0) / np.sqrt(len(rows)), strict=True)
                )
                ms = 1000 * np.mean([seconds for _, seconds in runs])
                print(
                    f"  {strategy:18s} {predictor:6s} {cells}   {ms:7.1f} ms a question", flush=True
                )
        if "random" in walks:
            goal = walks["random"].mean(axis=0)[-1]
            needed = ", ".join(f"{s} {labels_needed(c, goal)}" for s, c in walks.items())
            print(f"  labels to random's {100 * goal:.1f}% at {BUDGETS[-1]}: {needed}")
        print(f"  {draw(name, walks)}")


if __name__ == "__main__":
    main()
