"""Recorded runs of binary learners, for the bounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from lapwing.errors import InputError
from lapwing.learner import BinaryLearner
from lapwing.online import Projections
from lapwing.types import Array, Mask, Nodes


@dataclass(frozen=True, kw_only=True)
class Run:
    """The rounds of a binary learner: node, label (-1 or +1) and margin before the label.

    `algorithm` is one of "perceptron", "1-proj", "c-proj", "mni-ag", "act-st", "ollgc", "sslgc";
    `settings` its parameters (`bias`, `c`, `mu`, `kappa`). `active` marks the rounds whose node the
    learner chose, `progress` what the hypothesis moved in them. `rows` are OLLGC's and SSLGC's.
    `projected` is how often C-proj moved its hypothesis.
    """

    algorithm: str
    nodes: Nodes
    labels: Nodes
    margins: Array
    queried: Mask
    updated: Mask | None = None
    active: Mask | None = None
    progress: float = 0.0
    projected: int | None = None
    rows: Array | None = None
    settings: Mapping[str, float] = field(default_factory=dict)

    @property
    def mistakes(self) -> Mask:
        """The rounds with a mistake; a margin of 0 counts as one."""
        return np.asarray(self.labels * self.margins <= 0)

    @property
    def repeats(self) -> bool:
        """Whether some node is played more than once."""
        return len(np.unique(self.nodes)) < len(self.nodes)


def recorded(
    algorithm: str,
    learner: BinaryLearner,
    nodes: Nodes,
    labels: Nodes,
    *,
    rows: Array | None = None,
    settings: Mapping[str, float] | None = None,
) -> Run:
    """Play a learner over a stream and record what the bounds need.

    Examples
    --------
    >>> from lapwing.online import Perceptron
    >>> rows = np.array([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]])
    >>> run = recorded("perceptron", Perceptron(rows), np.arange(3), np.array([1, 1, -1]))
    >>> run.mistakes.tolist()
    [True, False, True]
    """
    if not np.isin(labels, (-1, 1)).all():
        raise InputError("labels of a run must be -1 or +1")
    trace = learner.stream(np.asarray(nodes), np.asarray(labels))
    return Run(
        algorithm=algorithm,
        nodes=np.asarray(nodes),
        labels=np.asarray(labels),
        margins=trace.margins,
        queried=trace.queried,
        updated=trace.updated,
        rows=rows,
        projected=learner.projected if isinstance(learner, Projections) else None,
        settings=dict(settings or {}),
    )
