"""Data sets: published ones by name, bundled ones, and generators."""

from lapwing.data.blocks import stochastic_block_model
from lapwing.data.dataset import Dataset
from lapwing.data.hierarchy import hierarchical
from lapwing.data.images import digits
from lapwing.data.names import Entry, available, catalog, fetch, is_present, load
from lapwing.data.neighbors import knn_graph
from lapwing.data.planted import planted_partition
from lapwing.data.shapes import barbell, flower, noisy_barbell, octopus, thick_barbell
from lapwing.data.zachary import karate

__all__ = [
    "Dataset",
    "Entry",
    "available",
    "barbell",
    "catalog",
    "digits",
    "fetch",
    "flower",
    "hierarchical",
    "is_present",
    "karate",
    "knn_graph",
    "load",
    "noisy_barbell",
    "octopus",
    "planted_partition",
    "stochastic_block_model",
    "thick_barbell",
]
