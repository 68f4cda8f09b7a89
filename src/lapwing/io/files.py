"""Open, decompress and atomically replace files."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from lapwing.errors import InputError, ReadError
from lapwing.optional import need


def _zstd_reader(path: Path) -> Any:
    return need("pyarrow", extra="tables").input_stream(str(path), compression="zstd")


def _zstd_writer(path: Path) -> Any:
    return need("pyarrow", extra="tables").output_stream(str(path), compression="zstd")


@contextmanager
def _gzip_writer(path: Path) -> Iterator[Any]:
    """Write without time and name, so that the same graph gives the same bytes."""
    with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as out:
        yield out


READERS: dict[str, Callable[[Path], Any]] = {
    ".gz": gzip.open,
    ".zst": _zstd_reader,
    ".bz2": bz2.open,
    ".xz": partial(lzma.open, format=lzma.FORMAT_XZ),
}
WRITERS: dict[str, Callable[[Path], Any]] = {
    ".gz": _gzip_writer,
    ".zst": _zstd_writer,
    ".bz2": partial(bz2.BZ2File, mode="wb"),
    ".xz": partial(lzma.LZMAFile, mode="wb"),
}
_DAMAGED = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError, MemoryError)
_HARMLESS = 1 << 28
_MOST_TIMES = 100


def unpacks_too_far(unpacked: int, packed: int) -> bool:
    """Whether so many bytes from so few can only be meant to fill the memory or the disk.

    Examples
    --------
    >>> unpacks_too_far(1 << 20, 1 << 10), unpacks_too_far(1 << 30, 1 << 20)
    (False, True)
    """
    return unpacked > _HARMLESS and unpacked > _MOST_TIMES * packed


@contextmanager
def plain_file(path: Path) -> Iterator[Path]:
    """The file itself or, while the block runs, its decompressed copy.

    Missing, unreadable, empty, truncated and damaged files raise a `ReadError`.
    """
    _check_readable(path)
    if path.suffix.lower() not in READERS:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="lapwing-") as folder:
        plain = Path(folder) / path.stem
        _decompress(path, plain)
        yield plain


def _check_readable(path: Path) -> None:
    if path.is_dir():
        raise ReadError(path, "is a folder, not a file")
    try:
        with path.open("rb") as file:
            if not file.read(1):
                raise ReadError(path, "is empty")
    except FileNotFoundError:
        raise ReadError(path, "no such file") from None
    except OSError as refused:
        raise ReadError(path, f"cannot be opened: {refused.strerror or refused}") from None


def _decompress(path: Path, plain: Path) -> None:
    kind = path.suffix.lower()
    try:
        size = path.stat().st_size
        with READERS[kind](path) as packed, plain.open("wb") as out:
            while block := packed.read(1 << 20):
                out.write(block)
                if unpacks_too_far(out.tell(), size):
                    raise ReadError(path, f"its {size} bytes unpack to over {out.tell()}")
    except ReadError:
        raise
    except _DAMAGED as damaged:
        raise ReadError(path, f"is damaged or truncated {kind} data: {damaged}") from None
    if plain.stat().st_size == 0:
        raise ReadError(path, "is empty when decompressed")


@contextmanager
def replaced_file(path: Path, *, make_folders: bool = False) -> Iterator[Path]:
    """Write a new file that replaces `path` when the block succeeds.

    Other readers of `path` see the old file or the complete new one, never a part.
    """
    if make_folders:
        _make_folder(path)
    if not path.parent.is_dir():
        raise InputError(f"{path}: its folder does not exist")
    if path.is_dir():
        raise InputError(f"{path}: is a folder, not a file")
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        yield fresh
        packed = _compressed(fresh, path.suffix.lower())
        with packed.open("rb") as file:
            os.fsync(file.fileno())
        packed.replace(path)
    except OSError as refused:
        raise InputError(f"{path}: cannot be written: {refused.strerror or refused}") from None
    finally:
        fresh.unlink(missing_ok=True)
        fresh.with_name(fresh.name + "-packed").unlink(missing_ok=True)


def write_text(text: str, path: str | PathLike[str]) -> None:
    """Write text atomically, compressed if the suffix says so.

    Examples
    --------
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text("done", folder + "/log.txt")
    ...     Path(folder, "log.txt").read_text()
    'done'
    """
    with replaced_file(Path(path)) as fresh:
        fresh.write_text(text, encoding="utf-8", newline="")


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as refused:
        raise InputError(f"{path}: cannot be written: {refused.strerror or refused}") from None


def _compressed(fresh: Path, kind: str) -> Path:
    if kind not in WRITERS:
        return fresh
    packed = fresh.with_name(fresh.name + "-packed")
    with fresh.open("rb") as file, WRITERS[kind](packed) as out:
        shutil.copyfileobj(file, out, 1 << 20)
    return packed
