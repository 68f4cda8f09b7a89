"""What a method says of all nodes: probabilities, sets of labels, tables, and how right it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lapwing.batch.calibration.label_rules import chosen_labels
from lapwing.batch.calibration.label_sets import LabelSets
from lapwing.batch.calibration.priors import with_guesses, with_priors
from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.classifier import GraphClassifier
from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.graph.labels import Labels
from lapwing.learner import Classifier
from lapwing.metrics import calibration_error, f1, label_calibration_error
from lapwing.types import UNKNOWN, Array, Nodes


@dataclass
class Answers:
    """A probability for every node and class; where nodes have several labels, their sets, too.

    `sets` is a 0/1 row per node, or None where a node has one label. `by_attributes` counts the
    nodes that no label reaches and that are answered from their attributes alone.
    """

    found: Dataset
    known: Nodes
    chances: Array
    sets: Array | None = None
    by_attributes: int = 0

    @classmethod
    def of(cls, found: Dataset, model: Classifier, known: Nodes, *, seed: int) -> Answers:
        """Learn from the labels of the known nodes, and answer for all."""
        everyone = np.arange(found.graph.n_nodes)
        model.fit(known, found.labels[known])
        if not found.multilabel:
            chances = model.predict_proba(everyone)
            places = found.graph.components
            alone = chances.any(axis=1) & ~np.isin(places, places[known])
            by_attributes = int(alone.sum()) if isinstance(model, BestEvidence) else 0
            return cls(found, known, chances, by_attributes=by_attributes)
        inner = model.candidate() if isinstance(model, BestEvidence | CrossValidated) else model
        assert isinstance(inner, GraphClassifier)
        sets = LabelSets(inner, seed=seed).fit(known, found.known.rows(known))
        return cls(found, known, sets.predict_proba(everyone), sets.label_sets(everyone))

    def limit(self, per_node: int) -> None:
        """Give every node its `per_node` most probable labels, whatever their thresholds."""
        self.sets = chosen_labels(self.chances, np.zeros(0), per_node=per_node)

    def shift(self, shares: Array) -> None:
        """Let the answers have these class shares."""
        self.chances = with_priors(self.chances, shares)

    def guess(self, shares: Array | None) -> None:
        """Answer with class shares, those among the labels unless given, where no label reaches."""
        counts = self.found.known.rows(self.known).sum(axis=0)
        if not self.found.multilabel:
            self.chances = with_guesses(self.chances, counts if shares is None else shares)
            return
        unreached = np.flatnonzero(~self.chances.any(axis=1))
        self.chances[unreached] = counts / len(self.known)
        if self.sets is not None:
            self.sets[unreached, int(np.argmax(counts))] = 1.0

    def with_given(self) -> tuple[Array, Array]:
        """Probabilities and sets where given labels, and no others, are certain."""
        sure = self.chances.copy()
        labels = np.zeros_like(sure) if self.sets is None else self.sets.copy()
        sure[self.known] = labels[self.known] = self.found.known.rows(self.known)
        return sure, labels

    def given(self) -> Labels:
        """The labels that were learned from, one per node."""
        kept = np.full(self.found.graph.n_nodes, UNKNOWN, dtype=np.intp)
        kept[self.known] = self.found.labels[self.known]
        return Labels(kept, self.found.classes)

    def counts(self) -> dict[str, float]:
        """How many nodes, labels, classes and unknowns there are."""
        found: dict[str, float] = {
            "nodes": self.found.graph.n_nodes,
            "labelled": len(self.known),
            "classes": self.found.n_classes,
            "unknown": int((~self.chances.any(axis=1)).sum()),
        }
        if self.by_attributes:
            found["by_attributes_alone"] = self.by_attributes
        if self.sets is not None:
            sizes = self.sets.sum(axis=1)
            found["labels_per_node"] = float(sizes.sum() / max((sizes > 0).sum(), 1))
        return found

    def on_hidden(self) -> dict[str, float]:
        """How right the answers are where the label was hidden; an unknown is wrong.

        With several labels per node, micro_f1 and macro_f1 give a node as many labels as it has,
        the papers' rule; set_micro_f1 scores the labels that are written.
        """
        hidden = np.setdiff1d(self.found.known.nodes(), self.known)
        said, true = self.chances[hidden], self.found.known.rows(hidden)
        scores, reached = f1(said, true), said.any(axis=1)
        told: dict[str, float] = {
            "hidden": len(hidden),
            "hidden_unknown": int((~reached).sum()),
        }
        if self.sets is None:
            right = f1(said[reached], true[reached]).micro if reached.any() else 0.0
            told |= {"accuracy": scores.micro, "accuracy_where_known": right}
        told |= {
            "micro_f1": scores.micro,
            "macro_f1": scores.macro,
            "calibration_error": calibration_error(said, true),
        }
        if self.sets is not None:
            sets = self.sets[hidden]
            both = float(sets.sum() + true.sum())
            told["set_micro_f1"] = 2 * float((sets * true).sum()) / max(both, 1.0)
            told["label_calibration_error"] = label_calibration_error(said, true)
        return told


def label_set_table(found: Dataset, chances: Array, sets: Array) -> dict[str, NDArray[Any]]:
    """One row per node and label, with the label's probability; unknown nodes have no row.

    `read_labels` reads the table back, a node's labels together.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> path = Graph.from_edges([("ada", "bo")], names=["ada", "bo", "cy"])
    >>> data = Dataset("path", path, np.array([1, -1, -1]), ("red", "blue"))
    >>> chances = np.array([[1.0, 1.0], [0.25, 0.75], [0.0, 0.0]])
    >>> table = label_set_table(data, chances, np.array([[1, 1], [0, 1], [0, 0]]))
    >>> for name, column in table.items():
    ...     print(name, column.tolist())
    node ['ada', 'ada', 'bo']
    label ['blue', 'red', 'blue']
    confidence [1.0, 1.0, 0.75]
    """
    nodes, classes = np.nonzero(sets)
    names = np.array(found.classes, dtype=object)[classes].astype(str)
    order = np.lexsort((names, -chances[nodes, classes], nodes))
    nodes, classes = nodes[order], classes[order]
    return {
        "node": _column([found.graph.names[node] for node in nodes.tolist()]),
        "label": names[order],
        "confidence": chances[nodes, classes].round(6),
    }


def probability_table(found: Dataset, chances: Array) -> dict[str, NDArray[Any]]:
    """One row per node, one column per class: the probability that the node has it.

    Examples
    --------
    >>> from lapwing.graph import Graph
    >>> path = Graph.from_edges([("ada", "bo")])
    >>> data = Dataset("path", path, np.array([1, -1]), ("red", "blue"))
    >>> table = probability_table(data, np.array([[0.0, 1.0], [0.25, 0.75]]))
    >>> list(table), table["blue"].tolist()
    (['node', 'red', 'blue'], [1.0, 0.75])
    """
    names = [found.graph.names[node] for node in range(len(chances))]
    columns = {str(name): chances[:, k].round(6) for k, name in enumerate(found.classes)}
    if "node" in columns:
        raise InputError("a class called 'node' cannot be a column beside the nodes")
    return {"node": _column(names), **columns}


def _column(names: list[Any]) -> NDArray[Any]:
    """Integers if all are, otherwise text."""
    if all(type(name) is int for name in names):
        return np.array(names, dtype=np.int64)
    return np.array([str(name) for name in names])
