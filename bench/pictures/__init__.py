"""Pictures of the benchmark pages, drawn from the numbers in their tables.

``python -m bench.pictures`` draws them again from the committed pages.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image

from bench.pictures import learning, papers, safety, teams
from bench.pictures.markdown import number, tables

__all__ = ["PAGES", "RESULTS", "drawn", "number", "tables"]

RESULTS = Path("bench/results")
PAGES: dict[str, Callable[[str], Any]] = {
    "active": learning.active,
    "arrivals": teams.arrivals,
    "cluster": teams.cluster,
    "confidence": learning.confidence,
    "durability": safety.durability,
    "first-minute": safety.first_minute,
    "fuzz": safety.fuzz,
    "goals": learning.goals,
    "kills": safety.kills,
    "label-sets": papers.label_sets,
    "promises": safety.promises,
    "push": learning.push,
    "questions": learning.questions,
    "reproduced": papers.reproduced,
    "scale": teams.scale,
    "service-kills": teams.service_kills,
    "service-load": teams.service_load,
    "service-requests": teams.service_requests,
    "startup": learning.startup,
    "stopping": learning.stopping,
    "studio-kills": teams.studio_kills,
    "studio-pages": teams.studio_pages,
    "waits": teams.waits,
}


def drawn(name: str, folder: Path = RESULTS) -> Path:
    """Draw the picture at the top of a committed page, beside it."""
    figure = PAGES[name]((folder / f"{name}.md").read_text(encoding="utf-8"))
    held, path = io.BytesIO(), folder / f"{name}.png"
    figure.savefig(held, format="png", dpi=120)
    Image.open(held).convert("RGB").quantize(64).save(path, optimize=True)
    return path
