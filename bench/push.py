"""The default learner measured: errors, queries, one bit, confidence, speed, a million nodes.

``python -m bench.push [STUDY ...] --shuffles 20 --pubmed-shuffles 3``: errors, queries, fewer,
asking, second-order, one-bit, confidence, speed, edges, million; without names, all of it. Every
learner sees the same orders: shuffle s is numpy's default_rng(s).
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
from river import active, linear_model, multiclass, preprocessing

from bench.throughput import river_one_vs_rest, timed, vowpal_wabbit, vowpal_wabbit_on_text
from lapwing import Graph, data, make, play
from lapwing.embed import laplacian
from lapwing.metrics import calibration_error

SMALL = ("cora", "coauthor", "citeseer")
LARGE = ("pubmed", "usps", "movies")
LOW_RANK = ("mixture", "ollgc-every-label", "molg-f", "oslg")
BUDGETS = {
    "cora": (137, 180, 260, 363),
    "pubmed": (300, 750, 1330, 2823),
    "coauthor": (100, 300),
    "citeseer": (150, 400),
    "usps": (100, 300),
    "movies": (500, 1500),
}


def loaded(name: str):
    found = data.load(name)
    return found if name == "citeseer" else found.largest_component()


def orders(found, shuffles: int):
    return [np.random.default_rng(s).permutation(found.graph.n_nodes) for s in range(shuffles)]


def streamed(found, name: str, shuffles: int, *, always: bool = False, **parameters):
    """Mean and sd of the arg-max error, mean distinct queries, rounds per second (CPU)."""
    errors, asked, spent = [], [], 0.0
    labels = np.asarray(found.labels)
    for order in orders(found, shuffles):
        learner = make(name, found.graph, n_classes=found.n_classes, **parameters)
        start = time.process_time()
        trace = learner.stream(order, labels[order], always=always)
        spent += time.process_time() - start
        errors.append(np.mean(trace.guesses != labels[order]))
        asked.append(trace.queried.sum())
    rate = shuffles * found.graph.n_nodes / spent
    return float(np.mean(errors)), float(np.std(errors)), float(np.mean(asked)), rate


def row(name: str, result) -> str:
    error, sd, asked, rate = result
    return f"  {name:34} {error:.4f} +- {sd:.4f}  labels {asked:7.0f}  {rate:9,.0f} rounds/s"


def errors(shuffles: Callable[[str], int]) -> None:
    for name in SMALL + LARGE:
        count = shuffles(name)
        if not count:
            continue
        found = loaded(name)
        print(f"\n{name}: every label, {count} shuffles, arg-max error")
        for learner, own in (
            ("auto", {}), ("auto", {"rank": 100}), ("push-ridge", {}), ("push-lgc", {}),
            *((low, {}) for low in LOW_RANK),
        ):  # fmt: skip
            always = learner in LOW_RANK
            title = f"{learner} rank 100" if own else learner
            print(row(title, streamed(found, learner, count, always=always, **own)), flush=True)


def queries(shuffles: Callable[[str], int]) -> None:
    for name, budgets in BUDGETS.items():
        if not shuffles(name):
            continue
        found, count = loaded(name), shuffles(name)
        print(f"\n{name}: labels on query, {count} shuffles, arg-max error over the whole stream")
        for budget in budgets:
            for learner in ("auto", "push-ridge", "push-lgc"):
                result = streamed(found, learner, count, budget=budget)
                print(row(f"{learner} budget {budget}", result), flush=True)
            print(row("random, push-ridge", at_random(found, budget, count)), flush=True)
        for kappa in (0.05, 0.1, 0.2, 0.4):
            result = streamed(found, "sslgc-every-label", count, kappa=kappa)
            print(row(f"sslgc kappa {kappa}", result), flush=True)
        if name in ("cora", "pubmed"):
            for entropy in (0.02, 0.1, 0.5):
                print(row(f"river entropy sampler {entropy}", river_sampler(found, entropy)))


def at_random(found, budget: int, shuffles: int):
    """The same learner told a random sample of the nodes of a stream."""
    labels, errors, spent = np.asarray(found.labels), [], 0.0
    n = found.graph.n_nodes
    for s, order in enumerate(orders(found, shuffles)):
        told = np.zeros(n, dtype=bool)
        told[np.random.default_rng(1000 + s).permutation(n)[:budget]] = True
        learner = make("push-ridge", found.graph, n_classes=found.n_classes)
        wrong, start = 0, time.process_time()
        for node in order.tolist():
            wrong += int(learner.predict(node)) != labels[node]
            learner.learn(node, int(labels[node]) if told[node] else None)
        spent += time.process_time() - start
        errors.append(wrong / n)
    return float(np.mean(errors)), float(np.std(errors)), budget, shuffles * n / spent


def river_sampler(found, discount: float):
    """river's entropy sampler on one-vs-rest logistic regression, on the rank-100 rows."""
    rows = laplacian(found.graph, rank=100, bias=2.0)
    labels = np.asarray(found.labels)
    model = preprocessing.StandardScaler() | active.EntropySampler(
        multiclass.OneVsRestClassifier(linear_model.LogisticRegression()),
        discount_factor=discount,
        seed=0,
    )
    wrong, asked, start = 0, 0, time.process_time()
    for t, node in enumerate(orders(found, 1)[0].tolist()):
        x = dict(enumerate(rows[node].tolist()))
        guess, wants = model.predict_one(x)
        wrong += guess != labels[node]
        if wants or t < found.n_classes * 5:  # from a cold start it never asks
            model.learn_one(x, int(labels[node]))
            asked += 1
    spent = time.process_time() - start
    return wrong / len(labels), 0.0, asked, len(labels) / spent


