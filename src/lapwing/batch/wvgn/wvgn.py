"""Classify nodes by where their random walks go (Ye et al. 2017)."""

from __future__ import annotations

from typing import Literal, cast, get_args

import numpy as np

from lapwing.batch.calibration.platt import Sigmoid, platt_scaled
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.known_labels import KnownLabels
from lapwing.batch.linear.gram import LabelledGram, NodeWeights
from lapwing.batch.linear.regularisation import validated_ridge
from lapwing.batch.wvgn.descent import Search, searched
from lapwing.batch.wvgn.exact import by_labelled_rows, matrix_free
from lapwing.batch.wvgn.objective import Objective
from lapwing.batch.wvgn.rows import GeometricRows
from lapwing.checks import finite_positive, one_of
from lapwing.graph import Graph
from lapwing.types import Array

Solver = Literal["exact", "matrix-free", "gcd", "gcd-full", "gd", "cd", "sgd"]

USUAL_RIDGE = 4.0
RIDGES = tuple(2.0**e for e in (10, 8, 6, 4, 2, 0, -2))
"""The penalties tried by default."""

PAPER_RIDGE = 2.0**-6
"""The paper's lambda, made for a search that stops early."""


class WVGN(GraphClassifier):
    """Learn a weight per node so that walks from labelled nodes predict their labels.

    A node is the row x_q of `GeometricRows`: where random walks of every length end, damped as
    rho^m / m!. One class against the rest, the weights minimise objective (9),

        ridge / 2 sum_i w_i^2 / degree_i + 1/l sum_q max(1 - y_q x_q w, 0)^2,

    the bias being one more weight of degree 1, and x_q w is the node's score. The n x n matrix of
    all rows is never formed: training uses l labelled rows, and prediction uses products with
    sparse matrices.

    Parameters
    ----------
    solver:
        ``exact``, the optimum from the labelled rows' l x l Gram matrix: O(l (edges + l n)) once.
        ``matrix-free``, the same optimum from products alone, for labels by the thousands.
        ``gcd``, the paper's Algorithm 1 with k = 10%; ``gcd-full``, its "wvGN (full)"; ``gd``,
        ``cd``, ``sgd``, the searches of Figure 6. These hold l x n numbers.
    ridge:
        The text's lambda. None: for ``exact`` chosen by cross-validation on the given labels, for
        ``matrix-free`` 4, for the others 2^-6 as in the text. At 2^-6 the optimum is worse than
        GCD's early stop; at 1 to 16 it is better.
    rho:
        How far walks go, 5 in the text.
    hops:
        The text's m, for every node. None: as many as its power iteration takes (tolerance 1e-4).
    platt:
        Whether each class's scores go through a sigmoid fitted to the training scores, as the
        text does to compare classes: True is our penalised one, "unpenalised" and "smoothed" are
        others (`lapwing.batch.calibration.platt`). At the optimum it changes Micro-F1 little, and
        costs 1 to 1.5 points where nodes have several labels (IMDb, Wikipedia); for ``gcd`` with a
        handful of labels it helps (network2, four per class: 86 against 81).
    seed:
        Seed of the folds, and of the start and coordinates of the searches.

    Departures: the gradient of the penalty has d^2 (see `Objective`); w starts with n + 1 entries,
    not n. ``gcd-full`` goes through all coordinates in a random order, where the text's (11) goes
    through them in sequence. The authors' own program differs from the text (rows P H' instead of
    P H, a class-weighted loss); the text is followed.

    References
    ----------
    Ye, Zhou, Mautz, Plant, Böhm. Learning from labeled and unlabeled vertices in networks.
    KDD 2017.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> wvgn = WVGN(graph).fit([0, 5], [0, 1])
    >>> wvgn.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> wvgn.ridge_
    4.0
    """

    ridge_: float
    weights_: NodeWeights
    _known: KnownLabels

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        solver: Solver = "exact",
        ridge: float | None = None,
        rho: float = 5.0,
        hops: int | None = None,
        platt: bool | Sigmoid = False,
        seed: int = 0,
    ) -> None:
        super().__init__(graph, n_classes)
        one_of("solver", solver, get_args(Solver))
        if ridge is not None:
            finite_positive("ridge", ridge)
        self.rows = (
            GeometricRows(graph, rho) if hops is None else GeometricRows(graph, rho, 0.0, hops)
        )
        self.solver = solver
        self.ridge = ridge
        self.platt = platt
        self.seed = seed
        self.signed = not platt

    def _learned(self, known: KnownLabels) -> Array:
        self._known = known
        rng = np.random.default_rng(self.seed)
        solve = self._searched if self.solver not in ("exact", "matrix-free") else self._optimal
        self.weights_ = solve(known, rng)
        margins = self.weights_.margins(self.rows)
        if self.platt:
            sigmoid: Sigmoid = "penalised" if isinstance(self.platt, bool) else self.platt
            on = margins[known.nodes]
            return platt_scaled(margins, on, known.indicator, sigmoid=sigmoid)
        return margins

    @property
    def objective_(self) -> float:
        """Return objective (9) at the fitted weights, averaged over classes."""
        objective = Objective.of(self.rows, self._known, ridge=self.ridge_)
        weights = np.vstack([self.weights_.nodes, self.weights_.bias])
        return float(objective.value(weights, objective.slack(weights)).mean())

    def _optimal(self, known: KnownLabels, rng: np.random.Generator) -> NodeWeights:
        if self.solver == "matrix-free":
            self.ridge_ = USUAL_RIDGE if self.ridge is None else self.ridge
            return matrix_free(self.rows, known, ridge=self.ridge_)
        gram = LabelledGram.of(self.rows, known.nodes)
        self.ridge_ = self.ridge or validated_ridge(
            gram.factor, known, RIDGES, usual=USUAL_RIDGE, rng=rng
        )
        return by_labelled_rows(self.rows, known, ridge=self.ridge_, gram=gram)

    def _searched(self, known: KnownLabels, rng: np.random.Generator) -> NodeWeights:
        self.ridge_ = PAPER_RIDGE if self.ridge is None else self.ridge
        objective = Objective.of(self.rows, known, ridge=self.ridge_)
        search = cast(Search, "gcd" if self.solver == "gcd-full" else self.solver)
        share = 0.1 if self.solver == "gcd" else 1.0
        found = searched(objective, search, share=share, rng=rng)
        return NodeWeights(found[:-1], found[-1])
