"""Draw numbers from a power law between two bounds."""

from __future__ import annotations

import numpy as np

from lapwing.errors import InputError
from lapwing.types import Array, Nodes


def power_law(
    size: int, *, exponent: float, low: float, high: float, random: np.random.Generator
) -> Array:
    """Draw x in [low, high] with a density proportional to x ** -exponent.

    Examples
    --------
    >>> draws = power_law(5, exponent=2, low=1, high=10, random=np.random.default_rng(0))
    >>> bool(draws.min() >= 1 and draws.max() <= 10)
    True
    """
    uniform = random.random(size)
    if abs(exponent - 1) < 1e-9:
        return np.asarray(low * (high / low) ** uniform)
    power = 1 - exponent
    at_low, at_high = low**power, high**power
    return np.asarray((at_low + uniform * (at_high - at_low)) ** (1 / power))


def low_of_mean(mean: float, *, exponent: float, high: float) -> float:
    """Return the lower bound, at least 1, that gives the requested mean.

    Examples
    --------
    >>> low_of_mean(10, exponent=2.5, high=50)
    4.66
    """
    least, most = 1.0, high
    smallest = _mean(least, exponent, high)
    if not smallest <= mean <= high:
        raise InputError(
            f"a power law of exponent {exponent:g} between 1 and {high:g} has a mean "
            f"from {smallest:.4g} to {high:g}, cannot have {mean:g}"
        )
    for _ in range(100):
        middle = (least + most) / 2
        least, most = (middle, most) if _mean(middle, exponent, high) < mean else (least, middle)
    return least


def rounded(values: Array, random: np.random.Generator) -> Nodes:
    """Round at random, up or down, so that the mean is preserved.

    Examples
    --------
    >>> print(f"{rounded(np.full(10**6, 2.25), np.random.default_rng(0)).mean():.2f}")
    2.25
    """
    return np.floor(values + random.random(len(values))).astype(np.intp)


def _mean(low: float, exponent: float, high: float) -> float:
    if high - low < 1e-12 * high:
        return high
    return _integral(low, exponent - 1, high) / _integral(low, exponent, high)


def _integral(low: float, exponent: float, high: float) -> float:
    """Return the mean of the density x ** -exponent from low to high."""
    power = 1 - exponent
    if abs(power) < 1e-9:
        return float(np.log(high / low))
    return float((high**power - low**power) / power)
