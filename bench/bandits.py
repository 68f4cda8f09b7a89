"""One-bit feedback on PubMed's stream: lapwing's bandits beside what users would pick.

Every row sees the same rows (eigenvectors 2..100 of the normalised Laplacian, of length 1) in the
same order and is told whether each guess was right. lapwing and Vowpal Wabbit learn after every
guess; contextualbandits and mabwiser do so once, slowly, and once in batches of 100, as their
users would. Vowpal Wabbit reads lines of text: they are made of each row as it comes, as a user
with an array must, and once before the clock starts ("ready lines"). Time is the processor's,
the best of three runs (of one for the slow ones), so that a busy machine tells the same.

``python -m bench.bandits [--graph pubmed] [--rounds N]``
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np

from lapwing import data, make
from lapwing.catalog.families.yang2018 import YANG_ROWS
from lapwing.catalog.protocols import PROTOCOLS
from lapwing.embed import laplacian
from lapwing.optional import need
from lapwing.play import shuffled

Played = tuple[float, float]
"""Error and seconds."""


def ours(name: str, *, paper: bool = True) -> Callable[[np.ndarray, np.ndarray, int], Played]:
    """By the paper's protocol, or as the catalog makes it."""

    def run(rows, labels, k) -> Played:
        wanted = PROTOCOLS["yang2018"].parameters_for(name, len(rows)) if paper else {}
        settings = {key: value for key, value in wanted.items() if key not in YANG_ROWS}
        nodes = np.arange(len(rows))
        make(name, rows, n_classes=k, **settings).stream(nodes[:10], labels[:10])
        learner = make(name, rows, n_classes=k, **settings)
        start = time.process_time()
        trace = learner.stream(nodes, labels)
        return float((trace.guesses != labels).mean()), time.process_time() - start

    return run


def in_batches(predict, learn, rows, labels, k: int, batch: int) -> Played:
    """A hundred random guesses, then guess a batch and learn its bits."""
    rng = np.random.default_rng(0)
    wrong, start = 0, time.process_time()
    for at in range(0, len(rows), batch):
        some, true = rows[at : at + batch], labels[at : at + batch]
        guesses = rng.integers(0, k, len(some)) if at < 100 else np.atleast_1d(predict(some))
        wrong += int((guesses != true).sum())
        learn(some, guesses, (guesses == true).astype(float))
    return wrong / len(rows), time.process_time() - start


def contextualbandits(alpha: float, batch: int):
    def run(rows, labels, k) -> Played:
        online = need("contextualbandits.online", extra="bench")
        model = online.LinUCB(nchoices=k, alpha=alpha, lambda_=1.0, random_state=1)
        return in_batches(model.predict, model.partial_fit, rows, labels, k, batch)

    return run


def mabwiser(alpha: float, batch: int):
    def run(rows, labels, k) -> Played:
        mab = need("mabwiser.mab", extra="bench")
        policy = mab.LearningPolicy.LinUCB(alpha=alpha, l2_lambda=1.0)
        model = mab.MAB(arms=list(range(k)), learning_policy=policy, seed=0)

        def learn(some, guesses, rewards) -> None:
            model.partial_fit(guesses.tolist(), rewards.tolist(), some)

        return in_batches(model.predict, learn, rows, labels, k, batch)

    return run


def line_of(x) -> str:
    return "| " + " ".join([f"{j}:{v:.6g}" for j, v in enumerate(x.tolist())])


def vowpal_wabbit(epsilon: float, *, ready: bool = False):
    def run(rows, labels, k) -> Played:
        vw = need("vowpalwabbit", extra="bench")
        model = vw.Workspace(f"--cb_explore {k} --epsilon {epsilon} --quiet")
        lines = [line_of(x) for x in rows] if ready else map(line_of, rows)
        dice = np.random.default_rng(0).random(len(rows)).tolist()
        wrong, start = 0, time.process_time()
        for line, die, label in zip(lines, dice, labels.tolist(), strict=True):
            chances = model.predict(line)
            guess, total = 0, chances[0]
            while die > total and guess < k - 1:
                guess += 1
                total += chances[guess]
            right = guess == label
            wrong += not right
            model.learn(f"{guess + 1}:{0 if right else 1}:{chances[guess]} {line}")
        spent = time.process_time() - start
        model.finish()
        return wrong / len(rows), spent

    return run


RUNS = {
    "lapwing molg-b, as made": ours("molg-b", paper=False),
    "lapwing molg-b": ours("molg-b"),
    "lapwing oslg-bandit": ours("oslg-bandit"),
    "lapwing confidit": ours("confidit"),
    "lapwing linucb": ours("linucb"),
    "lapwing thompson": ours("thompson"),
    "lapwing soba": ours("soba"),
    "lapwing banditron": ours("banditron"),
    "contextualbandits LinUCB 1.0, by 100": contextualbandits(1.0, 100),
    "contextualbandits LinUCB 0.1, by 100": contextualbandits(0.1, 100),
    "contextualbandits LinUCB 0.1, by 1": contextualbandits(0.1, 1),
    "mabwiser LinUCB 1.0, by 100": mabwiser(1.0, 100),
    "mabwiser LinUCB 0.1, by 100": mabwiser(0.1, 100),
    "mabwiser LinUCB 0.1, by 1": mabwiser(0.1, 1),
    "VW cb_explore .05": vowpal_wabbit(0.05),
    "VW cb_explore .01": vowpal_wabbit(0.01),
    "VW cb_explore .01, ready lines": vowpal_wabbit(0.01, ready=True),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", default="pubmed")
    parser.add_argument("--rounds", type=int, help="the first N rounds only")
    given = parser.parse_args()
    if not data.is_present(given.graph):
        print(f"{given.graph}: files are not here, left out")
        return
    found = data.load(given.graph).largest_component()
    rows = laplacian(found.graph, **YANG_ROWS)
    order = shuffled(len(rows), seed=0)[: given.rounds]
    rows, labels = np.ascontiguousarray(rows[order]), np.asarray(found.labels)[order]
    speeds = {}
    print(f"{found.name}: {len(rows):,} rounds, rows of length {rows.shape[1]}, order of seed 0")
    print(f"{'':38s} {'error %':>8s} {'rounds/CPU s':>13s}")
    for name, run in RUNS.items():
        times = 1 if name.endswith("by 1") else 3
        played = [run(rows, labels, found.n_classes) for _ in range(times)]
        error, seconds = played[0][0], min(seconds for _, seconds in played)
        speeds[name] = len(rows) / seconds
        print(f"{name:38s} {100 * error:8.2f} {speeds[name]:13,.0f}", flush=True)
    for name in speeds:
        if name.startswith("VW"):
            print(f"molg-b / {name}: {speeds['lapwing molg-b'] / speeds[name]:.1f} times as fast")


if __name__ == "__main__":
    main()
