"""The results of trials as tables: single numbers, and means with standard deviations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lapwing.io import write_table
from lapwing.optional import need
from lapwing.reproduce.runs import TrialRecord
from lapwing.reproduce.study import Study
from lapwing.types import Array


@dataclass(frozen=True)
class Cell:
    """One number of a table over its seeds: their values, or what was committed of them.

    `committed` is mean, standard deviation and number of seeds, where the values are not kept.
    """

    graph: str
    method: str
    at: Any
    measure: str
    values: tuple[float, ...] = ()
    committed: tuple[float, float, int] | None = None

    @property
    def mean(self) -> float:
        """The mean over seeds."""
        return self.committed[0] if self.committed else float(np.mean(self.values))

    @property
    def sd(self) -> float:
        """The standard deviation over seeds; 0 of a single one.

        Examples
        --------
        >>> Cell("g", "m", None, "error", (0.25, 0.75)).sd
        0.353553
        """
        if self.committed:
            return self.committed[1]
        return float(np.std(self.values, ddof=1)) if len(self.values) > 1 else 0.0

    @property
    def n(self) -> int:
        """How many seeds."""
        return self.committed[2] if self.committed else len(self.values)


class Numbers(ABC):
    """The numbers of one study, found by graph, method, grid value and measure."""

    study: Study

    @abstractmethod
    def cell(self, graph: str, method: str, measure: str, at: Any = None) -> Cell | None:
        """One number, or None where it was not measured."""

    @abstractmethod
    def measured_at(self) -> set[tuple[str, str, str]]:
        """Where there are numbers: graph, method and the grid value's repr."""

    @property
    def graphs(self) -> list[str]:
        """The graphs there are results on, in the study's order."""
        have = {graph for graph, _, _ in self.measured_at()}
        return [name for name in self.study.graphs if name in have]

    @property
    def methods(self) -> list[str]:
        """The methods there are results of, in the study's order."""
        have = {method for _, method, _ in self.measured_at()}
        return [method.name for method in self.study.methods if method.name in have]

    def places(self, graph: str, method: str) -> list[Any]:
        """The grid values at which a method was run on a graph; [None] where there is no grid."""
        values: tuple[Any, ...] = (*(self.study.grid.values if self.study.grid else ()), None)
        return [at for at in values if (graph, method, repr(at)) in self.measured_at()]

    def cells(self) -> list[Cell]:
        """Every number of the study's measures."""
        found = (
            self.cell(graph, method, measure, at)
            for graph in self.graphs
            for method in self.methods
            for at in self.places(graph, method)
            for measure in self.study.measures
        )
        return [cell for cell in found if cell is not None]


class Results(Numbers):
    """Everything measured in one study, with every seed's values."""

    def __init__(self, study: Study, records: Iterable[TrialRecord]) -> None:
        self.study = study
        self.records = sorted(
            (record for record in records if "measured" in record), key=lambda each: each["seed"]
        )
        self._by: dict[tuple[str, str, str], list[TrialRecord]] = {}
        for record in self.records:
            where = (record["graph"], record["method"], repr(record["at"]))
            self._by.setdefault(where, []).append(record)

    def measured_at(self) -> set[tuple[str, str, str]]:
        """Where there are numbers: graph, method and the grid value's repr."""
        return set(self._by)

    def records_at(self, graph: str, method: str, at: Any = None) -> list[TrialRecord]:
        """What was recorded of a method on a graph, one record per seed."""
        return self._by.get((graph, method, repr(at)), [])

    def cell(self, graph: str, method: str, measure: str, at: Any = None) -> Cell | None:
        """One number, or None where it was not measured."""
        records = self.records_at(graph, method, at)
        values = [record["measured"].get(measure) for record in records]
        known = tuple(float(value) for value in values if isinstance(value, int | float))
        return Cell(graph, method, at, measure, known) if known else None

    def line(self, graph: str, method: str, measure: str, at: Any = None) -> Array | None:
        """A list that every trial measured: its mean over seeds, place by place."""
        records = self.records_at(graph, method, at)
        lists = [record["measured"].get(measure) for record in records]
        known = [each for each in lists if isinstance(each, list)]
        return np.mean(np.array(known, dtype=np.float64), axis=0) if known else None

    def seconds(self) -> float:
        """The seconds all trials took together."""
        return float(sum(record["seconds"] for record in self.records))


def long_table(results: Sequence[Results]) -> dict[str, list[Any]]:
    """One row per number: study, graph, method, grid value, seed, measure, step in a list, value.

    Examples
    --------
    >>> sorted(long_table([]))[:3]
    ['at', 'graph', 'measure']
    """
    columns: dict[str, list[Any]] = {
        name: [] for name in ("study", "graph", "method", "at", "seed", "measure", "step", "value")
    }
    for each in results:
        for record in each.records:
            for measure, value in record["measured"].items():
                steps = enumerate(value) if isinstance(value, list) else ((None, value),)
                for step, number in steps:
                    row = (each.study.name, record["graph"], record["method"], _text(record["at"]),
                           record["seed"], measure, step, float(number))  # fmt: skip
                    for column, item in zip(columns.values(), row, strict=True):
                        column.append(item)
    return columns


def write_database(results: Sequence[Results], folder: Path) -> tuple[Path, Path]:
    """All numbers as ``results.parquet`` and as the table ``results`` of ``results.duckdb``."""
    table = need("pyarrow", extra="tables").table(long_table(results), schema=_schema())
    parquet, database = folder / "results.parquet", folder / "results.duckdb"
    write_table({name: table.column(name) for name in table.column_names}, parquet)
    duckdb = need("duckdb", extra="tables")
    database.unlink(missing_ok=True)
    with duckdb.connect(str(database)) as connection:
        connection.register("numbers", table)
        connection.execute("CREATE TABLE results AS SELECT * FROM numbers")
    return parquet, database


def _schema() -> Any:
    arrow = need("pyarrow", extra="tables")
    kinds: Mapping[str, Any] = {
        "study": arrow.string(), "graph": arrow.string(), "method": arrow.string(),
        "at": arrow.string(), "seed": arrow.int64(), "measure": arrow.string(),
        "step": arrow.int64(), "value": arrow.float64(),
    }  # fmt: skip
    return arrow.schema(list(kinds.items()))


def _text(at: Any) -> str | None:
    return None if at is None else str(at)
