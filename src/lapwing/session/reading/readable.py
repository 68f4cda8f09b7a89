"""What a session can tell: predictions, reasons, labels, the error and how far it is."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from lapwing.active import ErrorEstimate, RecallEstimate
from lapwing.errors import UnknownNodeError
from lapwing.graph import Graph
from lapwing.session.asking.view import card_columns
from lapwing.session.log.confusion import PersonErrors
from lapwing.session.log.dialogue import Dialogue
from lapwing.session.opening.goals import TARGET_ERROR
from lapwing.session.reading.advice import Advice, advice
from lapwing.session.reading.certificates import MeasureProof, certificate
from lapwing.session.reading.class_measures import ClassMeasures, class_measures
from lapwing.session.reading.explanation import Explanation, counted_evidence, explanation
from lapwing.session.reading.finding import Lead, leads_of, recall_of
from lapwing.session.reading.odd_answers import LIKELY, OddAnswer, SecondOpinion
from lapwing.session.reading.predictions import Predictions
from lapwing.session.reading.readings import Answer, predicted, predictions_of, standing_answers
from lapwing.session.reading.standing import Standing, standing


class ReadableSession:
    """The half of `Session` that only reads: nothing here changes the log or the learner."""

    dialogue: Dialogue
    by: str

    @property
    def graph(self) -> Graph:
        """The graph, as it has grown so far."""
        return self.dialogue.graph

    @property
    def name(self) -> str:
        """The session's name."""
        return self.dialogue.name

    @property
    def classes(self) -> list[str]:
        """The names of the classes so far."""
        return list(self.dialogue.classes)

    @property
    def header(self) -> Mapping[str, Any]:
        """What the session was begun with: graph, learner, strategy, parameters, seed."""
        return self.dialogue.header

    @property
    def target_error(self) -> float:
        """The error to stay below, as recorded; 0.1 where no target was."""
        return float(self.header.get("target_error", TARGET_ERROR))

    @property
    def n_labels(self) -> int:
        """How many nodes have a label by everyone's answers."""
        return len(self.dialogue.state.labels)

    @property
    def shown(self) -> tuple[str, ...]:
        """The columns of the node table that are shown with a question."""
        state, table = self.dialogue.state, self.graph.node_table
        said = [name for name in state.view.get("show", ()) if name in table]
        return card_columns(table, said, state.labels)

    @property
    def head(self) -> str:
        """The digest of the log; who keeps it can tell later that nothing was changed."""
        return self.dialogue.head

    @overload
    def predict(self, nodes: str | int) -> str | None: ...
    @overload
    def predict(self, nodes: Sequence[Any]) -> list[str | None]: ...
    def predict(self, nodes: Any) -> str | list[str | None] | None:
        """The label of one node, or of several; None for a node nothing is known about."""
        if isinstance(nodes, str) or not isinstance(nodes, Sequence | np.ndarray):
            return predicted(self.dialogue, [self._index(nodes)])[0]
        return predicted(self.dialogue, [self._index(node) for node in nodes])

    def predictions(self) -> Predictions:
        """A label for every node, those told included, and how sure it is."""
        return predictions_of(self.dialogue)

    def explain(self, node: Any) -> Explanation:
        """What a node's label rests on: kinds of evidence, labels, words and columns, neighbours.

        Examples
        --------
        >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
        >>> from lapwing import Session
        >>> session = Session(graph, labels={"a": "red", "b": "red", "y": "blue"})
        >>> print(str(session.explain("x")).splitlines()[0])
        x is probably blue (70%), then red
        """
        return explanation(self.dialogue, self._index(node))

    def evidence(self) -> dict[str, float]:
        """How much each kind of evidence counts in the predictions, the largest share first.

        Empty before two classes have labels, and for a learner that cannot tell.

        Examples
        --------
        >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
        >>> from lapwing import Session
        >>> session = Session(graph, labels={"a": "red", "y": "blue"})
        >>> next(iter(session.evidence()))
        'position in the graph'
        """
        return counted_evidence(self.dialogue)

    def labels(self) -> dict[Hashable, str]:
        """The label of each node that has one by everyone's answers."""
        names, classes = self.graph.names, self.dialogue.classes
        return {names[node]: classes[k] for node, k in self.dialogue.state.labels.items()}

    def answers(self) -> list[Answer]:
        """Every answer that stands, in the order in which they came: node, label, by whom, when."""
        return standing_answers(self.dialogue)

    def error_estimate(self, *, confidence: float = 0.95) -> ErrorEstimate:
        """How wrong the predictions on nodes not asked about still are, from the audits."""
        return self.dialogue.error_estimate(confidence=confidence)

    def advice(
        self,
        *,
        target_error: float | None = None,
        confidence: float = 0.95,
        budget: int | None = None,
        target_recall: float | None = None,
        by: str | None = None,
    ) -> Advice:
        """Whether to stop asking, and why, in words.

        By default, the recorded target decides. In a session to find a class it is the
        `target_recall`, and not the error.
        """
        return advice(
            self.dialogue,
            by=self.by if by is None else by,
            target_error=self.target_error if target_error is None else target_error,
            confidence=confidence,
            budget=budget,
            target_recall=target_recall,
        )

    def leads(self, count: int | None = None) -> list[Lead]:
        """The nodes not asked about, the likeliest to be positive first, with probabilities.

        Examples
        --------
        >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
        >>> from lapwing import Session
        >>> session = Session(graph, goal="find", positive="fraud")
        >>> session.tell({"a": "fraud", "y": "fine"})
        >>> [lead.node for lead in session.leads()]
        ['b', 'c', 'x']
        """
        return leads_of(self.dialogue, count)

    def recall(
        self, classes: Sequence[Any] | None = None, *, confidence: float = 0.95
    ) -> RecallEstimate:
        """Which share of all nodes of some classes has been found, from the audits.

        By default of the classes that the session is to find. The bounds hold at any time, whatever
        was asked (`lapwing.active.recall_estimate`).

        Examples
        --------
        >>> graph = Graph.from_edges([("a", "b"), ("b", "c")])
        >>> from lapwing import Session
        >>> session = Session(graph, goal="find", positive="fraud")
        >>> session.tell({"a": "fraud", "c": "fine"})
        >>> print(session.recall())
        1 found, by the guesses about 68% of all; no audit is answered yet, so nothing is proven ...
        """
        return recall_of(self.dialogue, classes, confidence=confidence)

    def class_measures(self, label: str | int, *, confidence: float = 0.95) -> ClassMeasures:
        """How well one class is predicted on the nodes not asked about: precision and recall.

        Examples
        --------
        >>> from lapwing import Session
        >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]), ["red", "blue"])
        >>> print(session.class_measures("red").recall)
        unknown: no audit is about it yet
        """
        return class_measures(self.dialogue, label, confidence=confidence)

    def certificate(
        self,
        measure: str = "error",
        *,
        of: str | int | None = None,
        part: str | Sequence[Any] | None = None,
        confidence: float = 0.95,
    ) -> MeasureProof:
        """What the audits prove: error, class-error, macro-f1, or recall or precision `of` a class.

        For the whole graph or a `part`: names of nodes, or ``"column=value"`` of the node table.
        Nodes that were asked about count as right. The bound holds at any time, however questions
        were chosen, provided that further labels do not make more predictions wrong.

        Examples
        --------
        >>> from lapwing import Session
        >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]), ["red", "blue"])
        >>> print(session.certificate("recall", of="red"))
        recall of red unknown: no audit is about it yet
        """
        return certificate(self.dialogue, measure, of=of, part=part, confidence=confidence)

    def odd_answers(self, *, least: float = LIKELY) -> list[OddAnswer]:
        """The answers that look wrong, the likeliest first: worth a second look (`reask`).

        Each is judged by what the other answers say about its node. Call it from about 150 labels
        on; it takes about a second there.

        Examples
        --------
        >>> ring = [(node, (node + step) % 30) for node in range(30) for step in (1, 2)]
        >>> from lapwing import Session
        >>> session = Session(Graph.from_edges(ring), ["red", "blue"])
        >>> session.tell({node: "red" if node < 15 else "blue" for node in range(30) if node != 7})
        >>> session.tell(7, "blue")
        >>> print(*session.odd_answers())
        7: blue by me is 88% likely wrong, rather red
        """
        return SecondOpinion(self.dialogue).odd_answers(least)

    def people_errors(self) -> dict[str, PersonErrors]:
        """How often each person is right, and which classes they mix up.

        Examples
        --------
        >>> from lapwing import Session
        >>> session = Session(Graph.from_edges([("a", "b"), ("b", "c")]), ["red", "blue"])
        >>> session.tell({"a": "red", "c": "blue"}, by="ann")
        >>> session.people_errors()["ann"].answers
        2
        """
        return SecondOpinion(self.dialogue).people_errors()

    def standing(
        self,
        *,
        target_error: float | None = None,
        confidence: float = 0.95,
        target_recall: float | None = None,
        by: str | None = None,
    ) -> Standing:
        """How far it is: answers, audits, the bound, and how well people agree."""
        return standing(
            self.dialogue,
            by=self.by if by is None else by,
            target_error=self.target_error if target_error is None else target_error,
            confidence=confidence,
            target_recall=target_recall,
        )

    def __repr__(self) -> str:
        return f"Session({self.name!r}, {self.n_labels} labels)"

    def _repr_html_(self) -> str:
        """What a notebook shows: how far it is, what the audits say, the labels of each class."""
        return self.dialogue._repr_html_()

    def _index(self, node: Any) -> int:
        try:
            return self.graph.names.index(node)
        except TypeError:
            raise UnknownNodeError(f"no node is named {node!r}") from None
