"""Records of what happened over a stream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from lapwing.types import Array, Mask, Nodes


@dataclass(frozen=True, slots=True)
class BinaryTrace:
    """What a binary learner did over a stream: margins before learning, queries, updates."""

    margins: Array
    queried: Mask
    updated: Mask | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """What happened over a stream, one entry per round.

    `class_queries`, `binary_mistakes` and `updates` count, in each round, the one-vs-rest
    problems that asked, that were wrong, and the updates made; `tries` counts the guesses of a
    round in which a bandit may guess again. None where a learner has no such notion.
    """

    guesses: Nodes
    queried: Mask
    class_queries: Nodes | None = None
    binary_mistakes: Nodes | None = None
    updates: Nodes | None = None
    tries: Nodes | None = None

    @classmethod
    def joined(cls, traces: Sequence[Trace]) -> Self:
        """One trace of several that follow each other; what one of them lacks, all lack."""

        def column(name: str) -> Any:
            parts = [getattr(trace, name) for trace in traces]
            return None if any(part is None for part in parts) else np.concatenate(parts)

        return cls(**{field.name: column(field.name) for field in fields(cls)})
