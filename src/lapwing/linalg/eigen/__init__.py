"""Eigenpairs: the low end of a Laplacian's spectrum, by the method that fits the graph."""
