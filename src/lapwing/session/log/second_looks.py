"""Answers that are asked about again because the other answers speak against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lapwing.active import Suspicion, suspicion
from lapwing.learner import (
    CanDoubt,
    CanMakeRoom,
    CanPostpone,
    CanWithdraw,
    Learner,
    Slips,
    slip_after,
)
from lapwing.session.log.events import Event, Kind
from lapwing.types import Array

if TYPE_CHECKING:
    from lapwing.session.log.state import State

FOLDS = 10
"""Parts into which the answers are divided; each is judged by a learner that knows the others."""
FIRST, EVERY, GROWTH = 40, 10, 20
"""Answers are judged from the first number on, then after so many more or one in so many."""
ODD = 0.25
"""How likely an answer must be wrong to be asked about again: a wrong label costs several new."""
FIRST_ODD, TRIED = 0.1, 5
"""Before so many answers were asked about again, less is enough: only that tells slips from classes
that are unclear."""
DOUBTED = 0.5
"""The learner is not told a label that is more likely wrong than this."""
AT_ONCE, MOST = 5, 3
"""Second looks after each judgement, and answers about one node in all."""


class SecondLooks:
    """What was said about each node, each time unseen, and which answers are to be asked again.

    `heard` keeps who said what. An answer that somebody corrects by themselves replaces their last;
    one to a second look, with the guess hidden, counts besides. `waiting` lists the nodes to ask
    about again. Labels of `doubted` nodes are rather wrong than right by the latest judgement: the
    learner is not told them until somebody answers again, or other answers speak for them. `wrong`
    is the share of the other labels that are wrong, `rate` that of all answers; both are 0 before
    the first judgement.

    Examples
    --------
    >>> looks = SecondLooks()
    >>> looks.note(Event(1, Kind.TOLD, "", "ann", node=7, label=0), None)
    >>> asked = Event(2, Kind.ASKED, "", "ann", node=7, detail={"again": True, "blind": True})
    >>> looks.note(Event(3, Kind.CORRECTED, "", "ann", node=7, label=1), asked)
    >>> looks.heard
    {7: [('ann', 0), ('ann', 1)]}
    """

    def __init__(self) -> None:
        self.heard: dict[int, list[tuple[str, int]]] = {}
        self.waiting: dict[int, None] = {}
        self.doubted: set[int] = set()
        self.wrong = self.rate = 0.0
        self._answers, self._due = 0, FIRST

    def note(self, event: Event, asked: Event | None) -> None:
        """Note an answer, or that there is none; `asked` is the question that it settles."""
        node = event.node
        if node is None or event.kind is Kind.RELEASED:
            return
        self.waiting.pop(node, None)
        if event.kind is Kind.SKIPPED:
            return
        self.doubted.discard(node)
        said = self.heard.pop(node, [])
        self._answers -= len(said)
        mine = [place for place, (by, _) in enumerate(said) if by == event.by]
        anew = asked is not None and bool(asked.detail.get("blind"))
        if event.label is None:
            said = [each for each in said if each[0] != event.by]
        elif mine and not anew:
            said[mine[-1]] = event.by, event.label
        else:
            said.append((event.by, event.label))
        if said:
            self.heard[node] = said
            self._answers += len(said)

    def note_judged(self, detail: Mapping[str, Any]) -> list[int]:
        """Note what a judgement found; return the nodes that are doubted from now on or no more."""
        before, self.doubted = self.doubted, {int(node) for node in detail.get("doubted", ())}
        self.waiting = dict.fromkeys(int(node) for node in detail["again"])
        self.wrong, self.rate = float(detail["wrong"]), float(detail["rate"])
        self._due = self._answers + max(EVERY, self._answers // GROWTH)
        return sorted(before ^ self.doubted)

    def are_due(self, header: Mapping[str, Any]) -> bool:
        """Whether it is time to judge the answers, in a session with second looks."""
        return bool(header.get("second_looks")) and self._answers >= self._due

    def slips(self, n_classes: int) -> Slips:
        """How likely each answer is wrong by the answers alone: less if it was given again."""
        several = {node: said for node, said in self.heard.items() if len(said) > 1}
        each = {}
        for node, said in several.items():
            counts = np.bincount([label for _, label in said], minlength=n_classes)
            standing = said[-1][1]
            order = np.r_[counts[standing], np.delete(counts, standing)]
            each[node] = float(slip_after(order[None], self.rate)[0])
        return Slips(self.rate, each)

    def times(self, nodes: Iterable[int], n_classes: int) -> Array:
        """How often each class was named for each of these nodes, one row per node."""
        return np.array([
            np.bincount([label for _, label in self.heard[node]], minlength=n_classes)
            for node in nodes
        ], dtype=np.float64).reshape(-1, n_classes)  # fmt: skip


class Judgement(NamedTuple):
    """How likely the answers about these nodes are wrong, and the probabilities without them."""

    nodes: tuple[int, ...]
    chances: Array
    suspicion: Suspicion


def learner_without(
    base: Learner | None,
    make_learner: Callable[[], Learner],
    labels: Mapping[int, int],
    n_classes: int,
    nodes: Iterable[int],
) -> Learner:
    """Return a learner that knows the labels but for those of some nodes.

    It is a copy of `base` that forgets them; if there is none, a new one is taught the others.
    """
    left_out = set(nodes)
    if isinstance(base, CanWithdraw):
        twin = deepcopy(base)
        for node in left_out:
            twin.withdraw(node)
        return twin
    twin = make_learner()
    if isinstance(twin, CanMakeRoom):
        twin.make_room(n_classes)
    for known, label in labels.items():
        if known not in left_out:
            twin.learn(known, label)
    return twin


def allow_for(learner: Learner, slips: Slips) -> None:
    """Let a learner know how likely labels are wrong, if it can allow for that."""
    if isinstance(learner, CanDoubt):
        learner.expect_slips(slips)


def adopt(learner: Learner) -> None:
    """Let a learner use what was made in the background, if it can."""
    if isinstance(learner, CanPostpone):
        learner.adopt()


def forget(learner: Learner, node: int, *, doubted: bool) -> bool:
    """Let a learner forget a label, all of it or what is doubted; whether it can."""
    if doubted and isinstance(learner, CanDoubt):
        learner.doubt(node)
    elif isinstance(learner, CanWithdraw):
        learner.withdraw(node)
    else:
        return False
    return True


def held_out_chances(
    labels: Mapping[int, int],
    n_classes: int,
    learner_without: Callable[[Iterable[int]], Learner],
) -> dict[int, Array]:
    """The probabilities of each node with a label, by a learner that does not know it.

    The labels of each class are dealt out to ten parts, and a copy of the learner forgets one part
    at a time. A class without a label elsewhere gets the probability 0.
    """
    nodes = sorted(labels, key=labels.__getitem__)
    found: dict[int, Array] = {}
    for part in range(min(FOLDS, len(nodes))):
        left_out = nodes[part::FOLDS]
        judged = learner_without(left_out).predict_proba(np.array(left_out))
        rows = np.pad(judged, ((0, 0), (0, n_classes - judged.shape[1])))
        found.update(zip(left_out, rows, strict=True))
    return found


def judged(
    labels: Mapping[int, int],
    looks: SecondLooks,
    chances: Mapping[int, Array],
    n_classes: int,
    chosen: Callable[[int], bool],
) -> Judgement:
    """Judge each answer by what the others say about its node (`lapwing.active.suspicion`).

    Nodes that were `chosen`, as they were in doubt, are a group of their own.
    The only answer of a class is not judged: nothing else tells what the class is like.
    """
    counted = Counter(labels.values())
    nodes = tuple(node for node, label in labels.items() if counted[label] > 1)
    rows = np.array([chances[node] for node in nodes]).reshape(-1, n_classes)
    standing = np.array([labels[node] for node in nodes], dtype=np.intp)
    groups = np.array([chosen(node) for node in nodes], dtype=np.intp)
    times = looks.times(nodes, n_classes)
    return Judgement(nodes, rows, suspicion(rows, standing, times, groups))


def judgement_of(state: State) -> dict[str, Any]:
    """What a judgement of the answers of now finds, as the log records it."""
    count = len(state.classes)
    chances = held_out_chances(state.labels, count, state.copied_learner())
    found = judged(state.labels, state.looks, chances, count, state.was_chosen)
    wrong = found.suspicion.wrong
    kept = wrong <= DOUBTED
    return {
        "again": _odd(found.nodes, wrong, state),
        "doubted": [node for node, keeps in zip(found.nodes, kept, strict=True) if not keeps],
        "wrong": round(float(wrong[kept].mean()), 6) if kept.any() else 0.0,
        "rate": round(found.suspicion.rate, 6),
    }


def _odd(nodes: Sequence[int], wrong: Array, state: State) -> list[int]:
    """The answers to ask about again, the likeliest wrong first."""
    order = np.argsort(-wrong, kind="stable")
    heard = state.looks.heard
    least = ODD if sum(len(said) > 1 for said in heard.values()) >= TRIED else FIRST_ODD
    odd = [nodes[place] for place in order.tolist() if wrong[place] >= least]
    return [n for n in odd if len(heard[n]) < MOST and n not in state.unconfirmed][:AT_ONCE]
