"""The longest silence of every command on a large graph, measured at a terminal.

    python -m bench.waits

Each command runs at a pseudo-terminal on PubMed and on planted communities of 300,000 nodes, read
from a CSV file. A silence is the time between two pieces of output: in seconds, and in CPU seconds
of the command and its children, which other work on the machine does not lengthen.
"""

from __future__ import annotations

import os
import select
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.first_minute import cpu_seconds
from bench.pictures import drawn
from bench.terminal import PROMPT, Terminal
from lapwing import io
from lapwing.data import planted_partition

RESULTS = Path(__file__).parent / "results" / "waits.md"
SHORT = 2.0
"""CPU seconds that nobody needs to be told about."""
LIMIT = 240.0
"""Seconds after which a command is given up."""


@dataclass
class Silence:
    """How long a command said nothing, and what it had said last."""

    seconds: float
    cpu: float
    after: str


def longest(*words: object) -> tuple[Silence, float]:
    """The longest silence of a command, by CPU seconds, and its CPU seconds in all."""
    with Terminal(*words, columns=120) as terminal:
        pid, answered = terminal.process.pid, 0
        last = (time.monotonic(), 0.0, "its start")
        found, used = Silence(0.0, 0.0, "its start"), 0.0
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            heard = select.select([terminal.ours], [], [], 0.1)[0]
            used = max(used, cpu_seconds(pid))
            now = time.monotonic()
            if used - last[1] > found.cpu:
                found = Silence(now - last[0], used - last[1], last[2])
            if not heard:
                continue
            try:
                read = os.read(terminal.ours, 65536)
            except OSError:
                break
            if not read:
                break
            terminal.raw += read
            said = [line.strip() for line in terminal.screen.splitlines() if line.strip()]
            last = (now, used, said[-1][-60:] if said else "its start")
            if terminal.screen.count(PROMPT) > answered:
                answered += 1
                terminal.press("1" if answered < 4 else "q")
        else:
            terminal.process.kill()
        terminal.process.wait(60)
    return found, used


def commands(folder: Path) -> dict[str, tuple[object, ...]]:
    """Every command that works on a graph, by a name for the table."""
    size = (20_000, 40_000)
    planted = planted_partition(n=300_000, mean_degree=10, communities=size, mixing=0.2, seed=0)
    edges, labels = folder / "edges.csv", folder / "labels.csv"
    io.write_graph(planted.graph, edges)
    io.write_labels(planted.known, labels, planted.graph)
    database = folder / "s.db"
    found: dict[str, tuple[object, ...]] = {}
    for name, graph, known in (("pubmed", "pubmed", ()), ("300,000", edges, ("--labels", labels))):
        oracle = ("known",) if not known else (labels,)
        found |= {
            f"info, {name}": ("info", graph, *known),
            f"classify, {name}": ("classify", graph, *known, "--fraction", 0.01,
                                  "-o", folder / "p.csv"),
            f"label, {name}": ("label", graph, "--classes", "a,b", "--db", database,
                               "--session", f"keys {name}"),
            f"label --oracle, {name}": ("label", graph, "--oracle", *oracle, "--budget", 20,
                                        "--db", database, "--session", f"oracle {name}"),
            f"session predictions, {name}": ("session", "predictions", f"oracle {name}",
                                             "--db", database, "-o", folder / "q.csv"),
            f"session verify, {name}": ("session", "verify", f"oracle {name}", "--db", database),
            f"play, {name}": ("play", graph, *known),
            f"certify, {name}": ("certify", graph, *known),
            f"embed, {name}": ("embed", graph, "--rank", 8, "-o", folder / "rows.npy"),
            f"convert, {name}": ("convert", graph, folder / "c.parquet"),
        }  # fmt: skip
    return found


def main() -> None:
    lines, worst = [], ("", Silence(0.0, 0.0, ""))
    with tempfile.TemporaryDirectory() as made:
        for name, words in commands(Path(made)).items():
            silence, used = longest(*words)
            worst = max(worst, (name, silence), key=lambda each: each[1].cpu)
            row = f"| {name} | {used:.1f} | {silence.cpu:.1f} | {silence.seconds:.1f} | "
            lines.append(row + silence.after.replace("|", " ") + " |")
            print(lines[-1], flush=True)
    verdict = (
        f"The longest silence of any command took {worst[1].cpu:.1f} CPU seconds ({worst[0]}); "
        f"{sum(float(line.split('|')[3]) > SHORT for line in lines)} of {len(lines)} commands "
        f"say nothing for more than {SHORT:.0f} CPU seconds."
    )
    page = f"""# Silent waits

{verdict}

![The longest silence of each command](waits.png)

| command | CPU seconds in all | longest silence, CPU seconds | the same, seconds | said before |
|---|---:|---:|---:|---|
{chr(10).join(lines)}

## Method

`python -m bench.waits` runs every command at a pseudo-terminal, on PubMed (19,717 nodes) and on
planted communities of 300,000 nodes read from a CSV file, and notes when something is shown. CPU
seconds are those of the command and its children: other work on the machine does not lengthen them.
A command is stopped after {LIMIT:.0f} seconds, `play` on the larger graph among them. `label` is
answered three times by keys.
"""
    RESULTS.write_text(page, encoding="utf-8")
    drawn("waits", RESULTS.parent)


if __name__ == "__main__":
    main()
