"""Layouts: computed in a worker process, written whole, served from disk."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import numpy as np

from lapwing.embed.layout import layout_stages
from lapwing.service.graphs.shelf import taken_from_shelf

LAYOUT, STATE = "layout.f32", "layout.progress"


def layout_written(place: str) -> None:
    """Compute the layout of a graph and write it beside its arrays."""
    folder = Path(place)
    places = np.zeros((0, 2))
    for share, places in layout_stages(taken_from_shelf(folder)):  # noqa: B007 - the last one stays
        _replaced(folder / STATE, f"{share:.4f}".encode())
    _replaced(folder / LAYOUT, places.astype("<f4").tobytes())
    (folder / STATE).unlink()


def _replaced(path: Path, content: bytes) -> None:
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


def layout_progress(folder: Path) -> float | None:
    """Return the share of a layout that is done, if the worker says so."""
    try:
        return float(np.clip(float((folder / STATE).read_text()), 0.0, 1.0))
    except (FileNotFoundError, ValueError):
        return None
