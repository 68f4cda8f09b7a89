"""One entry of the catalog: an algorithm's name, summary and parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from lapwing.embed import laplacian
from lapwing.learner import BanditLearner, BinaryLearner, Classifier, Learner

AlgorithmKind = Literal["online", "selective", "bandit", "batch"]
Model = Learner | BanditLearner | Classifier
ROWS: Mapping[str, Any] = {
    name: inspect.signature(laplacian).parameters[name].default
    for name in ("rank", "bias", "normalized", "unit_rows")
}
"""Parameters of `lapwing.embed.laplacian` that determine the rows, with defaults."""


@dataclass(frozen=True)
class Entry:
    """An algorithm by its catalog name.

    `build` is called as ``build(rows or graph, n_classes, **parameters)``; its keyword-only
    parameters are the ones that users can set. A `BinaryLearner` class is extended to several
    classes by `OneVsRest`. `rows` says which rows `lapwing.embed.laplacian` must make of a graph,
    by what differs from its defaults; None: the algorithm takes the graph itself. `defaults`
    replaces defaults of `build`. `explained_by` is the class whose docstring explains the
    algorithm, where `build` is a function that only puts it together. `departures` are the points
    in which it differs from its paper as made by default, or reads it where the text leaves
    something open; a reading begins with "reading:".

    Examples
    --------
    >>> from lapwing.catalog import ENTRIES
    >>> ENTRIES["ollgc"].kind, ENTRIES["ollgc"].paper
    ('online', 'Gu et al. 2013, Algorithm 1')
    """

    name: str
    kind: AlgorithmKind
    summary: str
    paper: str
    build: Callable[..., Any]
    rows: Mapping[str, Any] | None = None
    defaults: Mapping[str, Any] | None = None
    explained_by: type | None = None
    departures: tuple[str, ...] = ()

    @property
    def about(self) -> Callable[..., Any]:
        """The class or function whose docstring describes the algorithm."""
        return self.explained_by or self.build

    @property
    def is_binary(self) -> bool:
        """Whether `build` makes learners of -1 and +1, to be extended by `OneVsRest`."""
        return isinstance(self.build, type) and issubclass(self.build, BinaryLearner)

    @property
    def settings(self) -> dict[str, Any]:
        """The algorithm's own parameters and their defaults."""
        own = {
            parameter.name: parameter.default
            for parameter in inspect.signature(self.build).parameters.values()
            if parameter.kind is parameter.KEYWORD_ONLY
        }
        return own | dict(self.defaults or {})

    @property
    def row_settings(self) -> dict[str, Any]:
        """The parameters of the rows; empty for an algorithm on the graph itself."""
        return {} if self.rows is None else dict(ROWS) | dict(self.rows)

    @property
    def parameters(self) -> dict[str, Any]:
        """Everything `lapwing.make` accepts for a graph, with the defaults."""
        return self.settings | self.row_settings
