"""How many hits are to come, by how fast they become rare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

FEWEST = 20
"""Answers from which on a trend is read."""


def hits_to_come(hits: Sequence[bool], left: int) -> float | None:
    r"""Return how many of the nodes left are positive, if hits go on to become rarer as they do.

    `hits` tells, for each node that was asked because it was likely, whether it was positive; draws
    at random do not belong here. The rate of hits is taken to fall exponentially: with the rates
    :math:`r_1` and :math:`r_2` in the two halves of the answers, h each, and half a hit added to
    either, it is :math:`r = r_2 \sqrt{r_2 / r_1}` now, and :math:`r h / \ln(r_1 / r_2)` hits are to
    come; at most :math:`r_2` times the nodes left, where hits do not become rarer. None with fewer
    than 20 answers: nothing is known of the trend.

    This sees only what the search comes upon. Positive nodes far from all that are known are
    measured by audits alone.

    References
    ----------
    Sneyd, Stevenson. *Modelling stopping criteria for search results using Poisson processes.*
    EMNLP 2019.

    Examples
    --------
    Nine of ten, then three of ten:

    >>> round(hits_to_come([True] * 9 + [False] * 8 + [True] * 3, 500), 1)
    1.9
    >>> hits_to_come([True, False] * 10, 500)
    250.0
    >>> hits_to_come([True] * 5, 500)
    """
    if len(hits) < FEWEST:
        return None
    half = len(hits) // 2
    before, now = ((sum(part) + 0.5) / (half + 1.0) for part in (hits[:half], hits[-half:]))
    most = float(now * left)
    if now >= before:
        return most
    return min(float(now * np.sqrt(now / before) * half / np.log(before / now)), most)
