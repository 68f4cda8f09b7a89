"""A `repr` and a notebook card that show the parameters of a model."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any, Self

import numpy as np

from lapwing.card import card
from lapwing.graph import Graph


class Described:
    """Remembers the keyword parameters of its constructor and shows them in `repr`.

    A notebook shows a card: parameters, what the model was made on, and the labels it has learned.

    Examples
    --------
    >>> class Rule(Described):
    ...     def __init__(self, rows, n_classes=None, *, mu=0.1, name="a"): ...
    >>> Rule(np.eye(2), 3, mu=0.5)
    Rule(n_classes=3, mu=0.5, name='a')
    """

    _shown: dict[str, Any]
    _made_on: tuple[str, str] | None = None
    labels_learned: int = 0
    """How many labels it was given so far."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Note the parameters; `__init__` gets them as usual."""
        model = super().__new__(cls)
        model._shown = _parameters(cls, args, kwargs)
        domain = args[0] if args else kwargs.get("graph", kwargs.get("rows"))
        model._made_on = _domain(domain)
        return model

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={_short(value)}" for name, value in self._shown.items())
        return f"{type(self).__name__}({shown})"

    def _repr_html_(self) -> str:
        """The model as a card."""
        nodes = vars(self).get("n_nodes")
        rows = [] if nodes is None else [("nodes", f"{nodes:,}")]
        rows = rows if self._made_on is None else [self._made_on]
        rows += [(name, _short(value)) for name, value in self._shown.items()]
        return card(type(self).__name__, [*rows, ("labels learned", f"{self.labels_learned:,}")])


def _domain(given: Any) -> tuple[str, str] | None:
    """What a model is made on, in words."""
    if isinstance(given, Graph):
        return "graph", f"{given.n_nodes:,} nodes, {given.n_edges:,} edges"
    if isinstance(given, np.ndarray):
        return "rows", " x ".join(f"{side:,}" for side in given.shape)
    return None


def _parameters(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    """The keyword-only parameters with their values, and the number of classes where it is set."""
    places, defaults = _signature(cls)
    positional = dict(zip(places, args, strict=False))
    n_classes = kwargs.get("n_classes", positional.get("n_classes"))
    fixed = {} if n_classes is None else {"n_classes": n_classes}
    return fixed | {name: kwargs.get(name, default) for name, default in defaults.items()}


@lru_cache(maxsize=256)
def _signature(cls: type) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Names of positional parameters; keyword-only parameters and their defaults."""
    found = list(inspect.signature(cls).parameters.values())
    places = tuple(p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD)
    return places, {p.name: p.default for p in found if p.kind is p.KEYWORD_ONLY}


def _short(value: Any) -> str:
    """An array is shown by its shape."""
    if isinstance(value, np.ndarray):
        return f"array{value.shape}"
    return repr(value)
