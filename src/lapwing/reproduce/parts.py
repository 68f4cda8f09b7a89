"""The parts of a study: methods, grid, measures, claims, remarks, experiments, figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Method:
    """One row of a table, one line of a figure.

    `settings` go to the algorithm, `options` to the kind of trial; `on` holds settings for one
    graph, `not_on` graphs on which the method is left out and why. `beyond` marks a row that the
    paper does not have. A method not `along` the grid is run once; one that is `alone` does not
    get the study's settings, only its own. A costly one takes at most its own `seeds`, and only
    the grid values of `at` where some are named. `source` changes how its graph is made.
    """

    name: str
    learner: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    on: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    not_on: Mapping[str, str] = field(default_factory=dict)
    along: bool = True
    alone: bool = False
    seeds: int | None = None
    beyond: bool = False
    at: tuple[Any, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Grid:
    """The values one setting or option takes, and the name to show."""

    name: str
    values: tuple[Any, ...]
    title: str = ""


@dataclass(frozen=True)
class Measure:
    """A number that every trial gives: its title, how it is shown, when it counts as the same.

    `tolerance` is how far from the printed number ours may lie; `percent` shows a share in
    percent. `spread` is the standard deviation of one printed run, where the paper prints a single
    one and it was measured; otherwise our own runs' stands for it. `compared` is off where the
    printed number has another meaning; `clock` marks a time, which no two machines share: it is
    held against nothing.
    """

    name: str
    title: str
    digits: int = 4
    percent: bool = False
    tolerance: float = 0.0
    spread: float = 0.0
    compared: bool = True
    clock: bool = False

    def shown(self, value: float) -> str:
        """The number as it is printed.

        Examples
        --------
        >>> Measure("error", "error", digits=1, percent=True).shown(0.1234)
        '12.3'
        """
        return f"{100 * value if self.percent else value:,.{self.digits}f}"


@dataclass(frozen=True)
class Claim:
    """What the paper says of its results, in a form that can be checked.

    `method` has less of `measure` than each of `than` ("below", "above", "at most", "at least"),
    or its measure goes down from each grid value to the next ("falls", "rises"), on every one of
    `graphs` and at every grid value of `at` (none given: all).
    """

    says: str
    measure: str
    method: str
    kind: str = "below"
    than: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    at: tuple[Any, ...] = ()
    beyond: bool = False


@dataclass(frozen=True)
class Remark:
    """What is to be said of some printed numbers that are not reached.

    It is no reason by itself: that is an experiment (`Variant`) that meets the number.
    """

    reason: str
    graphs: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()

    def concerns(self, graph: str, method: str, measure: str) -> bool:
        """Whether it speaks of this number; an empty list means all."""
        pairs = ((self.graphs, graph), (self.methods, method), (self.measures, measure))
        return all(not named or one in named for named, one in pairs)


@dataclass(frozen=True)
class Picture:
    """A figure: which kind of drawing, of what, with which labels, on which scales."""

    kind: str
    title: str = ""
    x: str = ""
    y: tuple[str, ...] = ()
    graphs: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    log: bool = False
    log_y: bool = False


@dataclass(frozen=True)
class Variant:
    """An experiment: some of a study's rows with one thing read differently.

    `says` tells what and why. `methods` are the rows whose printed numbers it is held against. It
    is run with its own `learner`, `settings`, `options` and `source` over theirs, on `graphs` and
    at the grid values of `at` (none given: all), or it is a `row` that the study has anyhow. A
    setting chosen because it meets the printed numbers is `fitted`: it shows what can explain
    them, not what does.
    """

    name: str
    says: str
    methods: tuple[str, ...]
    graphs: tuple[str, ...] = ()
    at: tuple[Any, ...] = ()
    learner: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    source: Mapping[str, Any] = field(default_factory=dict)
    row: str = ""
    seeds: int | None = None
    fitted: bool = False

    def concerns(self, graph: str, method: str, at: Any) -> bool:
        """Whether it speaks of this row's number."""
        told = (not self.graphs or graph in self.graphs) and (not self.at or at in self.at)
        return told and method in self.methods

    def row_of(self, method: str) -> str:
        """The name of a method's row under this experiment."""
        return self.row or f"{method}: {self.name}"


@dataclass(frozen=True)
class Gain:
    """A relative gain that the text prints: of `method` over `rival`, in percent.

    `extreme` is "least" or "greatest" where the text says that it is so among all rivals.
    """

    says: str
    measure: str
    method: str
    rival: str
    printed: float
    at: Any = None
    extreme: str = ""


@dataclass(frozen=True)
class WinTally:
    """In how many of a table's columns the text says each method is best."""

    says: str
    measures: tuple[str, ...]
    printed: Mapping[str, int]
