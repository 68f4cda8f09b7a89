"""How far a session is: answers, audits, the bound, and how well people agree."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lapwing.active import ActiveSearch, ErrorEstimate, RecallEstimate, error_estimate
from lapwing.session.log.auditing.estimates import PROVEN, audit_share
from lapwing.session.log.auditing.plans import plans_audits
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.reading.advice import Advice, advice, checks_left
from lapwing.session.reading.agreement import Agreement, agreement
from lapwing.session.reading.certificates import MeasureProof, to_certify
from lapwing.session.reading.finding import recall_of


class Disagreement(NamedTuple):
    """A node that people answered differently; `label` is None until it is settled."""

    node: Hashable
    said: dict[str, str]
    label: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The numbers of a session at one moment; `answers_left` None if the target is out of reach.

    `recall` is None unless the session is to find a class, `certified` unless it is to certify
    something.
    """

    answers: int
    counts: dict[str, int]
    people: dict[str, int]
    audit_errors: int
    estimate: ErrorEstimate
    advice: Advice
    answers_left: int | None
    agreement: Agreement
    disagreements: tuple[Disagreement, ...]
    recall: RecallEstimate | None = None
    certified: MeasureProof | None = None


def standing(
    dialogue: Dialogue,
    *,
    by: str,
    target_error: float = 0.1,
    confidence: float = 0.95,
    target_recall: float | None = None,
) -> Standing:
    """Return how far a session is."""
    state, names = dialogue.state, dialogue.graph.names
    counted = Counter(state.labels.values())
    people = state.votes.people()
    several = state.votes.shared()
    searches = isinstance(dialogue.strategy, ActiveSearch)
    said = advice(
        dialogue, by=by, target_error=target_error, confidence=confidence,
        target_recall=target_recall,
    )  # fmt: skip
    if said.stop or searches:
        left = 0 if said.stop else None
    else:
        left = _answers_left(dialogue, target_error, confidence)
    return Standing(
        answers=sum(people.values()),
        counts={name: counted[k] for k, name in enumerate(dialogue.classes)},
        people=people,
        audit_errors=sum(state.audits),
        estimate=dialogue.error_estimate(confidence=confidence),
        advice=said,
        answers_left=left,
        agreement=agreement(several),
        disagreements=tuple(
            Disagreement(
                names[node],
                {name: dialogue.classes[k] for name, k in several[node].items()},
                dialogue.classes[state.labels[node]] if node in state.labels else None,
            )
            for node in state.votes.contested()
        ),
        recall=recall_of(dialogue, confidence=confidence) if searches else None,
        certified=to_certify(dialogue, confidence=confidence),
    )


def _answers_left(dialogue: Dialogue, target: float, confidence: float) -> int | None:
    """About how many more answers, audits among them, if no audit finds an error.

    Never more than there are nodes without a label: with all of them answered, no error is left.
    Audits that are planned for a target come one after another.
    """
    header, audits = dialogue.header, list(dialogue.state.audits)
    planned = plans_audits(header)
    audited = planned or audit_share(header, audits) > 0
    checks = checks_left(dialogue, target, confidence) if audited else None
    if checks is None:
        return None
    left = dialogue.graph.n_nodes - len(dialogue.state.labels)
    if planned:
        return min(checks, left)
    # The share rises once enough audits in a row found no error, so each has its own.
    early = min(checks, PROVEN)
    answers = sum(1 / audit_share(header, [*audits, *[False] * k]) for k in range(early))
    answers += (checks - early) / audit_share(header, [*audits, *[False] * PROVEN])
    return min(math.ceil(answers), left)


def bound_after(
    audits: Sequence[bool], labelled: Sequence[int], header: Mapping[str, object], n_nodes: int
) -> float:
    """Return the bound on the error of all nodes right after these audits were answered."""
    never = header.get("forbidden", ())
    askable = n_nodes - len(set(never)) if isinstance(never, list | tuple) else n_nodes
    left = [max(askable - known, 1) for known in labelled]
    left.append(max(left[-1] - 1, 0) if left else askable)
    return error_estimate(audits, left=left, n_nodes=askable).overall
