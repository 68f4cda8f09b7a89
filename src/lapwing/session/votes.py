"""Who said what about which node, and what follows from it."""

from __future__ import annotations

from lapwing.session.events import Event, Kind


class Votes:
    """Everyone's latest answer for each node; the majority is the node's label.

    Both answers are kept when two people disagree; on a tie the node has no label and is
    *disputed*: it wants to be asked again, of someone who has not answered yet.

    Examples
    --------
    >>> votes = Votes()
    >>> votes.count(Event(1, Kind.TOLD, "", "ann", node=7, label=0))
    >>> votes.label(7)
    0
    >>> votes.count(Event(2, Kind.TOLD, "", "bo", node=7, label=1))
    >>> votes.label(7), votes.disputed()
    (None, [7])
    """

    def __init__(self) -> None:
        self._answers: dict[int, dict[str, int]] = {}

    def count(self, event: Event) -> None:
        """Take in an answer or its withdrawal."""
        if event.node is None:
            return
        if event.kind in (Kind.TOLD, Kind.CORRECTED) and event.label is not None:
            answers = self._answers.setdefault(event.node, {})
            answers.pop(event.by, None)
            answers[event.by] = event.label
        elif event.kind is Kind.WITHDRAWN and event.node in self._answers:
            self._answers[event.node].pop(event.by, None)
            if not self._answers[event.node]:
                del self._answers[event.node]

    def label(self, node: int) -> int | None:
        """The label most people gave a node; None for no answer, or for a tie."""
        tally: dict[int, int] = {}
        for label in self._answers.get(node, {}).values():
            tally[label] = tally.get(label, 0) + 1
        best = sorted(tally, key=lambda label: -tally[label])
        if not best or (len(best) > 1 and tally[best[0]] == tally[best[1]]):
            return None
        return best[0]

    def answers(self, node: int) -> dict[str, int]:
        """Everyone's latest answer for one node."""
        return dict(self._answers.get(node, {}))

    def nodes(self) -> list[int]:
        """Every node somebody has answered, in order of the first answer."""
        return list(self._answers)

    def disputed(self) -> list[int]:
        """Nodes with answers but no majority."""
        return [node for node in self._answers if self.label(node) is None]
