"""Uploads: streamed to disk within bounds, read by a child process that can be stopped."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from lapwing.io.formats import FORMATS
from lapwing.service.operation.settings import MEGABYTE, ServiceSettings
from lapwing.service.problems import Refusal

ENDINGS = sorted([*FORMATS, *(f"{e}{z}" for e in FORMATS for z in (".gz", ".bz2", ".xz", ".zst"))])
PIECE = 1 << 20
OPTIONS = ("source", "target", "weight", "delimiter", "header", "directed", "format", "node_column")


class UploadedPart(Protocol):
    """A file of a multipart request."""

    filename: str | None

    async def read(self, size: int = -1) -> bytes:
        """Return the next bytes."""


def ending_of(name: str | None, what: str) -> str:
    """Return the suffix that says the format; nothing else of the name is used.

    Examples
    --------
    >>> ending_of("../../etc/edges.csv.gz", "edges"), ending_of("no suffix", "edges")
    ('.csv.gz', '.csv')
    """
    lowered = (name or "").lower()
    fitting = [each for each in ENDINGS if lowered.endswith(each)]
    if fitting:
        return max(fitting, key=len)
    if "." in lowered.rpartition("/")[2]:
        raise Refusal(422, "unknown_format",
                      f"the file of {what} must end in one of {', '.join(sorted(FORMATS))}, "
                      f"or one of them and .gz, .bz2, .xz or .zst")  # fmt: skip
    return ".csv"


async def stored_part(part: UploadedPart, path: Path, most: int) -> int:
    """Write an uploaded file to disk, at most so many bytes, and return their number."""
    written = 0
    with path.open("wb") as file:
        while piece := await part.read(PIECE):
            written += len(piece)
            if written > most:
                raise Refusal(413, "too_large", f"an upload must have at most {most:,} bytes")
            file.write(piece)
    return written


async def read_in_child(
    settings: ServiceSettings, folder: Path, shelf: Path, order: Mapping[str, Any]
) -> dict[str, Any]:
    """Read an upload in a process of its own and return what it tells; refuse what is wrong."""
    full = {
        "folder": str(folder),
        "shelf": str(shelf),
        "rows": settings.upload_rows,
        "seconds": settings.upload_seconds,
        "memory": settings.upload_memory_megabytes * MEGABYTE,
        "file": 8 * settings.upload_megabytes * MEGABYTE,
        "options": {},
        **order,
    }
    path = folder / "order.json"
    path.write_text(json.dumps(full), encoding="utf-8")
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "lapwing.service.graphs.reading", str(path),
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL, start_new_session=True,
        env=os.environ | {"TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1"},
    )  # fmt: skip
    try:
        out, _ = await asyncio.wait_for(child.communicate(), settings.upload_seconds)
    except TimeoutError:
        raise Refusal(422, "too_slow", "the upload took longer to read than is allowed") from None
    finally:
        if child.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            await child.wait()
    if child.returncode != 0:
        raise Refusal(422, "too_demanding",
                      "the upload could not be read within the allowed memory, time and "
                      "space")  # fmt: skip
    told: dict[str, Any] = json.loads(out)
    if "problem" in told:
        raise Refusal(422, "unreadable", str(told["problem"]))
    return told


def discarded(folder: Path) -> None:
    """Remove a folder that is not needed any more."""
    shutil.rmtree(folder, ignore_errors=True)
