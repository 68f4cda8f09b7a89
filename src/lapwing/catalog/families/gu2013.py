"""Gu 2013: the graph perceptron, ridge regression on mistakes, and selective sampling.

By default the ridge regressions learn from every label they get, which needs a fraction of the
labels, with a smaller penalty than the paper's where labels are few. The perceptron learns from
mistakes: it gains nothing otherwise. `lapwing.catalog.PROTOCOLS` has the paper's settings.
"""

from __future__ import annotations

from functools import partial

from lapwing.catalog.entry import Entry
from lapwing.online import GPA, OLLGC, SSLGC, Mixture, OneVsRest, RandomSampling, SharedRidge
from lapwing.types import Array

GU_ROWS = {"rank": 100, "bias": 2.0}
"""The papers' rows: eigenvectors 2..100, and the constant column sqrt(2)."""


def gpa(features: Array, n_classes: int | None, *, every_label: bool = False) -> OneVsRest:
    """One-vs-rest graph perceptrons."""
    return OneVsRest(partial(GPA, features, every_label=every_label), n_classes)


def ollgc(
    features: Array, n_classes: int | None, *, mu: float = 0.01, every_label: bool = True
) -> OneVsRest | SharedRidge:
    """One-vs-rest OLLGC; learning from every label, all classes share one matrix."""
    if every_label:
        return SharedRidge(features, n_classes, mu=mu)
    return OneVsRest(partial(OLLGC, features, mu=mu), n_classes)


def sslgc(
    features: Array,
    n_classes: int | None,
    *,
    mu: float = 1e-4,
    kappa: float = 0.4,
    every_label: bool = True,
) -> OneVsRest | SharedRidge:
    """One-vs-rest SSLGC; learning from every label, all classes share one matrix."""
    if every_label:
        return SharedRidge(features, n_classes, mu=mu, kappa=kappa)
    return OneVsRest(partial(SSLGC, features, mu=mu, kappa=kappa), n_classes)


def random_gpa(
    features: Array,
    n_classes: int | None,
    *,
    p: float = 0.3,
    seed: int = 0,
    every_label: bool = False,
) -> RandomSampling:
    """Graph perceptrons on labels drawn by a coin."""
    return RandomSampling(gpa(features, n_classes, every_label=every_label), p=p, seed=seed)


def random_ollgc(
    features: Array,
    n_classes: int | None,
    *,
    mu: float = 0.01,
    p: float = 0.3,
    seed: int = 0,
    every_label: bool = True,
) -> RandomSampling:
    """OLLGC on labels drawn by a coin."""
    inner = ollgc(features, n_classes, mu=mu, every_label=every_label)
    return RandomSampling(inner, p=p, seed=seed)


def mixture(features: Array, n_classes: int | None, *, seed: int = 0) -> Mixture:
    """Every penalty of the grid, and the nearest labels, mixed."""
    return Mixture(features, n_classes, seed=seed)


def selective_mixture(
    features: Array,
    n_classes: int | None,
    *,
    kappa: float = 0.2,
    probe: float = 0.02,
    seed: int = 0,
) -> Mixture:
    """The mixture, querying where it is uncertain, and one node in fifty."""
    return Mixture(features, n_classes, kappa=kappa, probe=probe, seed=seed)


ENTRIES = (
    Entry(
        name="mixture",
        kind="online",
        summary="every penalty of OLLGC's grid and the nearest labels, mixed: nothing to tune",
        paper="Vovk and Zhdanov 2009",
        build=mixture,
        rows=GU_ROWS,
        explained_by=Mixture,
    ),
    Entry(
        name="selective-mixture",
        kind="selective",
        summary="the mixture, querying only where it is uncertain",
        paper="Vovk and Zhdanov 2009; Gu et al. 2013",
        build=selective_mixture,
        rows=GU_ROWS,
        explained_by=Mixture,
    ),
    Entry(
        name="gpa",
        kind="online",
        summary="graph perceptron, one per class",
        paper="Herbster and Pontil 2006",
        build=gpa,
        rows=GU_ROWS,
        explained_by=GPA,
    ),
    Entry(
        name="ollgc",
        kind="online",
        summary="ridge regression on the labels seen so far",
        paper="Gu et al. 2013, Algorithm 1",
        build=ollgc,
        rows=GU_ROWS,
        explained_by=OLLGC,
    ),
    Entry(
        name="sslgc",
        kind="selective",
        summary="OLLGC that queries only where it is uncertain",
        paper="Gu et al. 2013, Algorithm 2",
        build=sslgc,
        rows=GU_ROWS,
        explained_by=SSLGC,
    ),
    Entry(
        name="random-gpa",
        kind="selective",
        summary="graph perceptron that queries by a coin",
        paper="Gu et al. 2013, Section 6.6",
        build=random_gpa,
        rows=GU_ROWS,
        explained_by=RandomSampling,
    ),
    Entry(
        name="random-ollgc",
        kind="selective",
        summary="OLLGC that queries by a coin",
        paper="Gu et al. 2013, Section 6.6",
        build=random_ollgc,
        rows=GU_ROWS,
        explained_by=RandomSampling,
    ),
)
