"""Gu 2013: the graph perceptron, ridge regression on mistakes, and selective sampling.

A plain name is the paper's algorithm with the paper's settings. Learning from every label needs a
fraction of the labels, with a smaller penalty where labels are few: `ollgc-every-label` and
`sslgc-every-label` do so.
"""

from __future__ import annotations

from functools import partial

from lapwing.batch import LLGC
from lapwing.catalog.entry import Entry
from lapwing.online import GPA, OLLGC, SSLGC, Mixture, OneVsRest, RandomSampling, SharedRidge
from lapwing.types import Array

GU_ROWS = {"rank": 100, "bias": 2.0}
"""Equation (28), eigenvectors 2..100, and a constant column sqrt(2), which is our reading."""
ROWS_READ = (
    "reading: rows have a constant column sqrt(2), which equation (28) does not have; without it "
    "the paper's Table 2 is not reached"
)
MU = (
    "mu is .1, the middle of the grid on which the paper tunes it; tune it with "
    "`lapwing play --tune` or `Experiment.tuned`"
)
ZERO = "reading: a margin of 0 counts as a mistake"
EVERY_LABEL = "learns from every label it gets, not only from mistakes"
ONE_MATRIX = "all classes share one matrix, and a node is queried for all classes at once"


def gpa(features: Array, n_classes: int | None, *, every_label: bool = False) -> OneVsRest:
    """One-vs-rest graph perceptrons."""
    return OneVsRest(partial(GPA, features, every_label=every_label), n_classes)


def ollgc(
    features: Array, n_classes: int | None, *, mu: float = 0.1, every_label: bool = False
) -> OneVsRest | SharedRidge:
    """One-vs-rest OLLGC; learning from every label, all classes share one matrix."""
    if every_label:
        return SharedRidge(features, n_classes, mu=mu)
    return OneVsRest(partial(OLLGC, features, mu=mu), n_classes)


def sslgc(
    features: Array,
    n_classes: int | None,
    *,
    mu: float = 0.1,
    kappa: float = 0.4,
    every_label: bool = False,
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
    mu: float = 0.1,
    p: float = 0.3,
    seed: int = 0,
    every_label: bool = False,
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
        departures=(
            "the kernel L+ + 2 11' is cut to rank 100, as in Gu et al. (2013); `perceptron` has "
            "the whole kernel of the paper",
        ),
    ),
    Entry(
        name="ollgc",
        kind="online",
        summary="ridge regression on the nodes guessed wrong so far",
        paper="Gu et al. 2013, Algorithm 1",
        build=ollgc,
        rows=GU_ROWS,
        explained_by=OLLGC,
        departures=(ROWS_READ, MU, ZERO),
    ),
    Entry(
        name="ollgc-every-label",
        kind="online",
        summary="ridge regression on all labels seen so far",
        paper="Gu et al. 2013, equation (7)",
        build=ollgc,
        rows=GU_ROWS,
        defaults={"mu": 0.01, "every_label": True},
        explained_by=OLLGC,
        departures=(EVERY_LABEL, ONE_MATRIX, ROWS_READ, "mu is .01, best where labels are few"),
    ),
    Entry(
        name="sslgc",
        kind="selective",
        summary="OLLGC that queries only where it is uncertain",
        paper="Gu et al. 2013, Algorithm 2",
        build=sslgc,
        rows=GU_ROWS,
        explained_by=SSLGC,
        departures=(
            "reading: A_t in r_t already holds the node, which equation (20) leaves open",
            ROWS_READ,
            MU,
            ZERO,
        ),
    ),
    Entry(
        name="sslgc-every-label",
        kind="selective",
        summary="SSLGC that learns from every label it queries, and so queries far fewer",
        paper="Gu et al. 2013, Theorem 7",
        build=sslgc,
        rows=GU_ROWS,
        defaults={"mu": 1e-4, "every_label": True},
        explained_by=SSLGC,
        departures=(EVERY_LABEL, ONE_MATRIX, ROWS_READ, "mu is .0001, best where labels are few"),
    ),
    Entry(
        name="llgc",
        kind="batch",
        summary="fit the labels and stay smooth over edges: the offline form of OLLGC",
        paper="Gu et al. 2013, equation (2)",
        build=LLGC,
    ),
    Entry(
        name="random-gpa",
        kind="selective",
        summary="graph perceptron that queries by a coin",
        paper="Gu et al. 2013, Section 6.6",
        build=random_gpa,
        rows=GU_ROWS,
        explained_by=RandomSampling,
        departures=(
            "p is .3; the paper sets it to the share of nodes that SSLGC queried",
            ROWS_READ,
        ),
    ),
    Entry(
        name="random-ollgc",
        kind="selective",
        summary="OLLGC that queries by a coin",
        paper="Gu et al. 2013, Section 6.6",
        build=random_ollgc,
        rows=GU_ROWS,
        explained_by=RandomSampling,
        departures=("not in the paper, which samples for GPA only", ROWS_READ, MU),
    ),
)
