"""The settings of one diffusion and their defaults."""

from __future__ import annotations

from typing import NamedTuple

from lapwing.errors import InputError
from lapwing.graph import Graph

SMALL = 100
"""Graphs of at most this many nodes are solved to `EXACT`, which is cheap there."""
MANY = 100_000
"""On graphs of more nodes, solutions are kept in single precision."""
EXACT, USUAL, LAZY = 1e-10, 3e-4, 0.06
"""Tolerances, and the share of a class's lead that is left unpushed by default."""


class Member(NamedTuple):
    """How far a diffusion reaches, how hard labels are fitted (0: only spread), its tolerance."""

    alpha: float
    ridge: float
    eps: float

    @property
    def cover(self) -> float:
        """The mass at which a member's answer counts half in the probabilities."""
        return 0.02 if self.ridge else 0.1

    def check(self) -> None:
        """Raise unless the settings make sense."""
        if not 0.0 < self.alpha < 1.0:
            raise InputError(f"alpha must lie between 0 and 1, got {self.alpha}")
        if not self.eps > 0.0:
            raise InputError(f"eps must be positive, got {self.eps}")


def tolerance(eps: float | None, graph: Graph) -> float:
    """Return the requested tolerance; by default `USUAL`, or `EXACT` on a small graph."""
    if eps is not None:
        return eps
    return EXACT if graph.n_nodes <= SMALL else USUAL
