"""What methods ask of an engine: passes over the edges, and works on every part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lapwing.cluster.engine.part import Step, Work
from lapwing.cluster.graph import PartitionedGraph

Combining = Literal["sum", "join"]


class Engine(ABC):
    """Runs the steps of a method on all parts of a graph, wherever they are.

    A method is a sequence of calls that depends on nothing but its arguments and what the calls
    return, so an engine can play it again from a checkpoint.
    """

    graph: PartitionedGraph

    @abstractmethod
    def total(self, work: Work, *arguments: Any, combine: Combining = "sum") -> NDArray[Any]:
        """Do a work on every part; return what the parts return, added up or joined."""

    @abstractmethod
    def steps(self, steps: Sequence[Step]) -> None:
        """Do passes over the edges, one after the other."""


def combined(found: Sequence[NDArray[Any] | None], combine: Combining) -> NDArray[Any]:
    """Add up or join what parts returned; parts that returned nothing are left out.

    Examples
    --------
    >>> combined([np.array([1]), None, np.array([2])], "join"), combined([np.ones(1)] * 2, "sum")
    (array([1, 2]), array([2.]))
    """
    some = [np.asarray(each) for each in found if each is not None]
    if not some:
        return np.zeros(0)
    return np.concatenate(some) if combine == "join" else reduce(np.add, some)