def fewer(shuffles: Callable[[str], int]) -> None:
    """How few labels the default needs for the error of SSLGC as its paper runs it."""
    for name, mu, budgets in (("cora", 1.0, (40, 60, 80, 100)), ("pubmed", 1e-3, (100, 200, 300))):
        found, count = loaded(name), min(shuffles(name), 10)
        print(f"\n{name}: SSLGC of the paper (kappa .4, from mistakes), {count} shuffles")
        paper = {"kappa": 0.4, "mu": mu, "every_label": False, "rank": 100, "bias": 2.0}
        print(row("sslgc", streamed(found, "sslgc", count, **paper)), flush=True)
        for budget in budgets:
            result = streamed(found, "auto", count, budget=budget)
            print(row(f"auto budget {budget}", result), flush=True)


def asking(shuffles: Callable[[str], int]) -> None:
    print("\nkeeping to a target error of the answers given without asking (auto)")
    for name in SMALL + LARGE:
        found = loaded(name)
        labels = np.asarray(found.labels)
        for target in (0.05, 0.1, 0.2, 0.3):
            order = orders(found, 1)[0]
            learner = make("auto", found.graph, n_classes=found.n_classes, target_error=target)
            trace = learner.stream(order, labels[order])
            free = ~trace.queried
            kept = np.mean(trace.guesses[free] != labels[order][free]) if free.any() else 0.0
            print(
                f"  {name:9} target {target:.2f}  unasked error {kept:.3f}  "
                f"labels {trace.queried.sum():6d} of {len(labels)}",
                flush=True,
            )
    print("\nGu 2013's t^-kappa on the diffusion (push-ridge)")
    for name in ("cora", "pubmed"):
        for kappa in (0.1, 0.2, 0.3, 0.4):
            result = streamed(loaded(name), "push-ridge", shuffles(name), kappa=kappa)
            print(row(f"{name} kappa {kappa}", result), flush=True)


