"""Measures of a graph that the bounds use, independent of labels."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse import csgraph
from scipy.sparse.linalg import splu

from lapwing.embed import algebraic_connectivity
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.linalg import combinatorial_laplacian, low_spectrum, pseudoinverse
from lapwing.types import Array, Nodes

EXACT_BELOW = 4000
"""Up to this many nodes all measures are exact (one dense inverse); above, upper bounds."""
SPECTRAL_BELOW = 200_000
"""Up to this many nodes, the algebraic connectivity is computed."""
SPECTRUM_BELOW = 600
"""Up to this many nodes, all eigenpairs are computed."""


class Measures:
    """Distances, resistances and spectrum of a connected graph.

    Up to 4,000 nodes all numbers are exact. On larger graphs `norms`, `eccentricities`, `diameter`
    and `resistance_diameter` are upper bounds, so that all results stay valid: distances go through
    one central node, and K_pp <= min(1/lambda_2, eccentricity).

    Examples
    --------
    >>> path = Measures(Graph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> path.diameter, path.resistance_diameter, path.eccentricities.tolist()
    (3.0, 3.0, [3.0, 2.0, 2.0, 3.0])
    >>> path.norms.round(3)
    array([0.875, 0.375, 0.375, 0.875])
    """

    def __init__(self, graph: Graph, *, exact: bool | None = None) -> None:
        if graph.n_components != 1 or graph.n_nodes < 2:
            raise InputError(
                f"the graph must be connected, got {graph.n_components} components of "
                f"{graph.n_nodes} nodes"
            )
        self.graph = graph
        self.n = graph.n_nodes
        self.exact = graph.n_nodes <= EXACT_BELOW if exact is None else exact

    @cached_property
    def spectrum(self) -> tuple[Array, Array]:
        """All non-zero eigenvalues and their eigenvectors."""
        return low_spectrum(self.graph.adjacency, None)

    @cached_property
    def pseudoinverse(self) -> Array:
        """The whole matrix L+."""
        if self.n <= SPECTRUM_BELOW:
            values, vectors = self.spectrum
            return np.asarray((vectors / values) @ vectors.T)
        return pseudoinverse(self.graph.adjacency)

    def energies(self, u: Nodes, c: Array) -> Array:
        """Return u'(L+ + c I)^+ u for several c >= 0, with u centred; u'Lu at c = 0.

        (L+ + c I)^+ is L (I + c L)^-1, so that above 600 nodes it takes one sparse
        factorisation each, below the spectrum.
        """
        centred = u - u.mean()
        if self.n <= SPECTRUM_BELOW:
            values, vectors = self.spectrum
            along = (vectors.T @ centred) ** 2
            return np.asarray((along / (1.0 / values + c[:, None])).sum(axis=1))
        laplacian = combinatorial_laplacian(self.graph.adjacency)
        rough = laplacian @ centred
        identity = sparse.eye_array(self.n, format="csc")
        solved = [splu((identity + each * laplacian).tocsc()).solve(rough) for each in c]
        return np.array([float(centred @ x) for x in solved])

    @cached_property
    def lambda2(self) -> float:
        """The algebraic connectivity; 0 (no bound) if it cannot be computed."""
        if self.n <= SPECTRUM_BELOW:
            return float(self.spectrum[0][0])
        if self.n > SPECTRAL_BELOW:
            return 0.0
        return algebraic_connectivity(self.graph)

    @cached_property
    def lambda_max(self) -> float:
        """The largest eigenvalue, or an upper bound on it."""
        if self.exact and self.n <= SPECTRUM_BELOW:
            return float(self.spectrum[0][-1])
        return float(2 * self.graph.degrees.max())

    @cached_property
    def norms(self) -> Array:
        """K_pp of K = L+, the squared norm of each node, or an upper bound on it."""
        if self.exact:
            return np.diag(self.pseudoinverse).copy()
        largest = 1.0 / self.lambda2 if self.lambda2 > 0 else np.inf
        return np.minimum(largest, self.eccentricities)

    @cached_property
    def mean_resistances(self) -> Array:
        """The mean resistance from each node to all, (1/n) sum_q r(p, q); small graphs only."""
        return np.asarray(self.norms + self.norms.mean())

    @cached_property
    def resistance_diameter(self) -> float:
        """R_G, the largest resistance between two nodes, or an upper bound on it."""
        if not self.exact:
            return self.diameter
        norms = self.norms
        largest = 0.0
        for node in range(self.n):
            row = norms[node] + norms - 2 * self.pseudoinverse[node]
            largest = max(largest, float(row.max()))
        return largest

    @cached_property
    def eccentricities(self) -> Array:
        """The eccentricity of each node; an edge has length 1/weight."""
        if not self.exact:
            return self._through_the_centre()
        far = [self._distances(part).max(axis=1) for part in np.array_split(np.arange(self.n), 8)]
        return np.concatenate(far)

    @cached_property
    def diameter(self) -> float:
        """D_G, the largest distance between two nodes, or an upper bound on it."""
        if self.exact:
            return float(self.eccentricities.max())
        return float(2 * self.eccentricities.min())

    def _distances(self, nodes: Nodes) -> Array:
        lengths = self.graph.to_scipy()
        unweighted = bool((lengths.data == 1.0).all())
        lengths.data = 1.0 / lengths.data
        return np.atleast_2d(csgraph.dijkstra(lengths, indices=nodes, unweighted=unweighted))

    def _through_the_centre(self) -> Array:
        """Return d(p, v) + ecc(v) for the most central of a few nodes v."""
        best = self._distances(np.array([int(np.argmax(self.graph.degrees))]))[0]
        for _ in range(2):
            far = self._distances(np.array([int(np.argmax(best))]))[0]
            other = self._distances(np.array([int(np.argmax(far))]))[0]
            middle = self._distances(np.array([int(np.argmin(np.maximum(far, other)))]))[0]
            best = min(best, middle, key=lambda column: float(column.max()))
        return np.asarray(best + best.max())
