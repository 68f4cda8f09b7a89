"""The nearest answer, where light edges beside heavy ones let no mass through."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.linalg.push.residuals import Diffusion
from lapwing.types import Nodes

WIDE = 1e6
"""Weights that span more than this: an edge may pass on less than any tolerance of pushing."""
VISITS = 300
"""How many nodes are looked at, at most."""


def visits_for(lightest: float, heaviest: float) -> int:
    """Return how many nodes to look at: none unless weights span very much.

    Examples
    --------
    >>> visits_for(0.5, 20.0), visits_for(1e-9, 1e9)
    (0, 300)
    """
    return VISITS if heaviest > WIDE * lightest else 0


@njit(cache=True)
def nearest_answer(system: Diffusion, node: int, visits: int) -> int:
    """Return the nearest node with mass or a label, by number of edges; itself if none is found.

    At most `visits` nodes are looked at; of two as near, the one met first is returned.
    """
    met = np.empty(max(visits, 1), np.intp)
    met[0], known = node, 1
    for at in range(visits):
        if at == known:
            break
        here = met[at]
        if system.label_weight[here] > 0.0 or system.solution[here].any():
            return int(here)
        for e in range(system.start[here], system.stop[here]):
            if known < visits and not _is_among(met, known, system.neighbors[e]):
                met[known] = system.neighbors[e]
                known += 1
    return node


@njit(cache=True)
def _is_among(met: Nodes, known: int, node: int) -> bool:
    for at in range(known):  # noqa: SIM110 - compiled code takes no generator
        if met[at] == node:
            return True
    return False
