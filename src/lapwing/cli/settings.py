"""What commands take as NAME=VALUE."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lapwing.errors import InputError


def parsed_settings(settings: Sequence[str], option: str) -> dict[str, Any]:
    """NAME=VALUE pairs as keyword arguments; a value is JSON where it can be, else text.

    Examples
    --------
    >>> parsed_settings(["mean-shift=false", "tol=1e-4", "solver=gcd"], "--param")
    {'mean_shift': False, 'tol': 0.0001, 'solver': 'gcd'}
    """
    found: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"{option} takes NAME=VALUE, got {setting!r}")
        try:
            found[name.replace("-", "_")] = json.loads(value.lower())
        except json.JSONDecodeError:
            found[name.replace("-", "_")] = value
    return found


def parsed_priors(text: str, classes: Sequence[str]) -> list[float]:
    """``red=0.3,blue=0.7`` as one share per class, in class order.

    Examples
    --------
    >>> parsed_priors("red=3,blue=1", ["blue", "red"])
    [1.0, 3.0]
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, sign, value = part.rpartition("=")
        try:
            shares[name.strip()] = float(value)
        except ValueError:
            sign = ""
        if not sign or name.strip() not in classes:
            raise InputError(
                f"--priors takes CLASS=SHARE,... of the classes {', '.join(classes)}; got {part!r}"
            )
    left = [name for name in classes if name not in shares]
    if left:
        raise InputError(f"--priors must name every class, {', '.join(left)} is missing")
    return [shares[name] for name in classes]
