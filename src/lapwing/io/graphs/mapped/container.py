"""Arrays in one file that can be mapped into memory: a checked header, then the arrays.

The file begins with ``LAPWING`` and a NUL, the version (4 bytes), the header's checksum (4), the
header's length (8) and the file's length (8), all little-endian. The header is JSON: the caller's
facts, and the place, kind, shape and CRC-32 of every array. Arrays begin at multiples of 64 bytes.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.errors import ReadError

MAGIC, VERSION = b"LAPWING\0", 1
_START = struct.Struct("<8sIIQQ")
_LINE = 64
_BLOCK = 1 << 24
_KINDS = "biuf"
"""Kinds of numbers an array can hold: true or false, integers and floats."""


def write_arrays(path: Path, facts: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write facts (anything JSON can hold) and arrays of numbers to a file."""
    plain = {name: _little(array) for name, array in arrays.items()}
    places: dict[str, dict[str, Any]] = {}
    at = 0
    for name, array in plain.items():
        kind, shape = array.dtype.str, list(array.shape)
        places[name] = {"start": at, "kind": kind, "shape": shape, "crc": _checksum(array)}
        at += -(-array.nbytes // _LINE) * _LINE
    header = json.dumps({"facts": facts, "arrays": places}).encode()
    first = -(-(_START.size + len(header)) // _LINE) * _LINE
    with path.open("wb") as file:
        file.write(_START.pack(MAGIC, VERSION, zlib.crc32(header), len(header), first + at))
        file.write(header)
        for name, array in plain.items():
            file.write(bytes(first + places[name]["start"] - file.tell()))
            array.tofile(file)
        file.write(bytes(first + at - file.tell()))


def mapped_arrays(
    plain: Path, shown: Path, *, in_memory: bool = False
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return the facts and the arrays of a file, checked; they are read-only views of the file.

    With `in_memory`, the file is read instead of mapped, so that it may vanish afterwards.
    """
    facts, places, first = _header(plain, shown)
    arrays = {}
    for name, place in places.items():
        arrays[name] = _array(plain, first, place, in_memory=in_memory)
        if _checksum(arrays[name]) != place["crc"]:
            raise ReadError(shown, f"is damaged: its {name} have another checksum than written")
    return facts, arrays


def _header(plain: Path, shown: Path) -> tuple[dict[str, Any], dict[str, Any], int]:
    """The facts, the places of the arrays, and where these begin."""
    held = plain.stat().st_size
    with plain.open("rb") as file:
        start = file.read(_START.size)
        if not start.startswith(MAGIC):
            raise ReadError(shown, "is not a graph file that lapwing wrote")
        if len(start) < _START.size:
            raise ReadError(shown, f"is truncated: it has {held} bytes")
        _, version, checksum, length, size = _START.unpack(start)
        if version != VERSION:
            raise ReadError(
                shown,
                f"has version {version} of the format, this lapwing reads version {VERSION}: "
                "write it again with lapwing convert",
            )
        if held != size:
            raise ReadError(shown, f"is truncated: it must have {size} bytes, got {held}")
        header = file.read(min(length, held))
    if len(header) != length or zlib.crc32(header) != checksum:
        raise ReadError(shown, "is damaged: its header has another checksum than written")
    try:
        found = json.loads(header)
        facts, places = found["facts"], found["arrays"]
        first = -(-(_START.size + length) // _LINE) * _LINE
        for place in places.values():
            _check_place(place, size - first)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as wrong:
        raise ReadError(shown, f"is damaged: its header cannot be read ({wrong})") from None
    return facts, places, first


def _check_place(place: Mapping[str, Any], size: int) -> None:
    """Raise a `ValueError` unless an array lies within the file."""
    kind, shape, start = np.dtype(place["kind"]), place["shape"], place["start"]
    if kind.kind not in _KINDS or not shape or not all(type(side) is int for side in shape):
        raise ValueError("an array has no shape or holds no numbers")
    if type(start) is not int or start < 0 or start % _LINE or min(shape) < 0:
        raise ValueError("an array has no place")
    if start + prod(shape) * kind.itemsize > size:
        raise ValueError("an array ends behind the file")


def _array(plain: Path, first: int, place: Mapping[str, Any], *, in_memory: bool) -> NDArray[Any]:
    """One array of the file; each has a map of its own, or SciPy would copy it as a small part."""
    kind, shape = np.dtype(place["kind"]), tuple(place["shape"])
    at, count = first + place["start"], prod(shape)
    if count == 0:
        found = np.empty(shape, dtype=kind)
    elif in_memory:
        found = np.fromfile(plain, dtype=kind, count=count, offset=at).reshape(shape)
    else:
        found = np.asarray(np.memmap(plain, dtype=kind, mode="r", offset=at, shape=shape))
    found.flags.writeable = False
    return found


def _little(array: NDArray[Any]) -> NDArray[Any]:
    """The array in C order with little-endian numbers."""
    return np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).reshape(array.shape)


def _checksum(array: NDArray[Any]) -> int:
    """The CRC-32 of an array's bytes."""
    raw, found = array.reshape(-1).view(np.uint8), 0
    for first in range(0, len(raw), _BLOCK):
        found = zlib.crc32(raw[first : first + _BLOCK].data, found)
    return found
