"""Notebooks, executed when the site is built and shown as pages."""

from __future__ import annotations

import os
import re
from base64 import b64decode
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

EXECUTE = "LAPWING_DOCS_EXECUTE"
"""Set to 0, the notebooks are shown without running them: a quick look at the other pages."""
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
PICTURES = {"image/svg+xml": "svg", "image/png": "png", "image/jpeg": "jpg"}
SECONDS = 300


def page(path: Path) -> tuple[str, dict[str, bytes | str]]:
    """A notebook as Markdown, and the pictures it shows by their file names."""
    notebook = nbformat.read(path, as_version=4)
    if os.environ.get(EXECUTE, "1") != "0":
        execute(notebook, path.parent)
    pictures: dict[str, bytes | str] = {}
    parts = [_cell(cell, path.stem, pictures) for cell in notebook.cells]
    return "\n\n".join(part for part in parts if part) + "\n", pictures


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run every cell in a kernel of its own, spoken to over a local socket, not the network."""
    with TemporaryDirectory() as place:
        local = Config({"KernelManager": {"transport": "ipc", "ip": f"{place}/kernel"}})
        NotebookClient(
            notebook,
            timeout=SECONDS,
            kernel_name="python3",
            resources={"metadata": {"path": str(folder)}},
            config=local,
        ).execute()


def _cell(cell: Any, stem: str, pictures: dict[str, bytes | str]) -> str:
    if cell.cell_type == "markdown":
        return str(cell.source)
    if cell.cell_type != "code" or not cell.source.strip():
        return ""
    parts = [f"```python\n{cell.source}\n```"]
    parts += [_output(output, stem, pictures) for output in cell.outputs]
    return "\n\n".join(part for part in parts if part)


def _output(output: Any, stem: str, pictures: dict[str, bytes | str]) -> str:
    """The richest form of one output: a picture, then HTML, then text."""
    if output.output_type == "stream":
        return _text(output.text)
    for kind, suffix in PICTURES.items():
        if kind in output.data:
            name = f"{stem}-{len(pictures) + 1}.{suffix}"
            held = output.data[kind]
            pictures[name] = held if suffix == "svg" else b64decode(held)
            width = output.metadata.get(kind, {}).get("width")
            size = f" width={width}" if width else ""
            return f"[![Drawn by the code above]({name}){{ .output{size} }}]({name})"
    if "text/html" in output.data:
        return f'<div class="output">\n{_without_gaps(output.data["text/html"])}\n</div>'
    return _text(output.data.get("text/plain", ""))


def _text(words: str) -> str:
    """What a cell prints, set apart from its code; terminal colours are dropped."""
    return f"```text {{ .output }}\n{COLOURS.sub('', words).rstrip()}\n```" if words.strip() else ""


def _without_gaps(html: str) -> str:
    """A blank line would end the block of HTML."""
    return re.sub(r"\n\s*\n", "\n", html.strip())
