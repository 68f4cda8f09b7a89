"""Learn the labels of a graph's nodes from as few labels as possible."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lapwing.catalog import make
    from lapwing.graph import Graph
    from lapwing.io import read_graph, read_labels, read_nodes
    from lapwing.play import play, shuffled
    from lapwing.session import Predictions, Question, Session, classify

__version__ = "0.1.0"

__all__ = [
    "Graph",
    "Predictions",
    "Question",
    "Session",
    "classify",
    "make",
    "play",
    "read_graph",
    "read_labels",
    "read_nodes",
    "shuffled",
]

_ROOM_OF = {
    "Graph": "graph",
    "Predictions": "session",
    "Question": "session",
    "Session": "session",
    "classify": "session",
    "make": "catalog",
    "play": "play",
    "read_graph": "io",
    "read_labels": "io",
    "read_nodes": "io",
    "shuffled": "play",
}
"""The room that each name at the top comes from: it is imported when the name is first used."""
_ROOMS = (
    "active", "bandit", "batch", "bounds", "catalog", "cluster", "compat", "data", "embed",
    "figures", "io", "linalg", "metrics", "online", "session",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    """A public name or a room, imported on first use: ``lapwing.data.load("karate")``."""
    if name in _ROOM_OF:
        value = getattr(import_module(f"lapwing.{_ROOM_OF[name]}"), name)
        globals()[name] = value
        return value
    if name in _ROOMS:
        return import_module(f"lapwing.{name}")
    raise AttributeError(f"module 'lapwing' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_ROOMS, "__version__"])


class _Package(ModuleType):
    """The package itself: `lapwing.play` is the function, although a room has the same name.

    Importing the room would otherwise put the module in the function's place.
    """

    @property
    def play(self) -> Any:
        """The round loop."""
        return import_module("lapwing.play").play

    @play.setter
    def play(self, value: Any) -> None:
        """Ignore the module that the import system stores here."""


sys.modules[__name__].__class__ = _Package
