"""Rows from a graph: one vector a node, whose inner products are a kernel; and its geometry."""

from lapwing.embed.cache import RowCache, default_cache
from lapwing.embed.diameter import Between, geodesic_diameter, resistance_diameter
from lapwing.embed.kernel import Kernel, kernel
from lapwing.embed.laplacian import laplacian, with_unit_rows
from lapwing.embed.measures import algebraic_connectivity, balance, cut_size, imbalance
from lapwing.embed.resistance import diagonal, resistances
from lapwing.embed.sketch import ResistanceSketch

__all__ = [
    "Between",
    "Kernel",
    "ResistanceSketch",
    "RowCache",
    "algebraic_connectivity",
    "balance",
    "cut_size",
    "default_cache",
    "diagonal",
    "geodesic_diameter",
    "imbalance",
    "kernel",
    "laplacian",
    "resistance_diameter",
    "resistances",
    "with_unit_rows",
]
