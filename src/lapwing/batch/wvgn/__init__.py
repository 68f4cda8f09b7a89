"""wvGN: classify nodes by where their random walks go (Ye et al. 2017)."""

from lapwing.batch.wvgn.exact import LabelledGram, by_labelled_rows, matrix_free
from lapwing.batch.wvgn.objective import Objective, Weights
from lapwing.batch.wvgn.rows import GeometricRows
from lapwing.batch.wvgn.wvgn import WVGN

__all__ = [
    "GeometricRows",
    "LabelledGram",
    "Objective",
    "WVGN",
    "Weights",
    "by_labelled_rows",
    "matrix_free",
]
