"""Checks that several learners make of what they are given."""

from __future__ import annotations

from lapwing.errors import InputError
from lapwing.types import Nodes


def check_positive(name: str, value: float) -> None:
    """An error unless the value is above zero.

    Examples
    --------
    >>> check_positive("mu", 0.0)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: mu must be positive, got 0.0
    """
    if not value > 0:
        raise InputError(f"{name} must be positive, got {value}")


def check_share(name: str, value: float) -> None:
    """An error unless the value lies in [0, 1].

    Examples
    --------
    >>> check_share("kappa", 1.5)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: kappa must lie in [0, 1], got 1.5
    """
    if not 0 <= value <= 1:
        raise InputError(f"{name} must lie in [0, 1], got {value}")


def classes_after(n_classes: int, labels: Nodes, *, grows: bool) -> int:
    """How many classes there are once these labels are known; an error if none may be added.

    Examples
    --------
    >>> import numpy as np
    >>> classes_after(2, np.array([0, 3]), grows=True)
    4
    """
    after = max(n_classes, int(labels.max(initial=-1)) + 1)
    if after > n_classes and not grows:
        raise InputError(
            f"labels must lie in 0..{n_classes - 1}, got {after - 1}; "
            "n_classes=None lets classes appear"
        )
    return after
