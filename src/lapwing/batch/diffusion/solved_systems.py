"""Systems of many right sides, solved to a tolerance or said not to be."""

from __future__ import annotations

import numpy as np

from lapwing.errors import ConvergenceError
from lapwing.linalg.solve.conjugate_gradients import Operator, conjugate_gradients
from lapwing.types import Array


def solved(
    times: Operator,
    right: Array,
    *,
    tol: Array | float,
    scale: Array | float = 1.0,
    max_steps: int = 1000,
    strict: bool = True,
) -> Array:
    """The x with M x = b for each column b of `right`; `times` multiplies by M, positive definite.

    `scale` is the inverse of a diagonal near M's. Not `strict`: the best after `max_steps` will do.

    Examples
    --------
    >>> matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> solved(lambda v: matrix @ v, np.array([[3.0], [4.0]]), tol=1e-12)
    array([[1.],
           [1.]])
    """
    found, residual = conjugate_gradients(
        times, right, lambda r: scale * r, tol=tol, max_steps=max_steps
    )
    left = float((residual / np.maximum(tol, 1e-300)).max(initial=0.0))
    if strict and left > 1:
        raise ConvergenceError(
            f"conjugate gradients must reach their tolerance in {max_steps} steps, "
            f"the residual is still {left:.3g} times it"
        )
    return found
