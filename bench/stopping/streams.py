"""Streams of audits at a true error equal to the target, the hardest case for a claim."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.active import StakedAudit, audit_plan, log_wealth
from lapwing.types import Array

NODES, AUDITS = 4000, 300
TARGETS = (0.05, 0.1, 0.25)
DOUBTS = ("true", "reversed", "none")
"""What doubt tells about errors: where they are, where they are not, or nothing."""
GOAL = float(np.log(20.0))


def stream(target: float, seed: int) -> dict[str, Any]:
    """Audits drawn and staked as in a session that hopes for half of the target.

    So many errors are added to those of the target as audits will find, so the error never falls
    below the target before the stream ends; every stop is false.
    """
    doubt = DOUBTS[seed % len(DOUBTS)]
    rng = np.random.default_rng([seed, round(1000 * target)])
    level = int(np.ceil(target * NODES))
    wrong = rng.permutation(NODES) < level + round(AUDITS * target)
    free, record = np.ones(NODES, dtype=bool), list[StakedAudit]()
    most, found = 0.0, 0.0
    for done in range(AUDITS):
        left = np.flatnonzero(free)
        expected = min((1.0 + found) / (2.0 / target + done), 0.75 * target)
        plan = audit_plan(_doubts(wrong[left], doubt), expected, level)
        place = plan.draw(rng)
        node = left[place]
        chance = float(plan.chances[place])
        record.append(
            StakedAudit(bool(wrong[node]), chance, float(plan.chances.min()), plan.stake, len(left))
        )
        found += wrong[node] / (chance * len(left))
        free[node] = False
        if wrong[free].sum() < level:
            break
        most = max(most, log_wealth(np.array(record, dtype=np.float64).T, level))
        if most >= GOAL:
            break
    return {
        "target": target, "doubt": doubt, "seed": seed, "stopped": most >= GOAL,
        "audits": len(record),
    }  # fmt: skip


def _doubts(wrong: Array, doubt: str) -> Array:
    if doubt == "none":
        return np.full(len(wrong), 0.1)
    return np.where(wrong == (doubt == "true"), 0.3, 0.02)