def second_order(shuffles: Callable[[str], int]) -> None:
    """What second order buys and costs, at one alpha and tolerance; and knowing class shares."""
    for name in SMALL + LARGE:
        found, count = loaded(name), min(shuffles(name), 5)
        print(f"\n{name}: first and second order at alpha .9, {count} shuffles")
        for learner in ("push-lgc", "push-ridge"):
            print(row(learner, streamed(found, learner, count, alpha=0.9)), flush=True)
    print("\nclass shares known, 5 labels per class, error on the rest (push-lgc, alpha .9)")
    for name in ("cora", "coauthor", "movies"):
        found = loaded(name)
        labels, sizes = np.asarray(found.labels), found.class_sizes()
        for prior in (None, sizes / sizes.sum()):
            wrong = []
            for s in range(5):
                rng = np.random.default_rng(s)
                told = np.concatenate(
                    [rng.permutation(np.flatnonzero(labels == k))[:5] for k in range(len(sizes))]
                )
                learner = make("push-lgc", found.graph, class_prior=prior).fit(told, labels[told])
                rest = np.setdiff1d(np.arange(len(labels)), told)
                wrong.append(np.mean(learner.predict(rest) != labels[rest]))
            print(
                f"  {name:9} {'given' if prior is not None else 'not given':9} {np.mean(wrong):.4f}"
            )


def one_bit(shuffles: Callable[[str], int]) -> None:
    for name in ("cora", "pubmed", "coauthor", "citeseer", "usps", "movies"):
        found, count = loaded(name), min(shuffles(name), 5)
        labels = np.asarray(found.labels)
        print(f"\n{name}: one bit per round, {count} shuffles")
        for learner in ("push-bandit", "molg-b", "linucb"):
            wrong, spent = [], 0.0
            for order in orders(found, count):
                bandit = make(learner, found.graph, n_classes=found.n_classes)
                start = time.process_time()
                wrong.append(np.mean(bandit.stream(order, labels[order]).guesses != labels[order]))
                spent += time.process_time() - start
            print(
                f"  {learner:12} {np.mean(wrong):.4f} +- {np.std(wrong):.4f}  "
                f"{count * len(labels) / spent:9,.0f} rounds/s",
                flush=True,
            )


