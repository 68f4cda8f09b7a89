"""Whether the bounds of recall hold in real searches, and how wide they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.goals.finding import Pair, problem
from lapwing.active import ActiveSearch, AuditDraw, hits_to_come, recall_estimate
from lapwing.session import AUDIT_SHARE
from lapwing.session.log.auditing.recall import drawn_audit, search_audit_share

PAIRS = (
    Pair("cora", 214), Pair("cora", 131), Pair("citeseer", 115), Pair("digits", 174),
    Pair("chameleon", 134), Pair("texas", 18),
)  # fmt: skip
KNOWN, QUESTIONS, EVERY = 0.6, 120, 10
"""The share of positive nodes known at the start, the questions, and how often one looks."""


def simulated(pair: Pair, seed: int) -> dict[str, Any]:
    """One search that is well on its way, with audits as a session draws them."""
    graph, positive = problem(pair)
    rng = np.random.default_rng(seed)
    everyone, total = rng.permutation(np.flatnonzero(positive)), int(positive.sum())
    known = dict.fromkeys(everyone[: round(KNOWN * total)].tolist(), 1)
    ask = ActiveSearch(graph, known, positive=[1], ahead=0, seed=seed)
    left = np.setdiff1d(np.arange(graph.n_nodes), list(known))
    draws: list[AuditDraw] = []
    held, found, hits = True, len(known), list[bool]()
    for turn in range(1, min(QUESTIONS, graph.n_nodes // 2) + 1):
        ask.refresh()
        if rng.random() < search_audit_share(AUDIT_SHARE, ask):
            node, how = drawn_audit(rng, ask, left)
            draws.append(
                AuditDraw(bool(positive[node]), how["chance"], how["least"], found, len(left))
            )
        else:
            node = ask(None, left)
            hits.append(bool(positive[node]))
        left = left[left != node]
        known[node] = int(positive[node])
        found += known[node]
        if turn % EVERY == 0:
            expected, fading = float(ask.chances(left).sum()), hits_to_come(hits, len(left))
            expected = expected if fading is None else min(expected, fading)
            claim = recall_estimate(draws, found=found, left=len(left), expected=expected)
            held = held and claim.fewest <= total <= claim.most
    return {
        "graph": pair.graph, "size": pair.size, "seed": seed, "held": held,
        "audits": len(draws), "recall": found / total, "estimate": claim.estimate,
        "lower": claim.lower, "upper": claim.upper,
    }  # fmt: skip
