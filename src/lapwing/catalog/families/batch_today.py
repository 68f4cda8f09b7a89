"""Batch methods in common use, and the one that chooses among them."""

from __future__ import annotations

from collections.abc import Callable

from lapwing.batch.chosen.blend import MethodBlend
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.diffusion.diffusion_ridge import DiffusionRidge
from lapwing.batch.diffusion.laplace import Laplace
from lapwing.batch.diffusion.pagerank import PageRank
from lapwing.batch.diffusion.poisson import Poisson
from lapwing.batch.diffusion.propagation import Propagation
from lapwing.batch.diffusion.spreading import Spreading
from lapwing.batch.embedding.spectral import Spectral
from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.catalog.entry import Entry
from lapwing.learner import Classifier


def batch_entry(
    name: str, build: Callable[..., Classifier], summary: str, paper: str, *departures: str
) -> Entry:
    """A batch method on the graph itself."""
    return Entry(
        name=name, kind="batch", summary=summary, paper=paper, build=build, departures=departures
    )


DEFAULT_BATCH = "best-evidence"
"""The default batch method."""

ENTRIES = (
    batch_entry(
        DEFAULT_BATCH,
        BestEvidence,
        "trusts neighbours, attributes and structure as far as the labels support them",
        "cross-validation; Cesa-Bianchi and Lugosi 2006",
    ),
    batch_entry(
        "cross-validated",
        CrossValidated,
        "picks a batch method by cross-validation on the labels given, and says why",
        "cross-validation",
    ),
    batch_entry(
        "blend",
        MethodBlend,
        "Poisson learning and the low spectrum, each calibrated, averaged",
        "Calder et al. 2020; Belkin and Niyogi 2004",
    ),
    batch_entry(
        "poisson",
        Poisson,
        "the potential of a flow from a class's labels to the others'",
        "Calder et al. 2020",
        "classes are not balanced by default; balanced=True is the paper's",
        "a leak of .03, which the paper does not have",
    ),
    batch_entry(
        "laplace",
        Laplace,
        "the smoothest function through a class's labels, less its mean",
        "Zhu et al. 2003",
        "each class's scores are shifted by their mean, weighted by degrees",
    ),
    batch_entry(
        "pagerank",
        PageRank,
        "the class whose labels a walk with restarts meets most",
        "Page et al. 1999",
    ),
    batch_entry(
        "propagation",
        Propagation,
        "every node takes the mean of its neighbours, labels held fast",
        "Zhu and Ghahramani 2002",
    ),
    batch_entry(
        "spreading",
        Spreading,
        "every node mixes its neighbours' scores with its own label",
        "Zhou et al. 2003",
    ),
    batch_entry(
        "spectral",
        Spectral,
        "logistic or ridge regression on rows of the low spectrum",
        "Belkin and Niyogi 2004",
    ),
    batch_entry(
        "diffusion-ridge",
        DiffusionRidge,
        "kernel ridge regression on the diffusion kernel",
        "Zhou et al. 2003",
    ),
)
