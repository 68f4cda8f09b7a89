"""Batch classifiers: learn all known labels at once and predict all other nodes."""

from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.diffusion.heat import HeatKernel
from lapwing.batch.diffusion.lgc import LGC
from lapwing.batch.diffusion.llgc import LLGC
from lapwing.batch.diffusion.multirankwalk import MultiRankWalk
from lapwing.batch.embedding.deepwalk import DeepWalk
from lapwing.batch.embedding.edgecluster import EdgeCluster
from lapwing.batch.embedding.node2vec import Node2Vec
from lapwing.batch.embedding.socdim import SocDim
from lapwing.batch.neighbors.rn import RN
from lapwing.batch.neighbors.scrn import SCRN
from lapwing.batch.neighbors.snbc import SNBC
from lapwing.batch.neighbors.wvrn import WVRN
from lapwing.batch.svm.lapsvm import LapSVM
from lapwing.batch.svm.tsvm import TSVM
from lapwing.batch.wvgn import WVGN

__all__ = [
    "DeepWalk",
    "EdgeCluster",
    "GraphClassifier",
    "HeatKernel",
    "LGC",
    "LLGC",
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
