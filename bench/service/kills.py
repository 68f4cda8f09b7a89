"""Is an acknowledged answer ever lost? SIGKILLs of the server, cut connections, a full disk,
PostgreSQL killed underneath, the client killed.

    python -m bench.service.kills [--kills 200] [--clients 40] [--servers 10] [--seed 0]
    python -m bench.service.kills --part server --kills 70 --seed 1 --add   (one piece more)

Eight client writers answer, correct and read through a proxy that cuts connections at random while
the server is killed at random moments. Each writer notes what it called and what it was told. At
the end the history is compared with the log, read by code of its own, and the state with a replay.
"""

from __future__ import annotations

import argparse
import importlib
import random
import resource
import tempfile
import time
import warnings
from pathlib import Path

from bench.durability import _killed, _running_again
from bench.pictures import drawn
from bench.service.client_kills import client_kills
from bench.service.pieces import CUT, NODES, RESULTS, added, page
from bench.service.servers import (
    GRAPH,
    SESSION,
    answering,
    folder_settings,
    forked,
    killed,
    listening,
    prepared,
    ring,
    stopped,
)
from bench.service.writers import LABELS, Crowd, checked
from lapwing.service.graphs.library import Library
from lapwing.session import Session, Store

WRITERS = 8


def warmed() -> None:
    """Load compiled code once, before servers are forked, so that kills hit the work."""
    session = Session(ring(50), list(LABELS), learner="auto")
    session.tell({"n1": "left", "n20": "right"})
    session.ask(2)
    session.predict(["n3", "n4"])


def independent(settings, calls) -> dict[str, int]:
    """The history against the log, and the session's own state against a replay of it."""
    names = [f"n{i}" for i in range(NODES)]
    graph = Library(settings.folder / "graphs").graph(GRAPH)
    with Store(settings.database_address) as store:
        store.verified(SESSION)
        record, lines = store.lines(SESSION)
        session = Session.open(store, SESSION, graph=graph)
        texts = [line.text for line in lines if '"by":"probe"' not in line.text]
        found = checked(calls, texts, [str(n) for n in graph.names])
        answers = {(a.by, a.node): a.label for a in session.answers()}
    last = {}
    for call in calls:
        if call.kind == "tell" and call.ended is not None:
            last[call.by, call.node] = call.label
    assert len(names) == graph.n_nodes
    found["answers unlike the replay"] = sum(answers.get(k) != label for k, label in last.items())
    return {"acknowledged": sum(c.kind == "tell" and c.ended is not None for c in calls),
            "reads": sum(c.kind == "read" and c.ended is not None for c in calls),
            "events": record.n_events, **found}  # fmt: skip


def server_kills(folder: Path, count: int, seed: int, progress) -> dict[str, object]:
    settings, rng = folder_settings(folder / "work"), random.Random(seed)
    prepared(settings, ring(NODES), list(LABELS), learner="auto")
    door = listening()
    port = door.getsockname()[1]
    child = forked(settings, door)
    answering(port)
    writers = Crowd(port, SESSION, WRITERS, folder, seed, CUT)
    early = 0
    for done in range(count):
        if rng.random() < 0.1:
            early += 1
        else:
            answering(port)
            _busy(writers, rng.randrange(1, 25), 4.0)
        time.sleep(rng.uniform(0.0, 0.2))
        killed(child)
        child = forked(settings, door)
        progress(f"{done + 1} kills, {writers.acknowledged} acknowledged, {writers.cuts} cuts")
    answering(port)
    time.sleep(1.0)
    calls, failures = writers.finished()
    progress(f"gave up: {failures}")
    stopped(child)
    found = independent(settings, calls)
    return {"kills": count, "of them while starting": early, "cut connections": writers.cuts,
            "writers that gave up": len(failures), **found}  # fmt: skip


