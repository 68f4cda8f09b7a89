"""Yang 2018: weighted ridge regression with an adaptive margin, and its full-information
rivals."""

from __future__ import annotations

from lapwing.catalog.entry import Entry
from lapwing.online import MOLG, MSG, OSLG, MulticlassGPA

YANG_ROWS = {"rank": 100, "normalized": True, "unit_rows": True}
"""Our reading of the paper's rows: eigenvectors 2..100 of the normalised Laplacian, of length 1."""
ROWS_READ = (
    "reading: rows are eigenvectors 2..100 of the normalised Laplacian, scaled to length 1; the "
    "text says L = D - S, eigenvectors 1..d and |x| <= 1"
)
PHI = "phi is 10, the end of the grid on which the paper tunes it"
RIDGE = "b is 10, as on Cora and Coauthor; the paper takes 100 on IMDB and PubMed"
NAMED_ONLY = "a class is guessed only after its first label; the text knows all classes beforehand"
ENTRIES = (
    Entry(
        name="molg-f",
        kind="online",
        summary="weighted ridge regression, learning wherever its guess is not sure",
        paper="Yang et al. 2018, Algorithm 1",
        build=MOLG,
        rows=YANG_ROWS,
        departures=(ROWS_READ, PHI, RIDGE, NAMED_ONLY),
    ),
    Entry(
        name="oslg",
        kind="online",
        summary="ridge regression of all classes on the nodes guessed wrong",
        paper="Gu and Han 2014",
        build=OSLG,
        rows=YANG_ROWS,
        departures=(ROWS_READ, "reading: made from its description in Yang et al. (2018)"),
    ),
    Entry(
        name="msg",
        kind="selective",
        summary="ridge regression that throws a coin, loaded by doubt, before it queries",
        paper="Yang et al. 2016",
        build=MSG,
        rows=YANG_ROWS,
        defaults={"h": 0.01},
        departures=(ROWS_READ, "h is .01; Yang et al. (2018) tell it every label: h infinite"),
    ),
    Entry(
        name="gpa-multiclass",
        kind="online",
        summary="perceptron of all classes: the true class gains the row, its rival loses it",
        paper="Herbster and Pontil 2006",
        build=MulticlassGPA,
        rows=YANG_ROWS,
        departures=("made for several classes at once, on the rows of Yang et al. (2018)",),
    ),
)
