"""Predictions for all nodes, as a table for other tools."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from lapwing.card import html_table
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.graph.names import Names
from lapwing.io import write_table
from lapwing.io.prediction_columns import prediction_columns
from lapwing.optional import need
from lapwing.types import Array

SHOWN = 10


class Prediction(NamedTuple):
    """One node's row: `label` and `runner_up` are None if nothing is known."""

    node: Hashable
    label: str | None
    confidence: float
    runner_up: str | None
    asked: bool


class Predictions:
    """One row per node: label, confidence, runner-up and whether the node was asked about.

    A node about which nothing is known has no label and confidence 0. A given label is kept, with
    confidence 1 (of several, the most probable).

    Examples
    --------
    >>> path = Graph.from_edges([("ada", "bo")], names=["ada", "bo", "cy"])
    >>> told = Labels(np.array([1, -1, -1]), ("red", "blue"))
    >>> chances = np.array([[0.1, 0.9], [0.25, 0.75], [0.0, 0.0]])
    >>> found = Predictions.of(path, chances, told)
    >>> found["bo"]
    Prediction(node='bo', label='blue', confidence=0.75, runner_up='red', asked=False)
    >>> [row.label for row in found]
    ['blue', 'blue', None]
    """

    def __init__(self, graph: Graph, columns: dict[str, Any]) -> None:
        self._graph, self.columns = graph, columns

    @classmethod
    def of(cls, graph: Graph, chances: Array, told: Labels) -> Predictions:
        """The table from one probability per node and class, and the labels that were told."""
        nodes = told.nodes()
        return cls(
            graph,
            {
                "node": _column(graph.names),
                **prediction_columns(chances, nodes, told.rows(nodes), told.classes),
            },
        )

    def __len__(self) -> int:
        return self._graph.n_nodes

    def __getitem__(self, node: Any) -> Prediction:
        return self._row(self._graph.names.index(node))

    def __iter__(self) -> Iterator[Prediction]:
        return (self._row(index) for index in range(len(self)))

    def _row(self, index: int) -> Prediction:
        at = self.columns
        return Prediction(
            self._graph.names[index],
            at["label"][index],
            float(at["confidence"][index]),
            at["runner_up"][index],
            bool(at["asked"][index]),
        )

    def to_csv(self, path: str | PathLike[str]) -> Path:
        """Write node, label, confidence, runner_up and asked as CSV."""
        return write_table(self.columns, path, format="csv")

    def to_parquet(self, path: str | PathLike[str]) -> Path:
        """Write the table as Parquet."""
        return write_table(self.columns, path, format="parquet")

    def to_arrow(self) -> Any:
        """The table in Arrow."""
        return need("pyarrow", extra="tables").table(self.columns)

    def to_pandas(self) -> Any:
        """The table in pandas."""
        return need("pandas", extra="interop").DataFrame(self.columns)

    def to_polars(self) -> Any:
        """The table in polars."""
        return need("polars", extra="interop").DataFrame(self.columns)

    def __repr__(self) -> str:
        unknown = sum(label is None for label in self.columns["label"])
        asked = int(self.columns["asked"].sum())
        return f"Predictions({len(self)} nodes, {asked} asked, {unknown} unknown)"

    def _repr_html_(self) -> str:
        """The first rows, as a notebook shows them."""
        rows = [self._row(index) for index in range(min(len(self), SHOWN))]
        cells = [
            (r.node, r.label or "", f"{r.confidence:.3f}", r.runner_up or "", r.asked) for r in rows
        ]
        more = f"<p>and {len(self) - SHOWN:,} more nodes</p>" if len(self) > SHOWN else ""
        return html_table(list(self.columns), cells) + more


def _column(names: Names) -> NDArray[Any] | list[str]:
    """Integers if all are, otherwise text."""
    if names.are_positions or all(type(name) is int for name in names):
        return np.fromiter(names, dtype=np.int64, count=len(names))
    return [str(name) for name in names]
