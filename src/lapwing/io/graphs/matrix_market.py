"""MatrixMarket files; sizes are checked against the file before memory is allocated."""

from __future__ import annotations

import json
import re
from collections.abc import Hashable
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from scipy import sparse

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.graphs.matrices import check_size, graph_from_matrix
from lapwing.io.text.rows import is_number
from lapwing.io.writable_names import names_as_json
from lapwing.types import Array, Nodes

_NAME_LINE = "%name "
_LONGEST_LINE = 1 << 16
_INDEX = re.compile(r"[0-9]{1,18}")
_LAYOUTS = ("coordinate", "array")
_KINDS = ("real", "integer", "pattern", "double")
_SYMMETRIES = ("general", "symmetric", "skew-symmetric", "hermitian")


class Banner(NamedTuple):
    """What the first lines of a MatrixMarket file say; `line` is that of the sizes."""

    layout: str
    kind: str
    symmetry: str
    sizes: tuple[int, ...]
    names: list[Hashable]
    line: int


def read_mtx(plain: Path, shown: Path, directed: Directed) -> Graph:
    """Read a graph from a MatrixMarket file; files written by lapwing have names in comments."""
    with plain.open(encoding="latin-1") as file:
        banner = _banner(file, shown)
        n = banner.sizes[0]
        if banner.sizes[1] != n:
            shape = f"{n} x {banner.sizes[1]}"
            raise ReadError(shown, f"adjacency must be square, got {shape}", line=banner.line)
        check_size(n, plain, shown)
        if banner.layout == "coordinate":
            rows, cols, weights = _coordinates(file, banner, plain, shown)
        else:
            rows, cols, weights = _dense(file, banner, plain, shown)
    if banner.symmetry != "general":
        off = rows != cols
        sign = -1.0 if banner.symmetry == "skew-symmetric" else 1.0
        lower, upper = rows[off], cols[off]
        rows, cols = np.concatenate([rows, upper]), np.concatenate([cols, lower])
        weights = np.concatenate([weights, sign * weights[off]])
    matrix = sparse.coo_array((weights, (rows, cols)), shape=(n, n))
    return graph_from_matrix(matrix, banner.names or None, shown, directed)


def write_mtx(graph: Graph, path: Path) -> None:
    """The lower triangle, each name that is not its position in a comment line."""
    named = names_as_json(graph.names) is not None
    rows, cols, weights = graph.edges()
    with path.open("w", encoding="ascii", newline="") as file:
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        if named:
            file.writelines(f"{_NAME_LINE}{json.dumps(name)}\n" for name in graph.names)
        file.write(f"{graph.n_nodes} {graph.n_nodes} {graph.n_edges}\n")
        for i, j, w in zip(rows.tolist(), cols.tolist(), weights.tolist(), strict=True):
            file.write(f"{j + 1} {i + 1} {w!r}\n")


def _banner(file: IO[str], shown: Path) -> Banner:
    words = file.readline(_LONGEST_LINE).lower().split()
    if words[:2] != ["%%matrixmarket", "matrix"] or len(words) != 5:
        problem = "is not a MatrixMarket file: must begin with '%%MatrixMarket matrix ...'"
        raise ReadError(shown, problem, line=1)
    layout, kind, symmetry = words[2:]
    for word, known in ((layout, _LAYOUTS), (kind, _KINDS), (symmetry, _SYMMETRIES)):
        if word not in known:
            problem = f"is not a MatrixMarket file of real numbers: {word!r} must be one of "
            raise ReadError(shown, problem + ", ".join(known), line=1)
    names: list[Hashable] = []
    for line, text in enumerate(iter(lambda: file.readline(_LONGEST_LINE), ""), start=2):
        if text.startswith(_NAME_LINE):
            names.append(_name(text, shown, line))
        elif text.strip() and not text.startswith("%"):
            return Banner(layout, kind, symmetry, _sizes(text, layout, shown, line), names, line)
    raise ReadError(shown, "is not a MatrixMarket file: the line with its sizes is missing")


def _name(text: str, shown: Path, line: int) -> Hashable:
    try:
        name = json.loads(text[len(_NAME_LINE) :])
    except (ValueError, RecursionError):
        name = None
    if type(name) not in (int, str):
        raise ReadError(shown, "a name must be JSON text or an integer", line=line)
    return name  # type: ignore[no-any-return]  # int or str, as just checked


