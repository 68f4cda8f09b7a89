"""Geometry of a graph: distances, resistances, diameters and cuts."""
