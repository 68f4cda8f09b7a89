"""Mistakes still to come after t labels, drawn at random or chosen (Herbster 2005, section 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lapwing.active import Strategy, Uniform, act_mu, act_st, chosen
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.learner import BinaryLearner
from lapwing.online import Projections
from lapwing.reproduce.graphs import study_graph
from lapwing.reproduce.trials.signed import learner_of, mistaken
from lapwing.types import Nodes

if TYPE_CHECKING:
    from lapwing.reproduce.plan import Trial

CHOOSING: Mapping[str, Callable[[int], Strategy]] = {
    "act-st": lambda _: act_st,
    "act-mu": lambda _: act_mu,
    "random": lambda seed: Uniform(seed=seed),
}


def future(trial: Trial) -> dict[str, float | list[float]]:
    """C_fe(t): the mistakes after the first t labels, for each t of the option ``labels``.

    Options: ``shown``, those t whose count is also a number by itself, ``future_5``, and as a share
    of 1-proj's count on the run's random order, ``share_5``; ``positive``, the class that is +1
    (without it, the second of two); ``choose``, "act-st", "act-mu" or "random": the first t nodes
    are chosen and learned aggressively, the others follow at random, and each t is a run of
    its own; ``aggressive_rest``, whether they are learned aggressively, too; ``orders``, over how
    many random orders of the same graph the counts are averaged (1 unless told).
    """
    found = study_graph(trial.graph, trial.source, seed=trial.seed)
    signs = _signs(found, trial.options.get("positive"))
    times = [int(t) for t in trial.options["labels"]]

    def fresh() -> BinaryLearner:
        return learner_of(trial.learner, found.graph, **trial.settings)

    orders = int(trial.options.get("orders", 1))
    if "choose" in trial.options:
        counts = _after_choosing(fresh, signs, times, trial.options, trial.seed)
    else:
        counts = _averaged(fresh, signs, times, orders, trial.seed)
    plain = _averaged(lambda: learner_of("1-proj", found.graph), signs, times, orders, trial.seed)
    measured: dict[str, float | list[float]] = {
        "labels_seen": [*map(float, times)],
        "future": counts,
    }
    for t in trial.options.get("shown", ()):
        count, rival = counts[times.index(t)], plain[times.index(t)]
        measured |= {f"future_{t}": count, f"share_{t}": count / max(rival, 1.0)}
    return measured


def _averaged(
    fresh: Callable[[], BinaryLearner], signs: Nodes, times: list[int], orders: int, seed: int
) -> list[float]:
    """Mistakes after t labels, the mean over random orders of all nodes."""
    rng = np.random.default_rng(seed)
    wrong = [mistaken(fresh(), rng.permutation(len(signs)), signs) for _ in range(orders)]
    return [float(np.mean([each[t:].sum() for each in wrong])) for t in times]


def _signs(found: Dataset, positive: Any) -> Nodes:
    if positive is None:
        return 2 * np.asarray(found.labels) - 1
    if positive not in found.classes:
        raise InputError(f"{found.name} has no class {positive!r}; it has {found.classes}")
    return np.where(np.asarray(found.labels) == found.classes.index(positive), 1, -1)


def _after_choosing(
    fresh: Callable[[], BinaryLearner],
    signs: Nodes,
    times: list[int],
    options: Mapping[str, Any],
    seed: int,
) -> list[float]:
    """The choice of a node depends on those before it only, so all t share one choosing."""
    everyone = np.arange(len(signs))
    learner = fresh()
    asked: list[int] = []
    for node in chosen(learner, CHOOSING[options["choose"]](seed), everyone, max(times)):
        asked.append(node)
        learner.learn(node, int(signs[node]))
    counts = []
    for t in times:
        rng = np.random.default_rng([seed, t])
        found = []
        for _ in range(int(options.get("orders", 1))):
            rest = rng.permutation(np.setdiff1d(everyone, asked[:t]))
            learner = fresh()
            assert isinstance(learner, Projections)
            learner.aggressive = True
            for node in asked[:t]:
                learner.learn(node, int(signs[node]))
            learner.aggressive = bool(options.get("aggressive_rest", False))
            found.append(float(mistaken(learner, rest, signs).sum()))
        counts.append(float(np.mean(found)))
    return counts
