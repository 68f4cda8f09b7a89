"""What every audit says about the number of nodes of a class."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np

from lapwing.active import ActiveSearch, AuditDraw, Strategy
from lapwing.active.find.search import FALLEN
from lapwing.types import Nodes

TILT = 0.1
"""The share of audits in a search that are drawn by probability; the others are uniform. Each such
share lowers what audits without a hit prove by as much."""
RARE, PROVING_SHARE = 0.1, 0.5
"""Below this hit rate every second question is an audit: more questions would hardly find more."""


class Pool(NamedTuple):
    """What an audit was drawn from: what was known then, and with which probability."""

    guess: int
    labelled: int
    counts: dict[int, int]
    added: int
    detail: Mapping[str, Any]
    number: int = 0


class RecallAudits:
    """The answered audits of a session with what they were drawn from, for `recall_estimate`.

    Audits are uniform draws unless the log says otherwise (``detail["chance"]``). Nodes that were
    added to the graph after an audit could not be drawn.

    Examples
    --------
    >>> audits = RecallAudits()
    >>> audits.note_drawn(3, {"guess": 0, "audit": True}, {0: 2})
    >>> audits.note_answered(3)
    >>> audits.draws({3: 1}, [1], n_nodes=12)
    [AuditDraw(positive=True, chance=0.1, least=0.1, found=0, left=10, aside=0)]
    """

    def __init__(self) -> None:
        self._drawn: dict[int, Pool] = {}
        self.answered: dict[int, Pool] = {}
        self.added = 0
        self._n_drawn = 0

    def note_drawn(self, node: int, detail: Mapping[str, Any], counts: Mapping[int, int]) -> None:
        """Note an audit, given the number of nodes labelled with each class."""
        known = sum(counts.values())
        self._n_drawn += 1
        self._drawn[node] = Pool(
            int(detail["guess"]), known, dict(counts), self.added, detail, self._n_drawn
        )

    def note_answered(self, node: int) -> None:
        """Note that an audit was answered."""
        if node in self._drawn:
            self.answered[node] = self._drawn.pop(node)

    def add_nodes(self, count: int) -> None:
        """Note that the graph has this many more nodes."""
        self.added += count

    def draws(
        self,
        labels: Mapping[int, int],
        classes: Collection[int],
        n_nodes: int,
        never: int = 0,
    ) -> list[AuditDraw]:
        """Return the audits as draws that found one of these classes or not.

        `never` nodes are never asked about; `n_nodes` and `labels` are those of now.
        """
        found = []
        for node, pool in self.answered.items():
            if node not in labels:
                continue
            later = self.added - pool.added
            left = max(n_nodes - later - never - pool.labelled, 1)
            detail = pool.detail
            found.append(
                AuditDraw(
                    labels[node] in classes,
                    float(detail.get("chance", 1.0 / left)),
                    float(detail.get("least", 1.0 / left)),
                    sum(pool.counts.get(label, 0) for label in classes),
                    int(detail.get("left", left)),
                    int(detail.get("aside", 0)) + later,
                )
            )
        return found


def unlabelled(labels: Collection[int], header: Mapping[str, Any], n_nodes: int) -> int:
    """Return the number of nodes without a label that may be asked about at all.

    Examples
    --------
    >>> unlabelled({2: 0}, {"forbidden": [0, 2]}, 10)
    8
    """
    never = sum(node not in labels for node in set(header.get("forbidden", ())))
    return n_nodes - len(labels) - never


def search_audit_share(
    share: float, search: ActiveSearch, left: Nodes | None = None, target: float | None = None
) -> float:
    """Return the share of audits in a search: none while hits are frequent, more once rare.

    With a `target` recall, there are also more once the probabilities of the nodes `left` say that
    it is reached: then it is to be proven. This depends only on the past, so `recall_estimate`
    remains valid.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> search = ActiveSearch(Graph.from_edges([(0, 1)]), {0: 1}, positive=[1])
    >>> search_audit_share(0.2, search)
    0.0
    >>> search_audit_share(0.2, search, np.array([1]), target=0.4)
    0.5
    """
    if share == 0.0:
        return 0.0
    if target is not None and left is not None and _expected_recall(search, left) >= target:
        return max(share, PROVING_SHARE)
    if search.hit_rate >= FALLEN:
        return 0.0
    return max(share, PROVING_SHARE) if search.hit_rate < RARE else share


def _expected_recall(search: ActiveSearch, left: Nodes) -> float:
    """The share found, if as many are hidden as the probabilities say."""
    wanted = set(search.positive.tolist())
    found = sum(label in wanted for label in search.labels.values())
    return found / (found + float(search.chances(left).sum())) if found else 0.0


def drawn_audit(
    rng: np.random.Generator, strategy: Strategy, left: Nodes
) -> tuple[int, dict[str, Any]]:
    """Draw an audit and say how: uniformly, but in a search one in ten by probability.

    ``chance`` is the node's probability of being drawn either way.
    """
    if not isinstance(strategy, ActiveSearch) or not strategy.knows_positive:
        return int(rng.choice(left)), {}
    tilted = bool(rng.random() < TILT)
    weights = strategy.chances(left)
    weights = weights / weights.sum()
    node = int(rng.choice(left, p=weights) if tilted else rng.choice(left))
    chances = TILT * weights + (1.0 - TILT) / len(left)
    detail = {
        "chance": float(chances[np.flatnonzero(left == node)[0]]),
        "least": float(chances.min()),
        "left": len(left),
    }
    return node, detail | ({"tilted": True} if tilted else {})
