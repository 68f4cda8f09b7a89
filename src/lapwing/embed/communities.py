"""Whether a graph has communities, known before any label."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import ArpackError, eigsh

from lapwing.graph import Graph
from lapwing.types import Array

FEWEST, MOST_NODES = 50, 25_000
"""Fewer edges tell nothing; on larger graphs the spectrum takes too long for a first question."""
CHANCE, FALL = 1.0, 2.0
"""The gap that chance alone may leave between communities and none, and how fast trust falls."""
LEAST_TRUST = 0.03
"""Neighbours are trusted at least this much."""
DENSE = 400
"""Up to this many nodes, the spectrum is computed in full."""
MOST_STEPS, CLOSE = 1_000, 1e-6
"""Number of steps at most until the growth of walks is known, and its change at which to stop."""


def community_prior(graph: Graph) -> float:
    """Return how far neighbours are trusted to be alike before any label, between 0.03 and 1.

    In full where the graph has communities, or might have some but for chance (`community_gap`),
    less where its edges seem to be drawn without any: then few labels must not decide that
    neighbours are alike. In full, too, if it has fewer than 50 edges, more than 25,000 nodes, or
    edges of different weight, which may tell what the mere edges do not.

    Examples
    --------
    >>> clique = [(i, j) for i in range(9) for j in range(i)]
    >>> two = [(0, 9), *clique, *((i + 9, j + 9) for i, j in clique)]
    >>> sides = [(i, j) for i in range(9) for j in range(9, 18)]
    >>> [community_prior(Graph.from_edges(edges)) for edges in (two, sides)]
    [1.0, 0.03]
    """
    weights = graph.adjacency.data
    if graph.n_edges < FEWEST or np.ptp(weights) > 0 or graph.n_nodes > MOST_NODES:
        return 1.0
    beyond = max(community_gap(graph) - CHANCE, 0.0)
    return float(max(np.exp(-FALL * beyond), LEAST_TRUST))


def community_gap(graph: Graph) -> float:
    r"""Return how far a graph is from having communities; below 0 if it has some.

    If walks that do not turn back multiply by :math:`\rho` per step, communities can be told from
    chance if :math:`H = (\rho - 1) I - \sqrt\rho A + D` (the Bethe Hessian) has a second negative
    eigenvalue; the first belongs to the graph as a whole. The gap is that second eigenvalue over
    the mean of the diagonal of H, times :math:`n^{2/3}`: so far it strays if edges are drawn by
    degrees alone. Edges count without weights, and only the largest component counts. A graph
    without cycles has no gap.

    References
    ----------
    Saade, Krzakala, Zdeborová. *Spectral clustering of graphs with the Bethe Hessian.* 2014.

    Examples
    --------
    >>> clique = [(i, j) for i in range(5) for j in range(i)]
    >>> two = [(0, 5), *clique, *((i + 5, j + 5) for i, j in clique)]
    >>> [round(community_gap(Graph.from_edges(edges)), 1) for edges in (clique, two)]
    [3.8, -0.4]
    """
    nodes = graph.largest_component_nodes()
    edges = sparse.csr_array(graph.adjacency[nodes][:, nodes], dtype=np.float64)
    edges.setdiag(0.0)
    edges.eliminate_zeros()
    edges.data[:] = 1.0
    degrees, n = np.diff(edges.indptr).astype(np.float64), len(nodes)
    if edges.nnz < 2 * n:
        return 0.0
    growth = _growth(edges, degrees)
    diagonal = sparse.diags_array(growth - 1.0 + degrees)
    hessian = sparse.csr_array(diagonal - np.sqrt(growth) * edges)
    if n <= DENSE:
        second = np.linalg.eigvalsh(hessian.toarray())[1]
    else:
        start = np.random.default_rng(0).normal(size=n)
        try:
            second = eigsh(
                hessian, k=2, which="SA", v0=start, tol=1e-6, return_eigenvectors=False
            ).max()
        except ArpackError:
            return 0.0
    return float(second / (growth - 1.0 + degrees.mean()) * n ** (2 / 3))


def _growth(edges: sparse.csr_array, degrees: Array) -> float:
    """The largest eigenvalue of walks that do not turn back (Ihara and Bass), at least 1.

    The power method on the matrix plus 1, since walks between two sides have an equal negative one.
    """
    here, before = np.ones((2, len(degrees)))
    found = 1.0
    for _ in range(MOST_STEPS):
        size = np.sqrt(here @ here + before @ before)
        here, before = edges @ here - before + here, (degrees - 1.0) * here + before
        new = np.sqrt(here @ here + before @ before)
        last, found = found, float(new / size) - 1.0
        here, before = here / new, before / new
        if abs(found - last) <= CLOSE * last:
            break
    return max(found, 1.0)
