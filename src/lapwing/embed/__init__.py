"""Embeddings of a graph, one vector per node, and the graph's geometry."""

from lapwing.embed.cache import RowCache, default_cache
from lapwing.embed.edgecluster import edge_clusters
from lapwing.embed.geometry.diameter import Between, geodesic_diameter, resistance_diameter
from lapwing.embed.geometry.measures import algebraic_connectivity, balance, cut_size, imbalance
from lapwing.embed.geometry.resistance import diagonal, resistances
from lapwing.embed.geometry.sketch import ResistanceSketch
from lapwing.embed.growing_rows import GrowingRows
from lapwing.embed.kernel import Kernel, kernel
from lapwing.embed.laplacian import laplacian, with_unit_rows
from lapwing.embed.modularity import modularity
from lapwing.embed.skipgram import deepwalk, node2vec, skip_gram
from lapwing.embed.walks import random_walks
from lapwing.embed.weight_unit import in_usual_unit

__all__ = [
    "GrowingRows",
    "Between",
    "Kernel",
    "ResistanceSketch",
    "RowCache",
    "algebraic_connectivity",
    "balance",
    "cut_size",
    "deepwalk",
    "default_cache",
    "diagonal",
    "edge_clusters",
    "geodesic_diameter",
    "imbalance",
    "in_usual_unit",
    "kernel",
    "laplacian",
    "modularity",
    "node2vec",
    "random_walks",
    "resistance_diameter",
    "resistances",
    "skip_gram",
    "with_unit_rows",
]
