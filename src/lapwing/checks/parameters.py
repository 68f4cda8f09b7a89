"""What must hold of a parameter: a number, a choice, a text."""

from __future__ import annotations

import operator
import unicodedata
from collections.abc import Collection
from typing import Any

import numpy as np

from lapwing.errors import InputError


def at_least(name: str, value: float, lowest: float) -> None:
    """Raise if a value is below the lowest allowed.

    Examples
    --------
    >>> at_least("m", 1, 2)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: m must be at least 2, got 1
    """
    if not _number(name, value) >= lowest:
        raise InputError(f"{name} must be at least {lowest:g}, got {value}")


def between(name: str, value: float, lowest: float, highest: float) -> None:
    """Raise if a value is outside a closed interval.

    Examples
    --------
    >>> between("noise", 1.5, 0, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: noise must lie between 0 and 1, got 1.5
    """
    if not lowest <= _number(name, value) <= highest:
        raise InputError(f"{name} must lie between {lowest:g} and {highest:g}, got {value}")


def strictly_between(name: str, value: float, lowest: float, highest: float) -> None:
    """Raise if a value is outside an open interval; the ends are not allowed.

    Examples
    --------
    >>> strictly_between("alpha", 1.0, 0, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: alpha must lie strictly between 0 and 1, got 1.0
    """
    if not lowest < _number(name, value) < highest:
        raise InputError(
            f"{name} must lie strictly between {lowest:g} and {highest:g}, got {value}"
        )


def positive(name: str, value: float) -> None:
    """Raise if a value is not positive.

    Examples
    --------
    >>> positive("mu", 0.0)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: mu must be positive, got 0.0
    """
    if not _number(name, value) > 0:
        raise InputError(f"{name} must be positive, got {value}")


def finite_positive(name: str, value: float) -> None:
    """Raise if a value is not positive, or is infinite.

    Examples
    --------
    >>> finite_positive("ridge", float("inf"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: ridge must be positive and finite, got inf
    """
    if not 0 < _number(name, value) < np.inf:
        raise InputError(f"{name} must be positive and finite, got {value}")


def finite_at_least(name: str, value: float, lowest: float) -> None:
    """Raise if a value is below the lowest allowed, or is infinite.

    Examples
    --------
    >>> finite_at_least("bias", -1.0, 0)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: bias must be finite and at least 0, got -1.0
    """
    if not lowest <= _number(name, value) < np.inf:
        raise InputError(f"{name} must be finite and at least {lowest:g}, got {value}")


def one_of(name: str, value: str, allowed: Collection[str]) -> None:
    """Raise if a value is not one of those allowed.

    Examples
    --------
    >>> one_of("join", "both", ("union", "mutual"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: join must be one of union, mutual, got 'both'
    """
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")


def whole_number(name: str, value: Any, lowest: int) -> int:
    """Return the value as an int; raise unless it is an integer of at least `lowest`.

    Examples
    --------
    >>> whole_number("rank", np.int64(3), 1)
    3
    >>> whole_number("rank", 2.5, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: rank must be a whole number, got 2.5
    """
    if isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be a whole number, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise InputError(f"{name} must be a whole number, got {value!r}") from None
    at_least(name, number, lowest)
    return number


def true_or_false(name: str, value: Any) -> bool:
    """The value as a bool; refuses anything else.

    Examples
    --------
    >>> true_or_false("correct", None)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: correct must be True or False, got None
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be True or False, got {value!r}")
    return bool(value)


def plain_text(name: str, value: Any) -> str:
    """Return text in composed letters; raise if it is empty, padded or has control characters.

    Examples
    --------
    >>> plain_text("by", "ann")
    'ann'
    >>> plain_text("by", "")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: by must not be empty, got ''
    """
    if not isinstance(value, str):
        raise InputError(f"{name} must be text, got {value!r}")
    text = unicodedata.normalize("NFC", str(value))
    if not text.strip():
        raise InputError(f"{name} must not be empty, got {value!r}")
    if text != text.strip():
        raise InputError(f"{name} must have no spaces around it, got {value!r}")
    if any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in text):
        raise InputError(f"{name} must hold no control character, got {value!r}")
    return text


def _number(name: str, value: Any) -> float:
    if not isinstance(value, int | float | np.integer | np.floating):
        raise InputError(f"{name} must be a number, got {value!r}")
    return float(value)
