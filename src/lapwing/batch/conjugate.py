"""Conjugate gradients for many right-hand sides at once, one matrix product a step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lapwing.errors import ConvergenceError
from lapwing.types import Array


def conjugate_gradients(
    times: Callable[[Array], Array],
    right: Array,
    *,
    tol: Array | float,
    scale: Array | float = 1.0,
    max_steps: int = 1000,
    strict: bool = True,
) -> Array:
    """Solve M x = b for each column b of `right`; `times` multiplies by M, positive definite.

    Each column stops where its residual falls below `tol` times its start. `scale` is the
    inverse of a diagonal near M's. Not `strict`: the best after `max_steps` will do.

    Examples
    --------
    >>> matrix = np.array([[2.0, 1.0], [1.0, 3.0]])
    >>> conjugate_gradients(lambda v: matrix @ v, np.array([[3.0], [4.0]]), tol=1e-12)
    array([[1.],
           [1.]])
    """
    found = np.zeros_like(right)
    residual = right.copy()
    goal = np.asarray(tol) * np.linalg.norm(right, axis=0)
    direction = scale * residual
    power = np.einsum("ij,ij->j", residual, direction)
    for _ in range(max_steps):
        active = np.linalg.norm(residual, axis=0) > goal
        if not active.any():
            return found
        image = times(direction)
        energy = np.einsum("ij,ij->j", direction, image)
        step = np.where(active, _ratio(power, energy), 0.0)
        found += step * direction
        residual -= step * image
        scaled = scale * residual
        new = np.einsum("ij,ij->j", residual, scaled)
        direction = scaled + _ratio(new, power) * direction
        power = new
    if strict:
        left = float((np.linalg.norm(residual, axis=0) / np.maximum(goal, 1e-300)).max())
        raise ConvergenceError(
            f"conjugate gradients must reach their tolerance in {max_steps} steps, "
            f"the residual is still {left:.3g} times it"
        )
    return found


def _ratio(above: Array, below: Array) -> Array:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)
