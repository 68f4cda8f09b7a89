"""The k-nearest-neighbour graph of points."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lapwing.checks import between, one_of
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.optional import need

Join = Literal["union", "mutual"]
Weights = Literal["unit", "gaussian", "distance"]


def knn_graph(
    points: NDArray[Any],
    k: int,
    *,
    join: Join = "union",
    weights: Weights = "unit",
    metric: str = "euclidean",
) -> Graph:
    """Build the k-nearest-neighbour graph of some points.

    Parameters
    ----------
    points
        An array with one row per point.
    k
        Number of neighbours that each point chooses.
    join
        "union" joins two points when either is among the other's k nearest, "mutual" only
        when both are.
    weights
        "unit": 1; "gaussian": exp(-(d / s)^2 / 2), with s the median over all points of the
        distance to the k-th nearest; "distance": 1 / d, for distinct points only.
    metric
        Any metric of scikit-learn's NearestNeighbors.

    Ties in distance are broken by the smaller index (as long as no more than 16 points tie for the
    last place). Two equal points are neighbours of each other; no point is its own neighbour.

    Examples
    --------
    >>> line = np.array([[0.0], [1.0], [3.0], [7.0]])
    >>> knn_graph(line, 1).edges()[:2]
    (array([0, 1, 2]), array([1, 2, 3]))
    >>> knn_graph(line, 1, join="mutual").n_edges
    1
    >>> knn_graph(line, 1, weights="distance").edges()[2]
    array([1.  , 0.5 , 0.25])
    """
    points = _checked(points, k)
    one_of("join", join, ("union", "mutual"))
    one_of("weights", weights, ("unit", "gaussian", "distance"))
    distances, near = _nearest(points, k, metric)
    sources = np.repeat(np.arange(len(points)), k)
    targets, lengths = near.ravel(), distances.ravel()
    if join == "mutual":
        one_way, other_way = sources * len(points) + targets, targets * len(points) + sources
        both = np.isin(one_way, other_way, assume_unique=True)
        sources, targets, lengths = sources[both], targets[both], lengths[both]
    return Graph.from_edges(
        (sources, targets),
        weights=_weighed(lengths, weights, float(np.median(distances[:, -1])), sources, targets),
        names=range(len(points)),
        parallel="max",
    )


def _checked(points: NDArray[Any], k: int) -> NDArray[Any]:
    points = np.asarray(points, dtype=np.float64)
    if points.ndim != 2:
        raise InputError(
            f"points must be an array with one row per point, got shape {points.shape}"
        )
    between("k", k, 1, len(points) - 1)
    return points


def _nearest(points: NDArray[Any], k: int, metric: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the k nearest neighbours of each point, nearest first, ties by index.

    Fast Euclidean distances carry rounding noise that would break ties at random, so a few more
    candidates are found and their distances computed again.
    """
    candidates = min(k + 16, len(points) - 1)
    nearest = need("sklearn.neighbors", extra="all").NearestNeighbors
    search = nearest(n_neighbors=candidates, metric=metric).fit(points)
    distances, near = search.kneighbors()
    if metric == "euclidean":
        for node, others in enumerate(near):
            distances[node] = np.sqrt(np.square(points[others] - points[node]).sum(axis=1))
    order = np.lexsort((near, distances))[:, :k]
    return np.take_along_axis(distances, order, 1), np.take_along_axis(near, order, 1)


def _weighed(
    lengths: NDArray[Any], weights: Weights, scale: float, sources: Any, targets: Any
) -> NDArray[Any] | None:
    if weights == "unit":
        return None
    if weights == "gaussian":
        return np.exp(-0.5 * (lengths / scale) ** 2) if scale else np.ones(len(lengths))
    if len(lengths) and lengths.min() == 0:
        pair = int(np.argmin(lengths))
        raise InputError(
            f"weights 'distance' need distinct points, got {sources[pair]} and {targets[pair]}"
        )
    return np.asarray(1.0 / lengths)
