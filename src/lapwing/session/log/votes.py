"""Who said what about which node, and what follows from it."""

from __future__ import annotations

from lapwing.session.log.events import Event, Kind
from lapwing.session.log.reliability import beliefs, reliabilities

SURE = 0.8
"""The probability a label needs when people disagree; below it the node is asked again."""


class Votes:
    """Everyone's latest answer for each node; together they are the node's label.

    All answers are kept when people disagree, and weighed by how reliable each person has shown to
    be on nodes that others answered too (`reliabilities`). Where no label is then `SURE`, the node
    has none and is *disputed*: it wants to be asked again, of someone who has not answered yet.

    Examples
    --------
    >>> votes = Votes()
    >>> votes.count(Event(1, Kind.TOLD, "", "ann", node=7, label=0))
    >>> votes.label(7)
    0
    >>> votes.count(Event(2, Kind.TOLD, "", "bo", node=7, label=1))
    >>> votes.label(7), votes.disputed()
    (None, [7])
    >>> for node in range(3):
    ...     for name, label in (("ann", 0), ("cy", 0), ("bo", 1)):
    ...         votes.count(Event(3, Kind.TOLD, "", name, node=node, label=label))
    >>> votes.label(7), {name: round(chance, 2) for name, chance in votes.reliability().items()}
    (0, {'ann': 0.91, 'bo': 0.66, 'cy': 0.92})
    """

    def __init__(self) -> None:
        self._answers: dict[int, dict[str, int]] = {}
        self._reliability: dict[str, float] | None = None

    def count(self, event: Event) -> None:
        """Take in an answer or its withdrawal."""
        if event.node is None:
            return
        self._reliability = None
        if event.kind in (Kind.TOLD, Kind.CORRECTED) and event.label is not None:
            answers = self._answers.setdefault(event.node, {})
            answers.pop(event.by, None)
            answers[event.by] = event.label
        elif event.kind is Kind.WITHDRAWN and event.node in self._answers:
            self._answers[event.node].pop(event.by, None)
            if not self._answers[event.node]:
                del self._answers[event.node]

    def label(self, node: int) -> int | None:
        """A node's label; None without an answer, or while people disagree and none is sure."""
        said = self._answers.get(node, {})
        if len(set(said.values())) < 2:
            return next(iter(said.values()), None)
        belief = beliefs(said, self.reliability(), self._n_classes())
        best = max(belief, key=lambda label: belief[label])
        return best if belief[best] >= SURE else None

    def reliability(self) -> dict[str, float]:
        """The estimated share of right answers of each person."""
        if self._reliability is None:
            self._reliability = reliabilities(self._answers, self._n_classes())
        return self._reliability

    def answers(self, node: int) -> dict[str, int]:
        """Everyone's latest answer for one node."""
        return dict(self._answers.get(node, {}))

    def nodes(self) -> list[int]:
        """Every node somebody has answered, in order of the first answer."""
        return list(self._answers)

    def contested(self) -> list[int]:
        """Nodes whose answers differ."""
        return [node for node, said in self._answers.items() if len(set(said.values())) > 1]

    def disputed(self) -> list[int]:
        """Nodes with answers but no label yet."""
        return [node for node in self.contested() if self.label(node) is None]

    def _n_classes(self) -> int:
        """Classes anybody has named, two at least."""
        return max(2, 1 + max((max(said.values()) for said in self._answers.values()), default=0))
