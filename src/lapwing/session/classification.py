"""Predict the labels of all nodes from a few, in one call."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.catalog import make
from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.checks import label_text, value_per_name
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.graph.labels import Labels
from lapwing.session.reading.predictions import Predictions
from lapwing.types import UNKNOWN


def classify(
    graph: Graph,
    labels: Labels | Mapping[Any, Any],
    *,
    method: str = DEFAULT_BATCH,
    **settings: Any,
) -> Predictions:
    """Predict every node's label from the labels of some.

    Parameters
    ----------
    graph
        The graph.
    labels
        A label per node name (a dictionary, or a pandas Series indexed by name), or what
        `lapwing.read_labels` returns.
    method
        A batch method of the catalog; the default goes by neighbours, attributes and structure as
        far as the labels support each (`best-evidence`).
    settings
        Parameters of the method.

    Examples
    --------
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "x"), ("x", "y")])
    >>> found = classify(graph, {"a": "red", "y": "blue"}, method="propagation")
    >>> [row.label for row in found]
    ['red', 'red', 'red', 'blue', 'blue']
    """
    if not isinstance(graph, Graph):
        raise InputError(f"nodes are classified on a Graph, got {graph!r:.80}")
    known = labels if isinstance(labels, Labels) else told_labels(graph, labels)
    at = known.nodes()
    if len(at) == 0:
        raise InputError("labels must name the class of at least one node, got none")
    model = make(method, graph, n_classes=len(known.classes), **settings)
    model.fit(at, known.labels[at])
    if isinstance(model, BestEvidence) and model.caution:
        warnings.warn(model.caution, RuntimeWarning, stacklevel=2)
    return Predictions.of(graph, model.predict_proba(np.arange(graph.n_nodes)), known)


def told_labels(graph: Graph, labels: Mapping[Any, Any]) -> Labels:
    """Convert labels by node name to indices; classes are in order of first appearance."""
    found = np.full(graph.n_nodes, UNKNOWN, dtype=np.intp)
    classes: dict[str, int] = {}
    for name, label in value_per_name("labels", labels).items():
        node = graph.names.index(name)
        found[node] = classes.setdefault(label_text(label), len(classes))
    return Labels(found, tuple(classes))
