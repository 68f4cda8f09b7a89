"""Batch classifiers: all known labels at once, the labels of all other nodes in return."""

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.heat import HeatKernel
from lapwing.batch.lgc import LGC
from lapwing.batch.multirankwalk import MultiRankWalk
from lapwing.batch.rn import RN
from lapwing.batch.wvgn import WVGN
from lapwing.batch.wvrn import WVRN

__all__ = [
    "GraphClassifier",
    "HeatKernel",
    "LGC",
    "MultiRankWalk",
    "RN",
    "WVGN",
    "WVRN",
]
