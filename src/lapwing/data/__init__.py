"""Data sets: published ones by name, bundled ones, and generators."""

from lapwing.data.dataset import Dataset
from lapwing.data.images import digits
from lapwing.data.karate import karate
from lapwing.data.names import Entry, available, catalog, fetch, is_present, load
from lapwing.data.neighbors import knn_graph

__all__ = [
    "Dataset",
    "Entry",
    "available",
    "catalog",
    "digits",
    "fetch",
    "is_present",
    "karate",
    "knn_graph",
    "load",
]
