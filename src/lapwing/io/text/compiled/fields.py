"""The bytes of a text table, block by block, split into fields by compiled code.

The splitter knows plain fields only; at a quote or anything else that needs thought it stops, and
a slower reader begins anew.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

from lapwing.io.text.layout import Layout

NEWLINE, RETURN, SPACE, TAB = 10, 13, 32, 9
_BLOCK = 1 << 22
B = TypeVar("B")
T = TypeVar("T")


class Field(NamedTuple):
    """One column of a block: where the field of each row begins and ends in the text."""

    starts: NDArray[np.int32]
    stops: NDArray[np.int32]
    text: NDArray[np.uint8]


def lines_end_plainly(plain: Path, skipped: int) -> bool:
    """Whether the lines before the rows end in newlines, none in a mere carriage return."""
    with plain.open("rb") as file:
        before = b"".join(file.readline() for _ in range(skipped))
    return before.count(b"\r") == before.count(b"\r\n")


def blocks_of(plain: Path, skipped: int) -> Iterator[bytes]:
    """Yield the file after this many lines, in blocks of whole lines ending in a newline."""
    with plain.open("rb") as file:
        file.seek(len(BOM_UTF8) if file.read(len(BOM_UTF8)) == BOM_UTF8 else 0)
        for _ in range(skipped):
            file.readline()
        while block := file.read(_BLOCK):
            block += file.readline()
            yield block if block.endswith(b"\n") else block + b"\n"


def in_order(work: Callable[[B], T], blocks: Iterator[B]) -> Iterator[T]:
    """What `work` makes of each block, by two threads, few blocks ahead."""
    with ThreadPoolExecutor(2) as threads:
        pending: deque[Future[T]] = deque()
        for block in blocks:
            pending.append(threads.submit(work, block))
            if len(pending) > 3:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def fields_of_block(block: bytes, layout: Layout) -> list[Field] | None:
    """The columns in use of a block of whole lines; None if it is not all plain fields."""
    if b'"' in block or b"\0" in block or not _is_utf8(block):
        return None
    if b"\r" in block and block.count(b"\r") != block.count(b"\r\n"):
        return None
    text = np.frombuffer(block, dtype=np.uint8)
    most = len(block) // (2 * layout.width - 1) + 1
    starts = np.empty((layout.width, most), dtype=np.int32)
    stops = np.empty((layout.width, most), dtype=np.int32)
    rows = _split(text, ord(layout.delimiter), starts, stops)
    if rows < 0:
        return None
    return [Field(starts[c, :rows], stops[c, :rows], text) for c in layout.chosen.all]


def _is_utf8(block: bytes) -> bool:
    if block.isascii():
        return True
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@njit(cache=True, nogil=True)
def _split(
    text: NDArray[np.uint8], delimiter: int, starts: NDArray[np.int32], stops: NDArray[np.int32]
) -> int:
    """How many rows were split; -1 at the first that has not as many fields as there are columns.

    Spaces and tabs around a field are left out. The text ends with a newline, so that no loop runs
    past its end.
    """
    k, row, last, white = 0, 0, len(starts) - 1, delimiter == SPACE
    while k < len(text):
        if text[k] == NEWLINE or text[k] == RETURN:
            k += 1
            continue
        for column in range(last + 1):
            while text[k] == SPACE or (text[k] == TAB and delimiter != TAB):
                k += 1
            start = k
            while text[k] != delimiter and text[k] != NEWLINE and not (white and text[k] == TAB):
                k += 1
            stop = k
            while stop > start and (
                text[stop - 1] == SPACE or text[stop - 1] == TAB or text[stop - 1] == RETURN
            ):
                stop -= 1
            starts[column, row], stops[column, row] = start, stop
            if (column < last and text[k] == NEWLINE) or (white and start == stop):
                return -1
            k += 1
        row += 1
        if text[k - 1] != NEWLINE:
            k = _end_of_line(text, k - 1, white)
            if k < 0:
                return -1
    return row


@njit(cache=True, nogil=True)
def _end_of_line(text: NDArray[np.uint8], k: int, white: bool) -> int:
    """Where the next line begins after spaces that end this one; -1 if another field comes."""
    while white and (text[k] == SPACE or text[k] == TAB or text[k] == RETURN):
        k += 1
    return k + 1 if text[k] == NEWLINE else -1
