"""Is an acknowledged answer ever lost, doubled or changed? Kills, full disks, flipped bits.

Four processes write to one session while they are killed at random; a disk fills up; a PostgreSQL
server is killed under four writers; random bits of the database file are flipped; and one session
grows to 20,000 answers. Learning is not the subject, so the learner is a count of labels.

``python -m bench.durability [--kills 100] [--servers 20] [--flips 200] [--answers 20000]``
"""

from __future__ import annotations

import argparse
import importlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from bench.pictures import drawn, number, tables
from lapwing.errors import LapwingError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.session import Dialogue, Kind, Store, StoreError

RESULTS = Path(__file__).with_name("results")
PEOPLE = ("ann", "bo", "cy", "di")
RETRY = 0.05


class Majority(Learner):
    """The commonest label for everyone: learning costs nothing."""

    n_nodes = 10**9

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()

    @property
    def n_classes(self) -> int:
        return max(self.counts, default=-1) + 1

    def _scores(self, nodes):
        found = np.array([float(self.counts[k]) for k in range(self.n_classes)])
        return np.broadcast_to(found, (*np.shape(nodes), self.n_classes))

    def _learn(self, node, label):  # noqa: ARG002 - a learner's signature
        self.counts[label] += 1


class First:
    """The first candidate."""

    def __call__(self, learner, candidates):  # noqa: ARG002 - a strategy's signature
        return int(candidates[0])


CHEAP = {"make_learner": Majority, "make_strategy": lambda _: First()}


def path_graph(n: int) -> Graph:
    return Graph.from_edges(np.column_stack([np.arange(n - 1), np.arange(1, n)]))


def write(where: str, graph: Graph, by: str, acknowledged: Path) -> None:
    """Answer question after question for ever; an answer is noted once `tell` has returned."""
    notes = os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    session = None
    while True:
        try:
            session = session or Dialogue(Store(where), "s", graph, **CHEAP)
            question = session.ask(by)
            session.tell(question.node, "even" if question.node % 2 == 0 else "odd", by)
            os.write(notes, f"{question.node}\n".encode())
        except StoreError:
            time.sleep(RETRY)


def started(where: str, graph: Graph, by: str, folder: Path):
    process = get_context("fork").Process(target=write, args=(where, graph, by, folder / by))
    process.daemon = True
    process.start()
    return process


def outcome(where: str, graph: Graph, folder: Path) -> dict[str, int]:
    """What is in the log, held against what was acknowledged."""
    with Store(where) as store:
        store.verified("s")
        told = [(e.by, e.node, e.label) for e in store.events("s") if e.kind is Kind.TOLD]
        session = Dialogue(store, "s", graph, **CHEAP)
    kept = Counter((by, node) for by, node, _ in told)
    notes = {by: (folder / by).read_text().split() for by in PEOPLE if (folder / by).exists()}
    known = [(by, int(node)) for by, nodes in notes.items() for node in nodes]
    classes = session.classes
    return {
        "acknowledged": len(known),
        "in the log": len(told),
        "lost": sum(kept[each] == 0 for each in known),
        "doubled": sum(count > 1 for count in kept.values()),
        "wrong": sum(classes[k] != ("even" if node % 2 == 0 else "odd") for _, node, k in told),
    }


def kills(folder: Path, count: int, seed: int = 0) -> dict[str, int]:
    """Four writers of one SQLite file; one of them at a time is killed and begins again."""
    where, graph, rng = str(folder / "s.db"), path_graph(60_000), np.random.default_rng(seed)
    with Store(where) as store:
        Dialogue.create(store, "s", graph, **CHEAP)
    writers = {by: started(where, graph, by, folder) for by in PEOPLE}
    for _ in range(count):
        time.sleep(float(rng.uniform(0.02, 0.25)))
        by = PEOPLE[int(rng.integers(len(PEOPLE)))]
        os.kill(writers[by].pid, signal.SIGKILL)
        writers[by].join()
        writers[by] = started(where, graph, by, folder)
    for process in writers.values():
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    return {"kills": count + len(writers), **outcome(where, graph, folder)}


