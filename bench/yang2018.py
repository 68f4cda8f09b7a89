"""Rounds per second of MOLG-F and MOLG-B, compiled and as one writes them with numpy.

``python -m bench.yang2018 [--graphs cora pubmed]``; ``lapwing reproduce yang2018/table1`` and its
figures are the paper's results.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from lapwing import data, make
from lapwing.catalog.families.yang2018 import YANG_ROWS
from lapwing.catalog.protocols import PROTOCOLS
from lapwing.embed import laplacian
from lapwing.play import shuffled


def settings_of(name: str, found) -> dict:
    """What the protocol sets for a learner on rows."""
    wanted = PROTOCOLS["yang2018"].parameters_for(name, found.graph.n_nodes)
    return {key: value for key, value in wanted.items() if key not in YANG_ROWS}


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
    """Rounds per second of processor time, compiled and in plain numpy, each at its best."""
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
    for name in parser.parse_args().graphs:
        if data.is_present(name):
            speed(data.load(name).largest_component())
        else:
            print(f"{name}: files are not here, left out")


if __name__ == "__main__":
    main()
