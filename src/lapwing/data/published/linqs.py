"""The citation graphs Cora and CiteSeer, from the archives of the LINQS group."""

from __future__ import annotations

import tarfile
from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing.data.dataset import Dataset
from lapwing.errors import ReadError
from lapwing.graph import Graph

SOURCE = (
    "Sen, Namata, Bilgic, Getoor, Galligher, Eliassi-Rad. Collective classification in network "
    "data. AI Magazine 29(3), 2008"
)


def cora(archive: Path) -> Dataset:
    """2,708 machine-learning papers joined by citations; 7 subjects; string ids."""
    return _citations(archive, "cora", "machine-learning papers joined by citations")


def citeseer(archive: Path) -> Dataset:
    """3,312 computer-science papers joined by citations; 6 subjects; string ids."""
    return _citations(archive, "citeseer", "computer-science papers joined by citations")


def _citations(archive: Path, name: str, description: str) -> Dataset:
    """Read a citation graph; links are symmetrised by max(S, S').

    Links to papers that are not listed are counted and dropped. The node table has the papers'
    words as a sparse matrix of 0 and 1.
    """
    content = _lines(archive, f"{name}/{name}.content")
    papers = [_ends(line) for line in content]
    ids = [paper for paper, _ in papers]
    position = {paper: node for node, paper in enumerate(ids)}
    classes = tuple(sorted({subject for _, subject in papers}))
    links = [_ends(line) for line in _lines(archive, f"{name}/{name}.cites")]
    known = [(position[a], position[b]) for a, b in links if a in position and b in position]
    graph = Graph.from_edges(
        np.array(known, dtype=np.intp), names=ids, parallel="max", directed="max"
    )
    dropped = len(links) - len(known)
    return Dataset(
        name=name,
        graph=graph.with_node_table({"words": _words(content, archive)}),
        labels=np.array([classes.index(subject) for _, subject in papers]),
        classes=classes,
        description=description,
        source=SOURCE,
        notes=f"{dropped} links to unknown papers dropped" if dropped else "",
    )


def _lines(archive: Path, member: str) -> list[str]:
    with tarfile.open(archive, "r:gz") as folder:
        try:
            text = folder.extractfile(member)
        except KeyError:
            raise ReadError(archive, f"must hold {member}") from None
        if text is None:
            raise ReadError(archive, f"{member} must be a file")
        return text.read().decode("ascii").splitlines()


def _words(content: list[str], archive: Path) -> sparse.csr_array:
    """Return the words of each paper: 0 or 1 each, between its id and its subject."""
    marks = [line.split(None, 1)[1].rsplit(None, 1)[0].encode("ascii") for line in content]
    if len({len(row) for row in marks}) != 1:
        raise ReadError(archive, "must have the same number of words in each line")
    letters = np.frombuffer(b"".join(marks), dtype=np.uint8).reshape(len(marks), -1)[:, ::2]
    return sparse.csr_array(letters == ord("1"), dtype=np.uint8)


def _ends(line: str) -> tuple[str, str]:
    """Return the first and the last field of a line; the paper's words are in between."""
    first, rest = line.split(None, 1)
    return first, rest.rsplit(None, 1)[-1]
