"""All parts on one graph, one process after the other, so that peaks of memory do not add up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from bench.scale.graphs import made
from bench.scale.parts import write_text
from lapwing.io import write_graph

METHODS = ("pagerank", "poisson", "best-evidence")
RIVALS = ("scikit-network diffusion", "GraphLearning Poisson", "igraph label propagation")
PARTS = ("csr", "kernel", "rows", "wide", "online", "growth", *METHODS, *RIVALS)
LARGE, LONG = 2_000_000, 100_000
"""On graphs larger than the first only these parts are measured; rows in the old way up to the
second."""
PARTS_OF_LARGE = ("rows", "wide", "pagerank", "best-evidence", "scikit-network diffusion")


def measure(
    kind: str, n: int, seed: int, labelled: int, folder: Path, only: Sequence[str] | None = None
) -> dict[str, Any]:
    """Everything on one graph, or some parts only."""
    edges = prepared(kind, n, seed, folder)

    def of(part: str) -> Any:
        env = {**os.environ, "LAPWING_CACHE": str(folder / f"cache of {part}")}
        command = [sys.executable, "-m", "bench.scale.parts", part, str(folder)]
        done = subprocess.run(
            [*command, str(seed), str(labelled)], capture_output=True, text=True, env=env,
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{part} on {kind} {n:,}: {done.stderr[-2000:]}")
        print(kind, n, part, done.stdout.splitlines()[-1], file=sys.stderr, flush=True)
        return json.loads(done.stdout.splitlines()[-1])

    usual = [*(PARTS if n <= LARGE else PARTS_OF_LARGE), *more_parts(kind, n)]
    parts = ["reading", "session", *usual] if only is None else list(only)
    told: dict[str, Any] = {"kind": kind, "n": n, "edges": edges, "whole": only is None}
    by_part = {}
    for part in parts:
        by_part[part] = [*of(part), *of(part)] if part == "reading" else of(part)
    if "session" in parts:
        told["session"] = by_part["session"]
        by_part["session"] = told["session"].pop("works")
    return {**told, "parts": _lines(by_part)}


def _lines(by_part: Mapping[str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The lines of all parts, those of our methods once for each rival."""
    found: list[dict[str, Any]] = []
    for part, lines in by_part.items():
        if part in METHODS:
            found += beside(lines, [by_part.get(rival, []) for rival in RIVALS])
        elif part == "exact":
            found += beside(by_part["rows"], [lines])
        elif part not in RIVALS:
            found += lines
    return found


def more_parts(kind: str, n: int) -> list[str]:
    """What is measured on some graphs only: rows in the old way, and a session with attributes."""
    if kind != "S":
        return []
    return ["exact"] if n <= LONG else ["attributes"] if n <= LARGE else []


def beside(ours: list[dict[str, Any]], rivals: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Our line once for each rival that was run."""
    return [
        {
            **ours[0],
            "rival": other["what"],
            "other": other["cpu"],
            **({"right_other": other["right"]} if "right" in other else {}),
        }
        for rival in rivals
        for other in rival
    ]


def prepared(kind: str, n: int, seed: int, folder: Path) -> int:
    """Write the graph where the parts find it; return its number of edges."""
    graph, labels = made(kind, n, seed)
    write_graph(graph, folder / "graph.lap")
    np.save(folder / "labels.npy", labels)
    write_text(made("S", 60_000, 0)[0], folder / "small.parquet")
    return graph.n_edges
