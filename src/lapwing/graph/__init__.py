"""The immutable graph, the names of its nodes, their table and their labels."""

from lapwing.graph.construction import Notes
from lapwing.graph.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.graph.names import Names
from lapwing.graph.node_table import NodeTable

__all__ = ["Graph", "Labels", "Names", "NodeTable", "Notes"]
