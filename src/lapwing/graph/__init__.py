"""The immutable graph, its nodes' names, and what is known of their classes."""

from lapwing.graph.construction import Notes
from lapwing.graph.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.graph.names import Names
from lapwing.graph.node_table import NodeTable

__all__ = ["Graph", "Labels", "Names", "NodeTable", "Notes"]
