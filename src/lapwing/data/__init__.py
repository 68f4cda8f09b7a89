"""Data sets: published and bundled ones by name, and generators."""

from lapwing.data.dataset import Dataset
from lapwing.data.generators.blocks import stochastic_block_model
from lapwing.data.generators.hierarchy import hierarchical
from lapwing.data.generators.planted import planted_partition
from lapwing.data.generators.shapes import barbell, flower, noisy_barbell, octopus, thick_barbell
from lapwing.data.images import digits
from lapwing.data.karate_club import karate
from lapwing.data.neighbors import knn_graph
from lapwing.data.registry import DatasetEntry, available, catalog, fetch, is_present, load
from lapwing.deprecation import former_names

__all__ = [
    "Dataset",
    "DatasetEntry",
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

__getattr__ = former_names("lapwing.data", {"Entry": "DatasetEntry"})
