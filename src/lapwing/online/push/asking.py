"""Rules that decide when to ask for a label, each with one parameter.

A node's *gain* is what its label would decide: of the walkers that start at doubtful nodes, how
many pass it (the kernel's column through it, times its degree), each counted by the doubt of the
node it comes from, times the node's own doubt. Doubt is exp(-margin / DOUBT_SCALE): near 1 where
little mass has arrived or two classes are close, so margin and coverage are one number.

- ``budget``: this many labels over the horizon. Gains fall as labels arrive, so most of a budget is
  best spent early: by a fraction f of the rounds, 1 - (1 - f)^12 of it, small budgets earlier still
  (they begin by asking 7 nodes of 10). The threshold on the gain follows that plan; the budget is
  never exceeded.
- ``target_error``: ask when the expected error of the answers given without asking, this one
  included, would exceed the target. An answer is expected right with its probability times
  t / (t + K + 1), t labels of K classes seen: something else may still come.
- ``kappa``: the rule of Gu et al. (2013), ask while r = q / (1 + q) is above t^-kappa, with
  q the label's weight times the node's variance on this graph, times the node's doubt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.linalg.push.kernel_columns import Scratch, kernel_column, release
from lapwing.linalg.push.residuals import Diffusion
from lapwing.types import Array

ALWAYS, BUDGET, TARGET, KAPPA = 0, 1, 2, 3
DOUBT_SCALE = 0.05
"""The margin at which doubt is 1 / e."""
COLUMN_TOLERANCE = 5e-3
"""The tolerance of a gain's kernel column."""
HASTE, FIRST_RATE = 12.0, 0.7
LOOKAHEAD = 0.02
"""How far ahead the plan looks, relative to the horizon."""
FOLLOW = 0.15
"""How fast the logarithm of the threshold follows it."""
ROUNDS, ASKED, LOG_THRESHOLD, EXPECTED, ANSWERED = range(5)


class Asking(NamedTuple):
    """The rule and its memory.

    `rule` holds the rule's number, its knob and the horizon; `memory` rounds, labels asked, the
    logarithm of the threshold, the expected error of all answers given, and their number.
    """

    rule: Array
    memory: Array
    scratch: Scratch
    label_weight: float


@njit(cache=True)
def doubt(system: Diffusion, first: int, n_classes: int, node: int) -> float:
    """Return the doubt about a node: 1 if nothing is known, near 0 for a clear margin."""
    best = second = 0.0
    for k in range(first, first + n_classes):
        value = system.solution[node, k]
        if value > best:
            best, second = value, best
        elif value > second:
            second = value
    return float(np.exp((second - best) / DOUBT_SCALE))


@njit(cache=True)
def gain(system: Diffusion, first: int, n_classes: int, node: int, asking: Asking) -> float:
    """Return the walkers from doubtful nodes that pass this node, times its own doubt."""
    scratch = asking.scratch
    count = kernel_column(system, first, node, COLUMN_TOLERANCE, scratch)
    weight = asking.label_weight * (system.ridge[first] if system.ridge[first] > 0.0 else 1.0)
    part = weight / (1.0 + weight * scratch.value[node])
    total = 0.0
    for at in range(count):
        other = scratch.touched[at]
        if scratch.value[other] > 0.0:
            total += part * scratch.value[other] * doubt(system, first, n_classes, other)
    release(scratch, count)
    passing = total * system.diagonal[node]
    return float(passing * doubt(system, first, n_classes, node))


@njit(cache=True)
def leverage(system: Diffusion, first: int, node: int, asking: Asking) -> float:
    """Gu et al.'s r = q / (1 + q), q the label's weight times the node's variance."""
    count = kernel_column(system, first, node, COLUMN_TOLERANCE, asking.scratch)
    q = asking.label_weight * asking.scratch.value[node]
    release(asking.scratch, count)
    return float(q / (1.0 + q))


@njit(cache=True)
def push_wants(
    system: Diffusion, first: int, n_classes: int, node: int, chance: float, asking: Asking
) -> bool:
    """Whether the rule asks for this node's label; `chance` is the probability of the guess."""
    rule, knob = asking.rule[0], asking.rule[1]
    memory = asking.memory
    if rule == ALWAYS:
        return True
    if rule == TARGET:
        wrong = memory[EXPECTED] + 1.0 - hedged(chance, n_classes, asking)
        return bool(wrong > knob * (memory[ANSWERED] + 1.0))
    if rule == KAPPA:
        r = leverage(system, first, node, asking) * doubt(system, first, n_classes, node)
        return bool(r > (memory[ROUNDS] + 1.0) ** -knob)
    if memory[ASKED] >= knob:
        return False
    if memory[ASKED] == 0.0:
        return True
    found = np.log(gain(system, first, n_classes, node, asking) + 1e-300)
    return bool(found > memory[LOG_THRESHOLD])


@njit(cache=True)
def hedged(chance: float, n_classes: int, asking: Asking) -> float:
    """Return a guess's probability, reduced by that of a class not seen yet."""
    seen = asking.memory[ASKED]
    return float(chance * seen / (seen + n_classes + 1.0))


@njit(cache=True)
def note_round(asking: Asking, asked: bool, chance: float, n_classes: int) -> None:
    """End a round: count it and update the threshold by the plan of a budget.

    `chance` and `n_classes` are those before the round's label.
    """
    memory = asking.memory
    if asking.rule[0] == BUDGET:
        horizon = asking.rule[2]
        ahead = min(1.0, memory[ROUNDS] / horizon + LOOKAHEAD)
        haste = max(HASTE, FIRST_RATE * horizon / max(asking.rule[1], 1.0))
        due = asking.rule[1] * (1.0 - (1.0 - ahead) ** haste) - memory[ASKED]
        rate = min(max(due / max(LOOKAHEAD * horizon, 1.0), 0.0), 1.0)
        memory[LOG_THRESHOLD] += FOLLOW * ((1.0 if asked else 0.0) - rate)
    memory[ROUNDS] += 1.0
    if asked:
        memory[ASKED] += 1.0
    else:
        memory[EXPECTED] += 1.0 - hedged(chance, n_classes, asking)
        memory[ANSWERED] += 1.0
