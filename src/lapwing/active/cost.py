"""What a question about each node costs."""

from __future__ import annotations

import numpy as np

from lapwing.errors import InputError
from lapwing.types import Array


def checked_cost(cost: Array | None, n_nodes: int) -> Array | None:
    """The costs, if they are one positive number a node.

    Examples
    --------
    >>> checked_cost(np.array([1.0, 2.0]), 3)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: cost must be one positive number a node
    """
    if cost is not None and not (np.shape(cost) == (n_nodes,) and np.min(cost, initial=1.0) > 0):
        raise InputError("cost must be one positive number a node")
    return cost
