"""Learn the labels of a graph's nodes from as few labels as possible."""

from lapwing.graph import Graph

__version__ = "0.1.0"

__all__ = ["Graph"]
