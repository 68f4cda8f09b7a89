"""How much the service carries: predictions and durable labels per second, 16 clients.

    python -m bench.service.load [--seconds 20] [--clients 16]
    python -m bench.service.load --soak 600      (the other half of the page)

The server runs in a process of its own on PubMed with SQLite; the clients are one other process
that keeps as many connections busy. Beside every address stands an empty FastAPI address of the
same server, measured in the same run: a ratio says more than a number on a busy machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import tempfile
import time
from itertools import count
from pathlib import Path

import numpy as np
import uvicorn

from bench.pictures import drawn
from bench.service.servers import SESSION, answering, folder_settings, killed, listening, prepared
from lapwing import data
from lapwing.service.app import service_app
from lapwing.service.operation.logs import configured_logs

PATIENCE = 300.0
RESULTS = Path(__file__).parents[1] / "results" / "service-load.md"


def serving(settings, door) -> int:
    """The service with one address more, which does nothing, and one that tells its CPU time."""
    child = os.fork()
    if child:
        return child
    configured_logs("error", as_json=True)
    app = service_app(settings)

    @app.get("/empty")
    async def empty() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/used")
    async def used() -> dict[str, float]:
        spent = resource.getrusage(resource.RUSAGE_SELF)
        return {"cpu": spent.ru_utime + spent.ru_stime, "megabytes": _resident()}

    config = uvicorn.Config(app, log_level="critical", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[door]))
    os._exit(0)


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


class Connection:
    """One keep-alive connection; requests as bytes, so that the clients cost little."""

    def __init__(self, port: int, person: str) -> None:
        self.port, self.person = port, person
        self.reader = self.writer = None

    async def send(self, method, path, body=b"", key="") -> tuple[int, bytes]:
        if self.reader is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        extra = f"Idempotency-Key: {key}\r\n" if key else ""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Lapwing-Person: {self.person}\r\n"
            f"Content-Type: application/json\r\n{extra}Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
        return await asyncio.wait_for(self._reply(), PATIENCE)

    async def _reply(self) -> tuple[int, bytes]:
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = next(
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        )
        return int(head[9:12]), await self.reader.readexactly(length)


async def measured(port: int, clients: int, seconds: float, make) -> dict[str, float]:
    """Keep all clients busy for a while: requests per second, latencies, CPU of the server."""
    links = [Connection(port, f"p{k}") for k in range(clients)]
    spent: list[float] = []
    wrong = 0

    async def one(link: Connection, k: int) -> None:
        nonlocal wrong
        while time.perf_counter() < end:
            begun = time.perf_counter()
            status, _ = await link.send(*make(k))
            spent.append(time.perf_counter() - begun)
            wrong += status != 200

    _, before = await links[0].send("GET", "/used")
    begun = time.perf_counter()
    end = begun + seconds
    await asyncio.gather(*(one(link, k) for k, link in enumerate(links)))
    took = time.perf_counter() - begun
    _, after = await links[0].send("GET", "/used")
    cpu = json.loads(after)["cpu"] - json.loads(before)["cpu"]
    low, high = np.percentile(np.array(spent) * 1000, [50, 99])
    return {"requests/s": len(spent) / took, "p50 ms": low, "p99 ms": high,
            "CPU ms": 1000 * cpu / len(spent), "errors": wrong,
            "MB": json.loads(after)["megabytes"]}  # fmt: skip


async def _idle(port: int, path: str) -> None:
    """Read once, and wait until what the server makes in the background is made."""
    link, before = Connection(port, "warm"), -1.0
    await link.send("GET", path)
    while True:
        await asyncio.sleep(1.0)
        cpu = json.loads((await link.send("GET", "/used"))[1])["cpu"]
        if cpu - before < 0.1:
            return
        before = cpu


class Pubmed:
    """A server with PubMed and one session, and the requests to send to it."""

    def __init__(self, folder: Path) -> None:
        self.data = data.load("pubmed")
        self.names = list(map(str, self.data.graph.names))
        self.classes = list(map(str, self.data.classes))
        settings = folder_settings(folder)
        prepared(settings, self.data.graph, self.classes)
        door = listening()
        self.port = door.getsockname()[1]
        self.child = serving(settings, door)
        answering(self.port)
        self.place, self.numbers = f"/v1/sessions/{SESSION}", count()
        self.rng = np.random.default_rng(0)

    def label(self, among: int | None = None) -> tuple[str, str, bytes, str]:
        number = next(self.numbers)
        node = number % (among or len(self.names))
        kind = int(self.data.labels[node]) if among is None else number % len(self.classes)
        body = {"answers": [{"node": self.names[node], "label": self.classes[kind]}]}
        return "POST", f"{self.place}/labels", json.dumps(body).encode(), f"key-{number}"

    def prediction(self) -> tuple[str, str]:
        node = self.names[int(self.rng.integers(len(self.names)))]
        return "GET", f"{self.place}/predictions?node={node}"


def run(seconds: float, clients: int, folder: Path) -> dict[str, dict[str, float]]:
    server = Pubmed(folder)
    port, place, names = server.port, server.place, server.names

    def reading(path: str):
        return lambda _: ("GET", path)

    jobs = {
        "empty address": (reading("/empty"), clients),
        "labels (durable)": (lambda _: server.label(), clients),
        "predictions of 1 node": (lambda _: server.prediction(), clients),
        "predictions of 100 nodes": (
            lambda _: ("GET", f"{place}/predictions?nodes={','.join(names[:100])}"), clients,
        ),
        "status": (reading(f"{place}/status"), clients),
        "map": (reading(f"{place}/map"), clients),
        "answers": (reading(f"{place}/answers"), 2),
        "next": (reading(f"{place}/next"), clients),
        "session": (reading(place), clients),
        "sessions": (reading("/v1/sessions"), clients),
        "search": (reading("/v1/graphs/" + "6" * 32 + "/search?q=12"), 2),
    }  # fmt: skip
    found = {}
    asyncio.run(_idle(port, f"{place}/predictions?node={names[0]}"))
    try:
        for name, (make, many) in jobs.items():
            warm = asyncio.run(measured(port, 1, 0.5, make))
            found[name] = asyncio.run(measured(port, many, seconds, make))
            print(name, {k: round(v, 2) for k, v in found[name].items()}, round(warm["CPU ms"], 2),
                  flush=True)  # fmt: skip
    finally:
        killed(server.child)
    return found


async def _soaked(server: Pubmed, clients: int, seconds: float) -> list[dict[str, float]]:
    """Mixed requests for a long time; requests, errors and memory, six times a minute."""
    links = [Connection(server.port, f"p{k}") for k in range(clients)]
    watch, done, wrong, begun = Connection(server.port, "watch"), 0, 0, time.perf_counter()
    end, seen = begun + seconds, []

    async def one(link: Connection, k: int) -> None:
        nonlocal done, wrong
        rng = np.random.default_rng(k)
        others = [("GET", f"{server.place}/{what}") for what in ("status", "next", "map")]
        while time.perf_counter() < end:
            chance = rng.random()
            if chance < 0.9:
                asked = server.prediction()
            elif chance < 0.93:
                asked = server.label(among=300)
            else:
                asked = others[int(rng.integers(len(others)))]
            status, _ = await link.send(*asked)
            done, wrong = done + 1, wrong + (status != 200)

    async def look() -> None:
        while time.perf_counter() < end:
            await asyncio.sleep(min(10.0, seconds / 12))
            _, told = await watch.send("GET", "/used")
            seen.append({"seconds": time.perf_counter() - begun, "requests": done,
                         "errors": wrong, "MB": json.loads(told)["megabytes"]})  # fmt: skip

    await asyncio.gather(look(), *(one(link, k) for k, link in enumerate(links)))
    return seen


def soak(seconds: float, clients: int, folder: Path) -> str:
    server = Pubmed(folder)
    try:
        asyncio.run(_idle(server.port, server.prediction()[1]))
        seen = asyncio.run(_soaked(server, clients, seconds))
    finally:
        killed(server.child)
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


SOAK = "## Soak"


def page(found: dict[str, dict[str, float]], seconds: float, clients: int, load: float) -> str:
    empty = found["empty address"]
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
        f"second; {goal}. An empty FastAPI address of the same server answered "
        f"{empty['requests/s']:,.0f} per second in the same run.\n\n"
        "![Requests per second at each address](service-load.png)\n\n"
        "| address | per second | p50 ms | p99 ms | CPU ms | times the empty one | errors |\n"
        "|---|---|---|---|---|---|---|\n"
        f"{rows}\nMemory after the first and the last: {empty['MB']:.0f} and "
        f"{list(found.values())[-1]['MB']:.0f} MB. Every answer is its own request with an "
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
    table, mark, soaked = before.partition(SOAK)
    with tempfile.TemporaryDirectory() as folder:
        if asked.soak is not None:
            text = table + soak(asked.soak, asked.clients, Path(folder))
        else:
            found = run(asked.seconds, asked.clients, Path(folder))
            text = page(found, asked.seconds, asked.clients, load)
            text += f"\n{mark}{soaked}" if mark else ""
    if asked.record:
        RESULTS.write_text(text)
        drawn("service-load", RESULTS.parent)
    print(text)


if __name__ == "__main__":
    main()
