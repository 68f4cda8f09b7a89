"""Which audits speak about which nodes of a graph that has grown."""

from __future__ import annotations

from typing import NamedTuple


class Drawn(NamedTuple):
    """An audit by its place among all, and the labels in its stratum when it was drawn."""

    place: int
    labelled: int


class Moment(NamedTuple):
    """When an audit is drawn: the labels known, those on the nodes added last, and their first."""

    labelled: int
    new_labels: int
    boundary: int | None


class AuditStrata:
    """The audits of nodes that were there before the last growth, and of those it added.

    An audit is a random draw from all nodes left at the time. Audits from before a growth say
    nothing about the nodes it added. After a growth, each audit is a random draw within the part it
    falls in, so each part has its own bound. When the graph grows again, the two parts become one,
    of which only the audits since the last growth are random draws; earlier ones are left out.

    Examples
    --------
    >>> strata = AuditStrata()
    >>> strata.note_audit(3, strata.moment(labelled=2))
    >>> strata.add_nodes(10)
    >>> strata.note_label(12, 1)
    >>> strata.note_audit(11, strata.moment(labelled=5))
    >>> strata.old, strata.new
    ([Drawn(place=0, labelled=2)], [Drawn(place=1, labelled=1)])
    """

    def __init__(self) -> None:
        self.boundary: int | None = None
        """The first node of those added last; None before any growth."""
        self.new_labels = 0
        self.old: list[Drawn] = []
        self.new: list[Drawn] = []
        self._since: list[Drawn] = []
        self._before: int | None = None
        self._n_audits = 0

    def add_nodes(self, first: int) -> None:
        """Begin a new part with this node."""
        if self.boundary is not None:
            self.old = self._since
        self._before, self.boundary = self.boundary, first
        self.new, self._since, self.new_labels = [], [], 0

    def note_audit(self, node: int, drawn: Moment) -> None:
        """Note an answered audit, and what was known when it was drawn."""
        place, self._n_audits = self._n_audits, self._n_audits + 1
        if drawn.boundary != self.boundary:  # drawn before the graph grew, answered after
            if drawn.boundary == self._before:
                self.old.append(Drawn(place, drawn.labelled))
            return
        if self.boundary is not None:
            self._since.append(Drawn(place, drawn.labelled))
        if self.boundary is not None and node >= self.boundary:
            self.new.append(Drawn(place, drawn.new_labels))
        else:
            self.old.append(Drawn(place, drawn.labelled - drawn.new_labels))

    def note_label(self, node: int, change: int) -> None:
        """Note that a node got a label (1) or lost it (-1)."""
        if self.boundary is not None and node >= self.boundary:
            self.new_labels += change

    def moment(self, labelled: int) -> Moment:
        """What is known now, given the number of nodes with a label."""
        return Moment(labelled, self.new_labels, self.boundary)
