"""The names of the catalog by the type that `make` returns, for type checkers."""

from __future__ import annotations

from typing import Literal

LearnerName = Literal[
    "1-proj",
    "auto",
    "c-proj",
    "gpa",
    "gpa-multiclass",
    "halving",
    "knn",
    "mixture",
    "mni-ag",
    "molg-f",
    "msg",
    "near-far",
    "ollgc",
    "ollgc-every-label",
    "oslg",
    "perceptron",
    "pool",
    "push-lgc",
    "push-perceptron",
    "push-ridge",
    "random-gpa",
    "random-ollgc",
    "selective-mixture",
    "sslgc",
    "sslgc-every-label",
]
"""Algorithms that learn one label at a time."""

BanditName = Literal[
    "banditron",
    "confidit",
    "linucb",
    "molg-b",
    "oslg-bandit",
    "push-bandit",
    "soba",
    "thompson",
]
"""Algorithms that are only told whether a guess was right."""

ClassifierName = Literal[
    "best-evidence",
    "blend",
    "cross-validated",
    "deepwalk",
    "diffusion-ridge",
    "edgecluster",
    "heat",
    "laplace",
    "lapsvm",
    "lgc",
    "llgc",
    "multirankwalk",
    "node2vec",
    "pagerank",
    "poisson",
    "propagation",
    "rn",
    "scrn",
    "snbc",
    "socdim",
    "spectral",
    "spreading",
    "tsvm",
    "wvgn",
    "wvrn",
]
"""Algorithms that learn all labels at once."""
