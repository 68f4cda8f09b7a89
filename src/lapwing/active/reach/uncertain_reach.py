"""Choose the node that reaches the most uncertainty."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from lapwing import checks
from lapwing.active.contracts import CanAvoidHubs, CanChooseSeveral, CanFollowLabels
from lapwing.active.reach.doubt_sum import LARGE, DoubtSum
from lapwing.active.reach.look_ahead import expected_gain, faded_doubt, products, reach_of
from lapwing.active.ties import first_largest, largest_places
from lapwing.graph import Graph
from lapwing.linalg.push.kernel_columns import scratch_arrays
from lapwing.linalg.push.masses import mean_mass
from lapwing.linalg.push.spare_space import widened
from lapwing.types import Array, Index, Nodes

FEWEST = 20
"""Number of candidates that are examined closely while fewer labels are known."""
BALANCE = 0.25
"""b: how fast a label's weight decreases with its node's degree."""
SMOOTHING, FADING = 25.0, 1 / 60.0
"""lambda and beta, for masses in units of the mean mass that a label leaves on a node."""
TINY = 100
"""Compiled code is loaded in advance for graphs of up to this many nodes."""
HUB = 2.0
"""A hub has more than this many times the mean degree."""
EPS, ROUGHER_EPS = 2e-5, 6e-5
"""Residuals allowed in masses, on small graphs and on large ones."""
LOOK = 5.0
"""The factor by which residuals can be larger in columns that only rank nodes."""


class UncertainReach(CanFollowLabels, CanChooseSeveral, CanAvoidHubs):
    r"""Ask for the label that reduces expected errors most, among nodes that reach much doubt.

    With R the personalised PageRank matrix (:math:`R_{vc}`: how much of v's walk ends at c, times
    :math:`d_c^{-b}`) and the mass :math:`F_{vk}` that labels of class k have at v, doubt and score
    are

    .. math:: m_v = 1 - \frac{F_{v(1)} - F_{v(2)}}{\sum_k F_{vk} + \lambda}, \qquad
              \mathrm{score}_c = m_c \sum_v R_{vc}\, m_v e^{-\beta \sum_k F_{vk}} .

    The smoothing :math:`\lambda` keeps a node that hardly any label reaches in doubt, so that
    regions and components without labels come early; from zero labels, the score is a node's
    PageRank. Once two classes are known, the best by score are examined closely, one answer ahead
    (`gains`): the class of c is drawn with its probabilities :math:`p_{ck} = (F_{ck} + \lambda / K)
    / (\sum_j F_{cj} + \lambda)`, its column of R added to that class, and the candidate with the
    largest drop of the expected number of errors :math:`\sum_v (1 - \max_k p_{vk})` wins. Here
    the masses of class k are multiplied by :math:`\sqrt{\bar S / S_k}`, with :math:`S_k` their sum
    over all nodes and :math:`\bar S` the mean of these sums. Otherwise the class with the most
    labels wins everywhere on a graph of small diameter, and asking for it again and again seems to
    reduce errors most.
    Masses, scores and columns are kept up to date by pushes: an answer costs local work.

    Departures: the score is our own; looking ahead is expected error reduction (Zhu, Lafferty and
    Ghahramani 2003) on walks in place of harmonic functions, for a few candidates.

    Parameters
    ----------
    graph: the graph.
    labels: node to class, read at every call: what is known so far.
    alpha: how far a label reaches.
    smoothing: :math:`\lambda`. fading: :math:`\beta`, how fast covered nodes stop counting. None:
        25 and 1/60 for masses as multiples of what a label leaves on a node on average
        (`mean_mass`), so that the same share of labels means the same on any graph.
    ahead: the largest number of candidates to examine closely; 0 for none. The number used is that
        of the known labels, but at least 20: with few labels the probabilities are rough.
    cost: what a question costs, one number per node; scores and gains are divided by it.
    eps: the residual allowed in masses; None for 2e-5, and 6e-5 above 25,000 nodes.

    Examples
    --------
    Two triangles joined by an edge: first one end of it, then the other.

    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> labels: dict[int, int] = {}
    >>> ask = UncertainReach(graph, labels)
    >>> ask(None, np.arange(6))
    2
    >>> labels[2] = 0
    >>> ask(None, np.array([0, 1, 3, 4, 5]))
    3
    """

    def __init__(
        self,
        graph: Graph,
        labels: Mapping[int, int],
        *,
        alpha: float = 0.95,
        smoothing: float | None = None,
        fading: float | None = None,
        ahead: int = 100,
        cost: Array | None = None,
        eps: float | None = None,
    ) -> None:
        checks.strictly_between("alpha", alpha, 0, 1)
        self.graph, self.labels = graph, labels
        n = graph.n_nodes
        self.smoothing = SMOOTHING * mean_mass(n) if smoothing is None else smoothing
        self.fading = FADING / mean_mass(n) if fading is None else fading
        usual = ROUGHER_EPS if n > LARGE else EPS
        self.alpha, self.ahead, self.eps = alpha, ahead, usual if eps is None else eps
        self.cost = checks.costs(cost, n)
        degrees = np.where(graph.degrees > 0, graph.degrees, 1.0)
        self._weight = (degrees / degrees.mean()) ** -BALANCE
        self._sum = DoubtSum(graph, alpha=alpha, eps=self.eps)
        self._scale = self._weight * self._sum.system.diagonal
        self._told: dict[int, int] = {}
        self._mass = np.zeros((n, 2), dtype=np.float32 if n > LARGE else np.float64)
        self._total = np.zeros(n)
        self._spread = np.zeros(2)
        self._columns: dict[int, tuple[Nodes, Array]] = {}
        self._doubt = np.ones(n)
        self._room = scratch_arrays(n)
        if n > TINY:
            _load_compiled(self._mass.dtype.name)

    def __call__(self, learner: Any, candidates: Nodes) -> int:  # noqa: ARG002 - a strategy's form
        """Return the best candidate; ties go to the first."""
        given = checks.candidates(candidates, self.graph.n_nodes)
        self.refresh()
        return self._best(given)

    def scores(self, nodes: Nodes) -> Array:
        """Return the score of each of these nodes, without looking ahead."""
        sums = self._sum.system.solution[:, 0]
        return self._per_cost(products(nodes, self._scale, sums, self._doubt), nodes)

    def gains(self, nodes: Nodes) -> Array:
        """Return how much the answer of each node would reduce the expected number of errors."""
        factors = self._factors()
        found = [
            expected_gain(self._mass, factors, self.smoothing, node, *column)
            for node, column in self.columns(nodes).items()
        ]
        return self._per_cost(np.array(found), nodes)

    def _factors(self) -> Array:
        """Return what the masses of each class are multiplied by in looking ahead."""
        known = np.isin(np.arange(len(self._spread)), list(self._told.values()))
        mean = float(self._spread[known].mean()) if known.any() else 1.0
        return np.sqrt(mean / np.where(known, self._spread, mean))

    def columns(self, nodes: Nodes) -> dict[int, tuple[Nodes, Array]]:
        """Return, for each of these nodes, the nodes that its label would reach, and how much."""
        self._columns = {
            node: self._columns.get(node) or self._column(node, LOOK * self.eps)
            for node in nodes.tolist()
        }
        return self._columns

    def masses(self, nodes: Index, classes: Nodes) -> tuple[Array, Array]:
        """Return the mass that labels of these classes have at nodes, and that of all labels."""
        known = classes[classes < self._mass.shape[1]]
        at = np.asarray(nodes, dtype=np.intp)
        mass = np.maximum(self._mass[at[..., None], known], 0.0).sum(axis=-1)
        return mass, self._total[at]

    def _best(self, candidates: Nodes) -> int:
        """Return the best by score; once two classes are known, look ahead among the best."""
        scores = self.scores(candidates)
        count = min(max(len(self._told), FEWEST), self.ahead)
        if count < 2 or len(set(self._told.values())) < 2:
            return int(candidates[first_largest(scores)])
        seen = candidates[largest_places(scores, count)]
        return int(seen[first_largest(self.gains(seen))])

    def _per_cost(self, worth: Array, nodes: Nodes) -> Array:
        return worth if self.cost is None else worth / self.cost[nodes]

    def several(self, candidates: Nodes, count: int, learner: Any = None) -> Nodes:  # noqa: ARG002 - the contract's form
        """Choose several nodes at once, each as if the previous ones had been answered."""
        left = checks.candidates(candidates, self.graph.n_nodes)
        count = checks.whole_number("count", count, 0)
        self.refresh()
        ahead = copy.copy(self)
        ahead.labels = ahead._told = dict(self._told)
        for name in ("_mass", "_total", "_spread", "_doubt"):
            setattr(ahead, name, getattr(self, name).copy())
        ahead._sum = self._sum.twin()
        chosen: list[int] = []
        for _ in range(min(count, len(left))):
            node = ahead._best(left)
            chosen.append(node)
            left = left[left != node]
            ahead._told[node] = guess = int(np.argmax(ahead._mass[node]))
            ahead._add(node, guess, 1.0)
        return np.array(chosen, dtype=np.intp)

    def without_hubs(self, candidates: Nodes) -> Nodes:
        """Return the candidates with at most twice the mean degree; all if there are none."""
        degrees = self.graph.degrees
        left = candidates[degrees[candidates] <= HUB * degrees.mean()]
        return left if len(left) else candidates

    def refresh(self, changed: int | None = None) -> None:
        """Process labels added, changed or removed since the last call (of one node if given)."""
        if changed is not None:
            self._refresh_one(changed)
            return
        for node, label in list(self._told.items()):
            if self.labels.get(node) != label:
                self._add(node, label, -1.0)
                del self._told[node]
        for node in [n for n in self.labels if n not in self._told]:
            label = checks.one_label(self.labels[node])
            self._add(checks.one_node(node, self.graph.n_nodes), label, 1.0)
            self._told[node] = label

    def _refresh_one(self, node: int) -> None:
        before, now = self._told.get(node), self.labels.get(node)
        if before == now:
            return
        if before is not None:
            self._add(node, before, -1.0)
            del self._told[node]
        if now is not None:
            self._told[node] = now
            self._add(node, now, 1.0)

    def _add(self, node: int, label: int, sign: float) -> None:
        """Spread the mass of one label, then update the sum of reached doubt."""
        if label >= self._mass.shape[1]:
            self._mass = widened(self._mass, label + 1)
            self._spread = np.pad(self._spread, (0, self._mass.shape[1] - len(self._spread)))
        near, reach = self._column(node, self.eps)
        self._mass[near, label] += sign * reach
        self._spread[label] += sign * reach.sum()
        self._renew(near)

    def _column(self, node: int, eps: float) -> tuple[Nodes, Array]:
        """Return the nodes that a label of this node would reach, and how much of it."""
        amount = (1.0 - self.alpha) * self._weight[node]
        near, reach = reach_of(self._sum.system, node, amount, eps, self._room)
        return near, reach

    def _renew(self, near: Nodes) -> None:
        how = (self.smoothing, self.fading)
        source = faded_doubt(self._mass, near, *how, self._total, self._doubt)
        self._sum.change(near, source)


@cache
def _load_compiled(kind: str) -> None:
    """Load compiled code in advance, on a path of four nodes, so that no answer waits for it."""
    tiny = UncertainReach(Graph.from_edges([(0, 1), (1, 2), (2, 3)]), {0: 0, 1: 1})
    tiny._mass = tiny._mass.astype(kind)
    tiny(None, np.array([2, 3]))
