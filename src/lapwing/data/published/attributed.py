"""Graphs with node attributes, some of them heterophilous (neighbours differ)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from lapwing.data.dataset import Dataset
from lapwing.errors import ReadError
from lapwing.graph import Graph

WANG_2019 = "Wang et al. Heterogeneous graph attention network. WWW 2019"
SHCHUR_2018 = "Shchur et al. Pitfalls of graph neural network evaluation. arXiv:1811.05868, 2018"
PEI_2020 = "Pei et al. Geom-GCN: geometric graph convolutional networks. ICLR 2020"
PLATONOV_2023 = (
    "Platonov et al. A critical look at the evaluation of GNNs under heterophily. ICLR 2023"
)


def acm(file: Path) -> Dataset:
    """2,006 papers of the ACM library; 3 fields; 1,870 words."""
    return _attributed(file, "acm", "papers of the ACM library", WANG_2019)


def amazon_photo(file: Path) -> Dataset:
    """7,487 products about photography that are bought together; 8 kinds; 745 words of reviews."""
    return _attributed(file, "amazon-photo", "products that are bought together", SHCHUR_2018)


def actor(file: Path) -> Dataset:
    """7,600 actors joined by Wikipedia pages they share; 5 kinds; 932 words; neighbours differ."""
    return _attributed(file, "actor", "actors who share a Wikipedia page", PEI_2020)


def chameleon(file: Path) -> Dataset:
    """890 Wikipedia pages joined by links; 5 levels of traffic; 2,325 words; neighbours differ."""
    description = "Wikipedia pages about chameleons joined by links, without duplicates"
    return _attributed(file, "chameleon", description, PLATONOV_2023)


def texas(file: Path) -> Dataset:
    """183 web pages of a university joined by links; 5 kinds; 1,703 words; neighbours differ."""
    return _attributed(file, "texas", "web pages of a university joined by links", PEI_2020)


def cornell(file: Path) -> Dataset:
    """183 web pages of a university joined by links; 5 kinds; 1,703 words; neighbours differ."""
    return _attributed(file, "cornell", "web pages of a university joined by links", PEI_2020)


def _attributed(file: Path, name: str, description: str, source: str) -> Dataset:
    """Read a graph with the class numbers of its file; the words are in the node table."""
    with np.load(file, allow_pickle=False) as arrays:
        needed = ("edges", "labels", "x_data", "x_indices", "x_indptr", "x_shape")
        missing = [key for key in needed if key not in arrays.files]
        if missing:
            raise ReadError(file, f"must hold the arrays {', '.join(needed)}, has no {missing[0]}")
        edges, labels, data, indices, ends, shape = (arrays[key] for key in needed)
    words = sparse.csr_array((data, indices, ends), shape=tuple(shape.tolist()))
    graph = Graph.from_edges(edges.astype(np.intp), names=range(len(labels)))
    return Dataset(
        name=name,
        graph=graph.with_node_table({"words": words}),
        labels=labels.astype(np.intp),
        classes=tuple(str(label) for label in range(int(labels.max()) + 1)),
        description=description,
        source=source,
    )
