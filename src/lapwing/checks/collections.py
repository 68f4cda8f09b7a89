"""What must hold of things given together: several values, or one value per name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lapwing.errors import InputError


def several(name: str, values: Any) -> tuple[Any, ...]:
    """Return several values as a tuple; raise for a single one, text included.

    Examples
    --------
    >>> several("classes", ["red", "blue"])
    ('red', 'blue')
    >>> several("classes", "red")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: classes must be a list, got 'red'
    """
    if isinstance(values, str | bytes | Mapping):
        raise InputError(f"{name} must be a list, got {values!r:.80}")
    try:
        return tuple(values)
    except TypeError:
        raise InputError(f"{name} must be a list, got {values!r:.80}") from None


def value_per_name(name: str, values: Any) -> dict[Any, Any]:
    """Return one value per name as a dictionary, from a dictionary or a pandas Series.

    Examples
    --------
    >>> value_per_name("labels", {"ada": "red"})
    {'ada': 'red'}
    >>> value_per_name("labels", ["red"])
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: labels must be a dictionary from nodes to values, got ['red']
    """
    try:
        return dict(values.items())
    except (AttributeError, TypeError):
        raise InputError(
            f"{name} must be a dictionary from nodes to values, got {values!r:.80}"
        ) from None
