"""Ye 2017: wvGN and every method it is compared with, all labels at once."""

from __future__ import annotations

from typing import Any

from lapwing.batch import (
    LGC,
    RN,
    SCRN,
    SNBC,
    TSVM,
    WVGN,
    WVRN,
    DeepWalk,
    EdgeCluster,
    HeatKernel,
    LapSVM,
    MultiRankWalk,
    Node2Vec,
    SocDim,
)
from lapwing.catalog.entry import Entry

_METHODS = (
    ("wvgn", WVGN, "weighs nodes so that walks from labels add up to them", "Ye et al. 2017"),
    ("lgc", LGC, "labels flow over edges until nothing changes", "Zhou et al. 2003"),
    ("wvrn", WVRN, "neighbours vote with their probabilities", "Macskassy, Provost 2007"),
    ("rn", RN, "labelled neighbours vote, winners count as labels", "Macskassy, Provost 2003"),
    ("heat", HeatKernel, "labels spread as heat does", "Chung 2007"),
    ("snbc", SNBC, "weighs nodes by the ends of lazy walks", "Nandanwar, Murty 2016"),
    ("scrn", SCRN, "neighbours vote as their edges resemble", "Wang, Sukthankar 2013"),
    ("socdim", SocDim, "an SVM on eigenvectors of modularity", "Tang, Liu 2009 (KDD)"),
    ("edgecluster", EdgeCluster, "an SVM on clusters of edges", "Tang, Liu 2009 (CIKM)"),
    ("deepwalk", DeepWalk, "rows learned from random walks", "Perozzi et al. 2014"),
    ("node2vec", Node2Vec, "rows learned from biased walks", "Grover, Leskovec 2016"),
    ("lapsvm", LapSVM, "an SVM whose scores are smooth on the graph", "Belkin et al. 2006"),
    ("tsvm", TSVM, "an SVM that stays away from unlabelled nodes", "Joachims 1999"),
    ("multirankwalk", MultiRankWalk, "walks that restart at labels", "Lin, Cohen 2010"),
)
DEPARTURES = {
    "wvgn": (
        "finds the optimum of (9) with a penalty chosen by cross-validation, without sigmoids; "
        "solver='gcd', platt=True is the paper's search with its early stop and lambda = 2^-6, "
        "which can err on small graphs whose labels are unevenly spread",
        "the gradient of the penalty has d^2, as (9) implies; the text prints d",
    ),
    "heat": ("Ye et al. print exp(-rho (I - P^-1)); its series is that of exp(-rho (I - P))",),
    "deepwalk": ("10 walks per node, not 80, and negative sampling",),
    "node2vec": ("walks of 40 steps, not 80; p = 1 and q = .5 instead of a search",),
    "socdim": ("100 eigenvectors, not 500, and a penalty chosen by cross-validation",),
    "snbc": ("the optimum of its objective; the authors' program takes 1000 random steps",),
    "tsvm": ("solved in the primal on rows of the transition matrix",),
    "lapsvm": ("solved in the primal on rows of the transition matrix",),
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "lgc": {"alpha": 0.99},
}
"""The paper's settings where the class has others."""
ENTRIES = tuple(
    Entry(
        name=name,
        kind="batch",
        summary=summary,
        paper=paper,
        build=build,
        defaults=DEFAULTS.get(name),
        departures=DEPARTURES.get(name, ()),
    )
    for name, build, summary, paper in _METHODS
)
