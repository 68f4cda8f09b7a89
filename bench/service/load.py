"""How much the service carries: predictions and durable labels per second, 16 clients.

    python -m bench.service.load [--seconds 20] [--clients 16]
    python -m bench.service.load --soak 600      (the other half of the page)

`lapwing serve` runs in a process of its own on PubMed with SQLite; the clients are one other
process that keeps as many connections busy. Beside every address stands an empty address of a bare
FastAPI application, measured in the same run: a ratio says more than a number on a busy machine.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

import uvloop

from bench.pictures import drawn
from bench.service.servers import GRAPH
from bench.service.traffic import Bare, Pubmed, measured, soaked

RESULTS = Path(__file__).parents[1] / "results" / "service-load.md"
EMPTY = "empty FastAPI address"
SOAK = "## Soak"


def run(seconds: float, clients: int, folder: Path) -> dict[str, dict[str, float]]:
    server, bare = Pubmed(folder), Bare()
    place, names = server.place, server.names

    def reading(path: str):
        return lambda _: ("GET", path)

    some = f"{place}/predictions?nodes={','.join(names[:100])}"
    jobs = {
        EMPTY: (bare.empty, clients),
        "health of the service": (reading("/healthz"), clients),
        "labels (durable)": (lambda _: server.label(), clients),
        "predictions of 1 node": (lambda _: server.prediction(), clients),
        "predictions of 100 nodes": (reading(some), clients),
        "status": (reading(f"{place}/status"), clients),
        "next": (reading(f"{place}/next"), clients),
        "map": (reading(f"{place}/map"), clients),
        "answers": (reading(f"{place}/answers"), 2),
        "session": (reading(place), clients),
        "sessions": (reading("/v1/sessions"), clients),
        "explain": (reading(f"{place}/explain?node={names[5]}"), 2),
        "all labels as CSV": (reading(f"{place}/labels"), 2),
        "search": (reading(f"/v1/graphs/{GRAPH}/search?q=12"), 2),
    }
    found = {}
    try:
        for name, (make, many) in jobs.items():
            asked = bare if name == EMPTY else server
            uvloop.run(server.idle())
            uvloop.run(measured(asked.port, asked.process, 1, 0.5, make))
            found[name] = uvloop.run(measured(asked.port, asked.process, many, seconds, make))
            print(name, {k: round(v, 2) for k, v in found[name].items()}, flush=True)
    finally:
        for each in (server, bare):
            each.child.kill()
            each.child.wait()
    return found


def soak(seconds: float, clients: int, folder: Path) -> str:
    server = Pubmed(folder)
    try:
        uvloop.run(server.idle())
        seen = uvloop.run(soaked(server, clients, seconds))
    finally:
        server.child.kill()
        server.child.wait()
    half = len(seen) // 2
    first, second = (max(row["MB"] for row in rows) for rows in (seen[:half], seen[half:]))
    last = seen[-1]
    step = max(len(seen) // 10, 1)
    rows = "".join(
        f"| {row['seconds']:.0f} | {row['requests']:,} | {row['errors']} | {row['MB']:.0f} |\n"
        for row in seen[::step]
    )
    said = "Memory is flat" if second <= 1.02 * first else "Memory grows"
    return (
        f"{SOAK}\n\n{said}: at most {first:.0f} MB in the first half of {seconds / 60:.0f} minutes "
        f"and {second:.0f} MB in the second, with {last['requests']:,} requests and "
        f"{last['errors']} errors (90% predictions, 3% labels of 300 nodes, corrected again and "
        "again, the rest status, next and map).\n\n"
        f"| seconds | requests | errors | MB |\n|---|---|---|---|\n{rows}"
        f"\nCommand: `python -m bench.service.load --soak {seconds:.0f}`.\n"
    )


def page(found: dict[str, dict[str, float]], seconds: float, clients: int, load: float) -> str:
    empty = found[EMPTY]
    labels, one = found["labels (durable)"], found["predictions of 1 node"]
    met = labels["requests/s"] >= 200 and one["requests/s"] >= 1000
    goal = "both aims are met" if met else "the aims of 200 and 1,000 are not both met in this run"
    rows = "".join(
        f"| {name} | {row['requests/s']:,.0f} | {row['p50 ms']:.1f} | {row['p99 ms']:.1f} | "
        f"{row['CPU ms']:.2f} | {row['CPU ms'] / empty['CPU ms']:.1f} | {row['errors']:.0f} |\n"
        for name, row in found.items()
    )
    return (
        f"# The service under load\n\nPubMed, {clients} clients, SQLite: "
        f"{labels['requests/s']:,.0f} durable labels and {one['requests/s']:,.0f} predictions per "
        f"second (p99 {labels['p99 ms']:.0f} and {one['p99 ms']:.0f} ms); {goal}. An empty address "
        f"of a bare FastAPI application answered {empty['requests/s']:,.0f} per second in the same "
        "run.\n\n![Requests per second at each address](service-load.png)\n\n"
        "| address | per second | p50 ms | p99 ms | CPU ms | times the empty one | errors |\n"
        "|---|---|---|---|---|---|---|\n"
        f"{rows}\nMemory after the first labels and the last request: {labels['MB']:.0f} and "
        f"{list(found.values())[-1]['MB']:.0f} MB. The server is `lapwing serve` as anybody starts "
        "it, with its log of requests written to a file. Every answer is its own request with an "
        f"Idempotency-Key; it is acknowledged after the commit. {seconds:.0f} seconds per address; "
        f"server and clients share two cores, and the load of the machine was {load:.0f} at the "
        "start. Command: `python -m bench.service.load`.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--soak", type=float)
    parser.add_argument("--record", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    load, before = os.getloadavg()[0], RESULTS.read_text() if RESULTS.is_file() else ""
    table, mark, soaked_before = before.partition(SOAK)
    with tempfile.TemporaryDirectory() as folder:
        if asked.soak is not None:
            text = table.rstrip() + "\n\n" + soak(asked.soak, asked.clients, Path(folder))
        else:
            found = run(asked.seconds, asked.clients, Path(folder))
            text = page(found, asked.seconds, asked.clients, load)
            text += f"\n{mark}{soaked_before}" if mark else ""
    if asked.record:
        RESULTS.write_text(text)
        drawn("service-load", RESULTS.parent)
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
