"""Act-st: choose the node whose label, whatever it is, changes the hypothesis most."""

from __future__ import annotations

import numpy as np

from lapwing import checks
from lapwing.active.active_phase import binary_parts
from lapwing.active.ties import first_largest
from lapwing.errors import InputError
from lapwing.learner import BinaryLearner, HasKernel, Learner
from lapwing.types import Array, Nodes


def act_st(learner: Learner | BinaryLearner, candidates: Nodes) -> int:
    """Return the candidate i with the largest (min(|g_i|, 1) - 1)^2 / K_ii.

    Criterion (15) of Herbster, Pontil and Wainer (2005): the least progress, over both labels,
    of a projection onto the half-space of i. It prefers central nodes (small K_ii) far from
    labelled ones (small margin |g_i|). On columns solved on demand, K_ii is the kernel's own
    estimate. With several classes the classes' progress is added. Ties go to the first candidate.

    References
    ----------
    Herbster, Pontil, Wainer. *Online learning over graphs.* ICML 2005.

    Examples
    --------
    Two triangles joined by an edge: first one end of that edge, then a corner of the other
    triangle, where least is known.

    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> from lapwing.online import Projections
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Projections(laplacian(graph, rank=None), aggressive=True)
    >>> act_st(learner, np.arange(6))
    2
    >>> learner.learn(2, +1)
    >>> act_st(learner, np.array([0, 1, 3, 4, 5]))
    3
    """
    candidates = checks.candidates(candidates)
    progress = np.zeros(len(candidates))
    for part in binary_parts(learner):
        short = 1.0 - np.minimum(np.abs(part.margin(candidates)), 1.0)
        progress += np.divide(
            short**2,
            _norms(part, candidates),
            out=np.zeros_like(progress),
            where=_norms(part, candidates) > 0,
        )
    return int(candidates[first_largest(progress)])


def _norms(learner: BinaryLearner, nodes: Nodes) -> Array:
    if isinstance(learner, HasKernel):
        return learner.norms(nodes)
    raise InputError(
        f"act_st needs a learner with `norms` (the diagonal of its kernel), "
        f"{type(learner).__name__} has none"
    )
