"""The errors of lapwing. Every message says what must hold and what was given."""

from __future__ import annotations

from pathlib import Path


class LapwingError(Exception):
    """Base class of all errors that lapwing raises."""


class InputError(LapwingError, ValueError):
    """An argument cannot be used; nothing was changed."""


class GraphError(InputError):
    """The given edges do not make a valid graph."""


class UnknownNodeError(InputError, LookupError):
    """A name or index that is not a node of the graph."""


class ReadError(InputError):
    """A file that cannot be read.

    Examples
    --------
    >>> print(ReadError("edges.csv", "needs two columns, got 1", line=7))
    edges.csv, line 7: needs two columns, got 1
    """

    def __init__(self, path: str | Path, problem: str, *, line: int | None = None) -> None:
        where = str(path) if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: {problem}")
        self.path = Path(path)
        self.line = line
        self._problem = problem

    def __reduce__(self) -> tuple[object, ...]:
        return _read_error, (str(self.path), self._problem, self.line)


class ConvergenceError(LapwingError, ArithmeticError):
    """An iterative solver stopped before it reached its tolerance."""


class MissingExtraError(LapwingError, ImportError):
    """A feature whose optional packages are not installed."""


class MissingDataError(LapwingError, FileNotFoundError):
    """A published file that is neither on this computer nor can be downloaded."""


def _read_error(path: str, problem: str, line: int | None) -> ReadError:
    """The same error again, in another process."""
    return ReadError(path, problem, line=line)
