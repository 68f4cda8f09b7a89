"""The studio's page of PubMed beside plain pages of plotly and dash-cytoscape, in one browser.

``python -m bench.studio_pages --report bench/results/studio-pages.md``
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import numpy as np
from playwright.sync_api import sync_playwright

from bench.pictures import PAGES, drawn
from lapwing import data
from lapwing.embed.layout import layout
from lapwing.service.operation.settings import ServiceSettings
from lapwing.studio.hosting import Wish, hosted_session
from tests import studio_browser as sb

ANSWERS = 21
COLOURS = ["#4477aa", "#ee6677", "#228833"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dash", default=sys.executable, help="A Python with dash-cytoscape.")
    parser.add_argument("--report", type=Path)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        chromium = sb.Chromium(Path(folder) / "chromium")
        try:
            with sync_playwright() as started:
                browser = started.chromium.connect_over_cdp(chromium.address, timeout=60_000)
                page = report(Path(folder), browser, wanted.dash)
                chromium.kill()
        finally:
            chromium.kill()
    print(page)
    if wanted.report:
        wanted.report.write_text(page, encoding="utf-8")
        if wanted.report.stem in PAGES:
            drawn(wanted.report.stem, wanted.report.parent)


class Watched:
    """A page whose bytes and main-thread seconds are counted by the browser itself."""

    def __init__(self, browser: Any) -> None:
        self.page = browser.new_page(viewport={"width": 1440, "height": 900})
        self.line = self.page.context.new_cdp_session(self.page)
        self.bytes = 0
        self.line.send("Network.enable")
        self.line.send("Performance.enable")
        self.line.on("Network.loadingFinished", self._finished)

    def _finished(self, event: dict[str, Any]) -> None:
        self.bytes += int(event["encodedDataLength"])

    def seconds(self) -> dict[str, float]:
        found = self.line.send("Performance.getMetrics")["metrics"]
        return {each["name"]: each["value"] for each in found if each["name"].endswith("Duration")}

    def cost(self, act: Callable[[], None]) -> dict[str, float]:
        before = self.seconds()
        act()
        self.page.wait_for_timeout(1500)
        after = self.seconds()
        return {name: 1000 * (after[name] - before[name]) for name in before}


def studio(folder: Path, browser: Any, painter: str = "") -> dict[str, Any]:
    pubmed = data.load("pubmed")
    classes = [str(name) for name in pubmed.classes]
    server = sb.Server(folder / "service")
    settings = ServiceSettings(folder=server.folder, port=server.port)
    with ThreadPoolExecutor(1) as aside:  # the browser's own loop runs in this thread
        wish = Wish(pubmed.graph, "pubmed", classes)
        session = aside.submit(hosted_session, settings, wish).result()
    server.start()
    graph = server.call("/sessions")["sessions"][0]["graph"]
    for _ in range(240):
        if urlopen(f"{server.address}/v1/graphs/{graph}/layout", timeout=60).status != 202:
            break
        time.sleep(0.5)
    right = {
        str(name): str(1 + int(label))
        for name, label in zip(pubmed.graph.names, pubmed.labels, strict=True)
    }
    watched = Watched(browser)
    sitting = sb.Sitting(watched.page, right)
    sitting.open(f"{server.address}/?session={session}{painter and f'&painter={painter}'}")
    watched.page.wait_for_selector("[data-drawn]", timeout=120_000)
    watched.page.wait_for_timeout(1500)
    first, sent = watched.seconds(), watched.bytes
    watched.page.keyboard.press("Enter")
    waits = []
    for _ in range(ANSWERS):
        watched.page.wait_for_timeout(400)
        node = sitting.node
        waits.append(
            watched.page.evaluate(
                """([node, key]) => new Promise((done) => {
                  const began = performance.now();
                  document.body.dispatchEvent(
                    new KeyboardEvent('keydown', { key, bubbles: true }));
                  const look = () => {
                    const card = document.querySelector('.card').dataset.node;
                    const saved = document.querySelector('.chip').dataset.waiting === '0';
                    if (card && card !== node && saved) done(performance.now() - began);
                    else setTimeout(look, 4);
                  };
                  look();
                })""",
                [node, right[node]],
            )
        )
    recolour = watched.cost(lambda: watched.page.click("text=Confidence"))
    found = watched.page.get_attribute(".canvas", "data-painter")
    server.kill()
    watched.page.close()
    return {"bytes": sent, "first": 1000 * first["TaskDuration"],
            "recolour": recolour, "waits": waits[1:], "painter": found}  # fmt: skip


def plotly_page(folder: Path, browser: Any, places: Any, labels: Any) -> dict[str, Any]:
    import plotly.graph_objects as go  # noqa: PLC0415 - only where this rival is installed

    figure = go.Figure(
        go.Scattergl(x=places[:, 0], y=places[:, 1], mode="markers",
                     marker={"color": [COLOURS[k] for k in labels], "size": 3})
    )  # fmt: skip
    file = folder / "plotly.html"
    figure.write_html(file, include_plotlyjs=True, full_html=True, div_id="map")
    watched = Watched(browser)
    watched.page.goto(file.as_uri())
    watched.page.wait_for_selector("#map canvas", timeout=120_000)
    watched.page.wait_for_timeout(1500)
    first = watched.seconds()["TaskDuration"]
    other = json.dumps([COLOURS[(k + 1) % 3] for k in labels])
    recolour = watched.cost(
        lambda: watched.page.evaluate(f"Plotly.restyle('map', 'marker.color', [{other}])")
    )
    watched.page.close()
    return {"bytes": file.stat().st_size, "first": 1000 * first, "recolour": recolour}


def dash_page(folder: Path, browser: Any, places: Any, labels: Any, python: str) -> dict[str, Any]:
    """The same nodes by dash-cytoscape, served by an interpreter that has it."""
    told = folder / "nodes.json"
    told.write_text(json.dumps({"places": np.asarray(places).tolist(), "labels": labels.tolist()}))
    port = sb.Server(folder).port
    script = Path(__file__).with_name("dash_page.py")
    process = subprocess.Popen(
        [python, str(script), str(told), str(port)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
    )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        for _ in range(200):
            with contextlib.suppress(OSError):
                urlopen(address, timeout=2).close()
                break
            time.sleep(0.3)
        watched = Watched(browser)
        watched.page.goto(address)
        watched.page.wait_for_selector("#map canvas", timeout=300_000)
        watched.page.wait_for_timeout(5000)
        first, sent = watched.seconds()["TaskDuration"], watched.bytes
        recolour = watched.cost(lambda: watched.page.click("#go"))
        watched.page.close()
    finally:
        sb.killed(process)
    return {"bytes": sent, "first": 1000 * first, "recolour": recolour}


def report(folder: Path, browser: Any, python: str) -> str:
    ours = studio(folder, browser)
    by_sigma = studio(folder / "sigma", browser, painter="sigma")
    pubmed = data.load("pubmed")
    places, labels = layout(pubmed.graph), np.asarray(pubmed.labels)
    rows = {
        f"lapwing studio ({ours['painter']}, chosen here)": ours,
        f"lapwing studio ({by_sigma['painter']})": by_sigma,
        "plotly scattergl": plotly_page(folder, browser, places, labels),
        "dash-cytoscape": dash_page(folder, browser, places, labels, python),
    }
    probe = browser.new_page()
    gl = probe.evaluate(
        """() => { const gl = document.createElement('canvas').getContext('webgl2');
        if (!gl) return 'no WebGL';
        const info = gl.getExtension('WEBGL_debug_renderer_info');
        return gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER); }"""
    )
    probe.close()
    table = "\n".join(
        f"| {name} | {found['bytes'] / 1000:,.0f} | {found['first']:,.0f} | "
        f"{found['recolour']['ScriptDuration']:,.0f} | {found['recolour']['TaskDuration']:,.0f} |"
        for name, found in rows.items()
    )
    wait = statistics.median(ours["waits"])
    script = ours["recolour"]["ScriptDuration"]
    verdict = (
        f"The studio's first draw of PubMed takes {ours['bytes'] / 1000:,.0f} kB (goal: 700), "
        f"recolouring {script:,.0f} ms of script (goal: 200), and from a key press to the answer "
        f"on disk and the next question on screen {wait:,.0f} ms at the median (goal: 150)."
    )
    return (
        f"# The studio's page beside others\n\n{verdict}\n\n"
        "![Time on the main thread until the first draw](studio-pages.png)\n\n"
        "| page of PubMed, 19,717 nodes | kB to the first draw | main thread to the first draw, ms "
        "| recolour, script ms | recolour, main thread ms |\n|---|---|---|---|---|\n"
        f"{table}\n\nOne run in one browser (headless Chromium), WebGL by {gl}. The studio's bytes "
        "include its styles, map and first questions, as sent; plotly's page is one file, read "
        f"from disk. The wait is the median of {len(ours['waits'])} answers typed with pauses, "
        f"after one to warm up, on {os.cpu_count()} cores with a load of {os.getloadavg()[0]:.1f}, "
        "this browser and its server among it. The other pages draw nodes only, in the same "
        "layout.\n\n"
        "`python -m bench.studio_pages --dash PYTHON`\n"
    )


if __name__ == "__main__":
    main()
