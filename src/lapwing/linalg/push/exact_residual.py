"""What solutions leave over, computed from the equation instead of kept up to date."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.linalg.push.residuals import Diffusion
from lapwing.types import Array


def exact_residual(system: Diffusion, adjacency: sparse.csr_array, targets: Array) -> Array:
    """Return ``b - (D - alpha A + ridge G) x`` for every column, from the solutions x.

    Examples
    --------
    >>> from lapwing.linalg.push.diffusions import Diffusions
    >>> path = sparse.csr_array(np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]]))
    >>> state = Diffusions(path, alpha=[0.9], ridge=[1.0], tolerance=[1e-9], n_classes=2)
    >>> state.tell(0, np.array([1.0, 0.0]), 1.0)
    >>> float(abs(exact_residual(state.system, path, state.targets)).max()) < 1e-8
    True
    """
    left = np.empty(system.solution.shape)
    source, root = system.label_weight, np.sqrt(system.diagonal) * system.strength
    for k, (alpha, ridge) in enumerate(zip(system.alpha, system.ridge, strict=True)):
        x = system.solution[:, k].astype(np.float64)
        held = (system.diagonal + ridge * source) * x - alpha * (adjacency @ x)
        told = ridge * source if ridge > 0 else root
        left[:, k] = told * targets[:, k % system.room] - held
    return left
