"""Answers typed into the studio as fast as a script can, while the server is killed repeatedly.

``python -m bench.studio_kills --answers 500 --every 20 --report bench/results/studio-kills.md``
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from statistics import median

from playwright.sync_api import sync_playwright

from bench.pictures import drawn
from lapwing import data
from tests import studio_browser as sb


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--answers", type=int, default=500)
    parser.add_argument("--every", type=float, default=20.0)
    parser.add_argument("--report", type=Path)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = measured(Path(folder) / "service", wanted.answers, wanted.every)
    print(page)
    if wanted.report:
        wanted.report.write_text(page, encoding="utf-8")
        drawn("studio-kills", wanted.report.parent)


def measured(folder: Path, answers: int, every: float) -> str:
    server = sb.Server(folder)
    try:
        return typed_and_killed(server, answers, every)
    finally:
        server.kill()


def typed_and_killed(server: sb.Server, answers: int, every: float) -> str:
    right = sb.truth()
    server.start()
    graph = server.call("/examples/digits", {})["graph"]
    session = server.session(graph, list("0123456789"))
    starts: list[float] = []
    over = threading.Event()

    def killing() -> None:
        """Kill the server `every` seconds after it answers, start it again, wait until it does."""
        while not over.wait(every):
            server.kill()
            began = time.monotonic()
            server.start()
            starts.append(time.monotonic() - began)

    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=sb.browser_path(), args=["--no-sandbox"])
        sitting = sb.Sitting(browser.new_page(viewport={"width": 1440, "height": 900}), right)
        sitting.open(f"{server.address}/?session={session}")
        sitting.page.keyboard.press("Enter")
        killer = threading.Thread(target=killing, daemon=True)
        began = time.monotonic()
        killer.start()
        for _ in range(answers):
            sitting.page.wait_for_selector(".card:not([data-node=''])", timeout=180_000)
            sitting.answer(1)
        typed = time.monotonic() - began
        over.set()
        killer.join(timeout=sb.START + sb.END)
        sitting.page.wait_for_selector(
            ".chip[data-waiting='0']:not(.amber):not(.red)", timeout=180_000
        )
        took = time.monotonic() - began
        browser.close()
    kept = server.labels(session)
    log = server.told(session)
    server.kill()
    told = Counter(event["node"] for event in log if event["kind"] == "told")
    names = [str(name) for name in data.load("digits").graph.names]
    in_log = {names[event["node"]]: list("0123456789")[event["label"]] for event in log}
    lost = [node for node in sitting.said if kept.get(node) != sitting.said[node]]
    doubled = [node for node, times in told.items() if times > 1]
    differing = [node for node in kept.keys() | in_log.keys() if kept.get(node) != in_log.get(node)]
    verdict = (
        f"Of {answers} answers typed while the server was killed {len(starts)} times, "
        f"{len(lost)} were lost and {len(doubled)} were recorded twice; the exported CSV "
        f"{'equals' if not differing else 'differs from'} the log."
    )
    rows = [
        ("answers typed", answers),
        ("answers in the exported CSV", len(kept)),
        ("answers lost or different", len(lost)),
        ("answers recorded twice", len(doubled)),
        ("nodes on which the CSV and the log differ", len(differing)),
        ("server killed (SIGKILL), times", len(starts)),
        ("seconds from an answering server to its kill", f"{every:.0f}"),
        ("seconds of a start until the server answers, median", f"{median(starts or [0]):.1f}"),
        ("seconds until the last was typed", f"{typed:.0f}"),
        ("seconds until the last was saved", f"{took:.0f}"),
    ]
    table = "\n".join(f"| {name} | {value} |" for name, value in rows)
    return (
        f"# The studio while its server is killed\n\n{verdict}\n\n"
        "![Answers typed on the page, and found in the exported file](studio-kills.png)\n\n"
        f"| | |\n|---|---|\n{table}\n\n"
        "A script presses the right digit as soon as the page shows a question; the page keeps "
        "answers in the browser's own database until the server has acknowledged them, each with "
        "a key, so that a repeat records nothing twice. While the server is away the page asks "
        "about the nodes it is least sure of; when these run out it waits for the server. The "
        f"server is killed {every:.0f} seconds after it began to answer, then started again at "
        "once.\n\n"
        f"`python -m bench.studio_kills --answers {answers} --every {every:.0f}`\n"
    )


if __name__ == "__main__":
    main()
