"""The immutable graph: the domain everything else is defined on."""

from lapwing.graph.construction import Notes
from lapwing.graph.graph import Graph
from lapwing.graph.names import Names

__all__ = ["Graph", "Names", "Notes"]
