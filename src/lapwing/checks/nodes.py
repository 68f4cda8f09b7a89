"""What must hold of nodes: integers from 0 to one less than their number."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.checks.integers import many_indices, one_index
from lapwing.errors import InputError, UnknownNodeError
from lapwing.types import Array, Nodes


def one_node(node: Any, n_nodes: int) -> int:
    """Return a node's index as an int; raise if it is not an index of the graph.

    Examples
    --------
    >>> one_node(2, 3)
    2
    >>> one_node(3, 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: a node must be an integer from 0 to 2, got 3
    """
    if type(node) is int and 0 <= node < n_nodes:
        return node
    return one_index(node, n_nodes, lambda value: _no_node(value, n_nodes))


def many_nodes(nodes: Any, n_nodes: int) -> Nodes:
    """Return several node indices as an array; raise if one is not in the graph.

    Examples
    --------
    >>> many_nodes([0, 2], 3)
    array([0, 2])
    >>> many_nodes([0, -1], 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.UnknownNodeError: a node must be an integer from 0 to 2, got -1
    """
    return many_indices("nodes", nodes, n_nodes, lambda value: _no_node(value, n_nodes))


def candidates(nodes: Any, n_nodes: int | None = None) -> Nodes:
    """Return nodes to choose from, at least one, each once; without `n_nodes`, any index from 0 on.

    Examples
    --------
    >>> candidates([2, 5], 6)
    array([2, 5])
    >>> candidates([], 6)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: there must be at least one candidate, got none
    """
    found = many_nodes(nodes, np.iinfo(np.intp).max if n_nodes is None else n_nodes)
    if found.size == 0:
        raise InputError("there must be at least one candidate, got none")
    if not (found[1:] > found[:-1]).all():
        values, counts = np.unique(found, return_counts=True)
        if (counts > 1).any():
            raise InputError(f"a candidate must be given once, got {values[counts > 1][0]} twice")
    return found


def node_or_nodes(nodes: Any, n_nodes: int) -> int | Nodes:
    """Return one node as an int, or several as an array; raise if one is not in the graph.

    Examples
    --------
    >>> node_or_nodes(1, 3), node_or_nodes([1, 2], 3)
    (1, array([1, 2]))
    """
    if type(nodes) is int and 0 <= nodes < n_nodes:
        return nodes
    if isinstance(nodes, list | tuple) or (isinstance(nodes, np.ndarray) and nodes.ndim > 0):
        return many_nodes(nodes, n_nodes)
    if np.ndim(nodes) == 0:
        return one_node(nodes, n_nodes)
    return many_nodes(nodes, n_nodes)


def costs(cost: Any, n_nodes: int) -> Array | None:
    """Return the cost of a question per node; raise unless all are positive numbers.

    Examples
    --------
    >>> costs([1.0, 2.0], 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: cost must be one positive number per node
    """
    if cost is None:
        return None
    try:
        given = np.asarray(cost, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError("cost must be one positive number per node") from None
    if given.shape != (n_nodes,) or not (np.isfinite(given) & (given > 0)).all():
        raise InputError("cost must be one positive number per node")
    return given


def _no_node(node: Any, n_nodes: int) -> UnknownNodeError:
    if n_nodes == 0:
        return UnknownNodeError(f"the graph has no nodes, got node {node!r}")
    return UnknownNodeError(f"a node must be an integer from 0 to {n_nodes - 1}, got {node!r}")
