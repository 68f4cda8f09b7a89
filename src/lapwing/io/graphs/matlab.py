"""MATLAB's .mat files of version 5 to 7; every size is checked before memory is allocated."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import io as scipy_io
from scipy import sparse

from lapwing.errors import ReadError
from lapwing.graph import Graph
from lapwing.graph.construction import Directed
from lapwing.io.files import unpacks_too_far
from lapwing.io.graphs.matrices import check_size, graph_from_matrix, names_of, with_extras
from lapwing.io.node_values import array_columns
from lapwing.io.writable_names import names_as_json

MAT_GRAPH = ("graph", "network", "A")
MAT_LABEL = ("label", "group", "labels")
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8"}
_TYPES[13] = "u8"
"""The numbers of an element, by its type."""
_NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8"}
_NUMBERS[15] = "u8"
"""The numbers of an array, by its class."""
_TEXTS = {1: "latin-1", 2: "latin-1", 16: "utf-8", 17: "utf-16", 18: "utf-32"}
_MATRIX, _COMPRESSED = 14, 15
_CELL, _CHAR, _SPARSE = 1, 4, 5
_COMPLEX = 0x08
_DEEPEST = 4


def read_mat(plain: Path, shown: Path, directed: Directed) -> Graph:
    """A graph from the variable graph, network or A of a MATLAB file, and its other variables."""
    loaded = loaded_mat(plain, shown)
    matrix = variable(loaded, MAT_GRAPH, shown)
    check_size(max(matrix.shape), plain, shown)
    graph = graph_from_matrix(matrix, names_of(loaded, shown), shown, directed)
    return with_extras(graph, loaded, (*MAT_GRAPH, *MAT_LABEL, "names"))


def write_mat(graph: Graph, path: Path) -> Iterable[str]:
    """The adjacency as the variable graph; names, if any, as UTF-8 JSON in names.

    Returns the columns of the node table that it holds, each a variable; a text that begins or
    ends with a space would not come back as it is, so that its column is left out.
    """
    names = names_as_json(graph.names)
    columns = {
        name: values if values.dtype.kind in "biuf" else values.astype(object)
        for name, values in array_columns(graph.node_table, _is_variable).items()
        if values.dtype.kind in "biuf" or all(text and text == text.strip() for text in values)
    }
    with path.open("wb") as file:
        scipy_io.savemat(
            file,
            {"graph": sparse.csc_matrix(graph.adjacency)}
            | ({} if names is None else {"names": names})
            | columns,
            do_compression=True,
        )
    return columns


def _is_variable(name: str) -> bool:
    """Whether MATLAB takes the name, and a column of that name would be read back as one."""
    free = name not in (*MAT_GRAPH, *MAT_LABEL, "names") and name[:1].isalpha()
    return free and name.isascii() and name.isidentifier() and len(name) < 32


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


def loaded_mat(plain: Path, shown: Path) -> dict[str, Any]:
    """The variables of a MATLAB file: numbers, sparse matrices, texts and cells.

    Other kinds are None. Every size in the file is compared with the bytes that are there.
    """
    data = plain.read_bytes()
    if data[124:126] == b"\x00\x02" or data.startswith(b"\x89HDF"):
        raise ReadError(shown, "is a MATLAB 7.3 file: save it with -v7")
    orders = {b"IM": "<", b"MI": ">"}
    if len(data) < 128 or data[126:128] not in orders:
        raise ReadError(shown, "is not a MATLAB file of version 5 to 7")
    order = orders[data[126:128]]
    loaded: dict[str, Any] = {}
    try:
        for kind, content in _elements(memoryview(data)[128:], order):
            if kind == _COMPRESSED:
                content = memoryview(_unpacked(content, order))
                kind, content = next(_elements(content, order))
            if kind == _MATRIX:
                name, value = _variable(content, order)
                loaded |= {} if name == "" or name.startswith("__") else {name: value}
    except (ValueError, zlib.error, StopIteration, MemoryError) as wrong:
        reason = str(wrong).splitlines()[0] if str(wrong) else "an element ends early"
        raise ReadError(shown, f"is not a MATLAB file: {reason}") from None
    return loaded


def _elements(data: memoryview, order: str) -> Iterator[tuple[int, memoryview]]:
    """Type and content of each element; `ValueError` for one that is longer than the data."""
    at = 0
    while at + 8 <= len(data):
        kind, size = (int(word) for word in np.frombuffer(data[at : at + 8], f"{order}u4"))
        if kind >> 16:  # a small element: its content is in the tag itself
            kind, size, start, at = kind & 0xFFFF, kind >> 16, at + 4, at + 8
            if size > 4:
                raise ValueError(f"a small element has at most 4 bytes, got {size}")
        else:
            start = at + 8
            at = start + size + (0 if kind == _COMPRESSED else -size % 8)
        if start + size > len(data):
            raise ValueError(f"an element of {size} bytes ends after the file")
        yield kind, data[start : start + size]


def _unpacked(packed: memoryview, order: str) -> bytes:
    stream = zlib.decompressobj()
    head = stream.decompress(packed, 8)
    if len(head) < 8:
        raise ValueError("a compressed element ends early")
    size = int(np.frombuffer(head, f"{order}u4")[1])
    if size > 1032 * len(packed) or unpacks_too_far(size, len(packed)):
        raise ValueError(f"{len(packed)} compressed bytes cannot be {size}")
    rest = stream.decompress(stream.unconsumed_tail, size) if size else b""
    if len(rest) < size:
        raise ValueError("a compressed element ends early")
    return head + rest


def _variable(content: memoryview, order: str, depth: int = 0) -> tuple[str, Any]:
    """Name and value of one array."""
    if not len(content):
        return "", np.empty((0, 0))
    parts = _elements(content, order)
    flags = np.frombuffer(next(parts)[1], f"{order}u4")
    if len(flags) < 1:
        raise ValueError("an array has no flags")
    kind, marks = int(flags[0]) & 0xFF, int(flags[0]) >> 8 & 0xFF
    if kind not in (_CELL, _CHAR, _SPARSE, *_NUMBERS):
        return "", None
    shape = tuple(np.frombuffer(next(parts)[1], f"{order}i4").tolist())
    name = bytes(next(parts)[1]).decode("latin-1")
    if len(shape) < 2 or min(shape) < 0:
        raise ValueError(f"{name} has the shape {shape}")
    if marks & _COMPLEX:
        return name, np.zeros((1, 1), dtype=complex)
    if kind == _SPARSE:
        return name, _sparse(parts, shape, order)
    if kind == _CHAR:
        return name, _texts(parts, shape, order)
    if kind == _CELL:
        return name, _cells(parts, shape, order, depth)
    values = _numbers(parts, order)
    if len(values) != prod(shape):
        raise ValueError(f"{name} must hold {prod(shape)} numbers, got {len(values)}")
    return name, values.astype(_NUMBERS[kind]).reshape(shape, order="F")


def _numbers(parts: Iterator[tuple[int, memoryview]], order: str) -> NDArray[Any]:
    kind, content = next(parts)
    if kind not in _TYPES:
        raise ValueError(f"numbers cannot be of type {kind}")
    return np.frombuffer(content, f"{order}{_TYPES[kind]}")


def _sparse(
    parts: Iterator[tuple[int, memoryview]], shape: tuple[int, ...], order: str
) -> sparse.coo_array:
    """A matrix whose columns end where the file says, all of it inside the shape."""
    rows, ends = _numbers(parts, order), _numbers(parts, order)
    weights = _numbers(parts, order).astype(np.float64)
    if len(shape) != 2 or len(ends) != shape[1] + 1 or rows.dtype.kind == "f":
        raise ValueError(f"a sparse matrix of shape {shape} has {len(ends)} column ends")
    ends = ends.astype(np.int64)
    count = int(ends[-1])
    if ends[0] != 0 or (np.diff(ends) < 0).any() or not count <= min(len(rows), len(weights)):
        raise ValueError("the column ends of a sparse matrix are not sorted")
    rows = rows[:count].astype(np.int64)
    if ((rows < 0) | (rows >= shape[0])).any():
        raise ValueError(f"a sparse matrix has entries outside its shape {shape}")
    cols = np.repeat(np.arange(shape[1]), np.diff(ends))
    return sparse.coo_array((weights[:count], (rows, cols)), shape=shape)


def _texts(
    parts: Iterator[tuple[int, memoryview]], shape: tuple[int, ...], order: str
) -> NDArray[Any]:
    """The texts along the last dimension, spaces at their ends dropped."""
    kind, content = next(parts)
    coding = "utf-16" if kind == 4 else _TEXTS.get(kind, "latin-1")
    if coding in ("utf-16", "utf-32"):
        coding += "-le" if order == "<" else "-be"
    letters = list(bytes(content).decode(coding))
    if len(letters) != prod(shape):
        raise ValueError(f"text of shape {shape} has {len(letters)} letters")
    if not letters:
        return np.array([""])
    grid = np.array(letters, dtype="U1").reshape(shape, order="F")
    rows = grid.reshape(-1, shape[-1])
    texts = np.array(["".join(row.tolist()).rstrip() for row in rows], dtype=str)
    return texts.reshape(shape[:-1])


def _cells(
    parts: Iterator[tuple[int, memoryview]], shape: tuple[int, ...], order: str, depth: int
) -> NDArray[Any]:
    if depth >= _DEEPEST:
        raise ValueError("cells are nested too deeply")
    values = [_variable(content, order, depth + 1)[1] for kind, content in parts if kind == _MATRIX]
    if len(values) != prod(shape):
        raise ValueError(f"a cell array of shape {shape} has {len(values)} cells")
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells.reshape(shape, order="F")
