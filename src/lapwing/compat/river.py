"""An online learner with river's ``learn_one`` and ``predict_one``."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any, Self

from lapwing.catalog import DEFAULT, make
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.types import UNKNOWN

Example = Mapping[str, Any] | Hashable


class RiverClassifier:
    """A lapwing learner with river's interface; an example is a node name or a dict that holds it.

    Labels can be of any type, and classes are added when they first appear. The class has the
    methods that river's ``evaluate`` and metrics call on a classifier; river itself is not needed.
    Pass ``{"node": name}`` where river expects a dict.

    Parameters
    ----------
    graph: the `Graph`; examples are its node names.
    method: the catalog name of an online or selective learner.
    key: where a dict holds the node.
    parameters: the learner's own.

    Examples
    --------
    >>> graph = Graph.from_edges([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e")])
    >>> model = RiverClassifier(graph, method="ollgc")
    >>> model.predict_one({"node": "a"}) is None
    True
    >>> model.learn_one({"node": "a"}, "red")
    >>> model.learn_one({"node": "e"}, "blue")
    >>> model.predict_one({"node": "b"}), model.predict_one("d")
    ('red', 'blue')
    """

    _multiclass = True

    def __init__(
        self, graph: Graph, *, method: str = DEFAULT, key: str = "node", **parameters: Any
    ) -> None:
        self.graph, self.method, self.key, self.parameters = graph, method, key, parameters
        self.classes: list[Hashable] = []
        self.learner = make(method, graph, **parameters)
        if not isinstance(self.learner, Learner):
            raise InputError(
                f"{method} is not an online learner; see lapwing learners --kind online"
            )

    def clone(self) -> Self:
        """Return a new learner with the same parameters."""
        return type(self)(self.graph, method=self.method, key=self.key, **self.parameters)

    def learn_one(self, x: Example, y: Hashable | None) -> None:
        """End a round: learn the label of a node, or pass None if there is none."""
        if y is None:
            self.learner.learn(self._node(x), None)
            return
        if y not in self.classes:
            self.classes.append(y)
        self.learner.learn(self._node(x), self.classes.index(y))

    def wants_one(self, x: Example) -> bool:
        """Whether a selective learner asks for this node's label; it always asks for the first."""
        return not self.classes or bool(self.learner.queries(self._node(x)))

    def predict_one(self, x: Example) -> Hashable | None:
        """Return the most probable label; None if nothing is known."""
        guess = int(self.learner.predict(self._node(x)))
        return None if guess == UNKNOWN else self.classes[guess]

    def predict_proba_one(self, x: Example) -> dict[Hashable, float]:
        """Return a probability for each label seen; empty if nothing is known."""
        chances = self.learner.predict_proba(self._node(x))[: len(self.classes)]
        if not chances.any():
            return {}
        return dict(zip(self.classes, chances.tolist(), strict=True))

    def _node(self, x: Example) -> int:
        if isinstance(x, Mapping):
            if self.key not in x:
                raise InputError(f"an example must hold its node under {self.key!r}, got {list(x)}")
            return self.graph.index(x[self.key])
        return self.graph.index(x)
