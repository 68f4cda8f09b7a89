"""Is an answer lost if the client is killed? Its outbox is on disk before anything is sent."""

from __future__ import annotations

import json
import os
import random
import time
from pathlib import Path

from bench.service.pieces import NODES
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
from bench.service.writers import LABELS
from lapwing.client import Session as ServiceSession
from lapwing.service.graphs.library import Library
from lapwing.session import Session, Store


def client_kills(folder: Path, count: int, seed: int) -> dict[str, object]:
    """A client killed at random moments: what it kept in its outbox is sent by the next one.

    After each kill the outbox is read by a few lines of its own. Everything that was acknowledged
    or waited there must be in the log in the end, exactly once.
    """
    settings, rng = folder_settings(folder / "work"), random.Random(seed)
    prepared(settings, ring(NODES), list(LABELS), learner="auto")
    door = listening()
    port = door.getsockname()[1]
    child = forked(settings, door)
    answering(port)
    box, told = folder / "outbox.jsonl", folder / "told.txt"
    expected: dict[str, str] = {}
    waited = acknowledged = 0
    for turn in range(count + 1):
        client = _client(port, box, told, first=20 * turn, last=turn == count, seed=seed + turn)
        if turn < count:
            end = time.monotonic() + rng.uniform(0.0, 0.4)
            while not told.exists() or time.monotonic() < end:
                time.sleep(0.001)
            killed(client)
        else:
            os.waitpid(client, 0)
        lines = told.read_text().splitlines()
        acknowledged += sum(line.count(" ") == 1 for line in lines)
        expected |= dict(line.split() for line in lines if line.count(" ") == 1)
        kept = _waiting(box)
        waited += len(kept)
        expected |= kept
        told.unlink()
    with Store(settings.database_address) as store:
        store.verified(SESSION)
        graph = Library(settings.folder / "graphs").graph(GRAPH)
        found = {a.node: a.label for a in Session.open(store, SESSION, graph=graph).answers()}
        events = sum(e.kind.value in ("told", "corrected") for e in store.events(SESSION))
    stopped(child)
    return {"kills of the client": count, "acknowledged": acknowledged,
            "answers kept in the outbox": waited,
            "lost": sum(found.get(n) != label for n, label in expected.items()),
            "doubled": events - len(found)}  # fmt: skip


def _client(port: int, box: Path, told: Path, *, first: int, last: bool, seed: int) -> int:
    """A client in a child process; it notes what the service has acknowledged."""
    child = os.fork()
    if child:
        return child
    try:
        rng = random.Random(seed)
        url = f"http://127.0.0.1:{port}"
        with (
            ServiceSession(url, session=SESSION, person="worker", outbox=box) as session,
            told.open("w", buffering=1) as note,
        ):
            for number in range(first, first if last else first + 20):
                label = rng.choice(LABELS)
                session.tell(f"n{number}", label)
                note.write(f"n{number} {label}\n")
    finally:
        os._exit(0)


def _waiting(box: Path) -> dict[str, str]:
    """What an outbox holds: whole lines whose key was not done."""
    letters: dict[str, dict] = {}
    for line in box.read_bytes().split(b"\n")[:-1]:
        told = json.loads(line)
        if "done" in told:
            letters.pop(told["done"])
        else:
            letters[told["key"]] = told["body"]["answers"][0]
    return {each["node"]: each["label"] for each in letters.values()}
