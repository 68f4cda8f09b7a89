"""Find published files in the user's folder, in the cache or at a public address."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lapwing.errors import MissingDataError, MissingExtraError, ReadError
from lapwing.optional import need

FOLDER_VARIABLE = "LAPWING_DATA"
"""The environment variable that names the folder to search first."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """A published file: its path in a data folder, its address and its digest.

    `url` is empty for a file that has no public address; `origin` then says how it was made.
    """

    path: str
    sha256: str
    size: int
    url: str = ""
    origin: str = ""


def present(file: PublishedFile) -> bool:
    """Whether the file is in the data folder or in the cache, without reading it."""
    return any(place.is_file() for place in _places(file))


def located(file: PublishedFile, *, progress: Any = None) -> Path:
    """Return the path of the file after checking its digest; download it if necessary.

    The folder named by ``LAPWING_DATA`` is searched first, then the user's cache. A file found
    there with another digest is an error and is never silently replaced. `progress` is anything
    with pooch's `total`, `update`, `reset` and `close`.
    """
    for place in _places(file):
        if place.is_file():
            return _checked(place, file)
    if not file.url:
        raise MissingDataError(
            f"{_not_found(file)}, and lapwing knows no public address of it: {file.origin}. "
            f"{_remedy(file)}"
        )
    pooch = _pooch_for(file)
    folder = cache_folder() / Path(file.path).parent
    fetch = pooch.HTTPDownloader(progressbar=progress or False)
    try:
        kept = pooch.retrieve(
            file.url, f"sha256:{file.sha256}", Path(file.path).name, folder, downloader=fetch
        )
    except (OSError, ValueError) as failed:
        reason = failed if isinstance(failed, ValueError) else type(failed).__name__
        raise MissingDataError(
            f"{_not_found(file)}, and {file.url} could not be downloaded ({reason}). "
            f"{_remedy(file)}"
        ) from failed
    return Path(kept)


def cache_folder() -> Path:
    """Return the user's cache folder for data sets on this platform."""
    return Path(need("pooch", extra="data").os_cache("lapwing")) / "data"


def _places(file: PublishedFile) -> list[Path]:
    """List the paths where the file can be, the user's own folder first."""
    folders = []
    if own := os.environ.get(FOLDER_VARIABLE):
        folders.append(Path(own).expanduser())
    with suppress(MissingExtraError):
        folders.append(cache_folder())
    return [folder / file.path for folder in folders]


def _checked(place: Path, file: PublishedFile) -> Path:
    found = hashlib.sha256(place.read_bytes()).hexdigest()
    if found != file.sha256:
        raise ReadError(place, f"sha256 must be {file.sha256}, got {found}")
    return place


def _not_found(file: PublishedFile) -> str:
    looked = " or ".join(map(str, _places(file))) or "any folder"
    unset = "" if os.environ.get(FOLDER_VARIABLE) else f" ({FOLDER_VARIABLE} is not set)"
    return f"{file.path} is not there as {looked}{unset}"


def _remedy(file: PublishedFile) -> str:
    return f"Put it into a folder as {file.path} and set {FOLDER_VARIABLE} to that folder"


def _pooch_for(file: PublishedFile) -> Any:
    try:
        return need("pooch", extra="data")
    except MissingExtraError as missing:
        raise MissingExtraError(
            f"{_not_found(file)}, and to download it lapwing {missing}. {_remedy(file)}"
        ) from None
