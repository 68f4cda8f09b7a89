"""Finding the nodes of a class, whether claims hold, and what wrong answers cost.

Every run is kept in bench/out as soon as it is done; a second start goes on.

``python -m bench.goals [--seeds 20] [--simulations 200] [--wrong 4] [--only find] [--minutes 7]``
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path

from bench.goals import coverage, finding, wrong_answers
from bench.goals.report import written
from bench.ledger import Ledger, with_ledger

OUT = Path("bench/out")
SECTIONS = ("find", "recall", "wrong")


def main() -> None:
    parser = with_ledger(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--seeds", type=int, default=20, help="Searches of each kind.")
    parser.add_argument("--simulations", type=int, default=200, help="Searches with claims.")
    parser.add_argument("--wrong", type=int, default=4, help="Seeds of sessions, wrong answers.")
    parser.add_argument("--rates", type=float, nargs="*", help="Shares of wrong answers.")
    parser.add_argument("--first", type=int, default=0, help="The first seed.")
    parser.add_argument("--only", nargs="*", default=SECTIONS, choices=SECTIONS)
    parser.add_argument("--graphs", nargs="*", help="Graphs to run on.")
    parser.add_argument("--strategies", nargs="*", default=list(finding.STRATEGIES))
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    runs = Ledger(OUT / "goals.jsonl", ("graph", "size", "strategy", "seed"), chosen)
    claims = Ledger(OUT / "goals-claims.jsonl", ("graph", "size", "seed"), chosen)
    wrong = Ledger(
        OUT / "goals-wrong.jsonl", ("graph", "strategy", "rate", "looks", "seed"), chosen
    )
    for seed in _seeds(chosen, "find", chosen.seeds):
        for pair in finding.PAIRS:
            for strategy in chosen.strategies if _wanted(chosen, pair.graph) else ():
                if finding.fits(strategy, finding.problem(pair)[0]):
                    runs.keep((*pair, strategy, seed), partial(finding.run, pair, strategy, seed))
    for seed in _seeds(chosen, "recall", chosen.simulations):
        for pair in coverage.PAIRS:
            if _wanted(chosen, pair.graph):
                claims.keep((*pair, seed), partial(coverage.simulated, pair, seed))
    for seed in _seeds(chosen, "wrong", chosen.wrong):
        for case in wrong_answers.CASES:
            if _wanted(chosen, case.graph) and (not chosen.rates or case.rate in chosen.rates):
                wrong.keep((*case, seed), partial(wrong_answers.answered, case, seed))
    print(written(runs.runs(), claims.runs(), wrong.runs(), Path("bench/results")))


def _seeds(chosen: argparse.Namespace, section: str, count: int) -> range:
    """The seeds of a section; none if it is left out."""
    return range(chosen.first, chosen.first + count * (section in chosen.only))


def _wanted(chosen: argparse.Namespace, graph: str) -> bool:
    return not chosen.graphs or graph in chosen.graphs


if __name__ == "__main__":
    main()
