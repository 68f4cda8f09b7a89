"""Matrices under the graph: Laplacians, eigenpairs, solves. Takes SciPy matrices, no Graph."""

from lapwing.linalg.laplacian import combinatorial_laplacian, normalized_laplacian
from lapwing.linalg.pseudoinverse import pseudoinverse
from lapwing.linalg.solver import LaplacianSolver
from lapwing.linalg.spectrum import low_spectrum

__all__ = [
    "LaplacianSolver",
    "combinatorial_laplacian",
    "low_spectrum",
    "normalized_laplacian",
    "pseudoinverse",
]
