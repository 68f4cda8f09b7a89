"""The labels that a method learns from, on the parts of a graph."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.known_labels import KnownLabels
from lapwing.cluster.engine.engine import Engine
from lapwing.cluster.engine.part import GraphPart
from lapwing.types import Array


def components_at(engine: Engine, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the component of each of some nodes."""
    return engine.total(_components_at, nodes).astype(np.int64)


def rows_at(engine: Engine, name: str, nodes: NDArray[np.int64]) -> Array:
    """Return the rows that some nodes have in the columns of that name."""
    return np.asarray(engine.total(_rows_at, name, nodes), dtype=np.float64)


def disputed(known: KnownLabels, components: NDArray[np.int64]) -> tuple[NDArray[np.int64], Array]:
    """Return which components have labels that all agree, and their classes.

    The first result holds the components that have a label, the second one row of classes for each:
    zeros where the labels differ.

    Examples
    --------
    >>> known = KnownLabels(np.array([0, 2, 3]), np.eye(2)[[1, 0, 1]], n_nodes=4)
    >>> disputed(known, np.array([0, 2, 2]))
    (array([0, 2]), array([[0., 1.],
           [0., 0.]]))
    """
    places, inverse = np.unique(components, return_inverse=True)
    shape = (len(places), known.n_classes)
    least, most = np.ones(shape), np.zeros(shape)
    np.minimum.at(least, inverse, known.indicator)
    np.maximum.at(most, inverse, known.indicator)
    return places, np.asarray(most * (least == most).all(axis=1, keepdims=True))


def _components_at(part: GraphPart, nodes: NDArray[np.int64]) -> NDArray[np.int64]:
    found = np.zeros(len(nodes), dtype=np.int64)
    mine, rows = part.inside(nodes)
    found[mine] = part.components[rows]
    return found


def _rows_at(part: GraphPart, name: str, nodes: NDArray[np.int64]) -> NDArray[Any]:
    found = np.zeros((len(nodes), part[name].shape[1]))
    mine, rows = part.inside(nodes)
    found[mine] = part[name][rows]
    return found
