"""Read and write graphs, labels and tables; one file per format."""

from lapwing.graph import Labels
from lapwing.io.files import write_text
from lapwing.io.labels import read_labels, write_labels
from lapwing.io.nodes import described_graph, read_nodes, write_nodes
from lapwing.io.read import read_graph
from lapwing.io.tables import checked_output, table_text, write_table
from lapwing.io.write import write_graph

__all__ = [
    "Labels",
    "checked_output",
    "described_graph",
    "read_graph",
    "read_labels",
    "read_nodes",
    "table_text",
    "write_graph",
    "write_labels",
    "write_nodes",
    "write_table",
    "write_text",
]
