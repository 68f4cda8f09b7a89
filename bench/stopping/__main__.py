"""How many labels until a target error is proven, and is the claim true?

Every run is kept in bench/out as soon as it is done; a second start goes on.

``python -m bench.stopping [--seeds 200] [--few 10] [--minutes 9] [--report]``
"""

from __future__ import annotations

import argparse
import time
import warnings
from functools import partial
from pathlib import Path

from bench.active.runs import stored
from bench.goals.__main__ import kept
from bench.pictures import RESULTS, drawn
from bench.stopping import sessions, streams
from bench.stopping.page import page

SESSIONS, STREAMS = Path("bench/out/stopping.jsonl"), Path("bench/out/stopping-streams.jsonl")
NOW = (("hubs", "pool"), ("digits", "pool"), ("cora", "pool"))
OTHER = (("hubs", "near-far"), ("digits", "near-far"), ("cora", "near-far"))
SLOW = (("pubmed", "pool"), ("usps", "pool"), ("pubmed", "near-far"), ("usps", "near-far"))
FIRST_STREAM = 1000
"""The seed of the first stream; no setting was chosen with streams from here on."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200, help="Sessions with a target.")
    parser.add_argument("--few", type=int, default=10, help="Sessions on large graphs, and before.")
    parser.add_argument("--streams", type=int, default=400)
    parser.add_argument("--only", nargs="*", help="Graphs to run sessions on.")
    parser.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    parser.add_argument("--report", action="store_true", help="Only write the page.")
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")
    SESSIONS.parent.mkdir(parents=True, exist_ok=True)
    end = time.monotonic() + (0 if chosen.report else 60 * chosen.minutes)
    done = {(r["target"], r["seed"]) for r in stored(STREAMS)}
    for seed in range(FIRST_STREAM, FIRST_STREAM + chosen.streams):
        for target in streams.TARGETS:
            if (target, seed) not in done and time.monotonic() < end:
                kept(STREAMS, partial(streams.stream, target, seed))
    known = {(r["graph"], r["learner"], r["rule"], r["seed"]) for r in stored(SESSIONS)}
    for seed in range(chosen.seeds):
        wanted = [(*each, "planned") for each in NOW]
        if seed < chosen.few:
            wanted += [(*each, "planned") for each in (*OTHER, *SLOW)]
            wanted += [(*each, "share") for each in (*NOW, *OTHER, *SLOW)]
        for run in wanted:
            skipped = (*run, seed) in known or (chosen.only and run[0] not in chosen.only)
            if not skipped and time.monotonic() < end:
                kept(SESSIONS, partial(sessions.stopped, *run, seed))
    place = RESULTS / "stopping.md"
    before = place.read_text(encoding="utf-8") if place.is_file() else ""
    text = page(stored(SESSIONS), stored(STREAMS), before)
    place.write_text(text, encoding="utf-8")
    drawn("stopping")
    print(text)


if __name__ == "__main__":
    main()
