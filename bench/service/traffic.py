"""Traffic for a server: connections that send bytes and wait, so that the clients cost little."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import resource
import time
from itertools import count
from pathlib import Path

import numpy as np

from bench.service.servers import SESSION, answering, bare, folder_settings, prepared, served
from lapwing import data

PATIENCE = 300.0


class Connection:
    """One keep-alive connection."""

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
        head = await self.reader.readuntil(b"\r\n\r\n")
        at = head.lower().index(b"content-length:") + 15
        length = int(head[at : head.index(b"\r\n", at)])
        return int(head[9:12]), await self.reader.readexactly(length)


class Process:
    """What a server uses, from outside: CPU seconds and memory."""

    def __init__(self, pid: int) -> None:
        self.place = Path(f"/proc/{pid}")

    @property
    def cpu(self) -> float:
        fields = (self.place / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self) -> float:
        pages = int((self.place / "statm").read_text().split()[1])
        return pages * resource.getpagesize() / 2**20


async def measured(port, process, clients: int, seconds: float, make) -> dict[str, float]:
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

    gc.freeze()
    cpu, begun = process.cpu, time.perf_counter()
    end = begun + seconds
    async with asyncio.timeout(seconds + PATIENCE):
        await asyncio.gather(*(one(link, k) for k, link in enumerate(links)))
    took, cpu = time.perf_counter() - begun, process.cpu - cpu
    low, high = np.percentile(np.array(spent) * 1000, [50, 99])
    return {"requests/s": len(spent) / took, "p50 ms": float(low), "p99 ms": float(high),
            "CPU ms": 1000 * cpu / len(spent), "errors": wrong,
            "MB": process.megabytes}  # fmt: skip


class Bare:
    """A FastAPI application with one address and nothing else, run like the service."""

    def __init__(self) -> None:
        self.child, self.port = bare()
        self.process = Process(self.child.pid)
        answering(self.port)

    def empty(self, _: int) -> tuple[str, str]:
        return "GET", "/healthz"


class Pubmed:
    """`lapwing serve` with PubMed and one session, and the requests to send to it."""

    def __init__(self, folder: Path) -> None:
        self.data = data.load("pubmed")
        self.names = list(map(str, self.data.graph.names))
        self.classes = list(map(str, self.data.classes))
        settings = folder_settings(folder)
        prepared(settings, self.data.graph, self.classes)
        self.child, self.port = served(settings)
        self.process = Process(self.child.pid)
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

    async def idle(self) -> None:
        """Read once, and wait until what the server makes in the background is made."""
        before = -1.0
        await Connection(self.port, "warm").send(*self.prediction())
        while self.process.cpu - before >= 0.05:
            before = self.process.cpu
            await asyncio.sleep(1.0)


async def soaked(server: Pubmed, clients: int, seconds: float) -> list[dict[str, float]]:
    """Mixed requests for a long time; requests, errors and memory, six times a minute."""
    links = [Connection(server.port, f"p{k}") for k in range(clients)]
    done, wrong, begun = 0, 0, time.perf_counter()
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
            seen.append({"seconds": time.perf_counter() - begun, "requests": done,
                         "errors": wrong, "MB": server.process.megabytes})  # fmt: skip

    await asyncio.gather(look(), *(one(link, k) for k, link in enumerate(links)))
    return seen
