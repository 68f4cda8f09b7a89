"""Learn the labels of a graph's nodes from as few labels as possible."""

from lapwing.catalog import make
from lapwing.graph import Graph
from lapwing.io import read_graph
from lapwing.play import play

__version__ = "0.1.0"

__all__ = ["Graph", "make", "play", "read_graph"]
