"""Make a learner by name, on a graph or on rows."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache, partial
from typing import Any, overload

import numpy as np

from lapwing.catalog.entries import ENTRIES, FORMER_NAMES
from lapwing.catalog.entry import Entry, Model
from lapwing.catalog.names import BanditName, ClassifierName, LearnerName
from lapwing.catalog.unreached import Reached
from lapwing.checks import MOST_CLASSES, several, whole_number
from lapwing.embed import GrowingRows, in_usual_unit, laplacian
from lapwing.embed.attributes.beside import beside_attributes
from lapwing.errors import ConvergenceError, InputError
from lapwing.graph import Graph
from lapwing.learner import BanditLearner, Classifier, GrowsWithRows, Learner, WrapsLearner
from lapwing.online.one_vs_rest import OneVsRest
from lapwing.online.push.forgetting import Forgetting
from lapwing.online.push.push_learner import PushLearner
from lapwing.types import Array

NEEDS_NO_SPECTRUM: Mapping[str, str] = {
    "online": "auto",
    "selective": "auto",
    "bandit": "push-bandit",
}
"""What stands in for an algorithm of each kind on a graph whose spectrum cannot be computed."""


FADING = ("half_life", "edge_half_life", "clock")
"""Parameters of learners that forget."""
ATTRIBUTES = "use"
"""The parameter that names columns of the node table."""


@overload
def make(
    name: LearnerName,
    graph_or_rows: Graph | Array,
    *,
    n_classes: int | None = ...,
    **parameters: Any,
) -> Learner: ...
@overload
def make(
    name: BanditName,
    graph_or_rows: Graph | Array,
    *,
    n_classes: int | None = ...,
    **parameters: Any,
) -> BanditLearner: ...
@overload
def make(
    name: ClassifierName,
    graph_or_rows: Graph | Array,
    *,
    n_classes: int | None = ...,
    **parameters: Any,
) -> Classifier: ...
@overload
def make(
    name: str, graph_or_rows: Graph | Array, *, n_classes: int | None = ..., **parameters: Any
) -> Any: ...
def make(
    name: str, graph_or_rows: Graph | Array, *, n_classes: int | None = None, **parameters: Any
) -> Model:
    """Make the algorithm with that name, on a graph or on an array with one row per node.

    For a graph, an algorithm on rows gets them from `lapwing.embed.laplacian`, whose parameters
    (`rank`, `bias`, ...) you can set too. On a graph with several components, a node in a component
    without a known label is answered with `UNKNOWN`. Weights with a mean below .001 or above 1000
    are scaled to mean 1 where the algorithm depends on their unit. If the spectrum of the graph
    cannot be computed, `auto` (or `push-bandit`) is used instead, with a warning. Without
    `n_classes`, classes are added when their labels first appear.

    An algorithm on rows can learn from attributes too: `use` names columns of the node table, whose
    rows are put beside those of the graph (`beside_attributes`).

    Push learners (`auto`, `push-lgc`, `push-ridge`) can forget: `half_life` is that of labels,
    `edge_half_life` that of edges, counted in events, or in time with ``clock="time"``
    (`lapwing.online.push.Forgetting`).

    Examples
    --------
    >>> from lapwing import Graph
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = make("ollgc", graph, n_classes=2, mu=0.1)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> make("olgc", graph)
    Traceback (most recent call last):
        ...
    lapwing.errors.InputError: no algorithm is called 'olgc'; did you mean ollgc...?
    """
    entry = named(name)
    if n_classes is not None and whole_number("n_classes", n_classes, 1) > MOST_CLASSES:
        raise InputError(f"n_classes must be at most {MOST_CLASSES}, got {n_classes}")
    if "seed" in parameters:
        whole_number("seed", parameters["seed"], 0)
    settings = checked_parameters(entry, parameters, on_graph=isinstance(graph_or_rows, Graph))
    fading = {name: parameters[name] for name in FADING if parameters.get(name) is not None}
    try:
        domain = _domain(entry, graph_or_rows, parameters)
        model = _built(entry, domain, n_classes, settings)
    except ConvergenceError as failed:
        return _without_spectrum(entry, graph_or_rows, n_classes, failed)
    if fading:
        return _forgetting(entry, model, fading)
    if isinstance(graph_or_rows, Graph) and isinstance(domain, np.ndarray):
        _let_grow(model, graph_or_rows, entry, parameters, domain)
    if isinstance(graph_or_rows, Graph) and entry.rows is not None and isinstance(model, Learner):
        return (
            model if graph_or_rows.n_components <= 1 else Reached(model, graph_or_rows.components)
        )
    return model


def named(name: str) -> Entry:
    """Return the entry with that name; raise an error with similar names if there is none."""
    if not isinstance(name, str):
        raise InputError(f"an algorithm is chosen by its name, got {name!r:.80}")
    known = FORMER_NAMES.get(name, name)
    if known in ENTRIES:
        return ENTRIES[known]
    close = ", ".join(get_close_matches(name.lower(), ENTRIES, n=4, cutoff=0.4))
    hint = f"did you mean {close}?" if close else f"there are {', '.join(sorted(ENTRIES))}"
    raise InputError(f"no algorithm is called {name!r}; {hint}")


def rows_of(entry: Entry, graph: Graph, **changes: Any) -> Array:
    """Return the rows that an algorithm needs of this graph, beside attributes if they are used."""
    wanted = {key: value for key, value in changes.items() if key in entry.row_settings}
    rows = _rows(graph, tuple(sorted((entry.row_settings | wanted).items())))
    if not changes.get(ATTRIBUTES):
        return rows
    return _frozen(beside_attributes(graph, rows, use=several(ATTRIBUTES, changes[ATTRIBUTES])))


@lru_cache(maxsize=4)
def _rows(graph: Graph, settings: tuple[tuple[str, Any], ...]) -> Array:
    """Return read-only rows of a graph, cached for the next learner on it."""
    return _frozen(laplacian(in_usual_unit(graph), components=True, **dict(settings)))


def _let_grow(
    model: Model, graph: Graph, entry: Entry, parameters: Mapping[str, Any], rows: Array
) -> None:
    """Give a learner on rows the means to make rows of new nodes."""
    inner = model.inner if isinstance(model, WrapsLearner) else model
    if isinstance(inner, GrowsWithRows):
        known = {*entry.row_settings, ATTRIBUTES}
        settings = {k: v for k, v in parameters.items() if k in known}
        unit = bool((entry.row_settings | settings).get("unit_rows"))
        make = partial(rows_of, entry, **settings)
        inner.domain = GrowingRows(graph, make, unit_rows=unit, rows=rows)


def _frozen(rows: Array) -> Array:
    """Make all rows writable alike, since compiled code distinguishes read-only arrays."""
    frozen = np.ascontiguousarray(rows).view()
    frozen.flags.writeable = False
    return frozen


def checked_parameters(
    entry: Entry, parameters: Mapping[str, Any], *, on_graph: bool = True
) -> dict[str, Any]:
    """Return the algorithm's settings updated with the given ones; raise for unknown names."""
    valid = entry.parameters if on_graph else entry.settings
    beside = (ATTRIBUTES,) if on_graph and entry.rows is not None else ()
    unknown = [name for name in parameters if name not in (*valid, *beside, *FADING)]
    if unknown:
        accepted = ", ".join(sorted(valid)) or "none"
        on = "" if on_graph or entry.rows is None else " on rows"
        raise InputError(
            f"{entry.name} has no parameter {unknown[0]!r}{on}; its parameters are: {accepted}"
        )
    return {name: parameters.get(name, default) for name, default in entry.settings.items()}


