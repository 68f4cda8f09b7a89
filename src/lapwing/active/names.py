"""Strategies by name."""

from __future__ import annotations

from lapwing.active.act_mu import act_mu
from lapwing.active.act_st import act_st
from lapwing.active.order import Strategy
from lapwing.active.uniform import Uniform
from lapwing.errors import InputError

NAMES = ("act-st", "act-mu", "random")


def strategy(name: str, *, seed: int = 0) -> Strategy:
    """The strategy of that name; the seed is for those that draw.

    Examples
    --------
    >>> strategy("act-st").__name__
    'act_st'
    >>> strategy("best")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: strategy must be one of act-st, act-mu, random, got 'best'
    """
    if name not in NAMES:
        raise InputError(f"strategy must be one of {', '.join(NAMES)}, got {name!r}")
    return {"act-st": act_st, "act-mu": act_mu}.get(name, Uniform(seed=seed))
