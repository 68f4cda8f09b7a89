"""What a prediction rests on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lapwing.checks import many_nodes, one_node
from lapwing.types import Array, Nodes

LEAST_TOLD = 0.005
"""A part that counts less is not mentioned."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks for the most probable class of a node against the second.

    `parts` are the kinds of evidence with the share that each contributes, the largest first (a
    negative share speaks against it); `labels` are the labelled nodes that count most, by index,
    with their shares of all mass that reaches the node; `features` are words and values of the
    node's own attributes with their effect on the margin. `note` says what is missing.
    """

    parts: tuple[tuple[str, float], ...] = ()
    labels: tuple[tuple[int, float], ...] = ()
    features: tuple[tuple[str, float], ...] = ()
    note: str = ""


def evidence_words(parts: Mapping[str, float]) -> str:
    """Return kinds of evidence and their shares as one line, without those below half a percent.

    Examples
    --------
    >>> evidence_words({"labels nearby": 0.62, "attributes": 0.378, "degree": 0.002})
    'evidence by its weight: labels nearby 62%, attributes 38%'
    """
    told = [f"{name} {share:.0%}" for name, share in parts.items() if share >= LEAST_TOLD]
    return f"evidence by its weight: {', '.join(told)}" if told else ""


class CanExplain(ABC):
    """A learner that can say what its predictions rest on."""

    n_nodes: int

    def evidence(self, node: int) -> Evidence:
        """Return what the prediction for a node rests on."""
        return self._evidence(one_node(node, self.n_nodes))

    def counted(self, nodes: Nodes) -> dict[str, float]:
        """Return how much each kind of evidence counts over these nodes, the largest share first.

        Empty before two classes have labels.
        """
        return self._counted(many_nodes(nodes, self.n_nodes))

    @abstractmethod
    def _evidence(self, node: int) -> Evidence: ...

    @abstractmethod
    def _counted(self, nodes: Nodes) -> dict[str, float]: ...


class JudgesNeighbours(ABC):
    """A learner that learns whether neighbours are alike."""

    @property
    @abstractmethod
    def neighbour_trust(self) -> float:
        """Return how far it expects neighbours to be alike, between 0 and 1."""

    @abstractmethod
    def mark_chosen(self, node: int) -> None:
        """Note, before its label comes, that a strategy chose this node: it is no fair sample."""

    @abstractmethod
    def lead_over_shares(self, drawn: Sequence[int], *, by_edges: bool = True) -> float:
        """Return how far neighbours told nodes drawn at random better than class shares do.

        In log loss, over those of the nodes that have labels, in this order; how far the learner
        itself did, unless `by_edges`.
        """


class ComparesNodes(ABC):
    """A learner that can tell which nodes are alike, as far as its labels go."""

    @abstractmethod
    def likeness_rows(self, nodes: Nodes) -> Array:
        """Return a row per node; the inner product of two says how alike the nodes are.

        The mean of the squared lengths over all nodes is about 1. No columns mean that it cannot
        tell (yet). What the labels say may change the rows, but not between two labels.
        """

    @property
    def compares_by_edges(self) -> bool:
        """Whether edges are all that the rows are made of."""
        return False
