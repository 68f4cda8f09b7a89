"""Run the mutants, each format in child processes: ``python -m fuzz [FORMAT ...]``.

It stops after so many minutes, or at Ctrl-C; the same command goes on where it stopped.
"""

import argparse
import json
import select
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from bench.pictures import drawn
from fuzz.formats import FORMATS

SECONDS = 10
START_UP = 180
OUTCOMES = ("tried", "own", "read", "agrees", "differs", "raw", "crash", "hang", "memory", "twice")
HEADER = (
    "| format | tried | own errors | read | same as the other library | not the same | raw errors "
    "| crashes | hangs | memory | compiled reader differs |\n|---|" + "---|" * 10
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("formats", nargs="*", default=FORMATS, metavar="FORMAT")
    parser.add_argument("--mutants", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--folder", type=Path, default=Path("fuzz/out"))
    parser.add_argument("--report", type=Path)
    said = parser.parse_args()
    end = time.monotonic() + 60 * said.minutes
    counts = {}
    try:
        for kind in said.formats:
            counts[kind] = run(kind, said, end)
            print(row(kind, counts[kind]), flush=True)
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here")
    whole = "\n".join([HEADER, *(row(kind, count) for kind, count in counts.items())])
    print(whole)
    if said.report is not None and counts:
        said.report.write_text(report(whole, counts, said), encoding="utf-8")
        drawn(said.report.stem, said.report.parent)
    return int(any(count[bad] for count in counts.values() for bad in OUTCOMES[5:]))


def run(kind: str, said: argparse.Namespace, end: float) -> Counter:
    """Every mutant of one format, as many processes as it takes; the state is kept in a file."""
    folder = said.folder / kind
    folder.mkdir(parents=True, exist_ok=True)
    state = folder / f"state-{said.seed}.json"
    counts = Counter(json.loads(state.read_text()) if state.exists() else {})
    while counts["tried"] < said.mutants and time.monotonic() < end:
        one_process(kind, said, counts, folder, end)
        state.write_text(json.dumps(counts))
    return counts


def one_process(
    kind: str, said: argparse.Namespace, counts: Counter, folder: Path, end: float
) -> None:
    command = [sys.executable, "-m", "fuzz.worker", kind, str(said.seed), str(counts["tried"])]
    with (folder / "errors.txt").open("ab") as errors:
        child = subprocess.Popen(
            [*command, str(said.mutants), str(folder)],
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
        )
    patience, owner = START_UP, "start"
    try:
        while time.monotonic() < end:
            line = _line(child.stdout, patience)
            if not line:
                _lost(child, owner, counts, "hang" if line is None else "crash")
                return
            patience, words = SECONDS, line.split()
            if words[0] == "r":
                counts["tried"] += 1
                counts[words[2]] += 1
                owner = "other"
            elif words[0] == "c":
                counts[words[2]] += 1
                owner = "ours"
                if counts["tried"] == said.mutants:
                    return
            else:
                owner = "ours"
    finally:
        child.kill()
        child.wait()


def _line(stream, patience: float) -> str | None:
    """The next line; empty at the end, None if nothing comes in time."""
    ready, _, _ = select.select([stream], [], [], patience)
    return stream.readline().decode() if ready else None


def _lost(child: subprocess.Popen, owner: str, counts: Counter, how: str) -> None:
    """A process that ended or hangs: in our reader, in the other library, or all done."""
    if how == "crash" and child.wait() == 0:
        return
    if owner == "start":
        raise SystemExit("a child process did not start; see errors.txt")
    if owner == "ours":
        counts["tried"] += 1
        counts[how] += 1
    else:
        counts["other"] += 1


def row(kind: str, counts: Counter) -> str:
    return f"| {kind} | " + " | ".join(f"{counts[name]:,}" for name in OUTCOMES) + " |"


def report(table: str, counts: dict[str, Counter], said: argparse.Namespace) -> str:
    command = f"python -m fuzz --mutants {said.mutants} --seed {said.seed}"
    failed = sum(count[bad] for count in counts.values() for bad in OUTCOMES[5:])
    tried = sum(count["tried"] for count in counts.values())
    verdict = (
        f"No reader failed on any of {tried:,} damaged files: no foreign error, no crash, nothing "
        f"over {SECONDS} s or 1 GB."
        if failed == 0
        else f"Readers failed on {failed:,} of {tried:,} damaged files."
    )
    return f"""# Damaged files

{verdict}

![What became of the damaged files](fuzz.png)

{table}

## Method

Each mutant is a good file with one to four things done to it: bits and bytes changed, parts cut,
repeated, inserted or taken from another file, numbers swapped for awkward ones, lines repeated,
deleted or exchanged, headers edited. Half of the archives are damaged inside. Each format is read
in child processes that can take 1 GB more than they start with, and {SECONDS} s per file.

- own errors: refused with an error of lapwing that names the file.
- read: the result is a graph or labels. It is compared with what pandas (text, Parquet), networkx
  (GraphML, GML) or SciPy (matrices) reads from the same file, if it can.
- not the same: both read the file, with different results. Seen in 300,000 files: networkx ignores
  the default weight of a GraphML key, which makes an edge weigh 0 here (2 files); pandas drops a
  control character at the end of a line of a .txt, and a byte order mark in the first line that it
  is given (1 file each).
- compiled reader differs: every tenth edge list is also read by the compiled readers.

```
{command}
```
"""


if __name__ == "__main__":
    sys.exit(main())
