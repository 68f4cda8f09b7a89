"""The true class of each node, where it is known: kept beside a graph, never asked or learned."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shutil import copyfile
from typing import Any

import numpy as np

from lapwing.types import UNKNOWN, Nodes

FILE = "truth.npz"
NO_CLASS = 65535


def keep_truth(folder: Path, labels: Nodes, classes: Sequence[str]) -> None:
    """Write the true class of each node beside its graph; nothing where none is known.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     keep_truth(Path(folder), np.array([1, UNKNOWN, 0]), ["blue", "red"])
    ...     truth_bytes(Path(folder), ["red", "blue"], 4)
    ...     truth_bytes(Path(folder) / "elsewhere", ["red"], 1)
    b'\\x00\\x00\\xff\\xff\\x01\\x00\\xff\\xff'
    """
    if labels.ndim == 1 and (labels != UNKNOWN).any():
        np.savez(folder / FILE, labels=labels, classes=np.array(list(classes), dtype=str))


def carry_truth(before: Path, after: Path) -> None:
    """Keep the true classes, if there are any, for a graph that grew from another."""
    if is_truth_kept(before):
        copyfile(before / FILE, after / FILE)


def is_truth_kept(folder: Path) -> bool:
    """Whether the true classes of a graph are known."""
    return (folder / FILE).is_file()


def truth_bytes(folder: Path, classes: Sequence[str], n_nodes: int) -> bytes | None:
    """Return each node's true class as its place in `classes` (uint16), or None."""
    if not is_truth_kept(folder):
        return None
    with np.load(folder / FILE, allow_pickle=False) as kept:
        labels, names = kept["labels"], kept["classes"].tolist()
    places: Any = np.full(len(names) + 1, NO_CLASS, dtype="<u2")  # the last is for UNKNOWN, -1
    for old, name in enumerate(names):
        if name in classes:
            places[old] = classes.index(name)
    found = np.full(n_nodes, NO_CLASS, dtype="<u2")
    found[: len(labels)] = places[labels[:n_nodes]]
    return bytes(found.tobytes())
