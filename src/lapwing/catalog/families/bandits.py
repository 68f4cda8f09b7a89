"""Learners that are only told whether a guess was right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lapwing.bandit import (
    SOBA,
    Banditron,
    Confidit,
    LinUCB,
    MOLGBandit,
    OSLGBandit,
    RowBandit,
    Thompson,
)
from lapwing.catalog.entry import Entry
from lapwing.catalog.families.yang2018 import PHI, RIDGE, ROWS_READ, YANG_ROWS


def bandit(
    name: str,
    build: Callable[..., RowBandit],
    summary: str,
    paper: str,
    *departures: str,
    **defaults: Any,
) -> Entry:
    """A bandit on the rows of Yang 2018."""
    return Entry(
        name=name,
        kind="bandit",
        summary=summary,
        paper=paper,
        build=build,
        rows=YANG_ROWS,
        defaults=defaults,
        departures=(ROWS_READ, *departures),
    )


ENTRIES = (
    bandit(
        "molg-b",
        MOLGBandit,
        "weighted ridge regression per class; optimistic, learns if it is not sure",
        "Yang et al. 2018, Algorithm 2",
        PHI,
        RIDGE,
    ),
    bandit(
        "oslg-bandit",
        OSLGBandit,
        "ridge regression per class on +1 and -1; optimistic, learns in every round",
        "Gu and Han 2014",
    ),
    bandit(
        "banditron",
        Banditron,
        "perceptron that guesses at random now and then",
        "Kakade et al. 2008",
    ),
    bandit(
        "confidit",
        Confidit,
        "second-order perceptron per class with margins in [-1, 1]; optimistic",
        "Crammer and Gentile 2013",
    ),
    bandit(
        "soba",
        SOBA,
        "second-order perceptron of all classes that guesses at random now and then",
        "Beygelzimer et al. 2017",
    ),
    bandit(
        "linucb",
        LinUCB,
        "ridge regression of the acceptance per class; optimistic",
        "Li et al. 2010",
    ),
    bandit(
        "thompson",
        Thompson,
        "ridge regression of the acceptance per class; guesses drawn from the posterior",
        "Agrawal and Goyal 2013",
    ),
)
