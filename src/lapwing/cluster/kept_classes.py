"""The predicted class of every node, a byte or two per node, in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from lapwing.cluster.engine.engine import Engine


def keep_classes(engine: Engine, reading: Any, path: Path) -> None:
    """Write the class of every node, from what a method found."""
    kind = np.int8 if reading.n_classes < 128 else np.int16
    held = np.lib.format.open_memmap(path, "w+", kind, (engine.graph.n_nodes,))
    del held
    engine.total(write_classes, reading, str(path))


def write_classes(part: Any, reading: Any, path: str) -> None:
    """Write the predicted class of a part's nodes to their place in a file; -1 is unknown."""
    held = np.load(path, mmap_mode="r+")
    for _, rows in part.by_block():
        chances = reading.chances(part, rows)
        said = np.where(chances.any(axis=1), chances.argmax(axis=1), -1)
        held[part.first + rows.start : part.first + rows.stop] = said
    held.flush()