def confidence(_shuffles: Callable[[str], int]) -> None:
    print(
        "\ncalibration error in points over one stream from zero labels (every label; budget 10 %)"
    )
    for name in SMALL + LARGE:
        found = loaded(name)
        labels, order = np.asarray(found.labels), orders(found, 1)[0]
        for learner in ("auto", "push-ridge", "push-lgc"):
            numbers = []
            for budget in (None, found.graph.n_nodes // 10):
                model = make(learner, found.graph, n_classes=found.n_classes, budget=budget)
                chances = np.zeros((len(order), found.n_classes))
                for t, node in enumerate(order.tolist()):
                    chances[t] = model.predict_proba(node)
                    model.learn(node, int(labels[node]) if model.queries(node) else None)
                known = chances.any(axis=1)
                numbers.append(100 * calibration_error(chances[known], labels[order][known]))
            print(f"  {name:9} {learner:11} {numbers[0]:5.1f} {numbers[1]:5.1f}", flush=True)


def speed(_: Callable[[str], int]) -> None:
    """Every label learned, PubMed, one run; peers on the rank-100 rows, made beforehand."""
    found = loaded("pubmed")
    labels, order = np.asarray(found.labels), orders(found, 1)[0]
    rows = laplacian(found.graph, rank=100, normalized=True, unit_rows=True)
    print("\nPubMed, every label learned: error and rounds per second (wall clock, best of 3)")
    for learner in ("push-ridge", "push-lgc", "auto"):

        def ours(_, labels, order, learner=learner):
            return play(make(learner, found.graph), order, labels).summary().error

        ours(rows, labels, order[:10])
        error, rate = timed(ours, rows, labels, order, 3)
        print(f"  {learner:34} {error:.4f}  {rate:10,.0f}", flush=True)
    for title, run in (
        ("river one-vs-rest logistic", river_one_vs_rest),
        ("Vowpal Wabbit --oaa", vowpal_wabbit),
        ("Vowpal Wabbit --oaa, ready lines", vowpal_wabbit_on_text),
    ):
        error, rate = timed(run, rows, labels, order, 1)
        print(f"  {title:34} {error:.4f}  {rate:10,.0f}", flush=True)


def edges(_: Callable[[str], int]) -> None:
    """The last half of PubMed's edges, one by one, while all labels stream."""
    found = loaded("pubmed")
    labels, rng = np.asarray(found.labels), np.random.default_rng(0)
    sources, targets, weights = found.graph.edges()
    mixed = rng.permutation(len(sources))
    early, late = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
    half = Graph.from_edges(
        np.stack([sources[early], targets[early]], axis=1), names=range(len(labels))
    )
    for learner in ("push-ridge", "push-lgc", "auto"):
        grown, whole = make(learner, half, n_classes=3), make(learner, found.graph, n_classes=3)
        order, spent = rng.permutation(len(labels)), 0.0
        for nodes, some in zip(np.array_split(order, 50), np.array_split(late, 50), strict=True):
            grown.stream(nodes, labels[nodes], always=True)
            start = time.process_time()
            for e in some.tolist():
                grown.add_edge(int(sources[e]), int(targets[e]), float(weights[e]))
            spent += time.process_time() - start
        whole.stream(order, labels[order], always=True)
        every = np.arange(len(labels))
        apart = max(
            np.abs(grown.state.of(every, m) - whole.state.of(every, m)).max()
            for m in range(len(grown.members))
        )
        bound = grown.residual_bound() + whole.residual_bound()
        same = np.mean(grown.predict(every) == whole.predict(every))
        print(
            f"  {learner:11} furthest score {apart:.4f}, bound {bound:.4f}, "
            f"same answers {same:.4f}, "
            f"{1e6 * spent / len(late):.0f} us an edge",
            flush=True,
        )


def million(_: Callable[[str], int]) -> None:
    found = data.planted_partition(n=1_000_000, communities=(80_000, 120_000), seed=0)
    print(f"\n{found}")
    labels, order = np.asarray(found.labels), orders(found, 1)[0]
    for learner in ("push-ridge", "push-lgc", "auto"):
        warm = make(learner, data.karate().graph, n_classes=2)
        warm.predict(0), warm.learn(0, 0)
        start = time.perf_counter()
        model = make(learner, found.graph, n_classes=found.n_classes)
        model.predict(int(order[0]))
        first = time.perf_counter() - start
        spent, wrong = [], 0
        for node in order[:5000].tolist():
            wrong += int(model.predict(node)) != labels[node]
            start = time.perf_counter()
            model.learn(node, int(labels[node]))
            spent.append(time.perf_counter() - start)
        ms = 1e3 * np.array(spent)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"  {learner:11} first prediction {first:.2f} s; "
            f"a label: median {np.median(ms):.2f} ms, "
            f"95 % {np.percentile(ms, 95):.2f} ms; error of 5,000 rounds {wrong / 5000:.3f}; "
            f"peak {peak:.1f} GiB with the graph's making",
            flush=True,
        )


STUDIES = {
    "errors": errors,
    "queries": queries,
    "fewer": fewer,
    "asking": asking,
    "second-order": second_order,
    "one-bit": one_bit,
    "confidence": confidence,
    "speed": speed,
    "edges": edges,
    "million": million,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("studies", nargs="*", help=" ".join(STUDIES))
    parser.add_argument("--shuffles", type=int, default=20)
    parser.add_argument("--pubmed-shuffles", type=int, default=3, help="on the large graphs")
    parser.add_argument("--graphs", nargs="+", default=SMALL + LARGE, help="of errors and queries")
    wanted = parser.parse_args()
    unknown = [name for name in wanted.studies if name not in STUDIES]
    if unknown:
        parser.error(f"there is no {unknown[0]}; there are {', '.join(STUDIES)}")

    def shuffles(name: str) -> int:
        if name not in wanted.graphs:
            return 0
        return wanted.pubmed_shuffles if name in LARGE else wanted.shuffles

    for name in wanted.studies or STUDIES:
        print(f"\n== {name}", flush=True)
        STUDIES[name](shuffles)


if __name__ == "__main__":
    main()