def _domain(entry: Entry, given: Graph | Array, parameters: Mapping[str, Any]) -> Graph | Array:
    if isinstance(given, Graph):
        if entry.rows is not None:
            return rows_of(entry, given, **parameters)
        return in_usual_unit(given) if entry.is_binary else given
    if entry.rows is None:
        raise InputError(f"{entry.name} needs a Graph, got {type(given).__name__}")
    rows = np.ascontiguousarray(given, dtype=np.float64)
    if rows.ndim != 2:
        raise InputError(f"rows must be an array with one row per node, got shape {rows.shape}")
    bad = ~np.isfinite(rows).all(axis=1)
    if bad.any():
        raise InputError(f"rows must be finite, the row of node {np.argmax(bad)} is not")
    return _frozen(rows)


def _built(
    entry: Entry, domain: Graph | Array, n_classes: int | None, settings: dict[str, Any]
) -> Model:
    if entry.is_binary:
        return OneVsRest(partial(entry.build, domain, **settings), n_classes)
    model: Model = entry.build(domain, n_classes, **settings)
    return model


def _forgetting(entry: Entry, model: Model, fading: Mapping[str, Any]) -> Model:
    """The learner with labels and edges that fade; raise if it cannot forget."""
    if not isinstance(model, PushLearner):
        raise InputError(
            f"{entry.name} has no parameter {next(iter(fading))!r}: "
            "only auto, push-lgc and push-ridge can forget"
        )
    return Forgetting(
        model,
        labels=fading.get("half_life"),
        edges=fading.get("edge_half_life"),
        clock=fading.get("clock", "events"),
    )


def _without_spectrum(
    entry: Entry, given: Graph | Array, n_classes: int | None, failed: ConvergenceError
) -> Model:
    """A learner of the same kind that needs no spectrum; batch methods have their own ways."""
    other = ENTRIES[NEEDS_NO_SPECTRUM.get(entry.kind, entry.name)]
    if other is entry or not isinstance(given, Graph):
        raise failed
    warnings.warn(f"{entry.name} is replaced by {other.name}: {failed}", RuntimeWarning, 3)
    return _built(other, given, n_classes, other.settings)
