"""Yang 2018: Table 1 beside our own runs, Figures 1 and 2, and rounds a second against numpy.

``python -m bench.yang2018 [--graphs cora pubmed] [--shuffles N] [--figures bench/out]``
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

from lapwing import data, make, play
from lapwing.catalog.adaptive import YANG_ROWS
from lapwing.catalog.protocols import PROTOCOLS
from lapwing.embed import laplacian
from lapwing.figures import saved, yang2018
from lapwing.play import shuffled

PAPER = {
    "coauthor": {
        "gpa-multiclass": (54.74, 3422),
        "msg": (29.53, 1774),
        "oslg": (31.02, 2123),
        "molg-f": (27.86, 1739),
        "confidit": (39.18, 1711),
        "oslg-bandit": (33.81, 1711),
        "molg-b": (32.45, 1122),
    },
    "cora": {
        "gpa-multiclass": (58.49, 4970),
        "msg": (18.95, 3811),
        "oslg": (20.77, 3613),
        "molg-f": (18.16, 2630),
        "confidit": (41.49, 2485),
        "oslg-bandit": (28.56, 2485),
        "molg-b": (23.87, 1364),
    },
    "pubmed": {
        "gpa-multiclass": (57.95, 39434),
        "msg": (22.64, 27336),
        "oslg": (25.51, 15087),
        "molg-f": (20.96, 17198),
        "confidit": (24.53, 19717),
        "oslg-bandit": (21.07, 19717),
        "molg-b": (20.74, 13633),
    },
    "movies": {},
}
"""Error in % and updates of Table 1; its row Banditron is the better of Confidit and SOBA."""
SHUFFLES = {"pubmed": 10, "movies": 5}
ONE_HOT = {"coding": "one-hot"}
ROWS = (
    ("gpa-multiclass", {}),
    ("msg", {}),
    ("oslg", {}),
    ("molg-f", {}),
    ("molg-f", ONE_HOT),
    ("banditron", {}),
    ("confidit", {}),
    ("soba", {}),
    ("oslg-bandit", {}),
    ("linucb", {}),
    ("thompson", {}),
    ("molg-b", {}),
)
PHIS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
RANKS = (10, 100, 250, 500, 750, 1000)


def settings_of(name: str, found) -> dict:
    """What the protocol sets for a learner on rows."""
    wanted = PROTOCOLS["yang2018"].parameters_for(name, found.graph.n_nodes)
    return {key: value for key, value in wanted.items() if key not in YANG_ROWS}


def games(found, name: str, shuffles: int, rows, **changes):
    """Summaries over shuffles, each with its own order and seed."""
    settings = settings_of(name, found) | changes
    seeded = name not in ("gpa-multiclass", "oslg", "molg-f")
    for seed in range(shuffles):
        own = settings | ({"seed": seed} if seeded else {})
        learner = make(name, rows, n_classes=found.n_classes, **own)
        yield play(learner, shuffled(len(rows), seed), found.labels).summary()


def table(found, shuffles: int) -> None:
    rows = laplacian(found.graph, **YANG_ROWS)
    print(f"\n{found.name}: {len(rows):,} nodes, {found.n_classes} classes, {shuffles} shuffles")
    print(f"{'':22s} {'error %':>16s} {'paper':>8s} {'updates':>9s} {'paper':>8s} {'k/s':>7s}")
    for name, changes in ROWS:
        count = min(shuffles, 3) if name == "soba" else shuffles
        played = list(games(found, name, count, rows, **changes))
        errors = [100 * each.error for each in played]
        paper = PAPER[found.name].get(name, ("", "")) if not changes else ("", "")
        speed = np.median([each.rounds / each.seconds for each in played[1:] or played]) / 1e3
        title = " ".join([name, *map(str, changes.values())])
        print(
            f"{title:22s} {np.mean(errors):8.2f} +- {np.std(errors):4.2f} {paper[0]:>8} "
            f"{np.mean([each.updates for each in played]):9.0f} {paper[1]:>8} {speed:7.0f}",
            flush=True,
        )


def figure_1(sets, shuffles: int, folder: Path) -> None:
    """Error against the share of rounds that taught, over phi."""
    curves = {}
    for found in sets:
        rows = laplacian(found.graph, **YANG_ROWS)
        curves[found.name] = {}
        for title, fixed in (("molg-f", {}), ("molg-f", ONE_HOT), ("msg", {}), ("oslg", {})):
            points = []
            for phi in PHIS if title != "oslg" else (None,):
                changes = fixed if phi is None else fixed | {"phi": phi}
                played = list(games(found, title, shuffles, rows, **changes))
                vectors = found.n_classes if title == "oslg" or fixed else 2
                ratio = np.mean([each.updates / vectors / each.rounds for each in played])
                points.append((ratio, 100 * np.mean([each.error for each in played])))
            name = " ".join([title, *fixed.values()])
            curves[found.name][name] = tuple(map(np.array, zip(*points, strict=True)))
            print(
                found.name,
                name,
                [(round(float(a), 3), round(float(b), 2)) for a, b in points],
                flush=True,
            )
    print(saved(yang2018.update_ratio(curves), folder / "yang2018-figure1.png"))


def figure_2(sets, shuffles: int, folder: Path) -> None:
    """Error and updates against the rank."""
    results = {}
    for found in sets:
        results[found.name] = {}
        for rank in RANKS:
            rows = laplacian(found.graph, **(YANG_ROWS | {"rank": rank}))
            for name in ("oslg", "molg-f", "oslg-bandit", "molg-b"):
                played = list(games(found, name, shuffles, rows))
                point = (
                    rank,
                    100 * np.mean([each.error for each in played]),
                    np.mean([each.updates for each in played]),
                )
                results[found.name].setdefault(name, []).append(point)
                print(f"{found.name} d={rank} {name} {point[1]:.2f} % {point[2]:.0f}", flush=True)
    drawn = {
        graph: {
            name: tuple(map(np.array, zip(*points, strict=True))) for name, points in by.items()
        }
        for graph, by in results.items()
    }
    print(saved(yang2018.rank(drawn), folder / "yang2018-figure2.png"))


def numpy_molg_f(rows, order, labels, k, b, phi):
    """Algorithm 1 in plain numpy: what one would write without a compiler."""
    inverse, weights = np.eye(rows.shape[1]) / b, np.zeros((k, rows.shape[1]))
    errors = 0
    for node in order:
        x, y = rows[node], labels[node]
        v = inverse @ x
        q = x @ v
        s = weights @ x
        f = (1 - q) * s
        wrong = np.argmax(f) != y
        errors += wrong
        lead = f[y]
        f[y] = -np.inf
        rival = np.argmax(f)
        if wrong or lead - f[rival] < phi * q / (2 * (1 - q)):
            step = -s
            step[y] += 1
            step[rival] -= 1
            weights += np.outer(step, v)
            inverse -= np.outer(v, v)
    return errors


def numpy_molg_b(rows, order, labels, k, b, phi, exploration):
    """Algorithm 2 in plain numpy."""
    d = rows.shape[1]
    inverses, weights = np.repeat(np.eye(d)[None] / b, k, axis=0), np.zeros((k, d))
    errors = 0
    for node in order:
        x = rows[node]
        v = inverses @ x
        q = v @ x
        s = weights @ x
        f, sigma = (1 - q) * s, q / (2 * (1 - q))
        guess = np.argmax(f + exploration * np.sqrt(sigma))
        right = guess == labels[node]
        errors += not right
        if not right or f[guess] < phi * sigma[guess]:
            weights[guess] += v[guess] * ((1 if right else -1) - s[guess])
            inverses[guess] -= np.outer(v[guess], v[guess])
    return errors


def speed(found) -> None:
    """Rounds a second of processor time, compiled and in plain numpy, each at its best."""
    rows, labels = laplacian(found.graph, **YANG_ROWS), np.asarray(found.labels)
    order, k = shuffled(len(rows), 0), found.n_classes
    b = settings_of("molg-f", found)["b"]
    plain = {
        "molg-f": lambda: numpy_molg_f(rows, order, labels, k, b, 10.0),
        "molg-b": lambda: numpy_molg_b(rows, order, labels, k, b, 10.0, 0.05),
    }
    for name, run in plain.items():
        wrong = {}

        def ours(name=name, wrong=wrong) -> float:
            learner = make(name, rows, n_classes=k, **settings_of(name, found))
            start = time.process_time()
            trace = learner.stream(order, labels[order])
            spent = time.process_time() - start
            wrong["lapwing"] = (trace.guesses != labels[order]).mean()
            return spent

        def theirs(run=run, wrong=wrong) -> float:
            start = time.process_time()
            wrong["numpy"] = run() / len(order)
            return time.process_time() - start

        fast, slow = best_time(ours), best_time(theirs)
        print(
            f"{found.name} {name}: {len(order) / fast / 1e3:.0f}k rounds/CPU s "
            f"({100 * wrong['lapwing']:.2f} %), numpy {len(order) / slow / 1e3:.1f}k "
            f"({100 * wrong['numpy']:.2f} %), {slow / fast:.1f} times",
            flush=True,
        )


def best_time(run, *, seconds: float = 4.0) -> float:
    """The least time of a run, over as many as fit, at least three."""
    times, start = [], time.perf_counter()
    while len(times) < 3 or time.perf_counter() - start < seconds:
        times.append(run())
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graphs", nargs="+", default=["cora", "coauthor", "pubmed", "movies"])
    parser.add_argument("--shuffles", type=int, help="20; 10 on PubMed, 5 on movies")
    parser.add_argument("--figures", type=Path, help="draw Figures 1 and 2 into this folder")
    parser.add_argument("--ranks-of", nargs="+", default=["coauthor", "cora"])
    parser.add_argument("--skip-table", action="store_true")
    given = parser.parse_args()
    named = {
        name: data.load(name).largest_component()
        for name in dict.fromkeys([*given.graphs, *(given.ranks_of if given.figures else [])])
        if data.is_present(name) or print(f"{name}: files are not here, left out")
    }
    sets = [named[name] for name in given.graphs if name in named]
    for found in sets:
        if not given.skip_table:
            table(found, given.shuffles or SHUFFLES.get(found.name, 20))
        speed(found)
    if given.figures:
        figure_1(sets, given.shuffles or 5, given.figures)
        few = [named[name] for name in given.ranks_of if name in named]
        figure_2(few, given.shuffles or 3, given.figures)


if __name__ == "__main__":
    main()
