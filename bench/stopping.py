"""Does "stop: with 95% confidence the error is below 10%" hold? Simulated sessions count how often.

Each session asks a simulated person about a graph of blocks (drawn anew, from clear to muddled)
until the advice is to stop; the claim is then held against the true error on the nodes not asked.

``python -m bench.stopping [--sessions 200] [--target 0.1]``
"""

from __future__ import annotations

import argparse

import numpy as np

from lapwing import data, make
from lapwing.active import UncertainReach
from lapwing.session import Session, Store


def stopped(seed: int, target: float) -> tuple[bool, float, int]:
    """Whether the advice came, the true error then, and the labels it took."""
    muddle = (0.002, 0.01, 0.02, 0.03)[seed % 4]
    found = data.stochastic_block_model(
        sizes=(120, 100, 80), within=0.12, between=muddle, seed=seed
    )
    graph, labels = found.graph, np.asarray(found.labels)
    with Store("sqlite://") as store:
        session = Session.create(
            store, "s", graph, header={"seed": seed},
            make_learner=lambda: make("push-lgc", graph),
            make_strategy=lambda known: UncertainReach(graph, known),
        )  # fmt: skip
        while (question := session.ask()) is not None:
            session.tell(question.node, str(labels[question.node]))
            if session.error_estimate().below(target):
                break
        rest = np.flatnonzero(session.labels == -1)
        numbers = np.array([int(name) for name in session.classes] + [-1])
        wrong = numbers[session.learner.predict(rest)] != labels[rest]
        advised = session.error_estimate().below(target)
    return advised, float(wrong.mean()) if len(rest) else 0.0, graph.n_nodes - len(rest)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--target", type=float, default=0.1)
    chosen = parser.parse_args()
    runs = [stopped(seed, chosen.target) for seed in range(chosen.sessions)]
    advised = [(error, labels) for stop, error, labels in runs if stop]
    kept = sum(error < chosen.target for error, _ in advised)
    print(f"{len(runs)} sessions, {len(advised)} were advised to stop before every node was asked")
    if advised:
        errors, labels = np.array(advised).T
        print(f"the claim held in {kept} of them ({kept / len(advised):.1%})")
        print(f"true error when stopped: mean {errors.mean():.1%}, most {errors.max():.1%}")
        print(f"labels when stopped: median {np.median(labels):.0f} of 300")


if __name__ == "__main__":
    main()
