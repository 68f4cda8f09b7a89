"""Text tables row by row, with the line of each row: slow, but exact.

The compiled readers must agree with this one; when they refuse a file, it finds the line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from math import inf
from pathlib import Path

from lapwing.errors import ReadError

WHITE = " \t"
_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,18}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_INT64 = 1 << 63


def written_integer(text: str) -> int | None:
    """The 64-bit integer that is written exactly so; 007, +7, 7.0 and -0 are text.

    Examples
    --------
    >>> written_integer("-12"), written_integer("007"), written_integer("9" * 19)
    (-12, None, None)
    """
    if _INTEGER.fullmatch(text) is None:
        return None
    value = int(text)
    return value if -_INT64 <= value < _INT64 else None


def is_number(text: str) -> bool:
    """Whether a field could be a weight."""
    return _NUMBER.fullmatch(text) is not None


def edge_weight(text: str, shown: Path, line: int, ends: tuple[str, str]) -> float:
    """The weight of an edge: a number, not negative, finite."""
    if text == "":
        raise ReadError(shown, f"edge {ends!r} has no weight", line=line)
    try:
        weight = float(text) if "_" not in text else None
    except ValueError:
        weight = None
    if weight is None:
        raise ReadError(shown, f"weight of edge {ends!r} must be a number, got {text!r}", line=line)
    if not 0.0 <= weight < inf:
        problem = f"weight of edge {ends!r} must be positive and finite, got {text}"
        raise ReadError(shown, problem, line=line)
    return weight


def fields_of(
    lines: Iterable[str], delimiter: str, shown: Path, *, before: int = 0
) -> Iterator[tuple[int, list[str]]]:
    """Each row's line and fields, spaces and tabs around a field dropped, blank rows left out.

    The delimiter ``" "`` stands for any run of spaces and tabs, and then nothing is quoted.

    Examples
    --------
    >>> list(fields_of(['a, "b, c"'], ",", Path("edges.csv")))
    [(1, ['a', 'b, c'])]
    """
    if delimiter == " ":
        for line, text in enumerate(lines, start=before + 1):
            row = [field for field in re.split("[ \t]+", text.strip("\r\n \t")) if field]
            if row:
                yield line, row
        return
    table = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    line = before + 1
    try:
        for row in table:
            row = [field.strip(WHITE) for field in row]
            if row and row != [""]:
                yield line, row
            line = before + table.line_num + 1
    except csv.Error as wrong:
        problem = f"is not a table: {wrong}"
        if "field limit" in str(wrong) or "end of data" in str(wrong):
            problem = "is not a table: a quote is opened and not closed"
        raise ReadError(shown, problem, line=line) from None


@contextmanager
def decoded_lines(plain: Path, shown: Path, *, skipped: int = 0) -> Iterator[Iterator[str]]:
    """The lines of a UTF-8 text after the skipped ones, open until the block ends.

    Bytes that are not UTF-8 are reported with their line.
    """
    try:
        with plain.open(encoding="utf-8-sig", newline="") as text:
            yield islice(_without_nul(text, shown), skipped, None)
    except UnicodeDecodeError:
        line, byte = first_foreign_byte(plain)
        raise ReadError(shown, f"must be UTF-8 text, got byte 0x{byte:02x}", line=line) from None


def _without_nul(lines: Iterable[str], shown: Path) -> Iterator[str]:
    for line, content in enumerate(lines, start=1):
        if "\0" in content:
            raise ReadError(shown, "contains a NUL byte, so it is not a text file", line=line)
        yield content


def first_foreign_byte(plain: Path) -> tuple[int, int]:
    """The line and value of the first byte that is not UTF-8."""
    raw = plain.read_bytes()
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as foreign:
        before = raw[: foreign.start]
        ends = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
        return ends + 1, raw[foreign.start]
    raise AssertionError("called for a file that is not UTF-8")


def quoted(text: str, delimiter: str) -> str:
    """A field as a table holds it: in quotes where it must be."""
    if delimiter in text or '"' in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text
