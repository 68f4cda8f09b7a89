"""The registry of data sets: names, descriptions, availability and loading."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from lapwing.data.dataset import Dataset
from lapwing.data.generators.blocks import stochastic_block_model
from lapwing.data.generators.hierarchy import hierarchical
from lapwing.data.generators.planted import planted_partition
from lapwing.data.generators.shapes import barbell, flower, noisy_barbell, octopus, thick_barbell
from lapwing.data.images import digits, usps
from lapwing.data.karate_club import karate
from lapwing.data.published.attributed import (
    acm,
    actor,
    amazon_photo,
    chameleon,
    cornell,
    texas,
)
from lapwing.data.published.files import located, present
from lapwing.data.published.known_files import FILES
from lapwing.data.published.linqs import citeseer, cora
from lapwing.data.published.matlab import (
    coauthor,
    cora_full,
    imdb,
    network1,
    network2,
    pubmed,
    wikipedia,
)
from lapwing.data.published.movies import movies
from lapwing.errors import InputError

Where = Literal["bundled", "present", "download", "missing"]


@dataclass(frozen=True, slots=True)
class DatasetEntry:
    """One entry of the catalogue of data sets.

    `where` is "bundled" (needs no file), "present" (its files are on this computer), "download"
    (loading downloads `size` bytes) or "missing" (there is no public address; you provide the
    files).
    """

    name: str
    nodes: int
    edges: int
    classes: int
    multilabel: bool
    where: Where
    size: int
    licence: str
    description: str


@dataclass(frozen=True, slots=True)
class _Loader:
    make: Callable[..., Dataset]
    nodes: int
    edges: int
    classes: int
    licence: str
    multilabel: bool = False


_MADE = "generated"
_CITED = "no licence stated; cite the source"
_KNOWN = {
    "karate": _Loader(karate, 34, 78, 2, "facts published in 1977"),
    "digits": _Loader(digits, 1797, 8727, 10, "CC BY 4.0, with scikit-learn"),
    "barbell": _Loader(barbell, 10, 21, 2, _MADE),
    "noisy-barbell": _Loader(noisy_barbell, 20, 91, 2, _MADE),
    "thick-barbell": _Loader(thick_barbell, 20, 95, 2, _MADE),
    "flower": _Loader(flower, 25, 24, 2, _MADE),
    "octopus": _Loader(octopus, 32, 136, 2, _MADE),
    "hierarchical": _Loader(hierarchical, 676, 1342, 2, _MADE),
    "stochastic-block-model": _Loader(stochastic_block_model, 300, 1766, 3, _MADE),
    "planted-partition": _Loader(planted_partition, 1000, 5072, 26, _MADE),
    "cora": _Loader(cora, 2708, 5278, 7, _CITED),
    "citeseer": _Loader(citeseer, 3312, 4536, 6, _CITED),
    "coauthor": _Loader(coauthor, 1711, 2898, 4, "academic use only"),
    "pubmed": _Loader(pubmed, 19717, 44324, 3, _CITED),
    "cora-full": _Loader(cora_full, 24519, 92207, 10, _CITED, multilabel=True),
    "imdb": _Loader(imdb, 19359, 362079, 21, _CITED, multilabel=True),
    "wikipedia": _Loader(wikipedia, 4777, 92295, 40, _CITED, multilabel=True),
    "network1": _Loader(network1, 100, 1047, 2, _CITED),
    "network2": _Loader(network2, 120, 607, 3, _CITED),
    "usps": _Loader(usps, 9298, 21259, 10, _CITED),
    "acm": _Loader(acm, 2006, 12628, 3, _CITED),
    "amazon-photo": _Loader(amazon_photo, 7487, 119043, 8, _CITED),
    "actor": _Loader(actor, 7600, 26659, 5, _CITED),
    "chameleon": _Loader(chameleon, 890, 8854, 5, _CITED),
    "texas": _Loader(texas, 183, 279, 5, _CITED),
    "cornell": _Loader(cornell, 183, 277, 5, _CITED),
    "movies": _Loader(movies, 16942, 416771, 6, "CC BY-SA, from Wikipedia"),
}


def load(name: str) -> Dataset:
    """Load a data set by name; its files are found or downloaded, and checked.

    lapwing looks for the files in the folder named by the environment variable ``LAPWING_DATA``,
    then in the user's cache, and downloads them only if they are in neither. `available` lists the
    names, `catalog` gives details.

    Examples
    --------
    >>> load("karate")
    Dataset(karate: 34 nodes, 78 edges, 2 classes)
    >>> load("karat")
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: no data set is named 'karat'; did you mean karate?
    """
    found = _known(name).make(*fetch(name))
    found.graph.read_from = {"graph": name}
    return found


def fetch(name: str, *, progress: Any = None) -> tuple[Path, ...]:
    """Return the paths of a data set's files; missing ones are downloaded into the cache.

    `progress` is anything with a progress bar's `total`, `update`, `reset` and `close`.

    Examples
    --------
    >>> fetch("karate")
    ()
    """
    _known(name)
    return tuple(located(file, progress=progress) for file in FILES.get(name, ()))


def available() -> tuple[str, ...]:
    """List the names of all data sets.

    Examples
    --------
    >>> "cora" in available()
    True
    """
    return tuple(_KNOWN)


def is_present(name: str) -> bool:
    """Whether a data set can be loaded without a download.

    Examples
    --------
    >>> is_present("digits")
    True
    """
    _known(name)
    return all(present(file) for file in FILES.get(name, ()))


def catalog() -> tuple[DatasetEntry, ...]:
    """List all data sets with their properties, without loading any.

    Examples
    --------
    >>> entry = catalog()[0]
    >>> entry.name, entry.nodes, entry.edges, entry.where, entry.size
    ('karate', 34, 78, 'bundled', 0)
    """
    return tuple(_entry(name, known) for name, known in _KNOWN.items())


def _entry(name: str, known: _Loader) -> DatasetEntry:
    return DatasetEntry(
        name=name,
        nodes=known.nodes,
        edges=known.edges,
        classes=known.classes,
        multilabel=known.multilabel,
        where=_where(name),
        size=sum(file.size for file in FILES.get(name, ())),
        licence=known.licence,
        description=(known.make.__doc__ or "").partition("\n")[0],
    )


def _where(name: str) -> Where:
    if name not in FILES:
        return "bundled"
    if is_present(name):
        return "present"
    return "download" if all(file.url for file in FILES[name]) else "missing"


def _known(name: str) -> _Loader:
    if name not in _KNOWN:
        close = get_close_matches(str(name), _KNOWN, n=3) or list(_KNOWN)
        raise InputError(f"no data set is named {name!r}; did you mean {', '.join(close)}?")
    return _KNOWN[name]
