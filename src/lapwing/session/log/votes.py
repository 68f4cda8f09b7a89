"""The answers of all people for each node, and the resulting labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lapwing.session.log.events import Event, Kind
from lapwing.session.log.reliability import Pattern, beliefs, pattern_of, shared_reliabilities

SURE = 0.8
"""The probability a label needs when people disagree; below it the node is asked again."""


class Votes:
    """Everyone's latest answer for each node, combined into the node's label.

    When people disagree, all answers are kept and weighted by each person's reliability, estimated
    from nodes that others answered too (`reliabilities`). If no label reaches the probability
    `SURE`, the node has no label and is *disputed*: somebody who has not answered yet is asked. The
    cost of an answer does not depend on the number of earlier answers.

    Examples
    --------
    >>> votes = Votes()
    >>> votes.count(Event(1, Kind.TOLD, "", "ann", node=7, label=0))
    [7]
    >>> votes.label(7)
    0
    >>> votes.count(Event(2, Kind.TOLD, "", "bo", node=7, label=1))
    [7]
    >>> votes.label(7), votes.disputed()
    (None, [7])
    >>> for node in range(3):
    ...     for name, label in (("ann", 0), ("cy", 0), ("bo", 1)):
    ...         changed = votes.count(Event(3, Kind.TOLD, "", name, node=node, label=label))
    >>> votes.label(7), {name: round(chance, 2) for name, chance in votes.reliability().items()}
    (0, {'ann': 0.91, 'bo': 0.66, 'cy': 0.92})
    """

    def __init__(self) -> None:
        self._answers: dict[int, dict[str, int]] = {}
        self._by: dict[str, dict[int, None]] = {}
        self._since: dict[int, int] = {}
        self._times: Counter[int] = Counter()
        self._shared: Counter[Pattern] = Counter()
        self._contested: dict[Pattern, dict[int, None]] = {}
        self._labels: dict[Pattern, int | None] = {}
        self._reliability: dict[str, float] | None = None
        self._counted = 0

    def count(self, event: Event) -> list[int]:
        """Count an answer or its withdrawal; return the nodes whose label may have changed."""
        node, told = event.node, event.kind in (Kind.TOLD, Kind.CORRECTED)
        if node is None or not (told or node in self._answers):
            return []
        before, kinds = dict(self._answers.get(node, {})), self._n_classes()
        self._leave(node, before)
        now = {name: label for name, label in before.items() if name != event.by}
        self._by.setdefault(event.by, {}).pop(node, None)
        if told and event.label is not None:
            now[event.by] = event.label
            self._by[event.by][node] = None
        self._enter(node, now)
        self._reliability = None
        alone = len(before) < 2 and len(now) < 2 and self._n_classes() == kinds
        return [node] if alone else self._moved(node)

    def _leave(self, node: int, said: dict[str, int]) -> None:
        self._times.subtract(said.values())
        if len(said) < 2:
            return
        pattern = pattern_of(said)
        self._shared[pattern] -= 1
        if not self._shared[pattern]:
            del self._shared[pattern]
        if pattern in self._contested:
            self._contested[pattern].pop(node)
            if not self._contested[pattern]:
                del self._contested[pattern]
                self._labels.pop(pattern, None)

    def _enter(self, node: int, said: dict[str, int]) -> None:
        if not said:
            self._answers.pop(node, None)
            self._since.pop(node, None)
            return
        self._answers[node] = said
        if node not in self._since:
            self._counted += 1
            self._since[node] = self._counted
        self._times.update(said.values())
        if len(said) > 1:
            pattern = pattern_of(said)
            self._shared[pattern] += 1
            if len(set(said.values())) > 1:
                self._contested.setdefault(pattern, {})[node] = None

    def _moved(self, node: int) -> list[int]:
        """The node, and those whose label may have changed with the reliabilities."""
        labels = {pattern: self._settled(dict(pattern)) for pattern in self._contested}
        missing = object()
        changed = [
            other
            for pattern, label in labels.items()
            if self._labels.get(pattern, missing) != label
            for other in self._contested[pattern]
        ]
        self._labels = labels
        return list(dict.fromkeys((node, *self._in_order(changed))))

    def _in_order(self, nodes: Iterable[int]) -> list[int]:
        return sorted(nodes, key=self._since.__getitem__)

    def _settled(self, said: dict[str, int]) -> int | None:
        belief = beliefs(said, self.reliability(), self._n_classes())
        best = max(belief, key=lambda label: belief[label])
        return best if belief[best] >= SURE else None

    def label(self, node: int) -> int | None:
        """A node's label; None without an answer, or while people disagree and none is sure."""
        said = self._answers.get(node, {})
        if len(set(said.values())) < 2:
            return next(iter(said.values()), None)
        return self._labels[pattern_of(said)]

    def reliability(self) -> dict[str, float]:
        """The estimated share of right answers of each person."""
        if self._reliability is None:
            people = [name for name, nodes in self._by.items() if nodes]
            self._reliability = shared_reliabilities(self._shared, people, self._n_classes())
        return self._reliability

    def answers(self, node: int) -> dict[str, int]:
        """Everyone's latest answer for one node."""
        return dict(self._answers.get(node, {}))

    def answered(self, by: str) -> list[int]:
        """The nodes that a person has answered, the latest last."""
        return list(self._by.get(by, ()))

    def people(self) -> dict[str, int]:
        """The number of answers of each person that stand."""
        return {name: len(nodes) for name, nodes in self._by.items() if nodes}

    def shared(self) -> dict[int, dict[str, int]]:
        """The answers for each node that several people answered."""
        return {node: dict(said) for node, said in self._answers.items() if len(said) > 1}

    def latest(self, by: str) -> int | None:
        """The node of a person's latest answer that was not withdrawn."""
        return next(reversed(self._by.get(by, {})), None)

    def nodes(self) -> list[int]:
        """All nodes with an answer, in order of the first answer."""
        return list(self._answers)

    def contested(self) -> list[int]:
        """Nodes whose answers differ, in order of the first answer."""
        return self._in_order(node for nodes in self._contested.values() for node in nodes)

    def disputed(self) -> list[int]:
        """Nodes with answers but no label yet."""
        return self._in_order(
            node
            for pattern, nodes in self._contested.items()
            if self._labels[pattern] is None
            for node in nodes
        )

    def _n_classes(self) -> int:
        """The number of classes in use, at least two."""
        standing = [label for label, times in self._times.items() if times > 0]
        return max(2, 1 + max(standing, default=0))
