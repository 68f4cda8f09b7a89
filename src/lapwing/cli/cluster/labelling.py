"""``lapwing label`` on a partitioned graph: questions from a working set, audits from the whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.text import Text

from lapwing.cli.cluster.commands import print_found
from lapwing.cli.cluster.opening import connected, known_labels_of
from lapwing.cli.inputs import Reading
from lapwing.cli.label.answering import PROMPT
from lapwing.cli.label.keys import keys
from lapwing.cli.label.screen import class_keys
from lapwing.cli.output import console, waiting, worded
from lapwing.cluster.graph import PartitionedGraph
from lapwing.cluster.jobs import Running
from lapwing.cluster.labels import SparseLabels
from lapwing.cluster.whole_log import classes_begun_with
from lapwing.cluster.whole_session import WholeQuestion, WholeSession
from lapwing.errors import InputError

FIRST, MOST = 5, 25
"""Answers after which the whole graph is predicted again: as many as there are, within these."""
SKIP, STOP = "s", "q"


@dataclass(frozen=True)
class WholeRules:
    """When to stop: after a number of labels, or below an error on the whole."""

    budget: int | None
    target: float
    confidence: float

    def enough(self, session: WholeSession) -> str | None:
        """Why it is enough; None if it is not."""
        if self.budget is not None and session.n_labels >= self.budget:
            return f"the budget of {self.budget} labels is used up"
        found = session.error_estimate(confidence=self.confidence)
        if found.audits and found.upper < self.target:
            return f"with {self.confidence:.0%} confidence, fewer than {self.target:.0%} are wrong"
        return None


def label_partitioned(
    graph: str, classes: list[str], address: str | None, reading: Reading, rules: WholeRules,
    *, name: str | None, oracle: Path | None, audit: float | None, seed: int | None,
    json: bool,
) -> None:  # fmt: skip
    """Label a partitioned graph, by keys or from a table, and print what came of it.

    The session is a folder beside the graph; the same command continues it.
    """
    path = Path(graph)
    if not PartitionedGraph.is_in(path):
        raise InputError(
            f"{graph} must be a partitioned graph to be labelled on a cluster: "
            f"`lapwing convert {graph} {path.stem}.parts --blocks 8` makes one"
        )
    parts = PartitionedGraph(path)
    folder = path.absolute().with_name(f"{name or path.stem}.session")
    known = None if oracle is None else known_labels_of(parts, oracle, reading)
    named = classes or list(classes_begun_with(folder)) or list(known.classes if known else ())
    settings: dict[str, Any] = {} if audit is None else {"audit_share": audit}
    with connected(address) as cluster:
        session = WholeSession(
            parts, folder, classes=named, seed=seed or 0, running=Running(cluster), **settings
        )
        if known is None:
            with keys() as (key, discard):
                answer = partial(pressed, session=session, key=key, discard=discard)
                stopped = until_stopped(session, rules, answer)
        else:
            stopped = until_stopped(session, rules, from_table(session, known))
    found = session.error_estimate(confidence=rules.confidence)
    result = {
        "name": path.name, "session": str(folder), "nodes": parts.n_nodes,
        "labels": session.n_labels, "spot_checks": found.audits,
        "error_at_most": found.upper, "stopped": stopped,
    }  # fmt: skip
    print_found(result, json=json)
    if known is None:
        console.print("Run the same command to continue.")


def until_stopped(
    session: WholeSession, rules: WholeRules, answer: Callable[[WholeQuestion], str]
) -> str:
    """Ask until it is enough or the person stops; the whole is predicted every few answers."""
    left = 0
    while True:
        if left <= 0:
            with waiting(f"predicting all {session.graph.n_nodes:,} nodes"):
                session.predict()
            left = fresh = min(max(session.n_labels, FIRST), MOST)
            if (reason := rules.enough(session)) is not None:
                return reason
        question = session.ask()
        if question is None and left == fresh:
            return "nothing is left to ask"
        if question is None:
            left = 0
            continue
        said = answer(question)
        if said == STOP:
            return "the person stopped"
        if said == SKIP:
            session.skip(question.node)
        else:
            session.tell({question.node: said})
            left -= 1
            if rules.budget is not None and session.n_labels >= rules.budget:
                left = 0


def pressed(
    question: WholeQuestion, session: WholeSession, key: Callable[[], str],
    discard: Callable[[], None],
) -> str:  # fmt: skip
    """Show a question and wait for a key that answers it."""
    shown = Text(f"\nQuestion {session.n_labels + 1}: ", "bold").append_text(worded(question.node))
    if question.audit:
        shown.append("\nspot check: the guess stays hidden until you have answered", "dim")
    elif question.guess is not None:
        shown.append("\nguess: ").append_text(worded(question.guess))
    near = ", ".join(f"{node} ({label or '?'})" for node, label in question.neighbors)
    shown.append(f"\nneighbours: {near or 'none'}\n", "dim")
    choices = class_keys(session.classes)
    for each, label in choices.items():
        shown.append(each, "bold").append(" ").append_text(worded(label)).append("   ")
    console.print(shown.append(f"{SKIP} skip   {STOP} stop", "dim"))
    found = session.error_estimate()
    if found.audits:
        console.print(Text(str(found), "dim"))
    discard()
    console.print(PROMPT, end="")
    while True:
        given = key() or STOP
        if given in choices or given in (SKIP, STOP):
            said = choices.get(given, given)
            console.print(worded({SKIP: "skipped", STOP: "stopped"}.get(said, said)))
            return said


def from_table(session: WholeSession, known: SparseLabels) -> Callable[[WholeQuestion], str]:
    """Answers from known labels; a node without one is skipped."""
    told = dict(zip(known.nodes.tolist(), known.indicator.argmax(axis=1).tolist(), strict=True))

    def answer(question: WholeQuestion) -> str:
        (code,) = session.graph.codes([question.node]).tolist()
        return known.classes[told[code]] if code in told else SKIP

    return answer
