"""The smallest eigenpairs of a Laplacian, by a method suited to the graph."""
