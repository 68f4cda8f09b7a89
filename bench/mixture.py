"""The untuned mixture against the best penalty in hindsight, on every data set at hand.

``python -m bench.mixture [--shuffles 3] [--data cora pubmed ...] [--kappa 0.2]``
"""

from __future__ import annotations

import argparse

import numpy as np

from lapwing import data
from lapwing.catalog import Experiment
from lapwing.metrics import spread
from lapwing.play.tuning import GRID

NAMES = ["digits", "coauthor", "citeseer", "cora", "usps", "movies", "pubmed"]


def measured(found, learner: str, shuffles: int, **parameters) -> dict[str, float]:
    experiment = Experiment(
        learner,
        found.graph,
        np.asarray(found.labels),
        n_classes=found.n_classes,
        parameters=parameters,
        shuffles=shuffles,
    )
    numbers = spread([game.summary() for game in experiment.games()])
    return {name: values["mean"] for name, values in numbers.items()}


def compared(found, shuffles: int) -> float:
    grid = [measured(found, "ollgc-every-label", shuffles, mu=mu)["error"] for mu in GRID]
    ours = measured(found, "mixture", shuffles)
    ratio = ours["error"] / min(grid)
    shown = " ".join(f"{error:.4f}" for error in grid)
    speed = len(found.labels) / ours["seconds"]
    print(f"{found.name:9} {shown}   {ours['error']:.4f} {ratio:7.3f} {speed:9,.0f}", flush=True)
    return ratio


def compared_selective(found, shuffles: int, kappa: float) -> None:
    told = []
    for mu in GRID:
        numbers = measured(found, "sslgc-every-label", shuffles, mu=mu, kappa=kappa)
        told.append(f"{numbers['error']:.4f} ({numbers['distinct_queries']:,.0f})")
    ours = measured(found, "selective-mixture", shuffles, kappa=kappa)
    told.append(f"  {ours['error']:.4f} ({ours['distinct_queries']:,.0f})")
    print(f"{found.name:9} {'  '.join(told)}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shuffles", type=int, default=3)
    parser.add_argument("--data", nargs="+", default=NAMES)
    parser.add_argument("--kappa", type=float, default=0.2)
    wanted = parser.parse_args()
    sets = [data.load(name).largest_component() for name in wanted.data]
    print(
        "arg-max error learning from every label, by penalty " + " ".join(f"{mu:g}" for mu in GRID)
    )
    print(f"{'':9} {'ridge regression':34}   {'mixture':7} {'ratio':>6} {'rounds/s':>9}")
    ratios = [compared(found, wanted.shuffles) for found in sets]
    print(f"\nthe same, querying with kappa = {wanted.kappa:g} (distinct labels in brackets)")
    for found in sets:
        compared_selective(found, wanted.shuffles, wanted.kappa)
    return 0 if max(ratios) <= 1.02 else 1


if __name__ == "__main__":
    raise SystemExit(main())
