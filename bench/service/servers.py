"""Servers to kill: forks of a process that has loaded everything, on one inherited socket."""

from __future__ import annotations

import asyncio
import http.client
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from lapwing.graph import Graph
from lapwing.service.app import service_app
from lapwing.service.database.schema import service_tables_made
from lapwing.service.database.tables import shared_sessions
from lapwing.service.graphs.facts import graph_facts
from lapwing.service.graphs.library import Library
from lapwing.service.graphs.shelf import shelved
from lapwing.service.operation.logs import configured_logs
from lapwing.service.operation.settings import ServiceSettings
from lapwing.service.people.person import Person, Role
from lapwing.service.people.tokens import TEAM
from lapwing.session import Session, Store

SESSION = "5" * 32
GRAPH = "6" * 32


def listening() -> socket.socket:
    """A socket that stays while servers come and go; like asyncio's own it does not hold back."""
    made = socket.create_server(("127.0.0.1", 0), backlog=128)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    made.set_inheritable(True)
    return made


def prepared(
    settings: ServiceSettings, graph: Graph, classes: list[str], **choices: object
) -> None:
    """A database with one graph and one session of the team without tokens."""
    settings.folder.mkdir(parents=True, exist_ok=True)
    library = Library(settings.folder / "graphs")
    shelved(graph, library.place(GRAPH))
    with Store(settings.database_address) as store:
        service_tables_made(store.engine, store.where)
        Session(library.graph(GRAPH), classes, name=SESSION, store=store, **choices)
        with store.together() as connection:
            told = {"facts": graph_facts(graph), "hash": graph.hash}
            library.added(connection, Person(TEAM, "me", Role.owner), GRAPH, "ring", told)
            connection.execute(
                shared_sessions.insert().values(
                    id=SESSION, team=TEAM, name="ring", graph=GRAPH, choices="{}", created="2026"
                )
            )


def forked(settings: ServiceSettings, on: socket.socket, largest: int | None = None) -> int:
    """Start a server in a child process; with `largest`, no file can grow beyond it."""
    child = os.fork()
    if child:
        return child
    try:
        if largest is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
        configured_logs("error", as_json=True)
        config = uvicorn.Config(
            service_app(settings), log_level="critical", access_log=False, lifespan="on",
            timeout_graceful_shutdown=10,
        )  # fmt: skip
        asyncio.run(uvicorn.Server(config).serve(sockets=[on]))
    finally:
        os._exit(0)


def served(settings: ServiceSettings) -> tuple[subprocess.Popen, int]:
    """`lapwing serve` as anybody starts it, with its log in a file; the process and its port."""
    port = _free_port()
    with (settings.folder / "serve.log").open("wb") as log:
        command = [sys.executable, "-m", "lapwing", "serve", "--folder", str(settings.folder),
                   "--port", str(port), "--rate", settings.rate]  # fmt: skip
        return subprocess.Popen(command, stdout=log, stderr=log), port


def bare() -> tuple[subprocess.Popen, int]:
    """A FastAPI application with one address, run by the same server with the same options."""
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "bench.service.servers:bare_app", "--factory",
               "--port", str(port), "--log-level", "warning", "--no-access-log"]  # fmt: skip
    return subprocess.Popen(command), port


def bare_app() -> FastAPI:
    """The application of `bare`."""
    app = FastAPI()

    @app.get("/healthz")
    async def healthz() -> dict[str, str]:
        return {"status": "ok"}

    return app


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def answering(port: int, patience: float = 120.0) -> None:
    """Wait until a server answers."""
    end = time.monotonic() + patience
    while True:
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience)
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def killed(child: int) -> None:
    """SIGKILL a server and wait until it is gone."""
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def stopped(child: int, patience: float = 60.0) -> None:
    """Ask a server to stop; kill it if it does not."""
    os.kill(child, signal.SIGTERM)
    end = time.monotonic() + patience
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            killed(child)
            raise TimeoutError("the server did not stop when it was asked to")
        time.sleep(0.02)


def ring(size: int = 20_000) -> Graph:
    """A ring of nodes named n0, n1, ..."""
    return Graph.from_edges([(f"n{i}", f"n{(i + 1) % size}") for i in range(size)])


def folder_settings(folder: Path, database: str | None = None) -> ServiceSettings:
    """Settings of a service in a folder, without a limit on requests."""
    return ServiceSettings(folder=folder, database=database, rate="1000000/second", processes=1)
