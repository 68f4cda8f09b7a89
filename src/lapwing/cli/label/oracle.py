"""Questions answered from known labels, as a rehearsal of what a person would do."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import progress
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.session import Dialogue
from lapwing.types import UNKNOWN


def answered_by_oracle(session: Dialogue, rules: Rules, found: Dataset) -> dict[str, Any]:
    """Answer every question from known labels until it is enough; what came of it."""
    if not found.classes or found.multilabel:
        raise InputError(f"{found.name} must have one known label per node to answer from")
    reason = "every node with a known label was asked"
    with progress() as bar:
        task = bar.add_task("asking", total=rules.budget)
        while (question := session.ask(rules.by)) is not None:
            truth = int(found.labels[question.node])
            if truth == UNKNOWN:
                session.skip(question.node, rules.by)
            else:
                session.tell(question.node, str(found.classes[truth]), rules.by)
            bar.update(task, completed=len(session.state.labels))
            if (enough := rules.enough(session)) is not None:
                reason = enough
                break
    return _outcome(session, rules, found) | {"stopped": reason}


def _outcome(session: Dialogue, rules: Rules, found: Dataset) -> dict[str, Any]:
    rest = np.flatnonzero((session.labels == UNKNOWN) & (found.labels != UNKNOWN))
    index = {str(name): k for k, name in enumerate(found.classes)}
    told = np.array([index.get(name, UNKNOWN) for name in session.classes] + [UNKNOWN])
    guesses = told[session.learner.predict(rest)] if len(rest) else rest
    estimate = session.error_estimate(confidence=rules.confidence)
    return {
        "session": session.name,
        "learner": session.header["learner"],
        "strategy": session.header["strategy"],
        "n_nodes": session.graph.n_nodes,
        "labels": len(session.state.labels),
        "audits": estimate.audits,
        "estimated_error": estimate.estimate if estimate.audits else None,
        "error_at_most": estimate.upper,
        "confidence": rules.confidence,
        "accuracy": float((guesses == found.labels[rest]).mean()) if len(rest) else None,
        "unknown": int((guesses == UNKNOWN).sum()),
    }
