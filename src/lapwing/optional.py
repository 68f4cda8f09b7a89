"""Import optional packages when needed, with a clear error if they are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from lapwing.errors import MissingExtraError


def need(module: str, *, extra: str) -> Any:
    """Return the module, or raise an error that names the extra to install.

    Examples
    --------
    >>> need("math", extra="all").sqrt(4.0)
    2.0
    >>> need("no_such_package", extra="plot")
    Traceback (most recent call last):
        ...
    lapwing.errors.MissingExtraError: needs no_such_package: pip install "lapwing[plot]"
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as missing:
        package = (missing.name or module).partition(".")[0]
        raise MissingExtraError(f'needs {package}: pip install "lapwing[{extra}]"') from missing
