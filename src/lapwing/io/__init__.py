"""Readers and writers of graphs and labels: one format, one file."""

from lapwing.io.labels import Labels, read_labels, write_labels
from lapwing.io.read import read_graph
from lapwing.io.write import write_graph

__all__ = ["Labels", "read_graph", "read_labels", "write_graph", "write_labels"]
