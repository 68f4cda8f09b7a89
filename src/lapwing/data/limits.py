"""What a parameter must hold, said the same way everywhere."""

from __future__ import annotations

from lapwing.errors import InputError


def at_least(name: str, value: float, lowest: float) -> None:
    """Refuse a value below the lowest allowed.

    Examples
    --------
    >>> at_least("m", 1, 2)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: m must be at least 2, got 1
    """
    if not value >= lowest:
        raise InputError(f"{name} must be at least {lowest:g}, got {value}")


def between(name: str, value: float, lowest: float, highest: float) -> None:
    """Refuse a value outside a closed interval.

    Examples
    --------
    >>> between("noise", 1.5, 0, 1)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: noise must lie between 0 and 1, got 1.5
    """
    if not lowest <= value <= highest:
        raise InputError(f"{name} must lie between {lowest:g} and {highest:g}, got {value}")


def one_of(name: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a word that is not one of those allowed.

    Examples
    --------
    >>> one_of("join", "both", ("union", "mutual"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: join must be one of union, mutual, got 'both'
    """
    if value not in allowed:
        raise InputError(f"{name} must be one of {', '.join(allowed)}, got {value!r}")
