"""The log of a session on a graph that does not fit."""

from __future__ import annotations

import json
from pathlib import Path

from lapwing.errors import InputError

LOG = "session.jsonl"


def classes_begun_with(folder: Path) -> tuple[str, ...]:
    """The classes of the session in a folder; none if there is none."""
    log = folder / LOG
    return tuple(json.loads(whole_lines(log)[0])["classes"]) if log.exists() else ()


def whole_lines(log: Path) -> list[str]:
    """The lines of a log; one that a kill cut off was never acknowledged, and is removed."""
    content = log.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if not whole:
        raise InputError(f"{log}: is no log of a session; remove it to begin anew")
    if len(whole) < len(content):
        with log.open("r+b") as file:
            file.truncate(len(whole))
    return whole.decode("utf-8").splitlines()
