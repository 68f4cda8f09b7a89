"""Studies, read from TOML: graphs, methods, grid, measures, printed numbers and figures."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self, TypeVar

from lapwing.catalog.protocols import protocol
from lapwing.errors import InputError
from lapwing.reproduce.parts import (
    Claim,
    Gain,
    Grid,
    Measure,
    Method,
    Picture,
    Remark,
    Variant,
    WinTally,
)

T = TypeVar("T")
FOLDER = resources.files("lapwing.reproduce") / "studies"
OF_VARIANTS = "-variants"
"""How the names of studies end whose rows are another study's variants."""
LISTS: Mapping[str, type[Any]] = {
    "claims": Claim,
    "known": Remark,
    "drawings": Picture,
    "variants": Variant,
    "gains": Gain,
    "tallies": WinTally,
}


@dataclass(frozen=True)
class Study:
    """One table or figure of a paper.

    `known` are remarks on numbers that are not reached, `variants` experiments that may explain
    them, `fitted` the settings that were chosen because they meet the printed numbers, and why.
    `printed_for` names the data set that a graph's printed numbers belong to where it is another:
    they stand beside ours and are not compared.

    Examples
    --------
    >>> found = load_study("gu2013/table2")
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
    variants: tuple[Variant, ...] = ()
    fitted: Mapping[str, str] = field(default_factory=dict)
    printed_for: Mapping[str, str] = field(default_factory=dict)
    gains: tuple[Gain, ...] = ()
    tallies: tuple[WinTally, ...] = ()
    notes: tuple[str, ...] = ()

    @classmethod
    def parsed(cls, name: str, content: Mapping[str, Any]) -> Self:
        """The study that a file's content describes."""
        told = _with_protocol(dict(content))
        told["methods"] = tuple(_made(Method, each, name) for each in told.pop("methods", ()))
        told["measures"] = {
            key: _made(Measure, {"name": key, **each}, name)
            for key, each in told.pop("measures", {}).items()
        }
        for key, kind in LISTS.items():
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

    def experiments(self) -> Study:
        """The study's variants as a study of their own: a row for each variant of each method.

        The rows are held against the printed numbers of the rows they are variants of.

        Examples
        --------
        >>> varied = load_study("yang2018/table1").experiments()
        >>> varied.name, varied.methods[0].name
        ('yang2018/table1-variants', 'OSLG-Bandit: exploration 5')
        """
        rows = {
            each.row_of(name): self._varied(each, name)
            for each in self.variants
            if not each.row
            for name in each.methods
        }
        base = {each.row_of(name): name for each in self.variants for name in each.methods}
        printed = {
            graph: {row: told[base[row]] for row in rows if base[row] in told}
            for graph, told in self.printed.items()
        }
        told = [f"{each.name}{' (fitted)' * each.fitted}: {each.says}" for each in self.variants]
        return replace(
            self, name=f"{self.name}{OF_VARIANTS}", title=f"{self.title}: experiments",
            protocol=f"Each row is one of {self.name} with one thing read differently. All else is "
                     "as there, and so are the printed numbers.",
            methods=tuple(rows.values()), printed=printed, tests=(), claims=(), drawings=(),
            known=(), variants=(), gains=(), tallies=(), quick={"seeds": 1}, notes=tuple(told),
        )  # fmt: skip

    @property
    def is_of_variants(self) -> bool:
        """Whether the rows are experiments: what does not meet a number has no other reason."""
        return self.name.endswith(OF_VARIANTS)

    def _varied(self, variant: Variant, name: str) -> Method:
        """One of the study's methods as an experiment runs it."""
        method = self.method(name)
        others = {
            graph: "the experiment is on others"
            for graph in self.graphs
            if variant.graphs and graph not in variant.graphs
        }
        return replace(
            method,
            name=variant.row_of(name),
            learner=variant.learner or method.learner,
            settings={**method.settings, **variant.settings},
            options={**method.options, **variant.options},
            on={
                graph: {key: value for key, value in told.items() if key not in variant.settings}
                for graph, told in method.on.items()
            },
            source={**method.source, **variant.source},
            not_on={**method.not_on, **others},
            at=variant.at or method.at,
            seeds=variant.seeds or method.seeds,
        )


def _with_protocol(told: dict[str, Any]) -> dict[str, Any]:
    """A study's content with the numbers of the protocol it names under ``settings_of``.

    What the study itself sets stands; a method that is ``alone`` gets nothing.
    """
    if "settings_of" not in told:
        return told
    rules = protocol(told.pop("settings_of"))
    told["settings"] = {**rules.parameters, **told.get("settings", {})}
    methods = []
    for method in told.get("methods", ()):
        own, on = set(method.get("settings", {})), dict(method.get("on", {}))
        for graph in told.get("graphs", {}) if not method.get("alone") else ():
            fixed = rules.settings_on(method.get("learner", ""), graph)
            fixed = {key: value for key, value in fixed.items() if key not in own}
            if fixed:
                on[graph] = {**fixed, **on.get(graph, {})}
        methods.append({**method, "on": on} if on else method)
    return {**told, "methods": methods}


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
    """List the names of all studies, papers in order of year.

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


def load_study(name: str) -> Study:
    """Return the study with that name, or from a TOML file; raise if there is none.

    Examples
    --------
    >>> load_study("gu2013/table9")
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
