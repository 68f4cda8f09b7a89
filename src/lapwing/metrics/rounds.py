"""Metrics over rounds: error, queries, updates and time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lapwing.card import card
from lapwing.checks import whole_number
from lapwing.errors import InputError
from lapwing.learner import Trace
from lapwing.types import UNKNOWN, Array, Mask, Nodes


@dataclass(frozen=True, slots=True)
class Summary:
    """The metrics of a game.

    `error` is the share of rounds whose guess was wrong; a guess of `UNKNOWN` counts as wrong, and
    `unknown` is the share of those alone. `binary_error` and `queries` are means over the
    one-vs-rest problems of the classes, as in Gu et al. (2013), or None if a learner has no such
    problems. `distinct_queries` is the number of nodes whose label was seen at least once.
    `guesses` is the number of guesses of a bandit, which exceeds the number of rounds if it can
    guess again.
    """

    rounds: int
    n_classes: int
    error: float
    unknown: float
    binary_error: float | None
    queries: float
    distinct_queries: int
    updates: int | None
    seconds: float
    guesses: int | None = None

    def facts(self) -> list[tuple[str, str]]:
        """Names and values for display; metrics that a learner does not have are left out."""
        found: dict[str, str | None] = {
            "rounds": f"{self.rounds:,}, {self.n_classes} classes",
            "error": f"{self.error:.1%}",
            "unknown": f"{self.unknown:.1%}" if self.unknown else None,
            "one-vs-rest error": _known(self.binary_error, "{:.1%}"),
            "labels asked for": f"{self.queries:,.4g}",
            "nodes asked about": f"{self.distinct_queries:,}",
            "updates": _known(self.updates, "{:,}"),
            "guesses": _known(self.guesses, "{:,}"),
            "seconds": f"{self.seconds:.3g}",
        }
        return [(name, value) for name, value in found.items() if value is not None]

    def _repr_html_(self) -> str:
        """The HTML that a notebook shows."""
        return card("Summary", self.facts())


def _known(value: float | None, form: str) -> str | None:
    return None if value is None else form.format(value)


MEASURES = (
    "error",
    "binary_error",
    "unknown",
    "queries",
    "distinct_queries",
    "updates",
    "guesses",
    "seconds",
)
"""The metrics that are averaged over games."""


def summary(
    trace: Trace, nodes: Nodes, labels: Nodes, *, n_classes: int, seconds: float = 0.0
) -> Summary:
    """Return the metrics of one game; `labels` holds the true class of each round.

    Examples
    --------
    >>> trace = Trace(guesses=np.array([-1, 0, 1, 1]), queried=np.array([True, True, True, False]))
    >>> numbers = summary(trace, np.array([0, 1, 1, 2]), np.array([0, 0, 0, 1]), n_classes=2)
    >>> numbers.error, numbers.unknown, numbers.queries, numbers.distinct_queries
    (0.5, 0.25, 3.0, 2)
    """
    n_classes = whole_number("n_classes", n_classes, 0)
    rounds = len(trace.guesses)
    for name, column in (("nodes", nodes), ("labels", labels)):
        if np.shape(column) != (rounds,):
            raise InputError(
                f"{name} must have one entry per round, {rounds} in all, got {np.shape(column)}"
            )
    nodes, labels = np.asarray(nodes), np.asarray(labels)
    per_class = max(n_classes, 1)
    binary, asked, updates = trace.binary_mistakes, trace.class_queries, trace.updates
    return Summary(
        rounds=rounds,
        n_classes=n_classes,
        error=_share(trace.guesses != labels),
        unknown=_share(trace.guesses == UNKNOWN),
        binary_error=None if binary is None else float(binary.sum()) / max(rounds * per_class, 1),
        queries=float(trace.queried.sum() if asked is None else asked.sum() / per_class),
        distinct_queries=len(np.unique(nodes[trace.queried])),
        updates=None if updates is None else int(updates.sum()),
        seconds=seconds,
        guesses=None if trace.tries is None else int(trace.tries.sum()),
    )


def spread(summaries: Sequence[Summary]) -> dict[str, dict[str, float | None]]:
    """Return the mean and standard deviation of each metric over several games, or None.

    Examples
    --------
    >>> from dataclasses import replace
    >>> one = Summary(4, 2, 0.25, 0.0, None, 4.0, 4, 1, 0.1)
    >>> spread([one, replace(one, error=0.75)])["error"]
    {'mean': 0.5, 'sd': 0.3535534}
    >>> spread([one])["binary_error"]
    {'mean': None, 'sd': None}
    """
    found: dict[str, dict[str, float | None]] = {}
    for name in MEASURES:
        values = [getattr(each, name) for each in summaries]
        known = bool(values) and all(value is not None for value in values)
        found[name] = {
            "mean": float(np.mean(values)) if known else None,
            "sd": float(np.std(values, ddof=1)) if known and len(values) > 1 else None,
        }
    return found


def cumulative(happened: Array | Nodes | Mask) -> Array:
    """Return, for each round, the share of rounds so far in which something happened.

    Examples
    --------
    >>> cumulative(np.array([1, 0, 0, 1])).round(2)
    array([1.  , 0.5 , 0.33, 0.5 ])
    """
    if np.ndim(happened) != 1:
        raise InputError(f"there must be one number per round, got shape {np.shape(happened)}")
    counts = np.cumsum(happened, dtype=np.float64)
    return counts / np.arange(1, len(counts) + 1)


def _share(happened: np.ndarray) -> float:
    return float(happened.mean()) if len(happened) else 0.0
