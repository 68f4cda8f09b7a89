"""Random walks with restarts kept solved while their sources change: compiled pushes."""

from __future__ import annotations

import numpy as np
from numba import njit

from lapwing.types import Array, Nodes


@njit(cache=True)
def settle(
    matrix: tuple[Nodes, Nodes, Array, Array],
    alpha: float,
    by_receiver: bool,
    values: Array,
    residual: Array,
    start: Nodes,
    eps: float,
    touched: Nodes,
) -> int:
    """Push residuals above `eps` into `values` until none is left; how many nodes were touched.

    Keeps ``values = source + alpha W values - residual`` true, where W is P = D^-1 A (a node's
    value is the mean of its neighbours': `by_receiver`) or its transpose. `matrix` is A in CSR
    form and the degrees; `start` lists the nodes whose residual may be large; `touched` (length
    n) receives each node whose value changed, once.
    """
    indptr, indices, weights, degrees = matrix
    n = len(values)
    queue = np.empty(n, dtype=np.int64)
    waiting = np.zeros(n, dtype=np.bool_)
    seen = np.zeros(n, dtype=np.bool_)
    head = count = changed = 0
    for i in start:
        if abs(residual[i]) > eps and not waiting[i]:
            queue[(head + count) % n] = i
            count += 1
            waiting[i] = True
    while count:
        i = queue[head]
        head = (head + 1) % n
        count -= 1
        waiting[i] = False
        amount = residual[i]
        residual[i] = 0.0
        values[i] += amount
        if not seen[i]:
            seen[i] = True
            touched[changed] = i
            changed += 1
        for k in range(indptr[i], indptr[i + 1]):
            j = indices[k]
            share = weights[k] / (degrees[j] if by_receiver else degrees[i])
            residual[j] += alpha * amount * share
            if abs(residual[j]) > eps and not waiting[j]:
                queue[(head + count) % n] = j
                count += 1
                waiting[j] = True
    return changed
