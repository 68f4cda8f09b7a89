"""Gu 2013: the graph perceptron, ridge regression on mistakes, and selective sampling."""

from __future__ import annotations

from lapwing.catalog.entry import Entry
from lapwing.online import OLLGC

GU_ROWS = {"rank": 100, "bias": 2.0}
"""The papers' rows: eigenvectors 2..100, and the constant column sqrt(2)."""
ENTRIES = (
    Entry(
        name="ollgc",
        kind="online",
        summary="ridge regression on the labels seen so far",
        paper="Gu et al. 2013, Algorithm 1",
        build=OLLGC,
        rows=GU_ROWS,
    ),
)
