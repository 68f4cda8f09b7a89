"""A graph and a labelling, as input of the theorems."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lapwing.bounds.graph_measures import Measures
from lapwing.bounds.labelling import Labelling, interpolating_norm, separating_norm
from lapwing.bounds.run import Run
from lapwing.types import Array, Nodes

DENSE_LABELS = 1500
"""Up to this many labelled nodes, the smallest norms are computed from their kernel."""
SHIFTS = np.append(np.linspace(-0.995, 0.995, 398), 0.0)
"""Shifts that are tried on a labelling before it is scaled to separate again."""


@dataclass(frozen=True)
class Problem:
    """Measures of the graph, the labelling, and the kernel L+ + bias 11' + c I."""

    measures: Measures
    labelling: Labelling
    bias: float = 1.0
    c: float = 0.0

    @property
    def rounds(self) -> int:
        """The number of labelled nodes, each played once by default."""
        return len(self.labelling.known)

    def for_run(self, run: Run | None) -> Problem:
        """Return the problem with the labels and the kernel of a run, if there is one."""
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

    def with_kernel_of(self, run: Run | None) -> Problem:
        """Return the problem with the kernel of a run, if there is one."""
        if run is None:
            return self
        bias, c = run.settings.get("bias", self.bias), run.settings.get("c", self.c)
        return Problem(self.measures, self.labelling, bias, c)

    def covers(self, run: Run) -> bool:
        """Whether a run played each node at most once, with the labels of this problem."""
        agrees = self.labelling.signs[run.nodes] == run.labels
        return not run.repeats and bool(agrees.all())

    def cut(self, labels: Nodes) -> float:
        """Return the weight of the edges between nodes with different labels."""
        return self.labelling.cut(labels)

    def norms(self, nodes: Nodes) -> Array:
        """K_pp with bias and c."""
        return np.asarray(self.measures.norms[nodes] + self.bias + self.c)

    def interpolating_norm(self) -> float | None:
        """|u|^2 of the smoothest function that equals every known label; None if there is none."""
        if self._dense:
            return interpolating_norm(self._kernel(), self.labelling.y)
        return self._completed_norm(np.zeros(1))

    def separating_norm(self) -> float | None:
        """|u|^2 of a function with y_i u_i >= 1 at every known label, the smallest one found."""
        found = [self._completed_norm(SHIFTS)]
        if self._dense:
            found.append(separating_norm(self._kernel(), self.labelling.y))
        return min((norm for norm in found if norm is not None), default=None)

    @property
    def _dense(self) -> bool:
        small = len(self.labelling.known) <= DENSE_LABELS
        return self.measures.exact and small and not (self.labelling.is_whole and self.c == 0)

    def _kernel(self) -> Array:
        known = self.labelling.known
        between = self.measures.pseudoinverse[np.ix_(known, known)] + self.bias
        return np.asarray(between + self.c * np.eye(len(known)))

    def _completed_norm(self, shifts: Array) -> float | None:
        """The least |u|^2 of a completion plus a shift, scaled until it separates.

        |labels + s|^2 = 4 cut + (mean + s)^2 / bias; on L+ alone, s must take the mean away,
        which makes it Theorem 4.1 of 2005.
        """
        if self.c > 0:
            return None
        found = []
        for labels in self.labelling.completions:
            mean, cut = float(labels.mean()), self.cut(labels)
            tried = shifts if self.bias > 0 else np.array([-mean])
            tried = tried[(np.abs(tried) < 1) & ((len(shifts) > 1) | (tried == 0))]
            tilt = (mean + tried) ** 2 / self.bias if self.bias > 0 else 0.0
            found.extend(((4 * cut + tilt) / (1 - np.abs(tried)) ** 2).tolist())
        return min(found, default=None)
