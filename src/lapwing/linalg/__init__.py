"""Linear algebra on SciPy matrices: Laplacians, eigenpairs, solves and pushes."""

from lapwing.linalg.eigen.spectrum import low_spectrum
from lapwing.linalg.laplacian import combinatorial_laplacian, normalized_laplacian
from lapwing.linalg.solve.laplacian_solver import LaplacianSolver
from lapwing.linalg.solve.pseudoinverse import pseudoinverse

__all__ = [
    "LaplacianSolver",
    "combinatorial_laplacian",
    "low_spectrum",
    "normalized_laplacian",
    "pseudoinverse",
]
