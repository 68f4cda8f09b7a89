"""Solves with a graph's Laplacian: elimination, preconditioners, conjugate gradients."""