def full_disk(folder: Path, seed: int) -> dict[str, object]:
    """No file can grow: answers are refused with 503; once there is room, they go through."""
    settings = folder_settings(folder / "work")
    prepared(settings, ring(NODES), list(LABELS), learner="auto")
    door = listening()
    port = door.getsockname()[1]
    child = forked(settings, door, largest=600_000)
    answering(port)
    writers = Crowd(port, SESSION, WRITERS, folder, seed, 0.0)
    status, end = 200, time.monotonic() + 240
    with _Probe(port) as probe:
        while status != 503 and time.monotonic() < end:
            time.sleep(0.5)
            status = probe.status()
    before = writers.acknowledged
    resource.prlimit(child, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    end = time.monotonic() + 60
    while writers.acknowledged < before + 200 and time.monotonic() < end:
        time.sleep(0.5)
    after = writers.acknowledged
    calls, _ = writers.finished()
    stopped(child)
    found = independent(settings, calls)
    return {"answers until it was full": before, "reply when full": status,
            "answers after there was room": after - before, **found}  # fmt: skip


def postgres_kills(folder: Path, count: int, seed: int, progress) -> dict[str, object]:
    """PostgreSQL killed under two server processes that share one address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        database = importlib.import_module("pgserver").get_server(folder / "pg")
    settings, rng = folder_settings(folder / "work", database.get_uri()), random.Random(seed)
    prepared(settings, ring(NODES), list(LABELS), learner="auto")
    door = listening()
    port = door.getsockname()[1]
    children = [forked(settings, door) for _ in range(2)]
    answering(port)
    writers = Crowd(port, SESSION, WRITERS, folder, seed, 0.0)
    replies: set[int] = set()
    for done in range(count):
        _busy(writers, rng.randrange(1, 25), 20.0)
        time.sleep(rng.uniform(0.0, 0.1))
        _killed(database.get_pid())
        with _Probe(port) as probe:
            replies.add(probe.status())
        _running_again(database)
        progress(f"{done + 1} kills, {writers.acknowledged} acknowledged, replies {replies}")
    _busy(writers, 25, 60.0)
    calls, failures = writers.finished()
    progress(f"gave up: {failures}")
    for child in children:
        stopped(child)
    found = independent(settings, calls)
    database.cleanup()
    return {"kills of PostgreSQL": count, "replies while it was gone": sorted(replies),
            "writers that gave up": len(failures), **found}  # fmt: skip


def _busy(writers: Crowd, more: int, seconds: float) -> None:
    """Wait until so many more answers are acknowledged, but not longer than this."""
    goal, end = writers.acknowledged + more, time.monotonic() + seconds
    while writers.acknowledged < goal and time.monotonic() < end:
        time.sleep(0.005)


class _Probe:
    """One answer sent while the database is gone."""

    def __init__(self, port: int) -> None:
        self.calls = importlib.import_module("lapwing.client.calls").Calls(
            f"http://127.0.0.1:{port}", person="probe", patience=60
        )

    def __enter__(self) -> _Probe:
        return self

    def __exit__(self, *_: object) -> None:
        self.calls.close()

    def status(self) -> int:
        body = {"answers": [{"node": "n15999", "label": "left"}]}
        return self.calls._once("POST", f"/v1/sessions/{SESSION}/labels", body, None)[0]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--clients", type=int, default=40)
    parser.add_argument("--servers", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=["server", "disk", "postgres", "client"])
    parser.add_argument("--add", action="store_true", help="add to the page's counts")
    parser.add_argument("--record", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    if not asked.add and asked.record:
        RESULTS.unlink(missing_ok=True)
    warmed()
    jobs = {
        "server": lambda f: server_kills(
            f, asked.kills, asked.seed, lambda words: print(words, flush=True)
        ),
        "disk": lambda f: full_disk(f, asked.seed),
        "postgres": lambda f: postgres_kills(
            f, asked.servers, asked.seed, lambda words: print(words, flush=True)
        ),
        "client": lambda f: client_kills(f, asked.clients, asked.seed),
    }
    for name, job in jobs.items():
        if asked.part in (None, name):
            with tempfile.TemporaryDirectory() as folder:
                found = {TITLES[name]: {"seeds": asked.seed, **job(Path(folder))}}
            print(found, flush=True)
            text = page(added(found))
            if asked.record:
                RESULTS.write_text(text)
                drawn("service-kills", RESULTS.parent)
    print(text)


TITLES = {
    "server": "Server killed, connections cut",
    "disk": "Disk full",
    "postgres": "PostgreSQL killed",
    "client": "Client killed",
}


if __name__ == "__main__":
    main()
