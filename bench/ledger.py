"""Runs that are kept one by one, so that a benchmark can be stopped and go on later."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.active.runs import stored

Run = dict[str, Any]


class Ledger:
    """The runs of a benchmark in a file of JSON Lines, each written as soon as it is done.

    `names` are the entries that tell one run from another, the last of them the seed. Several
    processes can share a file if each has a part of the seeds: part k of n has those with remainder
    k. Nothing is run after `minutes`.
    """

    def __init__(self, path: Path, names: tuple[str, ...], chosen: Namespace) -> None:
        self.path, self.names = path, names
        share, parts = (int(number) for number in chosen.part.split("/"))
        self._mine: Callable[[int], bool] = lambda seed: seed % parts == share
        self._end = time.monotonic() + (0.0 if chosen.report else 60.0 * chosen.minutes)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._known = {tuple(run[name] for name in names) for run in self.runs()}

    def runs(self) -> list[Run]:
        """All runs that were kept."""
        return stored(self.path)

    def keep(self, key: tuple[Any, ...], made: Callable[[], Run]) -> None:
        """Do a run and keep its line, unless it is known, another part's, or it is too late."""
        if key in self._known or not self._mine(key[-1]) or time.monotonic() >= self._end:
            return
        line = made()
        with self.path.open("a") as file:
            file.write(json.dumps(line) + "\n")
        print(line, flush=True)


def with_ledger(parser: ArgumentParser) -> ArgumentParser:
    """Add the options of a ledger to a benchmark's."""
    parser.add_argument("--part", default="0/1", metavar="K/N", help="Seeds with this remainder.")
    parser.add_argument("--minutes", type=float, default=1e9, help="Stop after so many minutes.")
    parser.add_argument("--report", action="store_true", help="Only write the page.")
    return parser
