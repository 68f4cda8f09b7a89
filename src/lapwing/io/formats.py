"""Find the format of a file by its name."""

from __future__ import annotations

from pathlib import Path

from lapwing.errors import InputError
from lapwing.io.files import READERS

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".txt": "txt",
    ".edges": "txt",
    ".edgelist": "txt",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".graphml": "graphml",
    ".gml": "gml",
    ".mtx": "mtx",
    ".mat": "mat",
    ".npz": "npz",
    ".lap": "lap",
}
TEXT = ("csv", "tsv", "txt")


def format_of(path: Path, said: str | None, *, strict: bool = True) -> str:
    """Return the given format, or the one of the suffix, ignoring a compression suffix.

    An unknown suffix is an error or, if not `strict`, no format.

    Examples
    --------
    >>> format_of(Path("edges.tsv.gz"), None), format_of(Path("edges.dat"), "csv")
    ('tsv', 'csv')
    >>> format_of(Path("edges.dat"), None)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: edges.dat: the suffix '.dat' is not known; set format= to one of csv,
    gml, graphml, lap, mat, mtx, npz, parquet, tsv, txt
    """
    known = sorted(set(FORMATS.values()))
    if said is not None:
        if said.lstrip(".") not in known:
            raise InputError(f"format must be one of {', '.join(known)}, got {said!r}")
        return said.lstrip(".")
    stem = Path(path.stem) if path.suffix.lower() in READERS else path
    if not strict:
        return FORMATS.get(stem.suffix.lower(), "")
    if stem.suffix.lower() not in FORMATS:
        raise InputError(
            f"{path}: the suffix {stem.suffix!r} is not known; "
            f"set format= to one of {', '.join(known)}"
        )
    return FORMATS[stem.suffix.lower()]
