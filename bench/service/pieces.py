"""The page about killed services, made of pieces that are run one after the other."""

from __future__ import annotations

import re
from pathlib import Path

RESULTS = Path(__file__).parents[1] / "results" / "service-kills.md"
CUT = 0.02
NODES = 16_000


def table(found: dict[str, object]) -> str:
    return "| | |\n|---|---|\n" + "".join(f"| {k} | {v} |\n" for k, v in found.items())


def added(parts: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """These results and those on the page: numbers are added up, statuses are gathered."""
    total: dict[str, dict[str, object]] = {}
    for title, found in [*_on_page().items(), *parts.items()]:
        here = total.setdefault(title, {"pieces": 0})
        here["pieces"] += int(found.get("pieces", 1))
        for name, value in found.items():
            if name in STATUSES:
                values = {int(v) for v in re.findall(r"\d+", f"{here.get(name, '')} {value}")}
                here[name] = ", ".join(map(str, sorted(values)))
            elif name != "pieces":
                here[name] = int(here.get(name, 0)) + int(value)
    return total


STATUSES = ("seeds", "reply when full", "replies while it was gone")


def _on_page() -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for part in RESULTS.read_text().split("\n## ")[1:] if RESULTS.is_file() else []:
        title, _, rest = part.partition("\n")
        rows = re.findall(r"^\| ([^|]+) \| ([^|]*) \|$", rest, flags=re.MULTILINE)
        found[title] = dict(rows)
    return found


BAD = ("lost", "doubled", "invented", "stale reads", "answers unlike the replay")


def page(parts: dict[str, dict[str, object]]) -> str:
    bad = sum(int(found.get(k, 0)) for found in parts.values() for k in BAD)
    total = sum(int(found.get("acknowledged", 0)) for found in parts.values())
    kills = sum(int(found.get("kills", 0)) for found in parts.values())
    verdict = (
        f"No acknowledged answer of {total:,} was lost or recorded twice, and nobody read a state "
        f"without their own answer, with {kills} SIGKILLs of the server under eight writers."
        if bad == 0
        else f"{bad} answers were lost, doubled or stale."
    )
    picture = "![Answers acknowledged in each trial, and how many were lost](service-kills.png)"
    text = f"# Killing the service\n\n{verdict}\n\n{picture}\n"
    for title, found in parts.items():
        text += f"\n## {title}\n\n{table(found)}"
    return text + (
        f"\nEight writers answer, correct and read through `lapwing.client`, each with an outbox "
        f"file, on a ring of {NODES:,} nodes. SIGKILL hits the server at a random moment, a proxy "
        f"cuts {CUT:.0%} of the pieces of data that pass it. PostgreSQL is killed under two server "
        f"processes that share an address. A full disk is a limit on the size of files, lifted "
        f"later. The client that is killed answers one node after the other; what its outbox held "
        f"is read after each kill. The history of calls is compared with "
        f"the log, which is read by code of its own, and the session with a replay of the log. "
        f"Each piece has a seed and a database of its own; their counts are added up. Command: "
        f"`python -m bench.service.kills`, piece by piece `--part NAME --seed N --add`.\n"
    )
