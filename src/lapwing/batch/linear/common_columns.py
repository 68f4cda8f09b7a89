"""Which sparse rows have something in common with the labelled ones."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from lapwing.types import Mask, Nodes


def meets_labelled(rows: sparse.csr_array, labelled: Nodes) -> Mask:
    """Return whether each row has a column in common with a labelled one.

    A linear model knows nothing about the others: only its constant speaks there.

    Examples
    --------
    >>> rows = sparse.csr_array(np.array([[1.0, 0, 0], [0, 1.0, 0], [0.5, 0, 0.5]]))
    >>> meets_labelled(rows, np.array([0]))
    array([ True, False,  True])
    """
    used = np.zeros(rows.shape[1])
    used[rows[labelled].indices] = 1.0
    met = np.asarray(abs(rows) @ used > 0.0)
    met[labelled] = True
    return met
