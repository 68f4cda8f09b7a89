"""Batch classifiers: all known labels at once, the labels of all other nodes in return."""

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.deepwalk import DeepWalk
from lapwing.batch.edgecluster import EdgeCluster
from lapwing.batch.heat import HeatKernel
from lapwing.batch.lapsvm import LapSVM
from lapwing.batch.lgc import LGC
from lapwing.batch.multirankwalk import MultiRankWalk
from lapwing.batch.node2vec import Node2Vec
from lapwing.batch.rn import RN
from lapwing.batch.scrn import SCRN
from lapwing.batch.snbc import SNBC
from lapwing.batch.socdim import SocDim
from lapwing.batch.tsvm import TSVM
from lapwing.batch.wvgn import WVGN
from lapwing.batch.wvrn import WVRN

__all__ = [
    "DeepWalk",
    "EdgeCluster",
    "GraphClassifier",
    "HeatKernel",
    "LGC",
    "LapSVM",
    "MultiRankWalk",
    "Node2Vec",
    "RN",
    "SCRN",
    "SNBC",
    "SocDim",
    "TSVM",
    "WVGN",
    "WVRN",
]
