"""Check that a session can be opened: same graph, learner, strategy and known version."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import lapwing
from lapwing.errors import InputError
from lapwing.graph import Graph


def stands_on(graph: Graph) -> dict[str, Any]:
    """Return the header's entries about the graph and the program."""
    return {"graph_hash": graph.hash, "n_nodes": graph.n_nodes, "version": lapwing.__version__}


def made_of(learner: Any, strategy: Any) -> dict[str, str]:
    """The kinds of learner and strategy, as a header keeps them.

    Examples
    --------
    >>> made_of([], len)
    {'learner': 'list', 'strategy': 'len'}
    """
    return {"learner": _kind(learner), "strategy": _kind(strategy)}


def check_graph(name: str, header: Mapping[str, Any], graph: Graph) -> None:
    """Raise if the graph is not the one of the session."""
    if header.get("graph_hash") != graph.hash or header.get("n_nodes") != graph.n_nodes:
        raise InputError(
            f"session {name!r} belongs to a graph of {header.get('n_nodes')} nodes "
            f"(hash {str(header.get('graph_hash'))[:12]}), "
            f"got one of {graph.n_nodes} (hash {graph.hash[:12]})"
        )


def check_parts(name: str, header: Mapping[str, Any], found: Mapping[str, str]) -> None:
    """Raise if the learner or strategy is not of the kind of the session."""
    recorded = header.get("made_of", {})
    for part, kind in found.items():
        if recorded.get(part, kind) != kind:
            raise InputError(
                f"session {name!r} was recorded with the {part} {recorded[part]}, got {kind}"
            )


def check_version(name: str, header: Mapping[str, Any]) -> None:
    """Raise if a newer version of lapwing recorded the session."""
    recorded = str(header.get("version", "0"))
    if _release(recorded) > _release(lapwing.__version__):
        raise InputError(
            f"session {name!r} was recorded with lapwing {recorded}, "
            f"this is {lapwing.__version__}: install the newer one"
        )


def _kind(part: Any) -> str:
    return str(getattr(part, "__name__", None) or type(part).__name__)


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:3])
