"""Rounds per second on PubMed (d = 100, 3 classes): compiled steps, plain numpy, river and VW.

``python -m bench.throughput [--rounds 19717] [--peer-rounds 4000] [--repeats 3]``
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from time import perf_counter

import numpy as np
from numba import njit
from river import linear_model, multiclass, preprocessing
from vowpalwabbit import Workspace

from lapwing import data, make
from lapwing.embed import laplacian
from lapwing.linalg.ridge.triangle import triangle_lower, triangle_times
from lapwing.play import play, shuffled

MU, KAPPA = 1e-3, 0.4


class PlainOLLGC:
    """One class against the rest, Algorithm 1 as one writes it with numpy."""

    def __init__(self, features):
        d = features.shape[1]
        self.features, self.w = features, np.zeros(d)
        self.inverse, self.b = np.eye(d) / MU, np.zeros(d)

    def round(self, node, y, _):
        m = self.features[node]
        margin = self.w @ m
        if y * margin <= 0:
            self.update(m, y)
        return margin

    def update(self, m, y):
        v = self.inverse @ m
        self.inverse -= np.outer(v, v) / (1 + m @ v)
        self.b += y * m
        self.w = self.inverse @ self.b


class PlainSSLGC(PlainOLLGC):
    """Algorithm 2 as one writes it with numpy."""

    def round(self, node, y, t):
        m = self.features[node]
        margin = self.w @ m
        q = m @ self.inverse @ m
        if q / (1 + q) > t**-KAPPA and y * margin <= 0:
            self.update(m, y)
        return margin


def plain(binary) -> Callable:
    def run(rows, labels, order) -> float:
        learners = [binary(rows) for _ in range(labels.max() + 1)]
        wrong = 0
        for t, node in enumerate(order, start=1):
            label = labels[node]
            margins = [
                learner.round(node, 1 if label == k else -1, t)
                for k, learner in enumerate(learners)
            ]
            wrong += int(np.argmax(margins)) != label
        return wrong / len(order)

    return run


def ours(name: str, **parameters) -> Callable:
    def run(rows, labels, order) -> float:
        learner = make(name, rows, n_classes=int(labels.max()) + 1, **parameters)
        return play(learner, order, labels).summary().error

    return run


def verbs(name: str, **parameters) -> Callable:
    """The same learner, one node at a time through Python."""

    def run(rows, labels, order) -> float:
        learner, wrong = make(name, rows, n_classes=int(labels.max()) + 1, **parameters), 0
        for node in order.tolist():
            wrong += int(learner.predict(node)) != labels[node]
            learner.learn(node, int(labels[node]) if learner.queries(node) else None)
        return wrong / len(order)

    return run


def river_one_vs_rest(rows, labels, order) -> float:
    """Each row becomes a dictionary as it comes, as a stream of rows must."""
    model = preprocessing.StandardScaler() | multiclass.OneVsRestClassifier(
        linear_model.LogisticRegression()
    )
    wrong = 0
    for node in order:
        x = dict(enumerate(rows[node].tolist()))
        wrong += model.predict_one(x) != labels[node]
        model.learn_one(x, int(labels[node]))
    return wrong / len(order)


def as_text(row) -> str:
    return "| " + " ".join(f"{i}:{value:.6g}" for i, value in enumerate(row))


def vowpal_wabbit(rows, labels, order, texts=None) -> float:
    """Each row becomes a line of text as it comes, as a stream of rows must."""
    model, wrong = Workspace(f"--oaa {labels.max() + 1} --quiet"), 0
    for t, node in enumerate(order):
        text = as_text(rows[node]) if texts is None else texts[t]
        wrong += model.predict(text) - 1 != labels[node]
        model.learn(f"{labels[node] + 1} {text}")
    model.finish()
    return wrong / len(order)


def vowpal_wabbit_on_text(rows, labels, order) -> tuple[float, float]:
    """The text was made before the clock starts: as if the rows had come as text."""
    texts = [as_text(rows[node]) for node in order]
    start = perf_counter()
    wrong = vowpal_wabbit(rows, labels, order, texts)
    return wrong, perf_counter() - start


def timed(run: Callable, rows, labels, order, repeats: int) -> tuple[float, float]:
    """Error, and rounds per second of the best of several runs."""
    best, error = np.inf, np.nan
    for _ in range(repeats):
        start = perf_counter()
        result = run(rows, labels, order)
        spent = perf_counter() - start
        if isinstance(result, tuple):
            result, spent = result
        best, error = min(best, spent), result
    return error, len(order) / best


@njit
def update_loop(inverse, x, v, times):
    for _ in range(times):
        scale = 1.0 / (1.0 + triangle_times(inverse, x, v))
        triangle_lower(inverse, v, scale * 1e-9)


def seconds_an_update(d: int) -> float:
    """One d x d step: A^-1 x, then the rank-one change."""
    inverse, x, v = np.eye(d), np.random.default_rng(0).normal(size=d), np.empty(d)
    update_loop(inverse, x, v, 1)
    best = np.inf
    for _ in range(20):
        start = perf_counter()
        update_loop(inverse, x, v, 500)
        best = min(best, (perf_counter() - start) / 500)
    return best


def profile(rows, labels, order) -> None:
    """Which part of a run is the d x d update: below it no order of rounds can go."""
    each = seconds_an_update(rows.shape[1])
    for name in ("ollgc", "sslgc"):
        learner = make(name, rows, n_classes=3, every_label=False, mu=MU)
        numbers = play(learner, order, labels).summary()
        part = numbers.updates * each / numbers.seconds
        print(
            f"{name}: {numbers.updates:,} updates of {each * 1e6:.2f} us are {part:.0%} of "
            f"{numbers.seconds * 1e3:.0f} ms"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=19717)
    parser.add_argument("--peer-rounds", type=int, default=4000)
    parser.add_argument("--repeats", type=int, default=5)
    wanted = parser.parse_args()
    found = data.load("pubmed")
    rows = np.ascontiguousarray(laplacian(found.graph, rank=100, bias=2.0))
    labels = np.asarray(found.labels)
    order = shuffled(len(labels), seed=0)[: wanted.rounds]
    short = order[: wanted.peer_rounds]
    paper = {"every_label": False, "mu": MU}
    runs = {
        "ollgc, numpy": (plain(PlainOLLGC), order, 2),
        "ollgc": (ours("ollgc", **paper), order, wanted.repeats),
        "ollgc, by verbs": (verbs("ollgc", **paper), short, 1),
        "sslgc, numpy": (plain(PlainSSLGC), order, 2),
        "sslgc": (ours("sslgc", **paper), order, wanted.repeats),
        "sslgc, by verbs": (verbs("sslgc", **paper), short, 1),
        "ollgc, every label": (ours("ollgc-every-label", mu=MU), order, wanted.repeats),
        "sslgc, every label": (ours("sslgc-every-label", mu=MU), order, wanted.repeats),
        "gpa": (ours("gpa"), order, wanted.repeats),
        "mixture": (ours("mixture"), order, 1),
        "river one-vs-rest logistic": (river_one_vs_rest, short, 1),
        "Vowpal Wabbit --oaa 3": (vowpal_wabbit, order, 1),
        "same, text made before": (vowpal_wabbit_on_text, order, 1),
    }
    for run, _, _ in runs.values():
        run(rows, labels, order[:30])
    speeds = {}
    print(f"{'':28} {'rounds':>7} {'arg-max error':>14} {'rounds/s':>10}")
    for name, (run, stream, repeats) in runs.items():
        error, speeds[name] = timed(run, rows, labels, stream, repeats)
        print(f"{name:28} {len(stream):7,} {error:14.4f} {speeds[name]:10,.0f}", flush=True)
    print()
    for name, target in (("ollgc", 10), ("sslgc", 5)):
        ratio = speeds[name] / speeds[f"{name}, numpy"]
        print(f"{name} over plain numpy: {ratio:.1f}x (target {target}x)")
    for peer, target in (("river one-vs-rest logistic", 50), ("Vowpal Wabbit --oaa 3", 30)):
        ratios = ", ".join(
            f"{n} {speeds[n] / speeds[peer]:.0f}x" for n in ("ollgc", "sslgc", "mixture")
        )
        print(f"over {peer}: {ratios} (target {target}x)")
    profile(rows, labels, order)
    d, n, k = rows.shape[1], len(labels), 3
    print(f"memory: rows {n * d * 8 / 1e6:.1f} MB + {k} matrices {k * d * d * 8 / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
