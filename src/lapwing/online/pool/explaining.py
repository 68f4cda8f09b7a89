"""Which labels, words and neighbours a prediction of the pool rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from lapwing.embed.attributes.rows import AttributeRows
from lapwing.graph import Graph
from lapwing.learner import Evidence
from lapwing.linalg.chebyshev import diffused
from lapwing.online.near_far.near_far import ALPHA
from lapwing.online.pool.roster import NEAR, POSITION, RAW
from lapwing.online.pool.row_expert import RowExpert
from lapwing.online.pool.views import sharpened
from lapwing.types import Array, Nodes

if TYPE_CHECKING:
    from lapwing.online.pool.pool import ExpertPool

MOST = 5
"""Number of labels and of features that are named."""
SMALLEST = 0.005
TOLERANCE = 1e-4


def evidence_of(pool: ExpertPool, node: int) -> Evidence:
    """Return what speaks for the most probable class of a node against the second."""
    if pool.known_classes().sum() < 2:
        return Evidence(note="no prediction before two classes have labels")
    chances = pool._predict_proba(node)
    second, first = np.argsort(chances, kind="stable")[-2:].tolist()
    if not chances[first]:
        return Evidence(note="no label reaches this node and it has no attributes")
    near = nearest_labels(pool.graph, pool.labels, node)
    raw = next((e for e in pool.experts if isinstance(e, RowExpert) and e.name == RAW), None)
    words = () if raw is None else own_features(pool.attributes, raw, node, (first, second))
    return Evidence(_parts(pool, node, first, second), near, words, _what_is_missing(pool, node))


def _what_is_missing(pool: ExpertPool, node: int) -> str:
    """Say that only attributes speak where no path leads to a label, however far it is."""
    places = pool.graph.components
    reached = any(places[other] == places[node] for other in pool.labels)
    return "" if reached else "no label reaches this node: the answer rests on its attributes alone"


def _parts(pool: ExpertPool, node: int, first: int, second: int) -> tuple[tuple[str, float], ...]:
    """Each expert's share of the log odds, over all views."""
    pull = _pulls(pool, np.array([node]), np.array([first]), np.array([second]))[:, 0]
    total = np.abs(pull).sum() or 1.0
    order = np.argsort(-np.abs(pull), kind="stable")
    shares = [(pool.experts[e].name, float(pull[e] / total)) for e in order.tolist()]
    return tuple((name, share) for name, share in shares if abs(share) >= SMALLEST)


def counted_experts(pool: ExpertPool, nodes: Nodes) -> dict[str, float]:
    """Return how much each expert counts: its share of all pulls at these nodes, by size."""
    chances = pool._predict_proba(nodes)
    if not len(nodes) or pool.known_classes().sum() < 2:
        return {}
    second, first = np.argsort(chances, axis=1, kind="stable")[:, -2:].T
    sizes = np.abs(_pulls(pool, nodes, first, second)).mean(axis=1)
    total = float(sizes.sum()) or 1.0
    order = np.argsort(-sizes, kind="stable").tolist()
    shares = {pool.experts[e].name: float(sizes[e]) / total for e in order}
    return {name: share for name, share in shares.items() if share >= SMALLEST}


def _pulls(pool: ExpertPool, nodes: Nodes, first: Nodes, second: Nodes) -> Array:
    """How far each expert moves each node's first class ahead of its second, in probability.

    The pulls of all experts add up to the lead of the first class in the balanced mixture;
    near-far's is shared by labels nearby and position, by their log odds.
    """
    thoughts, each = pool.thoughts(nodes), np.arange(len(nodes))
    views = pool.view_chances(nodes, thoughts)
    trust = np.where(views.any(axis=2), pool.trust[:, None], 0.0)
    trust /= np.where(trust.sum(axis=0) > 0, trust.sum(axis=0), 1.0)
    sharp = sharpened(thoughts, pool.sharpness, pool.known_classes())
    factors = pool.shares().lifts(pool.finish.power)
    total = np.einsum("vm,vmk,k->m", trust, views, factors)
    ahead, behind = (factors[k] / np.where(total > 0, total, 1.0) for k in (first, second))
    lead = ahead * sharp[:, each, first] - behind * sharp[:, each, second]
    pull = np.zeros_like(lead)
    for weight, view in zip(trust[1:], pool.views, strict=True):
        pull[view.experts] += weight * view.weights[:, None] * lead[view.experts]
    halves = [e for e, expert in enumerate(pool.experts) if expert.name in (NEAR, POSITION)]
    odds = np.abs(thoughts[:, each, first] - thoughts[:, each, second])[halves]
    own = trust[0] * (ahead * views[0, each, first] - behind * views[0, each, second])
    pull[halves] += own * odds / np.where(odds.sum(axis=0) > 0, odds.sum(axis=0), 1.0)
    return pull


def nearest_labels(
    graph: Graph, labels: Mapping[int, int], node: int
) -> tuple[tuple[int, float], ...]:
    """Return the labelled nodes whose mass at a node is largest, and their shares of it.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> [(label, round(share, 2)) for label, share in nearest_labels(path, {0: 0, 3: 1}, 1)]
    [(0, 0.54), (3, 0.46)]
    """
    known = np.array([other for other in labels if other != node], dtype=np.intp)
    degree = float(graph.degrees[node])
    if not len(known) or degree == 0.0:
        return ()
    source = np.zeros((graph.n_nodes, 1))
    source[node] = 1.0
    reach = diffused(graph.adjacency, source, alpha=ALPHA, tol=TOLERANCE)[known, 0]
    mass = np.maximum(reach, 0.0) * np.sqrt(graph.degrees[known])
    total = float(mass.sum())
    best = np.argsort(-mass, kind="stable")[:MOST]
    return tuple((int(known[at]), float(mass[at]) / total) for at in best if mass[at] > 0)


def own_features(
    attributes: AttributeRows, expert: RowExpert, node: int, classes: tuple[int, int]
) -> tuple[tuple[str, float], ...]:
    """Return the features of a node that speak most for the first class against the second."""
    column = {int(k): at for at, k in enumerate(expert.classes)}
    if not attributes.told[node] or not set(classes) <= set(column):
        return ()
    weights: Array = expert.weights[:, column[classes[0]]] - expert.weights[:, column[classes[1]]]
    row = attributes.features.matrix[[node]]
    length = float(np.linalg.norm(row @ attributes.directions)) or 1.0
    effect = row.data * (attributes.directions[row.indices] @ weights) / length
    best = np.argsort(-effect, kind="stable")[:MOST].tolist()
    name = attributes.features.name
    return tuple((name(row.indices[at]), float(effect[at])) for at in best if effect[at] > 0)
