"""Choose a batch method by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from lapwing.batch.calibration.probability_maps import calibration, logits, out_of_fold
from lapwing.batch.chosen.blend import MethodBlend
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.laplace import Laplace
from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.wvgn import WVGN
from lapwing.errors import ConvergenceError
from lapwing.graph import Graph
from lapwing.learner import top_classes
from lapwing.types import Array

BLENDED = ("poisson", "spectral")
LARGE = 200_000
"""On larger graphs the blend is compared with its own two methods only: no more fits."""
FEWEST_LABELS = 10
"""With fewer labels to hold out, methods are not compared."""


class CrossValidated(GraphClassifier):
    """Choose a method by cross-validation on the given labels, and record why.

    Every candidate predicts each label from the others. The blend of Poisson learning and the
    spectral classifier is chosen unless another method is right on clearly more labels: by more
    than two standard errors of the paired difference. The chosen method is then calibrated and
    fitted to all labels. `why` explains the choice.

    With fewer than ten labels to hold out, the blend is chosen without a comparison. Above 200,000
    nodes the blend is compared with its own two methods only. If nodes have
    several labels, wvGN is tried, too, and the method that is right most often is chosen. A method
    whose solver does not converge is left out, and `why` says so.

    Each method is fitted once per fold: the comparison, the blend and the calibration use the same
    out-of-fold scores.

    Parameters
    ----------
    n_folds: number of folds.
    seed: seed of the split into folds.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> model = CrossValidated(graph).fit([0, 1, 4, 5], [0, 0, 1, 1])
    >>> model.predict(np.arange(6)), model.chosen, model.why
    (array([0, 0, 0, 1, 1, 1]), 'blend', '4 labels are too few to compare methods: blend')
    """

    def __init__(
        self, graph: Graph, n_classes: int | None = None, *, n_folds: int = 5, seed: int = 0
    ) -> None:
        super().__init__(graph, n_classes)
        self.n_folds, self.seed = n_folds, seed
        self.chosen, self.why = "", "nothing learned yet"

    @cached_property
    def _methods(self) -> Mapping[str, GraphClassifier]:
        """The methods compared with the blend, made once so that a spectrum is computed once."""
        found: dict[str, GraphClassifier] = {
            "poisson": Poisson(self.graph),
            "spectral": Spectral(self.graph),
        }
        if self.graph.n_nodes > LARGE:
            return found
        return found | {"laplace": Laplace(self.graph), "pagerank": PageRank(self.graph)}

    def _tried(self, known: KnownLabels) -> Mapping[str, GraphClassifier]:
        """The methods to compare with the blend on these labels."""
        several = bool((known.counts > 1).any())
        return {**self._methods, "wvgn": self._wvgn} if several else self._methods

    @cached_property
    def _wvgn(self) -> GraphClassifier:
        return WVGN(self.graph)

    def candidate(self) -> GraphClassifier:
        """Return the chosen method, ready to be fitted again; the blend if none was chosen yet.

        Examples
        --------
        >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
        >>> type(CrossValidated(graph).fit([0, 5], [0, 1]).candidate()).__name__
        'MethodBlend'
        """
        if self.chosen in ("", "blend"):
            return MethodBlend(self.graph, members=[self._methods[name] for name in BLENDED])
        return self._wvgn if self.chosen == "wvgn" else self._methods[self.chosen]

    def _learned(self, known: KnownLabels) -> Array:
        blend = MethodBlend(self.graph, members=[self._methods[name] for name in BLENDED])
        counts = known.indicator.sum(axis=0)
        compared = int((counts >= 2) @ counts) >= FEWEST_LABELS
        tried = self._tried(known)
        apart = {name: self._apart(tried[name], known) for name in BLENDED}
        of_blend = [*apart.values()]
        if compared:
            apart, failed = self._compared(tried, known, apart)
            held = {"blend": blend.held_out(known, of_blend), **apart}
            self.chosen, self.why = _choice(held, known)
            self.why += "".join(f"; {name} left out, it did not converge" for name in failed)
        else:
            self.chosen = "blend"
            self.why = f"{len(known.nodes)} labels are too few to compare methods: blend"
        if self.chosen == "blend":
            return blend.learned_from(known, of_blend)
        return self._calibrated(known, apart[self.chosen])

    def _apart(self, method: GraphClassifier, known: KnownLabels) -> Array:
        """Return a method's out-of-fold scores of the labelled nodes."""
        return out_of_fold(method, known, n_folds=self.n_folds, seed=self.seed)

    def _compared(
        self, tried: Mapping[str, GraphClassifier], known: KnownLabels, apart: dict[str, Array]
    ) -> tuple[dict[str, Array], list[str]]:
        """Return all methods' out-of-fold scores and the names of those that do not converge."""
        found, failed = {}, []
        for name, method in tried.items():
            try:
                found[name] = apart[name] if name in apart else self._apart(method, known)
            except ConvergenceError:
                failed.append(name)
        return found, failed

    def _calibrated(self, known: KnownLabels, held: Array) -> Array:
        """Return probabilities of the chosen method, calibrated by its out-of-fold scores."""
        method = self.candidate().fit_known(known)
        chances = calibration(logits(held, signed=method.signed), known.indicator)
        return chances(logits(method.scores(np.arange(known.n_nodes)), signed=method.signed))


def _choice(held: Mapping[str, Array], known: KnownLabels) -> tuple[str, str]:
    """Return the method to choose and why, from each method's out-of-fold scores."""
    right = {name: _right(scores, known) for name, scores in held.items()}
    shares = {name: float(hits.mean()) for name, hits in right.items()}
    best = max(shares, key=lambda name: shares[name])
    lead = right[best] - right["blend"]
    error = float(lead.std() / np.sqrt(len(lead)))
    several = bool((known.counts > 1).any())
    chosen = best if several or lead.mean() > 2.0 * error else "blend"
    table = ", ".join(f"{name} {share:.1%}" for name, share in shares.items())
    reason = "is best" if chosen == best else f"is within two standard errors of {best}"
    return chosen, f"right on held-out labels: {table}; {chosen} {reason}"


def _right(scores: Array, known: KnownLabels) -> Array:
    """Return the share of each labelled node's true classes among its predictions."""
    named = top_classes(scores, known.counts) * known.indicator
    return np.asarray(named.sum(axis=1) / known.counts)
