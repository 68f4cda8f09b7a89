"""How many threads share one product of matrices."""

from __future__ import annotations

from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from typing import Any

from lapwing.optional import need


def one_thread() -> AbstractContextManager[Any]:
    """Return a context in which BLAS uses one thread: on small systems, several only wait.

    Examples
    --------
    >>> import numpy as np
    >>> with one_thread():
    ...     np.linalg.solve(np.array([[2.0]]), np.array([1.0])).tolist()
    [0.5]
    """
    context: AbstractContextManager[Any] = _controller().limit(limits=1, user_api="blas")
    return context


@cache
def _controller() -> Any:
    import_module(
        "scipy.linalg"
    )  # SciPy brings a BLAS of its own, which must be loaded to be found
    return need("threadpoolctl", extra="all").ThreadpoolController()
