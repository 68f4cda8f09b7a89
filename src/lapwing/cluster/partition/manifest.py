"""The manifest of a partitioned graph: what its folder holds, and a hash of every file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from lapwing.errors import InputError
from lapwing.io.files import write_text

FORMAT, VERSION = "lapwing partitioned graph", 1
FILE = "manifest.json"
NameKind = Literal["integers", "text"]


class DamagedBlockError(InputError):
    """A block of a partitioned graph is not what its manifest says."""


@dataclass(frozen=True, slots=True)
class BlockEntry:
    """One block of rows: where it begins, what it holds, and the hash of its files."""

    first: int
    rows: int
    entries: int
    halo: int
    hash: str
    names_hash: str

    @property
    def stop(self) -> int:
        """The first node after the block."""
        return self.first + self.rows


@dataclass(frozen=True)
class Manifest:
    """What the folder of a partitioned graph holds.

    Examples
    --------
    >>> block = BlockEntry(0, 2, 2, 0, "ab", "cd")
    >>> manifest = Manifest(2, 1, 1, 2, "integers", False, (block,), ("ef",))
    >>> Manifest.from_text(manifest.text()) == manifest
    True
    """

    n_nodes: int
    n_edges: int
    n_components: int
    largest_component: int
    names: NameKind
    weighted: bool
    blocks: tuple[BlockEntry, ...]
    dictionary: tuple[str, ...]
    notes: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """Return the manifest as JSON, one block per line."""
        said = asdict(self)
        blocks = ",\n    ".join(json.dumps(block) for block in said.pop("blocks"))
        head = json.dumps({"format": FORMAT, "version": VERSION, **said}, indent=2)
        return head.removesuffix("\n}") + f',\n  "blocks": [\n    {blocks}\n  ]\n}}\n'

    @classmethod
    def from_text(cls, text: str, where: str = FILE) -> Manifest:
        """Read a manifest; raise unless it is a complete one of a known version."""
        try:
            said = json.loads(text)
            kind, version = said.pop("format"), said.pop("version")
            blocks = tuple(BlockEntry(**block) for block in said.pop("blocks"))
            parts = tuple(said.pop("dictionary"))
            made = cls(blocks=blocks, dictionary=parts, **said)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(f"{where}: is not the manifest of a partitioned graph") from None
        if kind != FORMAT or version != VERSION:
            raise InputError(f"{where}: must be a {FORMAT} of version {VERSION}, got {version}")
        return made

    def write(self, folder: Path) -> None:
        """Write the manifest: the last file, so that a folder without one is not a graph."""
        write_text(self.text(), folder / FILE)

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read the manifest of a folder."""
        file = folder / FILE
        if not file.is_file():
            raise InputError(f"{folder}: is not a partitioned graph, it has no {FILE}")
        return cls.from_text(file.read_text(encoding="utf-8"), str(file))


def digest_of(*files: Path) -> str:
    """Return the sha256 of the files' bytes, one after the other; a missing file counts as empty.

    Examples
    --------
    >>> digest_of(Path("there-is-none"))[:12]
    'e3b0c44298fc'
    """
    digest = hashlib.sha256()
    for path in files:
        if path.exists():
            with path.open("rb") as file:
                while piece := file.read(1 << 20):
                    digest.update(piece)
    return digest.hexdigest()
