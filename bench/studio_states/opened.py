"""A service, a browser and a folder for the pictures that are taken."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from playwright.sync_api import sync_playwright

from tests import studio_browser as sb

DIGITS = list("0123456789")
PHONE = {"device_scale_factor": 2, "is_mobile": True, "has_touch": True}


class Studio:
    """A service, a browser, and a folder for pictures."""

    def __init__(self, server: sb.Server, browser: Any, pictures: Path, jupyter: str) -> None:
        self.server, self.browser = server, browser
        self.pictures, self.jupyter = pictures, jupyter
        self.right = sb.truth()
        self.digits = server.call("/examples/digits", {})["graph"]

    def page(self, width: int = 1440, height: int = 900, **choices: Any) -> Any:
        size = {"width": width, "height": height}
        page = self.browser.new_context(viewport=size, **choices).new_page()
        page.set_default_timeout(sb.PATIENCE)
        page.on("pageerror", lambda wrong: print("on the page:", wrong))
        return page

    def opened(self, page: Any, session: str, *, begin: bool = True) -> sb.Sitting:
        """The session on a page, with its map drawn; past the first visit's note unless told."""
        sitting = sb.Sitting(page, self.right)
        sitting.open(f"{self.server.address}/?session={session}")
        page.wait_for_selector(".canvas[data-drawn]", timeout=600_000)
        page.wait_for_selector(".arranging", state="detached", timeout=900_000)
        if begin and page.locator(".first").count():
            page.click(".first .yes")
        page.wait_for_timeout(1500)
        return sitting

    def told(self, session: str, answers: int, right: dict[str, str] | None = None) -> None:
        """Answer so many questions; a graph of fewer nodes is answered whole."""
        path = f"/sessions/{session}"
        for _ in range(answers):
            for each in self.server.call(f"{path}/next?k=1")["questions"]:
                answer = {"node": each["node"], "label": (right or self.right)[each["node"]]}
                self.server.call(f"{path}/labels", {"answers": [answer]})

    def uploaded(self, page: Any, name: str, edges: str, nodes: str = "") -> str:
        """The id of a graph sent as files."""
        sent = {"edges": {"name": f"{name}.csv", "mimeType": "text/csv", "buffer": edges.encode()}}
        if nodes:
            sent["nodes"] = {"name": "nodes.csv", "mimeType": "text/csv", "buffer": nodes.encode()}
        reply = page.request.post(f"{self.server.address}/v1/graphs", multipart=sent)
        return str(reply.json()["graph"])

    def shot(self, page: Any, name: str) -> None:
        page.screenshot(path=str(self.pictures / f"{name}.png"))
        print(name, flush=True)


@contextmanager
def running(pictures: Path, jupyter: str = "") -> Iterator[Studio]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server = sb.Server(Path(folder) / "service")
        chromium = sb.Chromium(Path(folder) / f"chromium-{uuid4().hex}")
        try:
            server.start()
            with sync_playwright() as started:
                browser = started.chromium.connect_over_cdp(chromium.address, timeout=60_000)
                yield Studio(server, browser, pictures, jupyter)
                chromium.kill()
        finally:
            chromium.kill()
            server.kill()
