"""The studio in a cell of JupyterLab."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from bench.studio_states.opened import Studio
from tests import studio_browser as sb

CELLS = [
    """import lapwing
digits = lapwing.data.load("digits")
session = lapwing.Session(digits.graph, classes=list("0123456789"))
session.widget(height=640)""",
    "session.labels()",
]
ANSWERS = 6


def notebook(studio: Studio) -> None:
    """Six answers in a cell, and the same six in the next; skipped without JupyterLab."""
    if not studio.jupyter:
        print("no notebook: name a jupyter-lab with --jupyter")
        return
    folder = studio.server.folder.parent / "notebooks"
    written(folder)
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port = door.getsockname()[1]
    options = ["--no-browser", "--allow-root", f"--port={port}", "--IdentityProvider.token=",
               f"--ServerApp.root_dir={folder}"]  # fmt: skip
    with (folder / "lab.txt").open("wb") as log:
        lab = subprocess.Popen(
            [studio.jupyter, *options], stdout=log, stderr=log, start_new_session=True,
            env=sb.with_compiled_modules() | {"JUPYTER_PATH": str(folder)},
        )  # fmt: skip
    try:
        address = f"http://127.0.0.1:{port}"
        answering(address)
        run(studio, f"{address}/lab/tree/session.ipynb")
    finally:
        sb.killed(lab)


def written(folder: Path) -> None:
    """A notebook of two cells, and a kernel that runs them with this Python."""
    kernel = folder / "kernels" / "lapwing"
    kernel.mkdir(parents=True)
    launch = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    told = {"argv": launch, "display_name": "lapwing", "language": "python",
            "env": {"PYTHONPATH": os.pathsep.join(sys.path)}}  # fmt: skip
    (kernel / "kernel.json").write_text(json.dumps(told), encoding="utf-8")
    cells = [{"cell_type": "code", "id": f"cell{k}", "source": text, "metadata": {}, "outputs": [],
              "execution_count": None} for k, text in enumerate(CELLS)]  # fmt: skip
    spec = {"kernelspec": {"name": "lapwing", "display_name": "lapwing", "language": "python"}}
    book = {"nbformat": 4, "nbformat_minor": 5, "metadata": spec, "cells": cells}
    (folder / "session.ipynb").write_text(json.dumps(book), encoding="utf-8")


def answering(address: str) -> None:
    end = time.monotonic() + sb.START
    while time.monotonic() < end:
        try:
            urlopen(f"{address}/api", timeout=2).close()
            return
        except OSError:
            time.sleep(0.2)
    raise TimeoutError("JupyterLab did not start")


def run(studio: Studio, address: str) -> None:
    page = studio.page(1700, 1000)
    page.goto(address)
    cell = page.locator(".jp-CodeCell").first
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".lapwing-studio .card:not([data-node=''])")
    page.click(".lapwing-studio .first .yes")
    for _ in range(ANSWERS):
        answered(studio, page)
    page.wait_for_selector(f".chip[data-waiting='0'][data-answers='{ANSWERS}']")
    page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".jp-CodeCell:nth-child(2) .jp-OutputArea-output >> text={")
    page.wait_for_timeout(2500)
    page.add_style_tag(content="#jp-main-dock-panel ~ *, .Toastify { display: none }")
    book = page.locator(".jp-WindowedPanel-outer").bounding_box()
    end = page.locator(".jp-CodeCell").nth(2).bounding_box()["y"]
    book["width"] -= 12  # the scroll bar
    path = str(studio.pictures / "notebook.png")
    page.screenshot(path=path, clip=book | {"height": end - book["y"] - 4})
    print("notebook", flush=True)


def answered(studio: Studio, page: Any) -> None:
    node = page.get_attribute(".lapwing-studio .card", "data-node")
    page.locator(".lapwing-studio .app").press(studio.right[str(node)])
    page.wait_for_selector(f".lapwing-studio .card:not([data-node='{node}']):not([data-node=''])")
