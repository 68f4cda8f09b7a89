"""What a session is to prove: a measure, its target, and the part of the graph it is about."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.checks import between, one_of, several
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Mask

ERROR, CLASS_ERROR, MACRO_F1, RECALL, PRECISION = MEASURES = (
    "error",
    "class-error",
    "macro-f1",
    "recall",
    "precision",
)
OF_A_CLASS = (RECALL, PRECISION)
SMALL_IS_GOOD = (ERROR, CLASS_ERROR)


def part_of(graph: Graph, part: Any) -> Mask:
    """Return which nodes belong to a part: names of nodes, or ``column=value`` of the node table.

    None is the whole graph.
    """
    within = np.ones(graph.n_nodes, dtype=bool)
    if part is None:
        return within
    if isinstance(part, str):
        column, equals, value = part.partition("=")
        if not equals or column not in graph.node_table:
            known = ", ".join(map(str, graph.node_table)) or "none"
            raise InputError(
                f"part must be names of nodes or column=value with a column of the node table "
                f"({known}), got {part!r}"
            )
        within = np.array([str(each) == value for each in graph.node_table[column]])
    else:
        within[:] = False
        within[[graph.names.index(name) for name in several("part", part)]] = True
    if not within.any():
        raise InputError(f"part must have at least one node, {part!r} has none")
    return within


def parsed_claim(text: str) -> dict[str, Any]:
    """Read a claim such as ``recall:fraud>=0.9``, ``macro-f1>=0.8`` or ``error<0.1@kind=page``.

    Examples
    --------
    >>> parsed_claim("recall:fraud>=0.9")
    {'measure': 'recall', 'of': 'fraud', 'target': 0.9, 'part': None}
    >>> parsed_claim("error<0.05@kind=page")
    {'measure': 'error', 'of': None, 'target': 0.05, 'part': 'kind=page'}
    """
    claim, _, part = text.partition("@")
    for sign in (">=", "<"):
        if sign in claim:
            name, _, number = claim.rpartition(sign)
            break
    else:
        raise InputError(f"a claim must be like recall:NAME>=0.9 or error<0.1, got {text!r}")
    measure, _, of = name.strip().partition(":")
    try:
        target = float(number)
    except ValueError:
        raise InputError(f"a claim must end in a number, got {text!r}") from None
    return checked_claim(
        {"measure": measure, "of": of or None, "target": target, "part": part or None}
    )


def checked_claim(goal: Any) -> dict[str, Any]:
    """Check and return a claim: measure, target, and of and part where they are given."""
    said = dict(goal)
    one_of("measure", str(said.get("measure")), MEASURES)
    between("target", said.get("target", "nothing"), 0, 1)
    if (said.get("of") is not None) != (said["measure"] in OF_A_CLASS):
        raise InputError(f"a claim names a class for {' and '.join(OF_A_CLASS)} alone, got {said}")
    part = said.get("part")
    if part is not None and not isinstance(part, str):
        part = list(several("part", part))
    return {
        "measure": said["measure"],
        "of": said.get("of"),
        "target": said["target"],
        "part": part,
    }
