"""Images among a node's attributes: recognised, and shown without another package."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

_SIGNATURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF8": "image/gif",
    b"BM": "image/bmp",
}
_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp")
_LARGEST = 4_000_000
_SIDE = 96


def image_html(value: Any) -> str:
    """Return an ``<img>`` that carries the image itself, or "" if the value is not an image.

    An image is an array of shape (height, width) or (height, width, 3), the bytes of a PNG, JPEG,
    GIF or BMP file, or the path of such a file.

    Examples
    --------
    >>> image_html(np.eye(2))[:32]
    '<img src="data:image/png;base64,'
    >>> image_html("no picture"), image_html([1, 2])
    ('', '')
    """
    if isinstance(value, np.ndarray):
        encoded = png(value) if _is_picture(value) else b""
    else:
        encoded = _file_bytes(value)
    kind = next((k for start, k in _SIGNATURES.items() if encoded.startswith(start)), None)
    if encoded[:4] == b"RIFF" and encoded[8:12] == b"WEBP":
        kind = "image/webp"
    if kind is None:
        return ""
    source = f"data:{kind};base64,{base64.b64encode(encoded).decode()}"
    return (
        f'<img src="{source}" alt="image" style="min-width:{_SIDE}px;max-width:320px;'
        'image-rendering:pixelated;display:block;margin:4px 0"/>'
    )


def png(pixels: np.ndarray[Any, Any]) -> bytes:
    """Encode pixels as a PNG file; anything but 8-bit values is stretched from black to white.

    Examples
    --------
    >>> png(np.zeros((2, 3), dtype=np.uint8))[1:4]
    b'PNG'
    """
    values = np.nan_to_num(np.asarray(pixels, dtype=np.float64))
    if pixels.dtype != np.uint8:
        low, high = float(values.min()), float(values.max())
        values = (values - low) * (255.0 / (high - low if high > low else 1.0))
    bytes_ = values.astype(np.uint8)
    height, width = bytes_.shape[:2]
    rows = b"".join(b"\0" + bytes_[row].tobytes() for row in range(height))
    colour = 2 if bytes_.ndim == 3 else 0
    head = struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )


def _is_picture(value: np.ndarray[Any, Any]) -> bool:
    flat = value.ndim == 2 or (value.ndim == 3 and value.shape[2] == 3)
    return flat and value.dtype.kind in "biuf" and 0 < value.size <= _LARGEST


def _file_bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value if len(value) <= _LARGEST else b""
    if isinstance(value, Path) or (isinstance(value, str) and value.lower().endswith(_ENDINGS)):
        try:
            path = Path(value)
            return path.read_bytes() if path.stat().st_size <= _LARGEST else b""
        except (OSError, ValueError):
            return b""
    return b""
