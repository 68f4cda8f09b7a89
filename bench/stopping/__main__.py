"""How many labels until a target error is proven, and is the claim true?

Every run is kept in bench/out as soon as it is done; a second start goes on. Two processes share
the work with ``--part 0/2`` and ``--part 1/2``.

``python -m bench.stopping [--sessions 200] [--few 10] [--graphs cora usps] [--minutes 9]``
"""

from __future__ import annotations

import argparse
import warnings
from functools import partial
from pathlib import Path

from bench.ledger import Ledger, with_ledger
from bench.pictures import RESULTS, drawn
from bench.stopping import sessions, streams
from bench.stopping.page import page

OUT = Path("bench/out")
NOW = (("hubs", "pool"), ("digits", "pool"), ("cora", "pool"), ("odd hubs", "pool"))
OTHER = (("hubs", "near-far"), ("digits", "near-far"), ("cora", "near-far"))
SLOW = (("pubmed", "pool"), ("usps", "pool"), ("pubmed", "near-far"), ("usps", "near-far"))
FIRST_STREAM = 1000
"""The seed of the first stream; no setting was chosen with streams from here on."""


def main() -> None:
    parser = with_ledger(argparse.ArgumentParser(description=__doc__))
    parser.add_argument("--sessions", type=int, default=200, help="Sessions with a target.")
    parser.add_argument("--few", type=int, default=10, help="Sessions on large graphs, and before.")
    parser.add_argument("--first", type=int, default=0, help="The first seed of sessions.")
    parser.add_argument("--streams", type=int, default=400)
    parser.add_argument("--graphs", nargs="*", help="Graphs to run sessions on.")
    parser.add_argument("--learners", nargs="*", default=["pool", "near-far"])
    parser.add_argument("--rules", nargs="*", default=list(sessions.RULES))
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    simulated = Ledger(OUT / "stopping-streams.jsonl", ("target", "seed"), chosen)
    asked = Ledger(OUT / "stopping.jsonl", ("graph", "learner", "rule", "seed"), chosen)
    for seed in range(FIRST_STREAM, FIRST_STREAM + chosen.streams):
        for target in streams.TARGETS:
            simulated.keep((target, seed), partial(streams.stream, target, seed))
    for seed in range(chosen.first, chosen.first + chosen.sessions):
        for run in wanted(chosen, seed < chosen.first + chosen.few):
            asked.keep((*run, seed), partial(sessions.stopped, *run, seed))
    place = RESULTS / "stopping.md"
    before = place.read_text(encoding="utf-8") if place.is_file() else ""
    text = page(asked.runs(), simulated.runs(), before)
    place.write_text(text, encoding="utf-8")
    drawn("stopping")
    print(text)


def wanted(chosen: argparse.Namespace, is_early: bool) -> list[tuple[str, str, str]]:
    """Graph, learner and rule of the sessions of a seed; early seeds also run the slow ones."""
    found = [(*each, "planned") for each in NOW]
    if is_early:
        found += [(*each, "planned") for each in (*OTHER, *SLOW)]
        found += [(*each, "share") for each in (*NOW, *OTHER, *SLOW)]
    return [
        (graph, learner, rule)
        for graph, learner, rule in found
        if (not chosen.graphs or graph in chosen.graphs)
        and learner in chosen.learners
        and rule in chosen.rules
    ]


if __name__ == "__main__":
    main()
