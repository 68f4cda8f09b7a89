"""The first stages: the names in each file, and a number for every name of a hash part."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.partition.dictionary import hash_parts, read_names, write_names
from lapwing.cluster.reading.plan import ReadingPlan, save_array
from lapwing.errors import ReadError
from lapwing.io.columns import ENDS
from lapwing.io.graphs.parquet import arrow_errors, edge_weights, node_values, parquet_columns
from lapwing.optional import need


def file_edges(file: Path, plan: ReadingPlan) -> tuple[NDArray[Any], NDArray[Any], Any]:
    """Return the distinct names in a file, its edges as numbers of them, and the weights."""
    with arrow_errors(file):
        columns = parquet_columns(file, file, plan.options, ENDS, weighted=True)
        ends = [node_values(name, values, file) for name, values in columns[:2]]
        weights = edge_weights(*columns[2], file) if len(columns) > 2 else None
    if ends[0].dtype != ends[1].dtype and len(ends[0]):
        raise ReadError(file, "both ends must be integers or both text, got one of each")
    names, codes = distinct(np.concatenate(ends))
    return names, codes.reshape(2, -1), weights


def distinct(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the distinct values in order of appearance, and the number of each value.

    Examples
    --------
    >>> distinct(np.array([7, 3, 7]))
    (array([7, 3]), array([0, 1, 0]))
    """
    pa = need("pyarrow", extra="cluster")
    coded = pa.array(values).dictionary_encode()
    kind = object if values.dtype == object else np.int64
    names = np.asarray(coded.dictionary.to_numpy(zero_copy_only=False), dtype=kind)
    return names, coded.indices.to_numpy().astype(np.int64)


def collect_names(number: int, plan: ReadingPlan) -> dict[str, Any]:
    """Write the names in one file, a list for each hash part."""
    names, _, weights = file_edges(Path(plan.files[number]), plan)
    where = hash_parts(names, plan.parts)
    for part in range(plan.parts):
        write_names(plan.stage("names", number, part), names[where == part])
    return {
        "names": "text" if names.dtype == object else "integers",
        "empty": not len(names),
        "weighted": weights is not None and bool((weights != 1.0).any()),
    }


def number_names(part: int, plan: ReadingPlan) -> int:
    """Number the names of one hash part in sorted order; tell each file its names' numbers."""
    lists = [read_names(plan.stage("names", k, part)) for k in range(len(plan.files))]
    some = [each for each in lists if len(each)]
    everyone = np.unique(np.concatenate(some)) if some else np.empty(0, dtype=np.int64)
    write_names(plan.stage("part", part), everyone)
    for number, each in enumerate(lists):
        numbers = np.searchsorted(everyone, each) if len(each) else np.empty(0, dtype=np.int64)
        save_array(plan.stage("numbers", number, part), numbers.astype(np.int64))
    return len(everyone)
