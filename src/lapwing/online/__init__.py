"""Online learners, one algorithm per file."""

from lapwing.online.gpa import GPA
from lapwing.online.halving.halving import Halving
from lapwing.online.knn import KNN
from lapwing.online.mixture.mixture import Mixture
from lapwing.online.mni import MNI
from lapwing.online.molg import MOLG
from lapwing.online.msg import MSG
from lapwing.online.multiclass_gpa import MulticlassGPA
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.ollgc import OLLGC
from lapwing.online.one_vs_rest import OneVsRest
from lapwing.online.oslg import OSLG
from lapwing.online.perceptron import Perceptron
from lapwing.online.pool.pool import ExpertPool
from lapwing.online.projections import Projections
from lapwing.online.random_sampling import RandomSampling
from lapwing.online.shared_ridge import SharedRidge
from lapwing.online.sslgc import SSLGC

__all__ = [
    "ExpertPool",
    "GPA",
    "Halving",
    "KNN",
    "MNI",
    "MOLG",
    "MSG",
    "Mixture",
    "MulticlassGPA",
    "NearFar",
    "OLLGC",
    "OSLG",
    "OneVsRest",
    "Perceptron",
    "Projections",
    "RandomSampling",
    "SSLGC",
    "SharedRidge",
]
