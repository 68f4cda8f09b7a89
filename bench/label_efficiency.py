"""Error against distinct labels: SSLGC and random sampling, learning from mistakes or every label.

``python -m bench.label_efficiency [--shuffles 5] [--data cora pubmed] [--out bench/out]``

The error is the mean one-vs-rest error of Gu 2013 over the whole stream. A curve runs over kappa
(SSLGC, mixture) or over the probability p (random); a label costs the same for every learner, so
the axis counts distinct nodes.
"""

from __future__ import annotations

import argparse
from itertools import pairwise
from pathlib import Path

import numpy as np

from lapwing import data
from lapwing.catalog import Experiment, protocol
from lapwing.figures.style import PALETTE, new_figure, saved
from lapwing.metrics import spread

GU2013 = protocol("gu2013")
KAPPAS = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8)
SHARES = (0.01, 0.02, 0.04, 0.08, 0.15, 0.3, 0.5, 0.8, 1.0)
MUS = {"cora": (1.0, 1e-3), "pubmed": (1e-3, 1e-5)}
"""Penalty when learning from mistakes (the paper's, tuned) and from every label."""


def measured(found, learner: str, shuffles: int, **parameters) -> tuple[float, float, float]:
    """Distinct labels, binary error, arg-max error."""
    wanted = {name: GU2013.parameters[name] for name in ("rank", "bias")} | parameters
    games = Experiment(
        learner,
        found.graph,
        np.asarray(found.labels),
        n_classes=found.n_classes,
        parameters=wanted,
        shuffles=shuffles,
    ).games()
    numbers = spread([game.summary() for game in games])
    return tuple(numbers[name]["mean"] for name in ("distinct_queries", "binary_error", "error"))


def curves(found, name: str, shuffles: int) -> dict[str, list[tuple[float, float, float]]]:
    slow, fast = MUS.get(name, (1.0, 1e-4))
    mistakes, every = {"every_label": False, "mu": slow}, {"every_label": True, "mu": fast}
    lines: dict[str, list[tuple[float, float, float]]] = {}
    for title, own in (("mistakes", mistakes), ("every label", every)):
        lines[f"SSLGC, {title}"] = [
            measured(found, "sslgc", shuffles, kappa=kappa, **own) for kappa in KAPPAS
        ]
        lines[f"random, {title}"] = [
            measured(found, "random-ollgc", shuffles, p=p, **own) for p in SHARES
        ]
    lines["selective mixture"] = [
        measured(found, "selective-mixture", min(shuffles, 2), kappa=kappa) for kappa in KAPPAS
    ]
    return lines


def labels_needed(line: list[tuple[float, float, float]], error: float) -> float | None:
    """Fewest distinct labels, between the points measured, that reach an error."""
    points = sorted(line)
    for (x0, y0, _), (x1, y1, _) in pairwise(points):
        if y0 <= error:
            return x0
        if y1 <= error:
            return x0 + (x1 - x0) * (y0 - error) / (y0 - y1)
    return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shuffles", type=int, default=5)
    parser.add_argument("--data", nargs="+", default=["cora", "pubmed"])
    parser.add_argument("--out", type=Path, default=Path("bench/out"))
    wanted = parser.parse_args()
    figure, axes = new_figure(columns=len(wanted.data))
    for ax, name in zip(axes.flat, wanted.data, strict=True):
        found = data.load(name).largest_component()
        lines = curves(found, name, wanted.shuffles)
        mu = MUS.get(name, (1.0, 1e-4))[0]
        paper = measured(found, "sslgc", wanted.shuffles, kappa=0.4, mu=mu, every_label=False)
        print(f"\n{name}: the paper's SSLGC has {paper[1]:.4f} with {paper[0]:,.0f} distinct nodes")
        print(f"{'':24} {'needed for that error':>22} {'share':>6}   distinct: binary error, ...")
        for colour, (title, line) in zip(PALETTE, lines.items(), strict=False):
            needed = labels_needed(line, paper[1])
            share = "never" if needed is None else f"{needed / paper[0]:.0%}"
            points = "  ".join(f"{x:,.0f}: {y:.4f}" for x, y, _ in sorted(line))
            print(
                f"{title:24} {'' if needed is None else f'{needed:,.0f}':>22} {share:>6}   {points}"
            )
            xs, ys, _ = np.array(sorted(line)).T
            dashes = "--" if "random" in title else "-"
            ax.plot(
                xs, ys, dashes, color=colour, marker=".", markersize=4, linewidth=1.2, label=title
            )
        ax.plot(paper[0], paper[1], "k*", label="SSLGC as in the paper")
        ax.set_xscale("log")
        ax.set_title(name, fontsize=10, loc="left")
        ax.set_xlabel("distinct labels", fontsize=9)
    axes.flat[0].set_ylabel("binary error", fontsize=9)
    axes.flat[0].legend(fontsize=7, frameon=False)
    print(f"\nwrote {saved(figure, wanted.out / 'label_efficiency.png')}")


if __name__ == "__main__":
    main()
