"""What commands take as NAME=VALUE."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from lapwing.cli.inputs import listed_names
from lapwing.errors import InputError

COLUMNS = ("use", "text", "vectors")
"""Parameters that name columns, separated by commas."""


def parsed_settings(settings: Sequence[str], option: str) -> dict[str, Any]:
    """NAME=VALUE pairs as keyword arguments; a value is JSON where it can be, else text.

    Examples
    --------
    >>> parsed_settings(["mean-shift=false", "tol=1e-4", "solver=gcd"], "--param")
    {'mean_shift': False, 'tol': 0.0001, 'solver': 'gcd'}
    >>> parsed_settings(["text=Title,Notes", 'use=["Title"]', "mean_shift=False"], "--param")
    {'text': ['Title', 'Notes'], 'use': ['Title'], 'mean_shift': False}
    """
    found: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.partition("=")
        if not sign:
            raise InputError(f"{option} takes NAME=VALUE, got {setting!r}")
        listed = name in COLUMNS and not value.startswith("[")
        found[name.replace("-", "_")] = listed_names(value) if listed else _value(value)
    return found


def _value(text: str) -> Any:
    """What a text means in JSON, as it is or in small letters (True, NaN); else the text."""
    for written in (text, text.lower()):
        try:
            return json.loads(written)
        except json.JSONDecodeError:
            continue
    return text


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
