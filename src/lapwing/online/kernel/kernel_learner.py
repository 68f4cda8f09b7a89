"""The base class of kernel learners: a hypothesis in the span of the kernel."""

from __future__ import annotations

from lapwing.checks import node_or_nodes
from lapwing.learner import BinaryLearner, HasKernel
from lapwing.online.kernel.columns import KernelColumns
from lapwing.online.kernel.expansion import span_of
from lapwing.types import Array, Index


class KernelLearner(BinaryLearner, HasKernel):
    """A binary learner whose margin is a function g in the span of a kernel's columns.

    Parameters
    ----------
    kernel
        Rows X, shape ``(n, d)``, for K = XX', or `KernelColumns` of K.
    c
        Added to K's diagonal, Herbster and Pontil's (2006) Eq. (10); at least 0.
    start
        The first hypothesis: one number per column of the rows, or, on `KernelColumns`, one per
        node; zero unless given.
    """

    fixed_because = "its kernel is that of one graph"

    def __init__(
        self, kernel: Array | KernelColumns, *, c: float = 0.0, start: Array | None = None
    ) -> None:
        self.span = span_of(kernel, c=c, start=start)
        self.n_nodes = self.span.n_nodes

    def _margin(self, nodes: Index) -> Array:
        return self.span.values(nodes)

    def norms(self, nodes: Index) -> Array:
        """Return K_ii, the squared norm of each node's kernel column."""
        return self.span.norms(node_or_nodes(nodes, self.n_nodes))
