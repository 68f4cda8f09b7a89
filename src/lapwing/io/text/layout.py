"""How a text table is laid out: its delimiter, its header and the columns to read."""

from __future__ import annotations

from codecs import getincrementaldecoder
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path

from lapwing.errors import InputError, ReadError
from lapwing.io.columns import NODE_LABEL, Chosen, Column, Roles, chosen_columns, known_pair, option
from lapwing.io.formats import format_of
from lapwing.io.text.rows import WHITE, fields_of, first_foreign_byte, is_number, written_integer

SAMPLE = 1 << 16
_USUAL = {"csv": ",;\t|", "tsv": "\t,;|", "txt": "\t,;| "}
_MAGIC = {b"\x1f\x8b": ".gz", b"\x28\xb5\x2f\xfd": ".zst", b"BZh": ".bz2", b"\xfd7zXZ": ".xz"}


@dataclass(frozen=True, slots=True)
class TableOptions:
    """What the caller said about a table; None where nothing was said."""

    first: Column = None
    second: Column = None
    weight: Column = None
    delimiter: str | None = None
    header: bool | None = None

    def __post_init__(self) -> None:
        if self.delimiter is not None and (
            len(self.delimiter) != 1 or self.delimiter in '"\r\n' or ord(self.delimiter) > 127
        ):
            raise InputError(f"delimiter must be one ASCII character, got {self.delimiter!r}")
        named = [c for c in (self.first, self.second, self.weight) if isinstance(c, str)]
        if named and self.header is False:
            raise InputError(f"a table without header has no column named {named[0]!r}")


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's form: rows begin after `skipped` lines and have `width` fields.

    `guessed` says that the header was recognised only by not being integers, `said_header` that
    the caller said whether there is one.
    """

    delimiter: str
    skipped: int
    width: int
    header: tuple[str, ...] | None
    chosen: Chosen
    guessed: bool = False
    said_header: bool = False


def layout_of(
    plain: Path, shown: Path, asked: TableOptions, roles: Roles, *, weighted: bool
) -> Layout:
    """The layout, from the first 64 KiB; `roles` says what its columns are for."""
    delimiter, rows, n_lines = first_rows(plain, shown, asked, roles)
    (line, first), rest = rows[0], [row for _, row in rows[1:]]
    weight = asked.weight if weighted else False
    header, guessed = _header(first, rest, replace(asked, weight=weight), roles)
    try:
        chosen = chosen_columns(
            len(first), first if header else None, (asked.first, asked.second), weight, roles
        )
    except ValueError as wrong:
        hint = "" if len(first) > 1 or asked.delimiter else "; is there another delimiter?"
        raise ReadError(shown, f"{wrong}{hint}", line=line) from None
    skipped = line - 1
    if header:
        skipped = rows[1][0] - 1 if len(rows) > 1 else n_lines
    names = tuple(first) if header else None
    said = asked.header is not None
    return Layout(delimiter, skipped, len(first), names, chosen, guessed, said)


def first_rows(
    plain: Path, shown: Path, asked: TableOptions, roles: Roles
) -> tuple[str, list[tuple[int, list[str]]], int]:
    """The delimiter, the first rows with their lines, and how many lines were looked at."""
    lines = _sample(plain, shown)
    before = _preamble(lines)
    if before == len(lines):
        raise ReadError(shown, "contains no rows")
    delimiter = asked.delimiter or _delimiter(lines[before:], shown, roles, before + 1)
    rows = _first_rows(lines[before : before + 200], delimiter, shown, before)
    if len(rows) < 2:
        rows = _first_rows(lines[before:], delimiter, shown, before)
    if not rows:
        raise ReadError(shown, "contains no rows")
    return delimiter, rows, len(lines)


def _sample(plain: Path, shown: Path) -> list[str]:
    with plain.open("rb") as file:
        raw = file.read(SAMPLE)
        more = bool(file.read(1))
    for magic, suffix in _MAGIC.items():
        if raw.startswith(magic):
            raise ReadError(shown, f"is compressed: its name must end in {suffix}")
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ReadError(shown, "is UTF-16 text: save it as UTF-8")
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise ReadError(shown, "contains a NUL byte, so it is not a text file", line=line)
    try:
        text = getincrementaldecoder("utf-8-sig")().decode(raw, final=not more)
    except UnicodeDecodeError:
        line, byte = first_foreign_byte(plain)
        raise ReadError(shown, f"must be UTF-8 text, got byte 0x{byte:02x}", line=line) from None
    lines = list(StringIO(text, newline=""))
    return lines[:-1] if more and len(lines) > 1 else lines


def _preamble(lines: list[str]) -> int:
    """How many blank lines and comments come first.

    A comment starts with ``#`` or ``%`` and a space, or with both doubled, so #tag can be a node.
    """
    for count, line in enumerate(lines):
        text = line.strip(WHITE + "\r\n")
        if text and not (text[0] in "#%" and (len(text) == 1 or text[1] in WHITE + text[0])):
            return count
    return len(lines)


def _delimiter(lines: list[str], shown: Path, roles: Roles, line: int) -> str:
    """The delimiter under which nearly all rows are as wide as the first, at least two fields.

    If several fit, the one that makes the first row a usual header wins; then a tab in a .tsv, and
    any other delimiter before spaces. If this leaves a doubt, the caller must decide.
    """
    kind = format_of(shown, None, strict=False)
    fitting: dict[str, float] = {}
    for mark in _USUAL.get(kind, _USUAL["txt"]):
        try:
            rows = [row for _, row in fields_of(lines[:200], mark, shown)]
        except ReadError:
            continue
        widths = [len(row) for row in rows]
        if widths and widths[0] >= 2:
            if known_pair(rows[0], roles) is not None:
                return mark
            fitting[mark] = widths.count(widths[0]) / len(widths)
    best = max(fitting.values(), default=0.0)
    rivals = [mark for mark, alike in fitting.items() if alike > 0.9 * best]
    if kind == "tsv" and "\t" in rivals:
        return "\t"
    rivals = [mark for mark in rivals if mark != " "] or rivals
    if len(rivals) > 1:
        problem = f"the delimiter may be any of {rivals}: specify {option('delimiter')}"
        raise ReadError(shown, problem, line=line)
    return rivals[0] if rivals else _USUAL.get(kind, _USUAL["txt"])[0]


def _first_rows(
    lines: list[str], delimiter: str, shown: Path, before: int
) -> list[tuple[int, list[str]]]:
    """The rows that can be read, at least two: what is wrong later is reported with its line."""
    rows: list[tuple[int, list[str]]] = []
    try:
        rows.extend(fields_of(lines, delimiter, shown, before=before))
    except ReadError:
        if len(rows) < 2:
            raise
    return rows


def _header(
    first: list[str], rest: list[list[str]], asked: TableOptions, roles: Roles
) -> tuple[bool, bool]:
    """Whether the first row is a header, and whether only the integers below it say so."""
    if asked.header is not None:
        return asked.header, False
    if any(isinstance(column, str) for column in (asked.first, asked.second, asked.weight)):
        return True, False
    if known_pair(first, roles) is not None:
        return True, False
    alike = [row for row in rest if len(row) == len(first)]
    if len(first) < 2 or not alike:
        return False, False
    if asked.weight is None and len(first) > 2 and not is_number(first[2]):
        return all(is_number(row[2]) for row in alike), False
    nodes = 1 if roles is NODE_LABEL else 2
    integers = all(written_integer(field) is not None for row in alike for field in row[:nodes])
    named = not any(is_number(field) for field in first[:nodes])
    return integers and named, integers and named
