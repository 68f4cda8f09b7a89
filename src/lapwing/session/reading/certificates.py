"""What the audits prove about a session's predictions: error, recall, precision, macro-F1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapwing.active.audits.measures import ClassAudit, MeasuredShare, ShareKind, measured_share
from lapwing.checks import one_of, strictly_between
from lapwing.errors import InputError
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.claims import (
    CLASS_ERROR,
    ERROR,
    MACRO_F1,
    MEASURES,
    OF_A_CLASS,
    PRECISION,
    RECALL,
    SMALL_IS_GOOD,
    part_of,
)
from lapwing.session.reading.finding import class_index
from lapwing.types import Mask


@dataclass(frozen=True, slots=True)
class MeasureProof:
    """A measure of the predictions: an estimate, and a bound that holds at any time.

    Nodes that were asked about count as right. `bound` is an upper bound of an error, and a lower
    bound of any other measure. `part` is the number of nodes that it is about, None for all.
    """

    measure: str
    of: str | None
    part: int | None
    estimate: float
    bound: float
    audits: int
    confidence: float

    def reaches(self, target: float) -> bool:
        """Whether the measure is as good as the target, with the stated confidence."""
        return self.bound < target if self.measure in SMALL_IS_GOOD else self.bound >= target

    @property
    def what(self) -> str:
        """The measure in words."""
        named = {
            ERROR: "error", CLASS_ERROR: "largest error of a class", MACRO_F1: "macro-F1",
            RECALL: f"recall of {self.of}", PRECISION: f"precision of {self.of}",
        }  # fmt: skip
        where = "" if self.part is None else f" among {self.part:,} nodes"
        return f"{named[self.measure]}{where}"

    @property
    def is_perfect(self) -> bool:
        """Whether nothing is wrong for sure, as every node that it is about was asked about."""
        return self.bound == (0.0 if self.measure in SMALL_IS_GOOD else 1.0)

    def __str__(self) -> str:
        if self.is_perfect:
            return f"{self.what} {self.bound:.0%}: every node has been asked about"
        if not self.audits:
            return f"{self.what} unknown: no audit is about it yet"
        side = "at most" if self.measure in SMALL_IS_GOOD else "at least"
        return (
            f"{self.what} about {self.estimate:.1%}, with {self.confidence:.0%} confidence {side} "
            f"{self.bound:.1%} ({self.audits} {'audit' if self.audits == 1 else 'audits'})"
        )


def to_certify(dialogue: Dialogue, *, confidence: float = 0.95) -> MeasureProof | None:
    """Return how far the measure is that a session was begun to certify; None if there is none.

    Examples
    --------
    >>> from lapwing import Graph, Session
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
    >>> session = Session(graph, ["red", "blue"], certify="recall:red>=0.9")
    >>> print(to_certify(session.dialogue))
    recall of red unknown: no audit is about it yet
    """
    claim = dialogue.header.get("certify")
    if claim is None:
        return None
    measure, of = str(claim["measure"]), claim["of"]
    if of is not None and of not in dialogue.classes:
        worst = 1.0 if measure in SMALL_IS_GOOD else 0.0
        return MeasureProof(measure, of, None, worst, worst, 0, confidence)
    return certificate(dialogue, measure, of=of, part=claim["part"], confidence=confidence)


def certificate(
    dialogue: Dialogue,
    measure: str = ERROR,
    *,
    of: Any = None,
    part: Any = None,
    confidence: float = 0.95,
) -> MeasureProof:
    """Return what the audits prove about the predictions of all nodes, or of a part of them.

    See `lapwing.active.audits.measures.measured_share`. Several classes share the risk.
    """
    one_of("measure", measure, MEASURES)
    strictly_between("confidence", confidence, 0, 1)
    if (of is not None) != (measure in OF_A_CLASS):
        needs = "needs a class" if measure in OF_A_CLASS else "is of no single class"
        raise InputError(f"{measure} {needs}: got of={of!r}")
    within = part_of(dialogue.graph, part)
    with dialogue._lock:
        found, audits = _measured(dialogue, measure, of, within, confidence)
        if not (dialogue.labels[within] < 0).any():
            found = MeasuredShare(1.0, 1.0)
    small = measure in SMALL_IS_GOOD
    return MeasureProof(
        measure,
        None if of is None else str(of),
        None if part is None else int(within.sum()),
        1.0 - found.estimate if small else found.estimate,
        1.0 - found.lower if small else found.lower,
        audits,
        confidence,
    )


def _measured(
    dialogue: Dialogue, measure: str, of: Any, within: Mask, confidence: float
) -> tuple[MeasuredShare, int]:
    """The measure as a share that should be large, and the number of audits about the part."""
    if measure == ERROR:
        audits = _audits(dialogue, None, within)
        total = float(within.sum())
        found = measured_share(audits, "accuracy", total=total, confidence=confidence)
        return found, _number_within(dialogue, within)
    if measure in OF_A_CLASS:
        wanted = class_index(dialogue, of)
        kind: ShareKind = "recall" if measure == RECALL else "precision"
        shares = [_of_class(dialogue, wanted, kind, within, confidence)]
    else:
        kind = "recall" if measure == CLASS_ERROR else "f1"
        count = max(len(dialogue.classes), 1)
        sure = 1.0 - (1.0 - confidence) / count
        shares = [_of_class(dialogue, k, kind, within, sure) for k in range(count)]
    merge = min if measure == CLASS_ERROR else lambda each: float(np.mean(list(each)))
    return (
        MeasuredShare(
            merge(share.estimate for share in shares), merge(share.lower for share in shares)
        ),
        _number_within(dialogue, within),
    )


def _number_within(dialogue: Dialogue, within: Mask) -> int:
    state = dialogue.state
    return sum(bool(within[node]) for node in state.recall.answered if node in state.labels)


def _of_class(
    dialogue: Dialogue, wanted: int, kind: ShareKind, within: Mask, confidence: float
) -> MeasuredShare:
    labels = dialogue.labels
    known = float(((labels == wanted) & within).sum())
    if kind == "precision":
        left = np.flatnonzero((labels < 0) & within)
        guesses = dialogue.learner.predict(left) if len(left) else left
        known += float((guesses == wanted).sum())
    audits = _audits(dialogue, wanted, within, kind)
    return measured_share(audits, kind, total=known, confidence=confidence)


def _audits(
    dialogue: Dialogue, wanted: int | None, within: Mask, kind: ShareKind = "accuracy"
) -> list[ClassAudit]:
    """The audits as seen from a class; None: from all of them, for the error.

    Audits that were aimed at what a claim is about have their own smallest probability for it.
    """
    claim = dialogue.header.get("certify") or {}
    aimed = wanted is not None and (claim.get("measure"), claim.get("of")) == (
        kind, dialogue.classes[wanted],
    )  # fmt: skip
    claimed = claim.get("nodes")
    meant = np.ones(len(within), dtype=bool)
    if claimed is not None:
        meant = np.isin(np.arange(len(within)), np.asarray(claimed))
    aimed = aimed and not (within & ~meant).any()
    counted = bool((within == meant).all())
    least = "least_able" if aimed else "least"
    state, n_nodes = dialogue.state, dialogue.graph.n_nodes
    never = sum(node not in state.labels for node in set(dialogue.header.get("forbidden", ())))
    order = {node: place for place, node in enumerate(state.labels)}
    places = np.sort([order[v] for v, k in state.labels.items() if k == wanted and within[v]])
    found = []
    for node, pool in sorted(state.recall.answered.items(), key=lambda each: each[1].number):
        if node not in state.labels:
            continue
        label, guess, inside = state.labels[node], pool.guess, bool(within[node])
        later, detail = state.recall.added - pool.added, pool.detail
        left = max(n_nodes - later - never - pool.labelled, 1)
        missed = label != guess and wanted in (None, label)
        known = int(np.searchsorted(places, pool.labelled))
        predicted = detail.get("predicted") if counted else None
        found.append(
            ClassAudit(
                inside and missed,
                inside and guess == wanted and label != wanted,
                inside and label == wanted,
                known,
                float(detail.get("chance", 1.0 / left)),
                float(detail.get(least, detail.get("least", 1.0 / left))),
                int(detail.get("left", left)),
                int(detail.get("aside", 0)) + later,
                -1 if predicted is None or wanted is None else known + _at(predicted, wanted),
            )
        )
    return found


def _at(counts: Sequence[int], wanted: int) -> int:
    """The number of nodes predicted as a class; none if it was not known yet."""
    return int(counts[wanted]) if wanted < len(counts) else 0
