"""Ask about the nodes that are most likely positive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np
from scipy.special import logit

from lapwing import checks
from lapwing.active.contracts import CanChooseSeveral, CanFollowLabels, Strategy
from lapwing.active.find.attribute_odds import AttributeOdds
from lapwing.active.find.guesses import NotedGuesses
from lapwing.active.find.position_odds import PositionOdds
from lapwing.active.reach.uncertain_reach import UncertainReach
from lapwing.active.ties import first_largest
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array, Index, Nodes

PRIOR = 0.05
"""The share of positive nodes that is assumed where no label reaches."""
DENSE = 30.0
"""Number of neighbours with which a node's position counts half before any answer."""
LATEST, FALLEN = 10, 0.5
"""The hit rate is that of the latest ten answers; below one half it has fallen."""
AHEAD, HORIZON = 40, 25
"""Candidates that are examined closely, and the questions after them that count."""


class ActiveSearch(CanFollowLabels, CanChooseSeveral):
    r"""Find as many nodes of the positive classes as possible.

    The probability of a node is read off the labels near it, off its attributes and off its
    position in the graph at large: with :math:`F_{v+}` the mass that positive labels have at v, and
    :math:`F_v` that of all labels (`UncertainReach`), :math:`o_v` the log odds of `AttributeOdds`
    and :math:`w_v` those of `PositionOdds`,

    .. math:: z_v = \operatorname{logit} \frac{F_{v+} + 0.05 \lambda}{F_v + \lambda} + o_v, \qquad
              p_v = \sigma(a z_v + c\, w_v + b) ,

    with a, b and c learned from the guesses before each answer (`NotedGuesses`). They begin with 1,
    0 and k / (k + 30), where k is the mean number of neighbours: the denser a graph, the less is
    told by what is near. The likeliest node is asked. Once fewer than half of the latest ten
    answers were positive, the 40 likeliest are compared by what asking them would bring: their own
    probability and the expected sum of the 25 largest probabilities after their answer (efficient
    nonmyopic search). While no positive node is known, the `usual` strategy chooses.

    Parameters
    ----------
    graph: the graph.
    labels: node to class, read at every call: what is known so far.
    positive: the classes to find.
    usual: what chooses while no positive node is known; by default an `UncertainReach`.
    columns: which attributes count (keywords of `attribute_rows`); None for none.
    cost: what a question costs, one number per node; worths are divided by it.
    ahead: candidates that are compared by looking ahead; 0 never looks ahead.
    horizon: how many questions after the next one count.
    seed: of the draw of unlabelled nodes that the attributes are compared with.

    Departures: the probabilities are our own; the paper looks ahead at every question, to the end
    of the budget, over all candidates that its bounds do not exclude.

    References
    ----------
    Jiang, Malkomes, Converse, Shofner, Moseley, Garnett. *Efficient nonmyopic active search.* ICML
    2017.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> labels = {5: 1, 0: 0}
    >>> ask = ActiveSearch(graph, labels, positive=[1])
    >>> ask(None, np.array([1, 2, 3, 4]))
    4
    >>> ask.chances(np.array([1, 2, 3, 4])).round(2).tolist()
    [0.32, 0.34, 0.54, 0.59]
    """

    def __init__(  # noqa: PLR0913 - every choice has a name of its own
        self,
        graph: Graph,
        labels: Mapping[int, int],
        *,
        positive: Sequence[int],
        usual: Strategy | None = None,
        columns: Mapping[str, Any] | None = None,
        cost: Array | None = None,
        ahead: int = AHEAD,
        horizon: int = HORIZON,
        seed: int = 0,
    ) -> None:
        wanted = [checks.one_label(label) for label in checks.several("positive", positive)]
        if not wanted:
            raise InputError("positive must name at least one class, got none")
        self.graph, self.labels = graph, labels
        self.positive = np.unique(np.array(wanted, dtype=np.intp))
        self.cost = checks.costs(cost, graph.n_nodes)
        self.ahead = checks.whole_number("ahead", ahead, 0)
        self.horizon = checks.whole_number("horizon", horizon, 1)
        reach = usual if isinstance(usual, UncertainReach) else None
        self.reach = reach or UncertainReach(graph, labels, cost=cost)
        self.usual: Strategy = self.reach if usual is None else usual
        table = graph if columns is not None else graph.with_node_table({})
        self.odds = AttributeOdds(table, columns or {}, seed=seed)
        self.positions = PositionOdds(graph, seed=seed)
        neighbours = graph.adjacency.nnz / max(graph.n_nodes, 1)
        self.noted = NotedGuesses((1.0, neighbours / (neighbours + DENSE)))
        self._told: dict[int, bool] = {}
        self._known: dict[int, int] = {}
        self._touched = np.zeros(graph.n_nodes, dtype=bool)

    def __call__(self, learner: Any, candidates: Nodes) -> int:
        """Return the node to ask about; ties go to the first."""
        given = checks.candidates(candidates, self.graph.n_nodes)
        self.refresh()
        if not self.knows_positive:
            return int(self.usual(learner, given))
        worth = self._worth(given)
        if not self.looks_ahead:
            return int(given[first_largest(worth)])
        best = given[np.argsort(-worth, kind="stable")[: self.ahead]]
        return int(best[first_largest(self._gains(best, given))])

    def several(self, candidates: Nodes, count: int, learner: Any = None) -> Nodes:
        """Choose several nodes at once: the likeliest, or what the usual strategy chooses."""
        given = checks.candidates(candidates, self.graph.n_nodes)
        count = checks.whole_number("count", count, 0)
        self.refresh()
        if not self.knows_positive:
            if isinstance(self.usual, CanChooseSeveral):
                return self.usual.several(given, count, learner)
            return given[:count]
        return given[np.argsort(-self._worth(given), kind="stable")[:count]]

    @property
    def knows_positive(self) -> bool:
        """Whether a positive node is known."""
        return any(self._told.values())

    @property
    def looks_ahead(self) -> bool:
        """Whether the next node is chosen by looking ahead: hits have become rare."""
        return self.ahead > 1 and self.knows_positive and self.hit_rate < FALLEN

    @property
    def hit_rate(self) -> float:
        """The share of positive answers among the latest ten; 1 while there are fewer."""
        latest = list(islice(reversed(self._told.values()), LATEST))
        return sum(latest) / LATEST if len(latest) == LATEST else 1.0

    def chances(self, nodes: Index) -> Array:
        """Return the calibrated probability of being positive of one node or several."""
        self.refresh()
        return self._chances(nodes)

    def _chances(self, nodes: Index) -> Array:
        return self.noted.chances(self._log_odds(nodes))

    def refresh(self, changed: int | None = None) -> None:
        """Process labels added, changed or removed since the last call (of one node if given)."""
        if changed is not None:
            self._refresh_one(changed)
        else:
            for node in [n for n, label in self._known.items() if self.labels.get(n) != label]:
                self._refresh_one(node)
            for node in [n for n in self.labels if n not in self._known]:
                self._refresh_one(checks.one_node(node, self.graph.n_nodes))

    def _refresh_one(self, node: int) -> None:
        before, label = self._known.pop(node, None), self.labels.get(node)
        self._told.pop(node, None)
        guess = self._log_odds(node) if before is None and self.knows_positive else None
        if label is not None:
            self._known[node] = checks.one_label(label)
            self._told[node] = label in self.positive
        if before == label:
            return
        for part in {id(each): each for each in (self.reach, self.usual)}.values():
            if isinstance(part, CanFollowLabels):
                part.refresh(node)
        if guess is not None and label is not None:
            self.noted.note(node, guess, self._told[node])
        else:
            self.noted.forget(node)
        self.odds.follow(self._told)
        self.positions.follow(self._told)

    def _log_odds(self, nodes: Index) -> Array:
        """What labels nearby and attributes say, and what the position says: two columns."""
        found, total = self.reach.masses(nodes, self.positive)
        near = self._near(found, total) + self.odds.at(nodes)
        return np.stack([near, self.positions.at(nodes)], axis=-1)

    def _near(self, found: Array, total: Array) -> Array:
        """The log odds from labels nearby; `total` can exceed the sum by rounding alone."""
        smoothing = self.reach.smoothing
        return np.asarray(
            logit((found + PRIOR * smoothing) / (np.maximum(total, found) + smoothing))
        )

    def _worth(self, nodes: Nodes) -> Array:
        chances = self._chances(nodes)
        return chances if self.cost is None else chances / self.cost[nodes]

    def _gains(self, nodes: Nodes, candidates: Nodes) -> Array:
        """Return what asking each of these nodes would bring, beyond asking none, per cost."""
        chances = np.zeros(self.graph.n_nodes)
        chances[candidates] = self._chances(candidates)
        order = candidates[np.argsort(-chances[candidates], kind="stable")]
        without = chances[order[: self.horizon]].sum()
        found = [
            self._outlook(node, chances, order, near, reach) - without
            for node, (near, reach) in self.reach.columns(nodes).items()
        ]
        gains = np.maximum(np.array(found), 0.0)
        return gains if self.cost is None else np.asarray(gains / self.cost[nodes])

    def _outlook(self, node: int, chances: Array, order: Nodes, near: Nodes, reach: Array) -> float:
        """Return the probability of a node plus the largest sum expected after its answer."""
        own = float(chances[node])
        mass, total = self.reach.masses(near, self.positive)
        odds, position = self.odds.at(near), self.positions.at(near)
        rest = self._beyond(order, near, node)
        outlook = own
        for weight, more in ((own, reach), (1.0 - own, 0.0)):
            nearby = self._near(mass + more, total + reach) + odds
            after = self.noted.chances(np.stack([nearby, position], axis=-1))
            after[(chances[near] == 0.0) | (near == node)] = 0.0
            pool = np.concatenate([chances[rest], after])
            top = np.partition(pool, max(len(pool) - self.horizon, 0))[-self.horizon :]
            outlook += weight * float(top.sum())
        return outlook

    def _beyond(self, order: Nodes, near: Nodes, node: int) -> Nodes:
        """The likeliest nodes that this answer does not reach, as many as can count."""
        head = order[: self.horizon + len(near) + 1]
        self._touched[near] = self._touched[node] = True
        rest = head[~self._touched[head]]
        self._touched[near] = self._touched[node] = False
        return rest
