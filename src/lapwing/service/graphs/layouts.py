"""Layouts: computed in a worker process, written whole, served from disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np

from lapwing.embed.layout import layout_stages
from lapwing.service.graphs.shelf import taken_from_shelf

LAYOUT, STAGE = "layout.f32", "layout.stage"
HEAD = 8
"""Bytes before the places of a stage: the share of the work done, as a float64."""


def layout_written(place: str) -> None:
    """Compute the layout of a graph and write it beside its arrays, and its stages meanwhile."""
    folder = Path(place)
    for share, places in layout_stages(taken_from_shelf(folder)):
        content = places.astype("<f4").tobytes()
        if share < 1.0:
            _write(folder / STAGE, np.float64(share).tobytes() + content)
    _write(folder / LAYOUT, content)
    (folder / STAGE).unlink(missing_ok=True)


def _write(path: Path, content: bytes) -> None:
    """Write a file whole: others read the one before until it is there."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(path)


def stored_layout(folder: Path) -> tuple[bytes, str] | None:
    """Return the layout and its tag; None if it is not computed yet."""
    try:
        content = (folder / LAYOUT).read_bytes()
    except FileNotFoundError:
        return None
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def layout_stage(folder: Path, after: float) -> tuple[float, bytes]:
    """Return the share of a layout that is done, and its places so far if that is more than before.

    Examples
    --------
    >>> layout_stage(Path("nowhere"), 0.0)
    (0.0, b'')
    """
    try:
        with (folder / STAGE).open("rb") as file:
            share = float(np.frombuffer(file.read(HEAD), np.float64)[0])
            return share, file.read() if share > after else b""
    except (FileNotFoundError, IndexError, ValueError):
        return 0.0, b""
