"""Act-mu: choose the node with the smallest margin."""

from __future__ import annotations

import numpy as np

from lapwing import checks
from lapwing.active.ties import first_largest
from lapwing.learner import BinaryLearner, Learner
from lapwing.types import Nodes


def act_mu(learner: Learner | BinaryLearner, candidates: Nodes) -> int:
    """Return the candidate with the smallest margin |g_i|.

    Section 6 of Herbster, Pontil and Wainer (2005), after Tong and Koller (2000). With several
    classes: the smallest gap between the two best scores. Ties go to the first candidate, so a
    learner without labels asks in the given order.

    References
    ----------
    Herbster, Pontil, Wainer. *Online learning over graphs.* ICML 2005.

    Examples
    --------
    >>> from lapwing.embed import laplacian
    >>> from lapwing.graph import Graph
    >>> from lapwing.online import Projections
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = Projections(laplacian(graph, rank=None))
    >>> learner.learn(0, +1)
    >>> act_mu(learner, np.arange(1, 6))
    2
    """
    candidates = checks.candidates(candidates)
    if isinstance(learner, BinaryLearner):
        return int(candidates[first_largest(-np.abs(learner.margin(candidates)))])
    if learner.n_classes < 2:
        return int(candidates[first_largest(-np.abs(learner.scores(candidates)).sum(axis=-1))])
    best = np.partition(learner.scores(candidates), -2, axis=-1)[..., -2:]
    return int(candidates[first_largest(best[:, 0] - best[:, 1])])
