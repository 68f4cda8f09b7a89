"""The node table: named columns with one value per node."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from lapwing.checks import several
from lapwing.errors import InputError
from lapwing.types import Nodes

NodeColumn: TypeAlias = Any
"""One value per node, or one row: an array of any shape and kind, or a sparse matrix."""


class NodeTable(Mapping[str, NodeColumn]):
    """Named columns with one value per node, in node order; read-only.

    Numbers stay numbers. Text and everything else is stored in object arrays, where None marks a
    missing value (NaN in columns of floats). A column can have several dimensions (images) or be a
    sparse matrix (words). `notes` says what was done to the rows when they were read.

    Examples
    --------
    >>> table = NodeTable({"age": [31, 47], "name": ["Ada", "Bo"]}, 2)
    >>> table
    NodeTable(2 nodes: age, name)
    >>> table["age"], table.row(1)
    (array([31, 47]), {'age': 47, 'name': 'Bo'})
    """

    def __init__(self, columns: Mapping[str, Any], n_nodes: int, *, notes: str = "") -> None:
        if not isinstance(columns, Mapping):
            raise InputError(f"a node table must give its columns by name, got {columns!r:.80}")
        self._columns = {str(name): _column(name, values) for name, values in columns.items()}
        self._n_nodes = n_nodes
        self.notes = notes
        for name, values in self._columns.items():
            if values.shape[0] != n_nodes:
                raise InputError(
                    f"column {name!r} must have one row for each of {n_nodes} nodes, "
                    f"got {values.shape[0]}"
                )

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return self._n_nodes

    def __getitem__(self, name: str) -> NodeColumn:
        try:
            return self._columns[name]
        except KeyError:
            known = ", ".join(self._columns) or "none"
            raise InputError(f"no column is named {name!r}; there are {known}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self._columns)

    @cached_property
    def digest(self) -> str:
        """A digest of names and values; two tables that say the same have the same."""
        found = hashlib.sha256()
        for name, values in sorted(self.items()):
            found.update(repr((name, values.shape)).encode())
            if sparse.issparse(values):
                parts = [values.data, values.indices, values.indptr]
            else:
                parts = [values]
            for part in parts:
                plain = part.dtype.kind != "O"
                found.update(part.tobytes() if plain else repr(part.tolist()).encode())
        return found.hexdigest()

    def row(self, node: int) -> dict[str, Any]:
        """Return the values of one node by column; a matrix row is returned as an array."""
        found: dict[str, Any] = {}
        for name, values in self._columns.items():
            value = values[[node]].toarray()[0] if sparse.issparse(values) else values[node]
            found[name] = value.item() if isinstance(value, np.generic) else value
        return found

    def present(self, node: int) -> dict[str, Any]:
        """Return the values of one node that are not missing, by column."""
        row = self.row(node).items()
        return {k: v for k, v in row if v is not None and not (np.ndim(v) == 0 and v != v)}

    def taken(self, nodes: Nodes) -> NodeTable:
        """Return the table of some nodes, in that order."""
        return NodeTable({name: values[nodes] for name, values in self.items()}, len(nodes))

    def grown(self, n_nodes: int) -> NodeTable:
        """Return the table with more nodes at the end, whose values are missing."""
        if n_nodes == self._n_nodes or not self:
            return (
                NodeTable(self._columns, n_nodes, notes=self.notes)
                if self
                else NodeTable({}, n_nodes)
            )
        rows = np.concatenate([np.arange(self._n_nodes), np.full(n_nodes - self._n_nodes, -1)])
        columns = {name: placed(values, rows) for name, values in self.items()}
        return NodeTable(columns, n_nodes, notes=self.notes)

    def extended(self, rows: Sequence[Mapping[str, Any]]) -> NodeTable:
        """Return the table with more nodes at the end, a mapping of values by column for each.

        A value that is not given is missing. Columns that the table does not have are left out.

        Examples
        --------
        >>> table = NodeTable({"age": [31, 47], "name": ["Ada", "Bo"]}, 2)
        >>> table.extended([{"age": 5, "colour": "red"}]).row(2)
        {'age': 5, 'name': None}
        """
        longer = self.grown(self._n_nodes + len(rows))
        columns = dict(longer)
        for name, values in self.items():
            given = {
                self._n_nodes + k: row[name]
                for k, row in enumerate(rows)
                if row.get(name) is not None
            }
            if given:
                columns[name] = _filled(name, values, longer[name], given)
        return NodeTable(columns, longer.n_nodes, notes=self.notes)

    def __repr__(self) -> str:
        listed = ", ".join(self) or "no columns"
        return f"NodeTable({self._n_nodes:,} nodes: {listed})"


def placed(values: Any, rows: Nodes) -> NodeColumn:
    """Return the value of each node's row; -1 means that a node has no row.

    Examples
    --------
    >>> placed(np.array([5, 7]), np.array([1, 0, -1]))
    array([7, 5, None], dtype=object)
    >>> placed(np.array([0.5, 2.0]), np.array([-1, 1]))
    array([nan,  2.])
    """
    column = _column("", values)
    missing = rows < 0
    if not missing.any():
        return column[rows]
    if sparse.issparse(column):
        kept = sparse.csr_array(column[np.maximum(rows, 0)])
        return sparse.csr_array(
            sparse.diags_array((~missing).astype(column.dtype), dtype=column.dtype) @ kept
        )
    if column.dtype.kind == "f" or column.ndim > 1:
        kind = np.result_type(column.dtype, np.float32) if column.ndim > 1 else column.dtype
        found = np.full((len(rows), *column.shape[1:]), np.nan, dtype=kind)
    else:
        found = np.full(len(rows), None, dtype=object)
    found[~missing] = column[rows[~missing]]
    return found


def _filled(
    name: str, before: NodeColumn, longer: NodeColumn, given: Mapping[int, Any]
) -> NodeColumn:
    """Return a lengthened column with values for some nodes, which must be like those before."""
    if sparse.issparse(before) or before.ndim > 1:
        found = longer.toarray() if sparse.issparse(longer) else np.array(longer)
        for node, value in given.items():
            try:
                found[node] = np.asarray(value, dtype=found.dtype).reshape(found.shape[1:])
            except (TypeError, ValueError):
                raise InputError(
                    f"column {name!r} holds arrays of shape {found.shape[1:]}, got {value!r:.80}"
                ) from None
        return sparse.csr_array(found) if sparse.issparse(longer) else found
    values = longer.tolist()
    texts = any(isinstance(value, str) for value in values)
    for node, value in given.items():
        if isinstance(value, str) is not texts and any(_there(old) for old in before.tolist()):
            wanted = "text" if texts else "numbers"
            raise InputError(f"column {name!r} holds {wanted}, a new node has {value!r:.80}")
        values[node] = value
    if before.dtype.kind == "f":
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    return _from_list(values)


def _there(value: Any) -> bool:
    """Whether a value is not missing."""
    return value is not None and value == value  # NaN differs from itself


def _column(name: Any, values: Any) -> NodeColumn:
    """Return the values as a read-only array; text and mixed values become objects."""
    if sparse.issparse(values):
        matrix = sparse.csr_array(values)
        for part in (matrix.data, matrix.indices, matrix.indptr):
            part.flags.writeable = False
        return matrix
    if isinstance(values, np.ndarray) and values.dtype.kind not in "USTV":
        view = values.view()
        view.flags.writeable = False
        found = view
    else:
        found = _from_list(list(several(f"column {name!r}", values)))
    if found.ndim == 0:
        raise InputError(f"column {name!r} must have one value per node")
    found.flags.writeable = False
    return found


def _from_list(values: list[Any]) -> NDArray[Any]:
    kinds = {type(value) for value in values}
    for kind, allowed in ((np.bool_, {bool}), (np.int64, {int}), (np.float64, {int, float})):
        if kinds and kinds <= allowed:
            try:
                return np.array(values, dtype=kind)
            except OverflowError:
                break
    found = np.empty(len(values), dtype=object)
    found[:] = [value.item() if isinstance(value, np.generic) else value for value in values]
    return found
