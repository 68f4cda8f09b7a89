"""Online learners, one algorithm a file."""

from lapwing.online.halving import Halving
from lapwing.online.knn import KNN
from lapwing.online.mni import MNI
from lapwing.online.ollgc import OLLGC
from lapwing.online.one_vs_rest import OneVsRest
from lapwing.online.perceptron import Perceptron
from lapwing.online.projections import Projections

__all__ = [
    "Halving",
    "KNN",
    "MNI",
    "OLLGC",
    "OneVsRest",
    "Perceptron",
    "Projections",
]
