"""A service in a process of its own, which can be killed, and pages of it in a real browser."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from lapwing import data
from lapwing.studio.page import PAGE

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
AXE = Path(__file__).parents[1] / "studio" / "node_modules" / "axe-core" / "axe.min.js"
START = 120
END = 20
PATIENCE = 90_000
"""Milliseconds to wait for anything on a page: a busy machine takes its time."""


def browser_path() -> str | None:
    """The browser of this machine, if there is one; none is ever downloaded."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def missing() -> str:
    """What the browser tests lack here, in words; empty if nothing."""
    if not (PAGE / "index.html").is_file():
        return "the studio's page is not built (make page)"
    if browser_path() is None:
        return "there is no Chromium (apt-get install chromium)"
    return ""


def killed(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it started; it leads a group of its own."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(timeout=END)


class Chromium:
    """A headless browser in a process group of its own, so that no part of it outlives a test."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        command = [str(browser_path()), "--headless=new", "--no-sandbox", "--disable-gpu-sandbox"]
        self.process = subprocess.Popen(
            [*command, "--no-first-run", "--disable-dev-shm-usage", "--remote-debugging-port=0",
             f"--user-data-dir={folder}", *options, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    @property
    def address(self) -> str:
        """Where it can be reached; waits until it can be."""
        door, end = self.folder / "DevToolsActivePort", time.monotonic() + START
        while time.monotonic() < end and self.process.poll() is None:
            if door.is_file() and (lines := door.read_text().splitlines()):
                return f"http://127.0.0.1:{lines[0]}"
            time.sleep(0.05)
        self.kill()
        raise TimeoutError("the browser did not start")

    def kill(self) -> None:
        killed(self.process)


def with_compiled_modules() -> dict[str, str]:
    """The environment, with a place for compiled modules: else every start compiles them anew."""
    around = dict(os.environ)
    if around.pop("PYTHONDONTWRITEBYTECODE", ""):
        around["PYTHONPYCACHEPREFIX"] = str(Path(tempfile.gettempdir()) / "lapwing-compiled")
    return around


class Server:
    """`lapwing serve` on one port and one folder, started, killed and started again."""

    def __init__(self, folder: Path, *, token: str = "") -> None:
        self.folder, self.token = folder, token
        with socket.socket() as door:
            door.bind(("127.0.0.1", 0))
            self.port = door.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *, wait: bool = True) -> None:
        command = [sys.executable, "-m", "lapwing", "serve", "--folder", str(self.folder)]
        with (self.folder.parent / "serve.txt").open("ab") as log:
            self.process = subprocess.Popen(
                [*command, "--port", str(self.port), "--rate", "100000/second"],
                stdout=log, stderr=log, start_new_session=True, env=with_compiled_modules(),
            )  # fmt: skip
        end = time.monotonic() + START
        while wait and time.monotonic() < end and self.process.poll() is None:
            try:
                urlopen(f"{self.address}/healthz", timeout=2).close()
                return
            except OSError:
                time.sleep(0.1)
        if wait:
            self.kill()
            raise TimeoutError((self.folder.parent / "serve.txt").read_text())

    def kill(self) -> None:
        if self.process is not None:
            killed(self.process)

    def call(self, path: str, body: Any = None, method: str | None = None) -> Any:
        content = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        asked = Request(f"{self.address}/v1{path}", content, headers, method=method)
        with urlopen(asked, timeout=120) as reply:
            text = reply.read().decode()
        return json.loads(text) if text[:1] in "{[" and "\n{" not in text else text

    def session(self, graph: str, classes: list[str], **choices: Any) -> str:
        body = {"graph": graph, "classes": classes, "name": "digits", **choices}
        return str(self.call("/sessions", body)["session"])

    def labels(self, session: str) -> dict[str, str]:
        """The exported CSV, by node."""
        rows = csv.DictReader(io.StringIO(self.call(f"/sessions/{session}/labels")))
        return {row["node"]: row["label"] for row in rows}

    def told(self, session: str) -> list[dict[str, Any]]:
        """The events of the exported log that give or take back answers, in order."""
        lines = self.call(f"/sessions/{session}/export").splitlines()
        events = [json.loads(line) for line in lines[1:]]
        return [e for e in events if e.get("kind") in ("told", "corrected", "withdrawn")]


def truth() -> dict[str, str]:
    digits = data.load("digits")
    return {str(n): str(k) for n, k in zip(digits.graph.names, digits.labels, strict=True)}


class Sitting:
    """A person at a page: presses keys, looks at what is there."""

    def __init__(self, page: Any, right: dict[str, str]) -> None:
        self.page, self.right = page, right
        self.said: dict[str, str] = {}

    def open(self, address: str) -> None:
        self.page.goto(address)
        self.page.wait_for_selector(".card[data-node]:not([data-node=''])", timeout=PATIENCE)

    @property
    def node(self) -> str:
        return str(self.page.get_attribute(".card", "data-node"))

    def answer(self, count: int) -> None:
        for _ in range(count):
            self.page.wait_for_selector(".card:not([data-node=''])", timeout=PATIENCE)
            node = self.node
            self.page.keyboard.press(self.right[node])
            self.said[node] = self.right[node]
            self.asked_other_than(node)

    def asked_other_than(self, node: str) -> None:
        """Wait until the card shows another node, or none."""
        self.page.wait_for_function(
            "node => document.querySelector('.card').dataset.node !== node",
            arg=node,
            timeout=PATIENCE,
        )

    def undo(self) -> None:
        before = self.node
        self.page.keyboard.press("u")
        self.asked_other_than(before)
        self.said.pop(self.node, None)

    def saved(self) -> None:
        """Wait until nothing waits in the browser any more."""
        self.page.wait_for_selector(".chip[data-waiting='0']:not(.amber)", timeout=PATIENCE)

    def waits(self, least: int) -> None:
        """Wait until the page says that it is offline, with at least so many answers waiting."""
        self.page.wait_for_selector(".chip.amber", timeout=PATIENCE)
        assert int(self.page.get_attribute(".chip", "data-waiting")) >= least

    def stocked(self, least: int) -> None:
        """Wait until so many questions are kept for a time without a server."""
        self.page.wait_for_function(
            "least => Number(document.querySelector('.chip').dataset.reserved) >= least",
            arg=least,
            timeout=PATIENCE,
        )

    def begin(self, address: str) -> None:
        """Open a session and press the first visit's one button."""
        self.open(address)
        self.page.click(".first .yes")
        self.page.wait_for_selector(".first", state="detached", timeout=PATIENCE)

    def drawn(self) -> None:
        """Wait until the map is drawn, and not in the making any more."""
        self.page.wait_for_selector(".canvas[data-drawn]", timeout=PATIENCE)
        self.page.wait_for_selector(".arranging", state="detached", timeout=PATIENCE)
