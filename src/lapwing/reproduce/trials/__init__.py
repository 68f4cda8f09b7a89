"""Kinds of trials: what is done with a graph and a method, and what is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lapwing.errors import InputError
from lapwing.reproduce.trials.future import future
from lapwing.reproduce.trials.shape import shape
from lapwing.reproduce.trials.split import split
from lapwing.reproduce.trials.stream import stream

Measured = dict[str, float | list[float]]
TRIAL_KINDS: Mapping[str, Callable[[Any], Measured]] = {
    "split": split,
    "future": future,
    "shape": shape,
    "stream": stream,
}


def done(trial: Any) -> Measured:
    """Do a trial: numbers by name, or lists of them.

    Examples
    --------
    >>> from lapwing.reproduce import load_study, planned
    >>> measured = done(planned(load_study("herbster2006/octopus"), quick=True)[0])
    >>> measured["mistakes"]
    2.0
    """
    if trial.kind not in TRIAL_KINDS:
        raise InputError(
            f"study {trial.study}: no kind of trial is called {trial.kind!r}; "
            f"there are {', '.join(TRIAL_KINDS)}"
        )
    return TRIAL_KINDS[trial.kind](trial)
