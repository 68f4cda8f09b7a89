"""SIGKILL ``lapwing label`` at random moments while keys are typed: is any echoed answer lost?

    python -m bench.kills [--kills 200] [--seed 0] [--no-record]

Each round starts the command at a pseudo-terminal, with the default learner, and presses a key
after every question until the process is killed: while it loads, asks, writes or echoes. An answer
counts as acknowledged once its echo was on the screen. Afterwards every acknowledged answer must
be in the database exactly once, and no answer that was never typed. The command runs in a fork of
a process that has loaded everything, so that most kills hit the work and not the imports.
"""

from __future__ import annotations

import argparse
import os
import pty
import random
import re
import select
import signal
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from bench.pictures import drawn
from bench.terminal import ANSI, PROMPT
from lapwing import read_graph
from lapwing.cli import main as lapwing
from lapwing.session import Store

RESULTS = Path(__file__).parent / "results" / "kills.md"
ECHO = re.compile(r"→ (\w+) for (\w+)")
CLASSES = ("left", "right")
PER_SESSION = 20
CLIQUES, SIZE = 40, 10
LATEST = 1.5
"""A kill comes at most so many seconds after the first question, or (1 in 10) after the start."""
EARLY = 0.1


@dataclass
class Outcome:
    """What was typed and echoed in all rounds, and what the database holds."""

    kills: int = 0
    typed: int = 0
    echoed: list[tuple[str, str, str]] = field(default_factory=list)
    stored: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def lost(self) -> int:
        return sum((Counter(self.echoed) - Counter(self.stored)).values())

    @property
    def doubled(self) -> int:
        nodes = Counter((session, node) for session, node, _ in self.stored)
        return sum(count - 1 for count in nodes.values())

    @property
    def unechoed(self) -> int:
        return len(self.stored) - len(self.echoed)


def edges(folder: Path) -> Path:
    """A ring of cliques as a file."""
    path = folder / "ring.csv"
    rows = ["source,target"]
    for c in range(CLIQUES):
        members = [f"n{c * SIZE + i}" for i in range(SIZE)]
        rows += [f"{a},{b}" for i, a in enumerate(members) for b in members[:i]]
        rows.append(f"{members[0]},n{(c + 1) % CLIQUES * SIZE + 1}")
    path.write_text("\n".join(rows) + "\n")
    return path


def killed(folder: Path, session: str, rng: random.Random) -> tuple[str, int]:
    """One round: the screen when the process was gone, and how many keys were typed."""
    words = ["label", str(folder / "ring.csv"), "--classes", ",".join(CLASSES)]
    words += ["--db", str(folder / "s.db"), "--session", session]
    child, screen_end = pty.fork()
    if child == 0:
        os.environ["COLUMNS"] = "120"
        lapwing(words)
        os._exit(0)
    raw, typed, questions = b"", 0, 0
    early = rng.random() < EARLY
    deadline = time.monotonic() + rng.uniform(0, LATEST) if early else float("inf")
    give_up = time.monotonic() + 120
    while time.monotonic() < min(deadline, give_up):
        left = min(max(deadline - time.monotonic(), 0.0), 1.0)
        if select.select([screen_end], [], [], left)[0]:
            try:
                raw += os.read(screen_end, 65536)
            except OSError:
                break
        shown = raw.count(PROMPT.encode())
        if shown and deadline == float("inf"):
            deadline = time.monotonic() + rng.uniform(0, LATEST)
        if shown > questions:
            questions = shown
            os.write(screen_end, rng.choice("12").encode())
            typed += 1
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while select.select([screen_end], [], [], 0.05)[0]:
        try:
            raw += os.read(screen_end, 65536)
        except OSError:
            break
    os.close(screen_end)
    return ANSI.sub("", raw.decode(errors="replace")), typed


def run(kills: int, seed: int, folder: Path) -> Outcome:
    rng, outcome = random.Random(seed), Outcome()
    edges(folder)
    warm = ["label", str(folder / "ring.csv"), "--oracle", str(folder / "known.csv"), "--budget"]
    (folder / "known.csv").write_text("node,label\nn1,left\nn21,right\nn41,left\nn7,right\n")
    try:
        lapwing([*warm, "3", "--db", str(folder / "warm.db"), "--json"])
    except SystemExit as done:
        if done.code:
            raise
    for number in range(kills):
        session = f"s{number // PER_SESSION}"
        screen, typed = killed(folder, session, rng)
        echoed = [(session, node, label) for label, node in ECHO.findall(screen)]
        outcome.kills += 1
        outcome.typed += typed
        outcome.echoed += echoed
    names = list(read_graph(folder / "ring.csv").names)
    with Store(folder / "s.db") as store:
        for record in store.records():
            store.verified(record.name)
            classes: list[str] = []
            for event in store.events(record.name):
                if event.kind.value == "class":
                    classes.append(event.detail["name"])
                elif event.kind.value == "told":
                    outcome.stored.append((record.name, names[event.node], classes[event.label]))
    return outcome


def report(outcome: Outcome, seconds: float) -> str:
    verdict = (
        "No acknowledged answer was lost or doubled"
        if outcome.lost == outcome.doubled == 0
        else "Acknowledged answers were lost or doubled"
    )
    return (
        f"# Killing lapwing label\n\n{verdict} in {outcome.kills} SIGKILLs.\n\n"
        "![What became of the answers that were typed](kills.png)\n\n"
        "| | |\n|---|---|\n"
        f"| kills | {outcome.kills} |\n| keys typed | {outcome.typed} |\n"
        f"| answers echoed | {len(outcome.echoed)} |\n"
        f"| answers in the database | {len(outcome.stored)} |\n"
        f"| echoed, not in the database | {outcome.lost} |\n"
        f"| in the database twice | {outcome.doubled} |\n"
        f"| in the database, killed before the echo | {outcome.unechoed} |\n"
        f"| seconds | {seconds:.0f} |\n\n"
        "## Method\n\n"
        "The command ran at a pseudo-terminal with the default learner on a ring of "
        f"{CLIQUES} cliques of {SIZE}; a key was pressed after every question until a SIGKILL at a "
        f"random moment, at most {LATEST} s after the first question (one in ten: after the "
        "start). Every log was verified afterwards. Command: `python -m bench.kills`.\n"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--record", action=argparse.BooleanOptionalAction, default=True)
    asked = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        outcome = run(asked.kills, asked.seed, Path(folder))
    text = report(outcome, time.monotonic() - start)
    if asked.record:
        RESULTS.write_text(text)
        drawn("kills", RESULTS.parent)
    print(text)
    if outcome.lost or outcome.doubled or not outcome.echoed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