def _sizes(text: str, layout: str, shown: Path, line: int) -> tuple[int, ...]:
    words = text.split()
    needed = 3 if layout == "coordinate" else 2
    if len(words) != needed or not all(_INDEX.fullmatch(word) for word in words):
        problem = f"is not a MatrixMarket file: needs {needed} sizes, got {text.strip()[:60]!r}"
        raise ReadError(shown, problem, line=line)
    return tuple(map(int, words))


def _coordinates(
    file: IO[str], banner: Banner, plain: Path, shown: Path
) -> tuple[Nodes, Nodes, Array]:
    n, _, count = banner.sizes
    width = 2 if banner.kind == "pattern" else 3
    _check_room(count, 2 * width, plain, shown, banner.line)
    columns = [("row", "i8"), ("col", "i8"), ("weight", "f8")][:width]
    entries = _entries(file, columns, count, banner, shown)
    rows, cols = entries["row"], entries["col"]
    outside = (rows < 1) | (rows > n) | (cols < 1) | (cols > n)
    if outside.any():
        at = int(np.argmax(outside))
        raise ReadError(
            shown,
            f"is not a MatrixMarket file: entry {at + 1} must lie in 1..{n}, "
            f"got {rows[at]}, {cols[at]}",
        )
    weights = entries["weight"] if width == 3 else np.ones(count)
    return rows - 1, cols - 1, weights


def _dense(file: IO[str], banner: Banner, plain: Path, shown: Path) -> tuple[Nodes, Nodes, Array]:
    """Column by column; of a symmetric matrix only the lower triangle is in the file."""
    n = banner.sizes[0]
    count = {"general": n * n, "skew-symmetric": n * (n - 1) // 2}.get(
        banner.symmetry, n * (n + 1) // 2
    )
    if banner.kind == "pattern":
        raise ReadError(shown, "is not a MatrixMarket file: an array cannot be a pattern", line=1)
    _check_room(count, 2, plain, shown, banner.line)
    values = _entries(file, [("weight", "f8")], count, banner, shown)["weight"]
    if banner.symmetry == "general":
        cols, rows = np.divmod(np.arange(count), max(n, 1))
    else:
        cols, rows = np.triu_indices(n, 1 if banner.symmetry == "skew-symmetric" else 0)
    kept = values != 0.0
    return rows[kept], cols[kept], values[kept]


def _check_room(count: int, least: int, plain: Path, shown: Path, line: int) -> None:
    """An entry takes at least so many bytes: a file cannot hold more than fit into it."""
    size = plain.stat().st_size
    if count * least > size + 1:
        problem = f"is not a MatrixMarket file: {count} entries do not fit into {size} bytes"
        raise ReadError(shown, problem, line=line)


def _entries(
    file: IO[str], columns: list[tuple[str, str]], count: int, banner: Banner, shown: Path
) -> Any:
    """Exactly `count` rows of numbers; the first that is wrong is reported with its line."""
    start = file.tell()
    lines = islice(_filled(file), count + 1)
    first = next(lines, None)
    try:
        found = (
            np.zeros(0, dtype=columns)
            if first is None
            else np.loadtxt(chain([first], lines), dtype=columns, ndmin=1, comments=None)
        )
    except (ValueError, OverflowError):
        file.seek(start)
        _report(file, columns, banner, shown)
        raise ReadError(shown, "is not a MatrixMarket file: its entries are not numbers") from None
    if len(found) != count:
        got = len(found) if len(found) < count else "more"
        raise ReadError(shown, f"is not a MatrixMarket file: needs {count} entries, got {got}")
    return found


def _filled(file: IO[str]) -> Any:
    """The lines that are neither blank nor comments."""
    for line in iter(lambda: file.readline(_LONGEST_LINE), ""):
        if not line.isspace() and not line.startswith("%"):
            yield line


def _report(file: IO[str], columns: list[tuple[str, str]], banner: Banner, shown: Path) -> None:
    read = iter(lambda: file.readline(_LONGEST_LINE), "")
    for line, text in enumerate(read, start=banner.line + 1):
        if text.isspace() or text.startswith("%"):
            continue
        words = text.split()
        ends = words[:2] if len(columns) > 1 else []
        good = len(words) == len(columns) and all(map(_INDEX.fullmatch, ends))
        if not good or not all(map(is_number, words[len(ends) :])):
            problem = f"needs {len(columns)} numbers, got {text.strip()[:60]!r}"
            raise ReadError(shown, f"is not a MatrixMarket file: {problem}", line=line)
