"""How long lapwing takes to start, in CPU seconds, compared with the libraries it depends on.

    python -m bench.startup

Every command is run several times, taking turns; the least CPU time (user and system, children
included) counts. The yardstick is ``import numba, scipy.sparse, sklearn`` in the same run.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

from bench.pictures import drawn

RESULTS = Path(__file__).parent / "results" / "startup.md"
ROUNDS = 7
YARDSTICK = "import numba, scipy.sparse, sklearn"
COMMANDS = {
    YARDSTICK: (["-c", YARDSTICK], None),
    "import lapwing": (["-c", "import lapwing"], 0.5),
    "lapwing --version": (["-m", "lapwing", "--version"], 0.33),
    "lapwing --help": (["-m", "lapwing", "--help"], 0.33),
    "lapwing label --help": (["-m", "lapwing", "label", "--help"], None),
    "lapwing data list": (["-m", "lapwing", "data", "list"], None),
    "import lapwing; lapwing.make": (["-c", "import lapwing; lapwing.make"], None),
}


def cpu_seconds(arguments: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime - before.ru_stime)


def measured() -> dict[str, float]:
    best = dict.fromkeys(COMMANDS, float("inf"))
    for _ in range(ROUNDS):
        for name, (arguments, _) in COMMANDS.items():
            best[name] = min(best[name], cpu_seconds(arguments))
    return best


def table(best: dict[str, float]) -> str:
    lines = ["| | CPU seconds | ratio | at most |", "|---|---|---|---|"]
    for name, (_, most) in COMMANDS.items():
        ratio = best[name] / best[YARDSTICK]
        lines.append(f"| `{name}` | {best[name]:.2f} | {ratio:.2f} | {most or ''} |")
    return "\n".join(lines)


def main() -> None:
    best = measured()
    ratios = {name: best[name] / best[YARDSTICK] for name in COMMANDS}
    kept = all(most is None or ratios[name] <= most for name, (_, most) in COMMANDS.items())
    verdict = "Every limit is kept." if kept else "A limit is broken."
    text = (
        f"# Start-up\n\n{verdict} `import lapwing` costs {ratios['import lapwing']:.2f} of the "
        f"libraries it depends on, `lapwing --help` {ratios['lapwing --help']:.2f}.\n\n"
        f"![CPU time of each command](startup.png)\n\n{table(best)}\n\n"
        f"Least of {ROUNDS} runs that took turns on one machine. Public names and "
        "commands are imported when they are first used, so the last lines pay for what they "
        "load. Command: `python -m bench.startup`.\n"
    )
    RESULTS.write_text(text)
    drawn("startup", RESULTS.parent)
    print(text)


if __name__ == "__main__":
    main()
