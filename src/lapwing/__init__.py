"""Learn the labels of a graph's nodes from as few labels as possible."""

from importlib import import_module
from typing import Any

from lapwing.catalog import make
from lapwing.graph import Graph
from lapwing.io import read_graph
from lapwing.play import play, shuffled

__version__ = "0.1.0"

__all__ = ["Graph", "make", "play", "read_graph", "shuffled"]

_ROOMS = (
    "active", "bandit", "batch", "bounds", "catalog", "compat", "data", "embed", "figures",
    "io", "linalg", "metrics", "online", "session",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """A room, imported when it is first asked for: ``lapwing.data.load("karate")``."""
    if name in _ROOMS:
        return import_module(f"lapwing.{name}")
    raise AttributeError(f"module 'lapwing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "__version__"])
