"""Rows from a graph: one vector a node, whose inner products are a kernel."""

from lapwing.embed.laplacian import laplacian, with_unit_rows

__all__ = ["laplacian", "with_unit_rows"]
