"""The same file as pandas, networkx or SciPy read it, where they can."""

import warnings
from io import StringIO
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
from scipy import io as scipy_io
from scipy import sparse
from scipy.io import _mmio

from lapwing import Graph
from lapwing.io.columns import ENDS
from lapwing.io.text.layout import TableOptions, layout_of
from lapwing.io.text.rows import decoded_lines

Pairs = tuple[int, list[int]]
"""The number of nodes that have an edge, and how many neighbours each has, sorted."""


def ours(graph: Graph) -> Pairs:
    counts = np.diff(graph.adjacency.indptr)
    counts = counts[counts > 0]
    return len(counts), sorted(counts.tolist())


def theirs(path: Path, plain: Path, kind: str) -> Pairs | None:
    """What the other library reads, or None if it cannot."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            read = READERS.get(kind.split(".")[0])
            ends = None if read is None else read(plain, path)
    except Exception:  # whatever it raises, it cannot read the file
        return None
    return None if ends is None else _counted(ends)


def _counted(ends: list[tuple[object, object, float]]) -> Pairs:
    around: dict[object, set[object]] = {}
    for a, b, weight in ends:
        if a != b and weight != 0:
            around.setdefault(a, set()).add(b)
            around.setdefault(b, set()).add(a)
    return len(around), sorted(map(len, around.values()))


def _pandas_text(plain: Path, path: Path):
    layout = layout_of(plain, path, TableOptions(), ENDS, weighted=True)
    sep = r"[ \t]+" if layout.delimiter == " " else layout.delimiter
    with decoded_lines(plain, path, skipped=layout.skipped) as lines:
        rows = "".join(lines)
    table = pd.read_csv(
        StringIO(rows, newline=""), sep=sep, header=None, dtype=str, keep_default_na=False,
        skipinitialspace=True, engine="python" if layout.delimiter == " " else "c",
    )  # fmt: skip
    if table.shape[1] != layout.width:
        return None
    chosen = layout.chosen
    weights = [1.0] * len(table) if chosen.weight is None else table[chosen.weight].map(float)
    columns = (table[c].map(lambda text: text.strip(" \t")) for c in (chosen.first, chosen.second))
    return list(zip(*columns, weights, strict=True))


def _pandas_parquet(plain: Path, _: Path):
    table = pd.read_parquet(plain)
    weights = table["weight"] if "weight" in table.columns else [1.0] * len(table)
    ends = [table[c] for c in table.columns if c != "weight"][:2]
    return list(zip(*ends, weights, strict=True))


def _networkx(read):
    def ends(plain: Path, _: Path):
        graph = read(plain)
        return [(a, b, _number(w)) for a, b, w in graph.edges(data="weight", default=1.0)]

    return ends


def _number(value: object) -> float:
    return float(value)


def _matrix(read):
    def ends(plain: Path, _: Path):
        matrix = sparse.coo_array(read(plain))
        rows, cols = matrix.coords
        return list(zip(rows.tolist(), cols.tolist(), matrix.data.tolist(), strict=True))

    return ends


def _mat(path: Path):
    loaded = scipy_io.loadmat(path)
    return next(loaded[key] for key in ("graph", "network", "A") if key in loaded)


READERS = {
    "csv": _pandas_text,
    "tsv": _pandas_text,
    "txt": _pandas_text,
    "parquet": _pandas_parquet,
    "graphml": _networkx(nx.read_graphml),
    "gml": _networkx(lambda path: nx.read_gml(path, label="id")),
    "mtx": _matrix(_mmio.mmread),
    "mat": _matrix(_mat),
    "npz": _matrix(sparse.load_npz),
}
