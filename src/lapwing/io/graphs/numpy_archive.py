"""NumPy's .npz archives: every size they state is checked before anything is allocated."""

from __future__ import annotations

import warnings
import zipfile
from collections.abc import Iterable, Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.files import unpacks_too_far
from lapwing.io.graphs.matrices import check_size, graph_from_matrix, names_of, with_extras
from lapwing.io.node_values import array_columns
from lapwing.io.writable_names import names_as_json

_PARTS = {
    "csr": ("indices", "indptr"),
    "csc": ("indices", "indptr"),
    "coo": ("row", "col"),
    "bsr": ("indices", "indptr"),
    "dia": ("offsets",),
}

_TAKEN = {"format", "shape", "data", "names", "labels", "label", "y"}.union(*_PARTS.values())


def read_npz(plain: Path, shown: Path, directed: Directed) -> Graph:
    """A graph from what `scipy.sparse.save_npz` wrote, with our own `names` if there."""
    try:
        arrays = loaded_npz(plain)
        shape = tuple(int(side) for side in np.asarray(arrays["shape"]).ravel())
        if len(shape) != 2 or min(shape) < 0:
            raise ValueError(f"its shape must be two sizes, got {shape}")
        check_size(max(shape), plain, shown)
        matrix = _matrix(arrays, shape)
    except ReadError:
        raise
    except Exception as wrong:  # zipfile and NumPy raise a dozen kinds on damaged files
        reason = (str(wrong).strip() or type(wrong).__name__).splitlines()[0][:120]
        problem = f"is not a sparse matrix saved by scipy.sparse.save_npz: {reason}"
        raise ReadError(shown, problem) from None
    graph = graph_from_matrix(matrix, names_of(arrays, shown), shown, directed)
    return with_extras(graph, arrays, _TAKEN)


def write_npz(graph: Graph, path: Path) -> Iterable[str]:
    """The layout of `scipy.sparse.save_npz`, the names as UTF-8 JSON and the columns beside it.

    Returns the columns of the node table that it holds.
    """
    matrix, names = graph.adjacency, names_as_json(graph.names)
    arrays: dict[str, Any] = {
        "format": np.array(b"csr"),
        "shape": np.array(matrix.shape),
        "data": matrix.data,
        "indices": matrix.indices,
        "indptr": matrix.indptr,
        "_is_array": np.array(True),
    }
    columns = array_columns(graph.node_table, _is_free)
    with path.open("wb") as file:
        arrays |= {} if names is None else {"names": names}
        np.savez_compressed(file, **arrays, **columns)
    return columns


def _is_free(name: str) -> bool:
    """Whether a column of that name would be read back as one."""
    return name.isidentifier() and name not in _TAKEN | {"file"} and not name.startswith("_")


def loaded_npz(plain: Path) -> dict[str, NDArray[Any]]:
    """The arrays of an archive, without pickles; any error is `Exception`'s."""
    with warnings.catch_warnings():  # NumPy warns of headers that Python 2 wrote
        warnings.simplefilter("ignore")
        with zipfile.ZipFile(plain) as archive:
            for member in archive.infolist():
                _check_member(archive, member)
        with np.load(plain, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in arrays.files}


def _check_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> None:
    """An array is as large as its header says, and not larger than its bytes can be."""
    if unpacks_too_far(member.file_size, member.compress_size):
        raise ValueError(f"{member.compress_size} bytes cannot be {member.file_size}")
    if not member.filename.endswith(".npy"):
        return
    with archive.open(member) as file:
        version = np.lib.format.read_magic(file)
        reader = {(1, 0): np.lib.format.read_array_header_1_0}.get(
            version, np.lib.format.read_array_header_2_0
        )
        shape, _, kind = reader(file)
    if kind.hasobject or prod(shape) * kind.itemsize > member.file_size:
        raise ValueError(f"{member.filename} does not contain the expected array")


def _matrix(arrays: Mapping[str, NDArray[Any]], shape: tuple[int, ...]) -> sparse.coo_array:
    """The sparse matrix by its entries, every one of which lies inside its shape.

    They are checked here because SciPy's compiled code trusts its indices.
    """
    kind = arrays["format"].item()
    form = kind.decode("ascii") if isinstance(kind, bytes) else str(kind)
    if form not in _PARTS:
        raise ValueError(f"its format must be one of {', '.join(_PARTS)}, got {form!r}")
    data, parts = arrays["data"], [arrays[part] for part in _PARTS[form]]
    if data.dtype.kind not in "buif":
        raise ValueError(f"it must hold real numbers, got {data.dtype}")
    if any(part.dtype.kind not in "iu" or part.ndim != 1 for part in parts):
        raise ValueError("its indices must be integers")
    ints = [part.astype(np.int64) for part in parts]
    rows, cols, weights = _ENTRIES[form](data.astype(np.float64), ints)
    if len(rows) != len(cols) or len(rows) != len(weights):
        raise ValueError("it must have as many indices as numbers")
    for side, ends in zip(shape, (rows, cols), strict=True):
        if len(ends) and not 0 <= ends.min() <= ends.max() < side:
            raise ValueError("its indices lie outside its shape")
    return sparse.coo_array((weights, (rows, cols)), shape=shape)


Entries = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]


def _by_row(data: NDArray[Any], parts: list[NDArray[Any]]) -> Entries:
    indices, ends = parts
    counts = np.diff(ends)
    if not len(ends) or ends[0] != 0 or (counts < 0).any() or ends[-1] != len(indices):
        raise ValueError("its rows do not end where its indices do")
    return np.repeat(np.arange(len(counts)), counts), indices, data


def _by_column(data: NDArray[Any], parts: list[NDArray[Any]]) -> Entries:
    cols, rows, weights = _by_row(data, parts)
    return rows, cols, weights


def _by_block(data: NDArray[Any], parts: list[NDArray[Any]]) -> Entries:
    rows, cols, blocks = _by_row(data, parts)
    if blocks.ndim != 3 or len(blocks) != len(rows):
        raise ValueError("it must have as many blocks as indices")
    _, height, width = blocks.shape
    inside = np.arange(height)[None, :, None], np.arange(width)[None, None, :]
    ends = np.broadcast_arrays(
        rows[:, None, None] * height + inside[0], cols[:, None, None] * width + inside[1]
    )
    kept = blocks != 0.0
    return ends[0][kept], ends[1][kept], blocks[kept]


def _by_entry(data: NDArray[Any], parts: list[NDArray[Any]]) -> Entries:
    return parts[0], parts[1], data.ravel()


def _by_diagonal(data: NDArray[Any], parts: list[NDArray[Any]]) -> Entries:
    offsets = parts[0]
    if data.ndim != 2 or len(data) != len(offsets) or (abs(offsets) > 1 << 40).any():
        raise ValueError("it must have as many diagonals as offsets")
    at, cols = np.nonzero(data)
    rows = cols - offsets[at]
    kept = rows >= 0
    return rows[kept], cols[kept], data[at, cols][kept]


_ENTRIES = {
    "csr": _by_row,
    "csc": _by_column,
    "coo": _by_entry,
    "bsr": _by_block,
    "dia": _by_diagonal,
}
