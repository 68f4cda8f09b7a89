"""Client writers that keep a history of what they called and what they were told."""

from __future__ import annotations

import json
import random
import socket
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path

from lapwing.client import Session, UnreachableError

PER_WRITER = 2000
PATIENCE = 300.0
LABELS = ("left", "right")


@dataclass
class Call:
    """One call: what was asked, from when to when, and what came back."""

    by: str
    kind: str
    node: str
    label: str
    begun: float
    ended: float | None = None
    read: str | None = None


class Cutter:
    """A TCP proxy that cuts connections in the middle of requests and replies."""

    def __init__(self, port: int, share: float, seed: int) -> None:
        self.port, self.share, self.rng, self.cuts = port, share, random.Random(seed), 0
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = self._door.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            inner, _ = self._door.accept()
            threading.Thread(target=self._join, args=(inner,), daemon=True).start()

    def _join(self, inner: socket.socket) -> None:
        try:
            outer = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        except OSError:
            inner.close()
            return
        for one, other in ((inner, outer), (outer, inner)):
            threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        try:
            while piece := one.recv(65536):
                if self.rng.random() < self.share:
                    other.sendall(piece[: self.rng.randrange(len(piece))])
                    self.cuts += 1
                    break
                other.sendall(piece)
        except OSError:
            pass
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()


class Writers:
    """Threads that answer, correct and read until they are stopped."""

    def __init__(self, url: str, session: str, count: int, folder: Path, seed: int) -> None:
        self.stop = threading.Event()
        self.history: list[list[Call]] = [[] for _ in range(count)]
        self.failures: list[str] = []
        self._threads = [
            threading.Thread(target=self._run, args=(url, session, k, folder, seed), daemon=True)
            for k in range(count)
        ]
        for thread in self._threads:
            thread.start()

    def finished(self) -> list[Call]:
        """Stop, and return every call."""
        self.stop.set()
        for thread in self._threads:
            thread.join(300)
        return [call for calls in self.history for call in calls]

    @property
    def acknowledged(self) -> int:
        return sum(c.ended is not None and c.kind == "tell" for h in self.history for c in h)

    def _run(self, url: str, session: str, k: int, folder: Path, seed: int) -> None:
        rng, by, calls = random.Random(seed * 1000 + k), f"writer{k}", self.history[k]
        told: dict[str, str] = {}
        try:
            with Session(
                url, session=session, person=by, patience=600, outbox=folder / f"{by}.jsonl"
            ) as service:
                while not self.stop.is_set() and len(told) < PER_WRITER:
                    self._step(service, rng, by, k, told, calls)
        except (UnreachableError, Exception) as wrong:
            self.failures.append(f"{by}: {wrong!r}")

    def _step(self, service, rng, by, k, told, calls) -> None:
        chance = rng.random()
        if chance < 0.15 and told:
            node = rng.choice(list(told))
            call = Call(by, "read", node, told[node], time.monotonic())
            calls.append(call)
            call.read = service.predict(node)
        else:
            again = chance < 0.3 and bool(told)
            node = rng.choice(list(told)) if again else f"n{k * PER_WRITER + len(told)}"
            label = rng.choice(LABELS)
            call = Call(by, "tell", node, label, time.monotonic())
            calls.append(call)
            service.tell(node, label)
            told[node] = label
        call.ended = time.monotonic()


class Crowd:
    """Writers and, if connections are to be cut, the proxy, in a process of their own.

    A server that is forked later must not inherit their sockets.
    """

    def __init__(self, port: int, session: str, count: int, folder: Path, seed: int, cut: float):
        context = get_context("fork")
        self._told, self._asked = context.Pipe()
        self._count, self._cuts = context.Value("i", 0), context.Value("i", 0)
        work = (port, session, count, folder, seed, cut)
        self._process = context.Process(target=self._run, args=work, daemon=True)
        self._process.start()

    def _run(self, port, session, count, folder, seed, cut) -> None:
        cutter = Cutter(port, cut, seed) if cut else None
        place = port if cutter is None else cutter.address
        writers = Writers(f"http://127.0.0.1:{place}", session, count, folder, seed)
        while not self._asked.poll(0.01):
            self._count.value = writers.acknowledged
            self._cuts.value = cutter.cuts if cutter else 0
        calls = writers.finished()
        self._asked.send((calls, writers.failures))

    @property
    def acknowledged(self) -> int:
        return self._count.value

    @property
    def cuts(self) -> int:
        return self._cuts.value

    def finished(self) -> tuple[list[Call], list[str]]:
        """Stop, and return every call and the writers that gave up."""
        self._told.send("stop")
        if not self._told.poll(PATIENCE):
            self._process.kill()
            raise TimeoutError("the writers did not stop")
        found = self._told.recv()
        self._process.join(PATIENCE)
        return found


def checked(calls: list[Call], lines: list[str], names: list[str]) -> dict[str, int]:
    """Compare the history with the log: lost, doubled, invented and stale answers.

    The log is read by a few lines of its own, not by the program that is tested.
    """
    classes: list[str] = []
    stored: dict[tuple[str, str], list[str]] = {}
    for line in lines:
        event = json.loads(line)
        if event["kind"] == "class":
            classes.append(event["detail"]["name"])
        elif event["kind"] in ("told", "corrected"):
            key = event["by"], names[event["node"]]
            stored.setdefault(key, []).append(classes[event["label"]])
    wanted: dict[tuple[str, str], list[str]] = {}
    stale = 0
    for call in calls:
        key = call.by, call.node
        if call.kind == "read":
            stale += call.ended is not None and call.read != call.label
            continue
        before = wanted.setdefault(key, [])
        if call.ended is not None and (not before or before[-1] != call.label):
            before.append(call.label)
    unfinished = {(c.by, c.node) for c in calls if c.kind == "tell" and c.ended is None}
    lost = doubled = invented = 0
    for key in wanted.keys() | stored.keys():
        have, want = stored.get(key, []), wanted.get(key, [])
        if key in unfinished and len(have) == len(want) + 1:
            have = have[:-1]
        lost += have[: len(want)] != want
        doubled += len(have) > len(want) > 0
        invented += bool(have) and not want
    return {"lost": lost, "doubled": doubled, "invented": invented, "stale reads": stale}


def history_lines(calls: list[Call]) -> str:
    """The history as JSON Lines."""
    return "".join(json.dumps(asdict(call)) + "\n" for call in calls)
