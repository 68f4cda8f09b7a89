"""wvGN: classify nodes by where their random walks go (Ye et al. 2017)."""

from lapwing.batch.wvgn.exact import by_labelled_rows, matrix_free
from lapwing.batch.wvgn.objective import Objective
from lapwing.batch.wvgn.rows import GeometricRows
from lapwing.batch.wvgn.wvgn import WVGN

__all__ = [
    "GeometricRows",
    "Objective",
    "WVGN",
    "by_labelled_rows",
    "matrix_free",
]
