"""From a fresh clone to the first answered question: seconds, CPU seconds, megabytes.

    git clone . /tmp/first && python -m bench.first_minute /tmp/first

Runs ``make demo`` in the clone with an empty home folder and watches: when the environment is
ready, when the first answer is on the screen, and when the report is written. CPU seconds
are those of the command and of all its children, user and system.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
PAUSE = 0.2


def cpu_seconds(root: int) -> float:
    """What a process, its living descendants and their finished children have used."""
    parent, used = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parent[int(folder.name)] = int(words[1])
            used[int(folder.name)] = sum(int(word) for word in words[11:15]) / TICKS
    family, grew = {root}, True
    while grew:
        more = {child for child, of in parent.items() if of in family} - family
        family |= more
        grew = bool(more)
    return sum(used.get(each, 0.0) for each in family)


def megabytes(folder: Path) -> float:
    return sum(f.lstat().st_size for f in folder.rglob("*") if not f.is_dir()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("clone", type=Path)
    asked = parser.parse_args()
    clone = asked.clone.resolve()
    load = os.getloadavg()[0]
    stages: dict[str, Callable[[], bool]] = {
        "installed": lambda: any(clone.glob(".venv/.ready*")),
        "first answered question": lambda: "question 1:" in screen.read_text(),
    }
    with tempfile.TemporaryDirectory() as home, (Path(home) / "screen").open("w") as out:
        screen = Path(out.name)
        environment = os.environ | {"HOME": home}
        for name in ("PYTHONPATH", "NUMBA_CACHE_DIR", "MAKEFLAGS"):
            environment.pop(name, None)
        start = time.monotonic()
        make = ["make", "demo", f"PYTHON={sys.base_exec_prefix}/bin/python3"]
        with subprocess.Popen(make, cwd=clone, env=environment, stdout=out) as process:
            rows, used = [], 0.0
            while process.poll() is None:
                used = max(used, cpu_seconds(process.pid))
                for name in [name for name, done in stages.items() if done()]:
                    del stages[name]
                    rows.append((name, time.monotonic() - start, used))
                time.sleep(PAUSE)
    rows.append(("report written", time.monotonic() - start, used))
    print(f"\nload average at the start {load:.1f}; exit code {process.returncode}")
    print("| | seconds | CPU seconds |\n|---|---|---|")
    for name, seconds, cpu in rows:
        print(f"| {name} | {seconds:.0f} | {cpu:.0f} |")
    print(f"| size of .venv | {megabytes(clone / '.venv'):,.0f} MB | |")


if __name__ == "__main__":
    main()
