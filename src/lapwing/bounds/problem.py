"""A graph and a labelling of it, as the theorems see them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapwing.bounds.labelling import Labelling, cut_size, interpolating_norm, separating_norm
from lapwing.bounds.measures import Measures
from lapwing.bounds.run import Run
from lapwing.types import Array, Nodes

DENSE_LABELS = 1500
"""Up to so many labelled nodes the smallest norms are computed from the kernel between them."""
SHIFTS = np.linspace(-0.995, 0.995, 399)


@dataclass(frozen=True)
class Problem:
    """Measures of the graph, the labelling, and the kernel L+ + bias 11' + c I."""

    measures: Measures
    labelling: Labelling
    bias: float = 1.0
    c: float = 0.0

    @property
    def rounds(self) -> int:
        """How many nodes are labelled, each played once unless a run says otherwise."""
        return len(self.labelling.known)

    def for_run(self, run: Run | None) -> Problem:
        """The same graph with the labels and the kernel of a run; itself without one."""
        if run is None:
            return self
        signs = np.zeros_like(self.labelling.signs)
        signs[run.nodes] = run.labels
        return Problem(
            self.measures,
            Labelling(self.labelling.graph, signs),
            run.settings.get("bias", self.bias),
            run.settings.get("c", self.c),
        )

    def cut(self, labels: Nodes) -> float:
        """The weight of the edges between unlike nodes."""
        return cut_size(self.labelling.graph, labels)

    def norms(self, nodes: Nodes) -> Array:
        """K_pp with bias and c."""
        return np.asarray(self.measures.norms[nodes] + self.bias + self.c)

    def interpolating_norm(self) -> float | None:
        """|u|^2 of the smoothest function that equals every known label; None if there is none."""
        if self._dense:
            return interpolating_norm(self._kernel(), self.labelling.y)
        found = [self._norm_of(u, 0.0) for u in self.labelling.completions]
        return _least(found)

    def separating_norm(self) -> float | None:
        """|u|^2 of a function with y_i u_i >= 1 at every known label, the smallest one found."""
        shifted = [
            self._norm_of(u, shift)
            for u in self.labelling.completions
            for shift in ([-float(u.mean())] if self.bias == 0 else [0.0, *SHIFTS.tolist()])
        ]
        best = _least(shifted) if self.c == 0 else None
        exact = separating_norm(self._kernel(), self.labelling.y) if self._dense else None
        return _least([best, exact])

    @property
    def _dense(self) -> bool:
        small = len(self.labelling.known) <= DENSE_LABELS
        return self.measures.exact and small and not (self.labelling.is_whole and self.c == 0)

    def _kernel(self) -> Array:
        known = self.labelling.known
        between = self.measures.pseudoinverse[np.ix_(known, known)] + self.bias
        return np.asarray(between + self.c * np.eye(len(known)))

    def _norm_of(self, labels: Nodes, shift: float) -> float | None:
        """|u|^2 in L+ + bias 11' of (labels + shift) scaled until it separates."""
        mean, cut = float(labels.mean()) + shift, self.cut(labels)
        if self.c > 0 or abs(shift) >= 1 or (self.bias == 0 and abs(mean) > 1e-12):
            return None
        tilt = mean**2 / self.bias if self.bias > 0 else 0.0
        return (4 * cut + tilt) / (1 - abs(shift)) ** 2


def _least(values: list[float | None]) -> float | None:
    return min((value for value in values if value is not None), default=None)