def full_disk(folder: Path) -> dict[str, object]:
    """A disk that fills up: a small file system where it can be mounted, else a limit on files."""
    small = folder / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(small)]
    mounted = subprocess.run(mount, capture_output=True, check=False).returncode == 0
    try:
        receive, send = get_context("fork").Pipe(duplex=False)
        process = get_context("fork").Process(target=_filled, args=(small, mounted, send))
        process.start()
        found = receive.recv()
        process.join()
        with Store(small / "s.db") as store:
            store.verified("s")
            nodes = [e.node for e in store.events("s") if e.kind is Kind.TOLD]
        return {
            "disk": "tmpfs of 3 MB" if mounted else "files of at most 1 MB",
            **found,
            "in the log": len(nodes),
            "lost or doubled": int(nodes != list(range(len(nodes)))) + abs(
                len(nodes) - found["acknowledged"]
            ),
        }  # fmt: skip
    finally:
        if mounted:
            subprocess.run(["umount", str(small)], check=True)


def _filled(small: Path, mounted: bool, send) -> None:
    graph, ballast = path_graph(60_000), small / "ballast"
    if mounted:
        ballast.write_bytes(b"x" * 1_500_000)
    session = Dialogue.create(Store(small / "s.db"), "s", graph, **CHEAP)
    if not mounted:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, resource.RLIM_INFINITY))
    told, said = 0, ""
    while not said:
        try:
            session.tell(told, "red")
            told += 1
        except StoreError as wrong:
            said = str(wrong).replace(str(small), "SMALL")
    ballast.unlink(missing_ok=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    before = told
    for _ in range(50):
        session.tell(told, "red")
        told += 1
    send.send({"before it was full": before, "after": told - before, "acknowledged": told,
               "said": said})  # fmt: skip


def servers(folder: Path, count: int, least: int = 500, seed: int = 0) -> dict[str, int]:
    """A PostgreSQL server killed again and again under four writers."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = importlib.import_module("pgserver").get_server(folder / "pg")
    graph, rng, where = path_graph(60_000), np.random.default_rng(seed), server.get_uri()
    with Store(where) as store:
        Dialogue.create(store, "s", graph, **CHEAP)
    writers = [started(where, graph, by, folder) for by in PEOPLE]
    killed = 0
    while killed < count or _noted(folder) < least:
        time.sleep(float(rng.uniform(0.5, 1.5)))
        if killed < count:
            _killed(server.get_pid())
            killed += 1
            _running_again(server)
    for process in writers:
        os.kill(process.pid, signal.SIGKILL)
        process.join()
    found = {"kills": killed, **outcome(where, graph, folder)}
    server.cleanup()
    return found


def _noted(folder: Path) -> int:
    return sum(len((folder / by).read_text().split()) for by in PEOPLE if (folder / by).exists())


def _killed(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    for _ in range(200):
        time.sleep(0.05)
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return


def _running_again(server) -> None:
    for _ in range(60):
        time.sleep(0.3)
        try:
            server.ensure_postgres_running()
            return
        except Exception:
            continue  # the old server's processes are still leaving
    raise RuntimeError("the server does not come back")


def flips(folder: Path, count: int, seed: int = 0) -> dict[str, int]:
    """Random bits of the file flipped, one at a time, on a session of 120 answers."""
    where, graph, rng = folder / "s.db", path_graph(1_000), np.random.default_rng(seed)
    with Store(where) as store:
        session = Dialogue.create(store, "s", graph, **CHEAP)
        session.tell_many({node: "even" if node % 2 == 0 else "odd" for node in range(120)})
        right, head = dict(session.state.labels), session.head
    good, found = where.read_bytes(), Counter({"noticed": 0, "harmless": 0, "wrong": 0})
    for _ in range(count):
        changed = bytearray(good)
        changed[int(rng.integers(len(good)))] ^= 1 << int(rng.integers(8))
        for left in ("s.db-wal", "s.db-shm"):
            (folder / left).unlink(missing_ok=True)
        where.write_bytes(changed)
        try:
            with Store(where) as store:
                session = Dialogue(store, "s", graph, **CHEAP)
                same = session.state.labels == right and session.head == head
            found["harmless" if same else "wrong"] += 1
        except LapwingError:
            found["noticed"] += 1
    return {"flips": count, **found}


def growth(folder: Path, marks: tuple[int, ...]) -> list[dict[str, float]]:
    """One session that grows: an answer is a question asked and its label told, both on disk."""
    where, graph, rows = folder / "s.db", path_graph(60_000), []
    with Store(where) as store:
        session = Dialogue.create(store, "s", graph, **CHEAP)
        told = 0
        for mark in marks:
            while told < mark - 100:
                session.tell_many({node: str(node % 3) for node in range(told, mark - 100)})
                told = mark - 100
            start = time.perf_counter()
            for _ in range(100):
                node = session.ask().node
                session.tell(node, str(node % 3))
            told += 100
            taken = (time.perf_counter() - start) / 100
            rows.append({"answers": told, "ms per answer": 1e3 * taken,
                         "MB on disk": where.stat().st_size / 1e6} | _reopened(where))  # fmt: skip
    return rows


REOPEN = """
import resource, sys, time
from pathlib import Path
from bench.durability import CHEAP, path_graph
from lapwing.session import Dialogue, Store
graph = path_graph(60_000)
def memory():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6
before = memory()
start = time.perf_counter()
session = Dialogue(Store(sys.argv[1]), "s", graph, **CHEAP)
taken = time.perf_counter() - start
print(taken, memory() - before)
"""


def _reopened(where: Path) -> dict[str, float]:
    command = [sys.executable, "-c", REOPEN, str(where)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, memory = map(float, done.stdout.split())
    return {"s to reopen": seconds, "MB of memory": memory}


def table(rows: list[dict[str, object]]) -> str:
    names = list(rows[0])
    cells = [[f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows]
    lines = [names, ["---:"] * len(names), *cells]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, usual in (("kills", 100), ("servers", 20), ("flips", 200), ("answers", 20_000)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args()
    steps = (100, 1_000, 2_000, 10_000, 20_000, asked.answers)
    marks = tuple(n for n in steps if n <= asked.answers)
    parts = {}
    for title, act in (
        ("Four writers of one SQLite file, killed at random", lambda f: [kills(f, asked.kills)]),
        ("A disk that fills up", lambda f: [full_disk(f)]),
        ("A PostgreSQL server killed under four writers", lambda f: [servers(f, asked.servers)]),
        ("Random bits flipped in the database file", lambda f: [flips(f, asked.flips)]),
        ("A session that grows", lambda f: growth(f, tuple(dict.fromkeys(marks)))),
    ):  # fmt: skip
        with tempfile.TemporaryDirectory() as folder:
            parts[title] = table(act(Path(folder)))
        print(f"\n{title}\n{parts[title]}", flush=True)
    (RESULTS / "durability.md").write_text(page(parts), encoding="utf-8")
    drawn("durability", RESULTS)


def page(parts: dict[str, str]) -> str:
    """The page of these tables by title: the verdict they bear out, the picture, the method."""
    found = [tables(part)[0] for part in parts.values()]
    told = [dict(zip(head, rows[0], strict=True)) for head, *rows in found[:4]]
    bad = ("lost", "doubled", "wrong", "lost or doubled")
    failed = sum(number(row[name]) for row in told for name in bad if name in row)
    kept = sum(number(row["acknowledged"]) for row in told[:3])
    killed, flipped = sum(number(row.get("kills", "0")) for row in told), number(told[3]["flips"])
    verdict = (
        f"No acknowledged answer was lost, doubled or changed: {kept:,.0f} answers, "
        f"{killed:.0f} kills, a full disk and {flipped:.0f} flipped bits."
        if failed == 0
        else f"{failed:,.0f} of {kept:,.0f} acknowledged answers were lost, doubled or changed."
    )
    text = "\n\n".join(f"## {title}\n\n{part}" for title, part in parts.items())
    return f"# Durability\n\n{verdict}\n\n{PICTURE}\n\n{text}\n\n{METHOD}"


PICTURE = "![Answers kept in each trial, and the cost of a growing session](durability.png)"
METHOD = """## Method

`python -m bench.durability` makes this page; every kill is SIGKILL. An answer is acknowledged when
`tell` has returned. After every run the log's chain is verified from its header to its head, and
the log is compared with a list of acknowledged answers that each writer keeps for itself. The
learner only counts labels, since learning is not measured here. In the last table, an answer is a
question asked and its label told: two commits, each on disk before the next line of code runs.
Reopening reads the log, checks its chain and every event, and replays it. The machine was shared
with other work.
"""


if __name__ == "__main__":
    main()
