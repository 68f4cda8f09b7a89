"""Graphs as matrices: MatrixMarket, MATLAB's .mat and NumPy's .npz."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io as scipy_io
from scipy import sparse

from lapwing.errors import GraphError, ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.writable_names import names_as_json, names_from_json

MAT_GRAPH = ("graph", "network", "A")
MAT_LABEL = ("label", "group", "labels")
_NAME_LINE = "%name "


def graph_from_matrix(
    matrix: Any, names: list[Hashable] | None, shown: Path, directed: Directed
) -> Graph:
    """A graph, or what is wrong with the matrix told with the file's name."""
    if matrix.dtype.kind not in "buif":
        raise ReadError(shown, f"the adjacency must hold real numbers, got {matrix.dtype}")
    try:
        return Graph.from_scipy(matrix, names=names, directed=directed)
    except GraphError as wrong:
        raise ReadError(shown, str(wrong)) from None
    except MemoryError:
        size = " x ".join(map(str, matrix.shape))
        raise ReadError(shown, f"its {size} matrix does not fit into memory") from None


def read_mtx(plain: Path, shown: Path, directed: Directed) -> Graph:
    """A graph from a MatrixMarket file; our own also tell the names in comments."""
    try:
        matrix = scipy_io.mmread(plain)
        names = _names_in_comments(plain)
    except (ValueError, TypeError, OverflowError, OSError, MemoryError) as wrong:
        raise ReadError(shown, f"is not a MatrixMarket file: {_first_line(wrong)}") from None
    return graph_from_matrix(matrix, names, shown, directed)


def write_mtx(graph: Graph, path: Path) -> None:
    """The lower triangle, each name that is not its position in a comment line."""
    names_as_json(graph.names)
    rows, cols, weights = graph.edges()
    with path.open("w", encoding="ascii", newline="") as file:
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        if names_as_json(graph.names) is not None:
            file.writelines(f"{_NAME_LINE}{json.dumps(name)}\n" for name in graph.names)
        file.write(f"{graph.n_nodes} {graph.n_nodes} {graph.n_edges}\n")
        for i, j, w in zip(rows.tolist(), cols.tolist(), weights.tolist(), strict=True):
            file.write(f"{j + 1} {i + 1} {w!r}\n")


def _names_in_comments(plain: Path) -> list[Hashable] | None:
    names = []
    with plain.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            if not line.startswith("%"):
                break
            if line.startswith(_NAME_LINE):
                names.append(json.loads(line[len(_NAME_LINE) :]))
    return names or None


def loaded_mat(plain: Path, shown: Path) -> dict[str, Any]:
    """The variables of a MATLAB file."""
    try:
        loaded = scipy_io.loadmat(plain)
    except NotImplementedError:
        raise ReadError(shown, "is a MATLAB 7.3 file: save it with -v7") from None
    except Exception as wrong:  # SciPy raises whatever its parser meets in a damaged file
        raise ReadError(shown, f"is not a MATLAB file: {_first_line(wrong)}") from None
    return {key: value for key, value in loaded.items() if not key.startswith("__")}


def variable(loaded: dict[str, Any], keys: tuple[str, ...], shown: Path) -> Any:
    """The one variable that goes by one of these keys."""
    found = [key for key in keys if key in loaded]
    if len(found) != 1:
        raise ReadError(
            shown, f"needs one variable named {' or '.join(keys)}, has {sorted(loaded) or 'none'}"
        )
    value = loaded[found[0]]
    if not sparse.issparse(value) and np.ndim(value) != 2:
        raise ReadError(shown, f"{found[0]} must be a matrix, got {np.ndim(value)} dimensions")
    return value


def read_mat(plain: Path, shown: Path, directed: Directed) -> Graph:
    """A graph from the variable graph, network or A of a MATLAB file."""
    loaded = loaded_mat(plain, shown)
    matrix = variable(loaded, MAT_GRAPH, shown)
    return graph_from_matrix(matrix, _names_of(loaded, shown), shown, directed)


def write_mat(graph: Graph, path: Path) -> None:
    """The adjacency as the variable graph; names, if any, as UTF-8 JSON in names."""
    names = names_as_json(graph.names)
    with path.open("wb") as file:
        scipy_io.savemat(
            file,
            {"graph": sparse.csc_matrix(graph.adjacency)}
            | ({} if names is None else {"names": names}),
            do_compression=True,
        )


def read_npz(plain: Path, shown: Path, directed: Directed) -> Graph:
    """A graph from what `scipy.sparse.save_npz` wrote, with our own `names` if there."""
    try:
        with plain.open("rb") as file:
            matrix = sparse.load_npz(file)
            file.seek(0)
            with np.load(file, allow_pickle=False) as arrays:
                loaded = {"names": arrays["names"]} if "names" in arrays.files else {}
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format(full_check=True)
    except Exception as wrong:  # zipfile, NumPy and SciPy raise a dozen kinds on damaged files
        problem = f"is not a sparse matrix saved by scipy.sparse.save_npz: {_first_line(wrong)}"
        raise ReadError(shown, problem) from None
    return graph_from_matrix(matrix, _names_of(loaded, shown), shown, directed)


def write_npz(graph: Graph, path: Path) -> None:
    """The layout of `scipy.sparse.save_npz`, and the names as UTF-8 JSON beside it."""
    matrix, names = graph.adjacency, names_as_json(graph.names)
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape),
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "_is_array": np.array(True),
    }
    with path.open("wb") as file:
        np.savez_compressed(file, **(arrays if names is None else arrays | {"names": names}))


def _names_of(loaded: dict[str, Any], shown: Path) -> list[Hashable] | None:
    if "names" not in loaded:
        return None
    given = np.asarray(loaded["names"])
    try:
        if given.dtype == object:
            return [str(np.asarray(name).item()) for name in given.ravel()]
        return names_from_json(given)
    except (ValueError, TypeError) as wrong:
        raise ReadError(shown, f"its names cannot be read: {wrong}") from None


def _first_line(problem: BaseException) -> str:
    return (str(problem).strip() or type(problem).__name__).splitlines()[0]
