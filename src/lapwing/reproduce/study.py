"""A study is data: graphs, methods, a grid, measures, what the paper printed, how to show it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self, TypeVar

from lapwing.errors import InputError

T = TypeVar("T")
FOLDER = resources.files("lapwing.reproduce") / "studies"


@dataclass(frozen=True)
class Method:
    """One row of a table, one line of a figure.

    `settings` go to the algorithm, `options` to the kind of trial; `on` holds settings for one
    graph, `not_on` graphs on which the method is left out and why. `beyond` marks a row that the
    paper does not have. A method not `along` the grid is run once; one that is `alone` does not
    get the study's settings, only its own. A costly one takes at most its own `seeds`.
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
    percent. `compared` is off where the printed number has another meaning; `clock` marks a time,
    which no two machines share: it is held against nothing.
    """

    name: str
    title: str
    digits: int = 4
    percent: bool = False
    tolerance: float = 0.0
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
    or its measure goes down along the grid ("falls", "rises"), on every one of `graphs` and at
    every grid value of `at` (none given: all).
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
    """Why some printed numbers are not reached, where the reason is known."""

    reason: str
    graphs: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()

    def explains(self, graph: str, method: str, measure: str) -> bool:
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
class Study:
    """One table or figure of a paper, whole.

    Examples
    --------
    >>> found = load("gu2013/table2")
    >>> found.where, [method.name for method in found.methods][:3]
    ('Gu et al. 2013, Table 2', ['GPA', 'OLLGC', 'SSLGC'])
    """

    name: str
    title: str
    where: str
    protocol: str
    trial: str
    seeds: int
    graphs: Mapping[str, Mapping[str, Any]]
    methods: tuple[Method, ...]
    measures: Mapping[str, Measure]
    tables: tuple[str, ...] = ()
    drawings: tuple[Picture, ...] = ()
    grid: Grid | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    quick: Mapping[str, Any] = field(default_factory=dict)
    printed: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    runs: int = 20
    tests: tuple[tuple[str, str, str], ...] = ()
    claims: tuple[Claim, ...] = ()
    known: tuple[Remark, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def parsed(cls, name: str, content: Mapping[str, Any]) -> Self:
        """The study that a file's content describes."""
        told = dict(content)
        told["methods"] = tuple(_made(Method, each, name) for each in told.pop("methods", ()))
        told["measures"] = {
            key: _made(Measure, {"name": key, **each}, name)
            for key, each in told.pop("measures", {}).items()
        }
        for key, kind in (("claims", Claim), ("known", Remark), ("drawings", Picture)):
            told[key] = tuple(_made(kind, each, name) for each in told.pop(key, ()))
        if "grid" in told:
            told["grid"] = _made(Grid, told["grid"], name)
        for key in ("tables", "notes"):
            told[key] = tuple(told.get(key, ()))
        told["tests"] = tuple(tuple(each) for each in told.get("tests", ()))
        return _made(cls, {"name": name, **told}, name)

    def method(self, name: str) -> Method:
        """The method of that name."""
        return next(method for method in self.methods if method.name == name)


def _made(kind: type[T], content: Mapping[str, Any], where: str) -> T:
    """An object from a table of a file; unknown and missing names are errors that name the file."""
    known = {each.name for each in fields(kind)}  # type: ignore[arg-type]  # only dataclasses come
    unknown = [name for name in content if name not in known]
    if unknown:
        raise InputError(
            f"study {where}: {kind.__name__.lower()} has no {unknown[0]!r}; "
            f"it may have {', '.join(sorted(known))}"
        )
    try:
        return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in content.items()})
    except TypeError as problem:
        raise InputError(f"study {where}: {kind.__name__.lower()}: {problem}") from None


def names() -> tuple[str, ...]:
    """Every study's name, papers in order of their years.

    Examples
    --------
    >>> "gu2013/table2" in names()
    True
    """
    papers = sorted(
        (each for each in FOLDER.iterdir() if each.is_dir()),
        key=lambda each: (each.name[-4:], each.name),
    )
    return tuple(
        f"{paper.name}/{file.name.removesuffix('.toml')}"
        for paper in papers
        for file in sorted(paper.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".toml")
    )


def load(name: str) -> Study:
    """The study of that name, or in a TOML file; an unknown one is an error that says which are.

    Examples
    --------
    >>> load("gu2013/table9")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: no study is called 'gu2013/table9'; there are ...
    """
    if name.endswith(".toml"):
        return read_study(Path(name).stem, Path(name))
    if name not in names():
        raise InputError(f"no study is called {name!r}; there are {', '.join(names())}")
    return read_study(name, FOLDER / f"{name}.toml")


def read_study(name: str, file: Traversable | Path) -> Study:
    """The study in a TOML file."""
    if not file.is_file():
        raise InputError(f"there is no file {file}")
    try:
        return Study.parsed(name, tomllib.loads(file.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as problem:
        raise InputError(f"study {name} is not TOML: {problem}") from None
