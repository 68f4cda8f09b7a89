"""A session of the service with the methods of `lapwing.Session`."""

from __future__ import annotations

import csv
import io
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, overload
from urllib.parse import urlencode

import numpy as np

from lapwing.active import ErrorEstimate, RecallEstimate
from lapwing.client.link import Link
from lapwing.client.questions import people_told, question_told, told_proof, told_recall
from lapwing.graph import Graph
from lapwing.session import Advice, Answer, ClassMeasures, Lead, MeasureProof, Predictions, Question
from lapwing.session.log.confusion import PersonErrors
from lapwing.session.reading.agreement import Agreement
from lapwing.session.reading.class_measures import AuditedShare
from lapwing.session.reading.odd_answers import LIKELY, OddAnswer
from lapwing.session.reading.standing import Disagreement, Standing


class Session(Link):
    """A labelling session on a server.

    Answers are kept in the outbox until the server has acknowledged them; with a file as `outbox`
    they survive a crash of this program, and the next client with the same file sends them. A
    repeated request changes nothing, so nothing is recorded twice.

    Parameters
    ----------
    url
        The service's address, like ``http://127.0.0.1:8400``.
    token
        The token; None for a service on this computer that has none.
    session
        The session's id, or its name if only one has it.
    outbox
        A file for answers that were not acknowledged yet; None keeps them in memory.
    patience
        Seconds for which a call is tried again before it fails.
    person
        Who answers, on a service without tokens.
    """

    @property
    def classes(self) -> list[str]:
        """The names of the classes so far."""
        return list(self.status()["classes"])

    @property
    def n_labels(self) -> int:
        """How many nodes have a label by everyone's answers."""
        return int(self.status()["labels"])

    @property
    def target_error(self) -> float:
        """The error below which the team wants to stop."""
        return float(self.status()["target_error"])

    def status(self) -> dict[str, Any]:
        """What the service tells about the session."""
        return dict(self._calls.get(f"{self._place}/status"))

    @overload
    def ask(self, count: None = None) -> Question | None: ...
    @overload
    def ask(self, count: int) -> list[Question]: ...
    def ask(self, count: int | None = None) -> Question | list[Question] | None:
        """The next question, leased to this person; None if there is none now.

        With `count`, a list of up to this many questions about different nodes.
        """
        told = self._calls.get(f"{self._place}/next?k={1 if count is None else count}")
        found = [question_told(each) for each in told["questions"]]
        return found if count is not None else next(iter(found), None)

    def reask(self, node: Any, *, blind: bool = False) -> Question:
        """Put one node to this person again, instead of their open question.

        With `blind`, the guess is hidden until it is answered.
        """
        body = {"node": str(node), "blind": blind}
        return question_told(self._calls.post(f"{self._place}/ask", body))

    def tell(self, node: Any, label: str | int | None = None) -> None:
        """Record an answer, or several as a dictionary of labels by node name, all or none."""
        answers = dict(node) if isinstance(node, Mapping) else {node: label}
        rows = [{"node": str(name), "label": str(each)} for name, each in answers.items()]
        if rows:
            self._posted("labels", {"answers": rows})

    def skip(self, node: Any) -> None:
        """Do not ask this person about this node again."""
        self._posted("skip", {"node": str(node)})

    def release(self, node: Any) -> None:
        """Give a question back, so that it can be put to anybody."""
        self._posted("release", {"node": str(node)})

    def withdraw(self, node: Any) -> None:
        """Take back this person's answer."""
        self._posted("withdraw", {"nodes": [str(node)]})

    def undo(self) -> Hashable | None:
        """Take back this person's latest answer that stands; its node, or None."""
        found = self._posted("undo", {})["node"]
        return None if found is None else str(found)

    def feedback(self, question: str, correct: bool) -> None:
        """Say whether the guess of a question was right."""
        self._posted("feedback", {"question": question, "correct": correct})

    @overload
    def predict(self, nodes: str | int) -> str | None: ...
    @overload
    def predict(self, nodes: Sequence[Any]) -> list[str | None]: ...
    def predict(self, nodes: Any) -> str | list[str | None] | None:
        """The label of one node, or of several; None for a node nothing is known about.

        A node about which this person is being asked without a guess is None, too.
        """
        one = isinstance(nodes, str) or not isinstance(nodes, Sequence | np.ndarray)
        names = [str(nodes)] if one else [str(name) for name in nodes]
        found: list[str | None] = []
        for start in range(0, len(names), 100):
            query = urlencode([("node", name) for name in names[start : start + 100]])
            rows = self._calls.get(f"{self._place}/predictions?{query}")["predictions"]
            found += [row["label"] for row in rows]
        return found[0] if one else found

    def predictions(self) -> Predictions:
        """A label for every node, those told included, and how sure it is."""
        text = self._calls.raw("GET", f"{self._place}/predictions?format=csv").decode()
        rows = list(csv.DictReader(io.StringIO(text)))
        names = [row["node"] for row in rows]
        return Predictions(
            Graph.from_edges(np.empty((0, 2), dtype=np.int64), names=names),
            {
                "node": names,
                "label": [row["label"] or None for row in rows],
                "confidence": np.array([float(row["confidence"]) for row in rows]),
                "runner_up": [row["runner_up"] or None for row in rows],
                "asked": np.array([row["asked"] == "true" for row in rows]),
            },
        )

    def grow(
        self,
        edges: Sequence[tuple[Any, Any]] = (),
        nodes: Sequence[Any] = (),
        *,
        weights: Sequence[float] = (),
    ) -> str:
        """Add nodes and edges, by name, and keep every answer; what was added, in words."""
        body = {
            "edges": [[str(a), str(b)] for a, b in edges],
            "nodes": [str(name) for name in nodes],
            "weights": [float(weight) for weight in weights],
        }
        return str(self._posted("grow", body)["words"])

    def explain(self, node: Any) -> str:
        """What a node's label rests on, in words."""
        query = urlencode({"node": str(node)})
        return str(self._calls.get(f"{self._place}/explain?{query}")["words"])

    def evidence(self) -> dict[str, float]:
        """How much each kind of evidence counts in the predictions, the largest share first."""
        parts = self._calls.get(f"{self._place}/evidence")["parts"]
        return {part["name"]: part["share"] for part in parts}

    def labels(self) -> dict[Hashable, str]:
        """The label of each node that has one by everyone's answers."""
        text = self._calls.raw("GET", f"{self._place}/labels").decode()
        return {row["node"]: row["label"] for row in csv.DictReader(io.StringIO(text))}

    def answers(self) -> list[Answer]:
        """Every answer that stands, in the order in which they came: node, label, by whom, when."""
        told = self._calls.get(f"{self._place}/answers")["answers"]
        return [Answer(each["node"], each["label"], each["by"], each["at"]) for each in told]

    def error_estimate(self) -> ErrorEstimate:
        """How wrong the predictions on nodes not asked about still are, from the audits."""
        return ErrorEstimate(**self.status()["estimate"])

    def recall(self) -> RecallEstimate:
        """Which share of the nodes to find has been found, from the audits."""
        return told_recall(self.status()["recall"])

    def leads(self, count: int = 100) -> list[Lead]:
        """The nodes not asked about, the likeliest to be positive first, with probabilities."""
        told = self._calls.get(f"{self._place}/leads?{urlencode({'count': count})}")["leads"]
        return [Lead(each["node"], each["probability"]) for each in told]

    def class_measures(self, label: str | int) -> ClassMeasures:
        """How well one class is predicted on the nodes not asked about: precision and recall."""
        told = self._calls.get(f"{self._place}/measures?{urlencode({'label': label})}")
        shares = (AuditedShare(**told[name]) for name in ("precision", "recall"))
        return ClassMeasures(told["label"], *shares)

    def certificate(
        self, measure: str = "error", *, of: str | int | None = None, part: str | None = None
    ) -> MeasureProof:
        """What the audits prove of a measure; a `part` is ``"column=value"`` of the node table."""
        query = urlencode({"measure": measure, "of": of or "", "part": part or ""})
        return told_proof(self._calls.get(f"{self._place}/certificate?{query}"))

    def odd_answers(self, *, least: float = LIKELY) -> list[OddAnswer]:
        """The answers that look wrong, the likeliest first: worth a second look (`reask`)."""
        told = self._calls.get(f"{self._place}/odd?{urlencode({'least': least})}")["odd"]
        return [OddAnswer(**(each | {"by": tuple(each["by"])})) for each in told]

    def people_errors(self) -> dict[str, PersonErrors]:
        """How often each person is right, and which classes they mix up."""
        return people_told(self._calls.get(f"{self._place}/people")["people"])

    def advice(self) -> Advice:
        """Whether to stop asking, and why, in words."""
        told = self.status()["advice"]
        return Advice(told["stop"], told["words"])

    def standing(self) -> Standing:
        """How far it is: answers, audits, the bound and the team's goal, how well people agree."""
        told = self.status()
        return Standing(
            answers=told["answers"],
            counts=told["counts"],
            people={each["by"]: each["answers"] for each in told["people"]},
            audit_errors=told["audit_errors"],
            estimate=ErrorEstimate(**told["estimate"]),
            advice=Advice(told["advice"]["stop"], told["advice"]["words"]),
            answers_left=told["answers_left"],
            agreement=Agreement(**told["agreement"]),
            disagreements=tuple(
                Disagreement(each["node"], each["said"], each["label"])
                for each in told["disagreements"]
            ),
            recall=None if told["recall"] is None else told_recall(told["recall"]),
            certified=None if told["certified"] is None else told_proof(told["certified"]),
        )
