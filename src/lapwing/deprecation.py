"""Former names that still work, with a `DeprecationWarning` that gives the current name."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


def warn_former(old: str, new: str, *, stacklevel: int = 3) -> None:
    """Warn that a name is a former one.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     warn_former("data.Entry", "data.DatasetEntry")
    >>> str(caught[0].message)
    'data.Entry is deprecated, use data.DatasetEntry'
    """
    warnings.warn(f"{old} is deprecated, use {new}", DeprecationWarning, stacklevel=stacklevel)


def former_names(module: str, current: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a module's ``__getattr__`` that finds former names under their current ones.

    Examples
    --------
    >>> import warnings
    >>> find = former_names("math", {"square_root": "sqrt"})
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     find("square_root")(4.0)
    2.0
    """

    def find(name: str) -> Any:
        if name not in current:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_former(f"{module}.{name}", f"{module}.{current[name]}")
        return getattr(import_module(module), current[name])

    return find


def former_parameters(**current: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator: keyword arguments are also accepted under their former names.

    Examples
    --------
    >>> import warnings
    >>> @former_parameters(width="length")
    ... def doubled(*, length): return 2 * length
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     doubled(width=3), doubled(length=4)
    (6, 8)
    """

    def decorated(function: Callable[P, T]) -> Callable[P, T]:
        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            for old, new in current.items():
                if old in kwargs and new not in kwargs:
                    warn_former(f"{function.__name__}({old}=)", f"{new}=")
                    kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return called

    return decorated
