"""When to ask: rules with one knob, from a cold start.

A node's *gain* is what its label would decide: the sum over the nodes around it of the part of the
score it would take over (the kernel's column through it) times how doubtful that node's answer is,
times its own doubt. Doubt is exp(-margin / DOUBT_SCALE): near 1 where little mass has arrived or
two classes are close, so margin and coverage are one number.

- ``budget``: so many labels over the horizon. Gains fall as labels arrive, so most of a budget is
  best spent early: by a fraction f of the rounds, 1 - (1 - f)^12 of it. The threshold on the gain
  follows that plan; the budget is never exceeded.
- ``target_error``: ask when the expected error of the answers given without asking, this one
  included, would exceed the target.
- ``kappa``: the rule of Gu et al. (2013), ask while r = q / (1 + q) is above t^-kappa, with
  q the label's weight times the node's variance on this graph, times the node's doubt.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit

from lapwing.linalg.push import Diffusion, Scratch, kernel_column, release
from lapwing.types import Array

ALWAYS, BUDGET, TARGET, KAPPA = 0, 1, 2, 3
DOUBT_SCALE = 0.05
COLUMN_TOLERANCE = 5e-3
HASTE = 12.0
LOOKAHEAD = 0.02
FOLLOW = 0.15
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
    """How open a node's answer is: 1 where nothing is known, near 0 for a clear margin."""
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
    """How much doubt a label on this node would take away, times the node's own doubt."""
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
    return float(total * doubt(system, first, n_classes, node))


@njit(cache=True)
def leverage(system: Diffusion, first: int, node: int, asking: Asking) -> float:
    """Gu et al.'s r = q / (1 + q), q the label's weight times the node's variance."""
    count = kernel_column(system, first, node, COLUMN_TOLERANCE, asking.scratch)
    q = asking.label_weight * asking.scratch.value[node]
    release(asking.scratch, count)
    return float(q / (1.0 + q))


@njit(cache=True)
def wants(
    system: Diffusion, first: int, n_classes: int, node: int, chance: float, asking: Asking
) -> bool:
    """Whether the rule asks for this node's label; `chance` is the probability of the guess."""
    rule, knob = asking.rule[0], asking.rule[1]
    memory = asking.memory
    if rule == ALWAYS:
        return True
    if rule == TARGET:
        return bool(memory[EXPECTED] + 1.0 - chance > knob * (memory[ANSWERED] + 1.0))
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
def note_round(asking: Asking, asked: bool, chance: float) -> None:
    """End a round: count it, and let the threshold follow the plan of a budget."""
    memory = asking.memory
    if asking.rule[0] == BUDGET:
        horizon = asking.rule[2]
        ahead = min(1.0, memory[ROUNDS] / horizon + LOOKAHEAD)
        due = asking.rule[1] * (1.0 - (1.0 - ahead) ** HASTE) - memory[ASKED]
        rate = min(max(due / max(LOOKAHEAD * horizon, 1.0), 0.0), 1.0)
        memory[LOG_THRESHOLD] += FOLLOW * ((1.0 if asked else 0.0) - rate)
    memory[ROUNDS] += 1.0
    if asked:
        memory[ASKED] += 1.0
    else:
        memory[EXPECTED] += 1.0 - chance
        memory[ANSWERED] += 1.0
