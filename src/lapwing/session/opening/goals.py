"""What a session is for: predictions with few errors, or finding the nodes of some classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lapwing.checks import between, class_names, one_of, several, strictly_between
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.session.opening.claims import checked_claim, parsed_claim, part_of

LABEL, FIND = "label", "find"
GOALS = (LABEL, FIND)
TARGET_ERROR = 0.1
"""The error to stay below by default."""


def goal_header(goal: str | None, positive: Any) -> dict[str, Any]:
    """What a header keeps of a goal; nothing if it is to label.

    Examples
    --------
    >>> goal_header("find", "fraud")
    {'goal': 'find', 'positive': ['fraud']}
    >>> goal_header("find", None)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: goal 'find' needs the classes to find: give positive
    """
    chosen = LABEL if goal is None else goal
    one_of("goal", chosen, GOALS)
    if chosen == LABEL:
        if positive is not None:
            raise InputError("positive goes with goal='find', got it without")
        return {}
    if positive is None:
        raise InputError("goal 'find' needs the classes to find: give positive")
    alone = isinstance(positive, str | int)
    names = class_names([positive] if alone else several("positive", positive))
    if not names:
        raise InputError("positive must name at least one class, got none")
    return {"goal": FIND, "positive": names}


def target_header(
    target_error: float | None,
    goal: str | None,
    *,
    recall: float | None = None,
    certified: bool = False,
) -> dict[str, Any]:
    """What a header keeps of the error to stay below, or the share to find.

    For it, audits are planned; without a target they are a share of all questions. What is
    certified needs a target too.

    Examples
    --------
    >>> target_header(0.05, None), target_header(None, None), target_header(None, FIND, recall=0.9)
    ({'target_error': 0.05}, {}, {'target_recall': 0.9})
    """
    if goal == FIND:
        if target_error is not None:
            raise InputError("target_error goes with predictions, not with goal='find'")
        if recall is None:
            return {}
        between("target_recall", recall, 0, 1)
        return {"target_recall": float(recall)}
    if target_error is not None:
        strictly_between("target_error", target_error, 0, 1)
        return {"target_error": float(target_error)}
    return {"target_error": TARGET_ERROR} if certified else {}


def certified_header(
    graph: Graph, certify: str | Mapping[str, Any] | None, goal: str | None, share: float | None
) -> dict[str, Any]:
    """What a header keeps of a measure to certify, with the nodes of its part by index.

    Examples
    --------
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> certified_header(graph, "recall:fraud>=0.9", None, None)
    {'certify': {'measure': 'recall', 'of': 'fraud', 'target': 0.9, 'part': None}}
    """
    if certify is None:
        return {}
    if goal == FIND or share == 0.0:
        raise InputError("certify needs audits, and goes with predictions, not with goal='find'")
    read = parsed_claim(certify) if isinstance(certify, str) else checked_claim(certify)
    if read["part"] is not None:
        read["nodes"] = np.flatnonzero(part_of(graph, read["part"])).tolist()
    return {"certify": read}


def with_positive(classes: Sequence[str], header: dict[str, Any]) -> list[str]:
    """Return the classes with those to find among them; the header gets their indices.

    Examples
    --------
    >>> header = {"goal": "find", "positive": ["fraud"]}
    >>> with_positive(["fine"], header), header["positive_classes"]
    (['fine', 'fraud'], [1])
    """
    wanted = header.get("positive", [])
    every = [*classes, *(name for name in wanted if name not in classes)]
    if wanted:
        header["positive_classes"] = [every.index(name) for name in wanted]
    return every


def is_search(header: Mapping[str, Any]) -> bool:
    """Whether a session is to find the nodes of some classes."""
    return header.get("goal") == FIND
