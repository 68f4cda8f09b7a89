"""The graphs published as MATLAB files: co-authors, PubMed, Cora in full, IMDb, Wikipedia, LFR."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse

from lapwing.data.dataset import Dataset
from lapwing.errors import ReadError
from lapwing.graph import Graph

MA_2013 = "Ma, Garnett, Schneider. Sigma-optimality for active learning on GRFs. NIPS 2013"
YE_2017 = (
    "Ye, Zhou, Mautz, Plant, Böhm. Learning from labeled and unlabeled vertices in networks. "
    "KDD 2017"
)
DIABETES = (
    "Diabetes Mellitus, Experimental",
    "Diabetes Mellitus Type 1",
    "Diabetes Mellitus Type 2",
)
"""PubMed's classes in their first published order, matched to the file's columns by size."""


def coauthor(file: Path) -> Dataset:
    """1,711 authors, joined by the number of papers written together; 4 research areas.

    The file holds the Laplacian; the adjacency is its negated off-diagonal part.
    """
    matrices = _read(file, "Laplacian", "labels")
    laplacian = sparse.coo_array(matrices["Laplacian"])
    rows, cols = laplacian.coords
    off = rows != cols
    adjacency = sparse.coo_array(
        (-laplacian.data[off], (rows[off], cols[off])), shape=laplacian.shape
    )
    return _labelled(
        "coauthor",
        adjacency,
        matrices["labels"].T,
        description="authors in four areas of computer science, joined by joint papers",
        source=MA_2013,
    )


def pubmed(file: Path) -> Dataset:
    """19,717 papers on diabetes joined by citations; 3 kinds of the disease."""
    matrices = _read(file, "graph", "label")
    return _labelled(
        "pubmed",
        matrices["graph"],
        matrices["label"],
        description="papers on diabetes joined by citations",
        source=YE_2017,
        classes=DIABETES,
    )


def cora_full(file: Path) -> Dataset:
    """24,519 computer-science papers joined by citations; 10 fields, 99 papers in several."""
    return _graph_and_label(file, "cora-full", "computer-science papers joined by citations")


def imdb(file: Path) -> Dataset:
    """19,359 films joined by the people they share; 21 genres, several per film."""
    return _graph_and_label(file, "imdb", "films and series joined by shared people")


def wikipedia(file: Path) -> Dataset:
    """4,777 words joined by how often they occur together; 40 parts of speech, several per word."""
    matrices = _read(file, "network", "group")
    return _labelled(
        "wikipedia",
        matrices["network"],
        matrices["group"],
        description="words of Wikipedia joined by how often they occur together",
        source=YE_2017,
    )


def network1(adjacency: Path, label: Path) -> Dataset:
    """An LFR graph of 100 nodes in 2 communities."""
    return _synthetic("network1", adjacency, label)


def network2(adjacency: Path, label: Path) -> Dataset:
    """An LFR graph of 120 nodes in 3 communities."""
    return _synthetic("network2", adjacency, label)


def _graph_and_label(file: Path, name: str, description: str) -> Dataset:
    matrices = _read(file, "graph", "label")
    return _labelled(
        name, matrices["graph"], matrices["label"], description=description, source=YE_2017
    )


def _synthetic(name: str, adjacency: Path, label: Path) -> Dataset:
    return _labelled(
        name,
        _read(adjacency, "A")["A"],
        _read(label, "label")["label"],
        description="an LFR graph with planted communities",
        source=YE_2017,
    )


def _read(file: Path, *keys: str) -> dict[str, Any]:
    matrices: dict[str, Any] = io.loadmat(file)
    for key in keys:
        if key not in matrices:
            held = ", ".join(k for k in matrices if not k.startswith("__"))
            raise ReadError(file, f"must hold a matrix {key!r}, got {held}")
    return matrices


def _labelled(
    name: str,
    adjacency: Any,
    indicator: Any,
    *,
    description: str,
    source: str,
    classes: tuple[str, ...] | None = None,
) -> Dataset:
    """Return one column per class, or class indices if every node has exactly one class."""
    matrix = sparse.csr_array(indicator)
    single = (np.diff(matrix.indptr) == 1).all()
    return Dataset(
        name=name,
        graph=Graph.from_scipy(adjacency),
        labels=matrix.indices if single else matrix,
        classes=classes or tuple(str(c + 1) for c in range(matrix.shape[1])),
        description=description,
        source=source,
    )
