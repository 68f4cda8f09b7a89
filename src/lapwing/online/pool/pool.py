"""The learner of sessions: a pool of experts weighed by labels that they were not given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from lapwing.embed.attributes.likeness import neighbour_prior
from lapwing.embed.attributes.rows import AttributeRows, attribute_rows
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import (
    NO_SLIPS,
    CanDoubt,
    CanExplain,
    CanGrow,
    CanMakeRoom,
    CanPostpone,
    Evidence,
    HowItGrows,
    Learner,
    Slips,
)
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool import roster
from lapwing.online.pool.expert import REFIT
from lapwing.online.pool.explaining import counted_experts, evidence_of
from lapwing.online.pool.finish import Finish
from lapwing.online.pool.likeness import PooledRows
from lapwing.online.pool.reading.memo import Memo
from lapwing.online.pool.reading.mixture import ReadsMixture
from lapwing.online.pool.row_expert import RowExpert
from lapwing.online.pool.track_record import Given
from lapwing.online.pool.views import Guess
from lapwing.types import Array, Index, Nodes

BLOCK = 1 << 18
"""Probabilities, one per node and class, that are read at a time."""


class ExpertPool(
    Learner, CanDoubt, CanMakeRoom, CanGrow, CanPostpone, CanExplain, ReadsMixture, PooledRows
):
    r"""The learner of sessions: graph, attributes and structure, each trusted as it deserves.

    *Experts* give every node probabilities: the mass of labels nearby (the near half of `NearFar`);
    ridge regressions on the node's position in the graph at large, on its attributes, on attributes
    spread over the edges, a little or further, and on its attributes beside its neighbours'; those
    that do not assume that neighbours are alike: regressions on the adjacency matrix's largest
    eigenvalues of either sign, on degrees and on the classes one and two steps away, and the class
    shares. Some regress on several of these rows at once.

    Every expert is judged by the labels received, each predicted without itself, which ridge
    regression does in closed form (`judged_ridge_fit`): its probabilities are raised to the power
    that fits those labels best, and its weight inside a view is its first weight times the square
    root of their likelihood (`View`). The views are `near-far` itself, neighbours with attributes,
    attributes, structure, and the class shares alone. The answer is the mean of the views under
    weights proportional to their first weights (4 for the views that expect neighbours to be alike,
    less where their attributes are not or, without attributes, the graph has no communities; 0.15
    for the class shares; 1 for the others) times :math:`\exp(-\text{log loss so far})` of what they
    said before each label came. A label whose node a strategy chose (`mark_chosen`) counts half in
    all of this.

    On the labels received, the log loss of the answer exceeds that of any view by at most minus the
    logarithm of its weight before the first label, whatever the labels (`regret`, `regret_bound`;
    the aggregating algorithm for log loss, Cesa-Bianchi and Lugosi 2006, Section 9.2): 0.9 for
    near-far with attributes and 0.3 without (more where neighbours are expected to differ). As
    `near-far` is a view, the pool does not fall far behind it; where neighbours differ, the other
    views take over.

    Last, probabilities are divided by a power of the classes' shares among the labels, since few
    labels make all guesses lean to the largest class (`Balance`); less for a class with one or two
    labels, whose share is uncertain (`Shares`). Then they are raised to a power: a
    temperature fitted to the guesses before labels that no strategy chose, from 1 on
    (`Temperature`). The bound is that of the mixture before both (`mixture`).

    A node without a path to any label is answered from its attributes; without attributes it stays
    unknown.

    Parameters
    ----------
    graph, n_classes
        The graph, and the number of classes; None adds classes as they appear.
    use, text, vectors
        Columns of the graph's node table to use, and those that are text or vectors whatever they
        look like; None guesses (`lapwing.embed.attributes`). An empty `use` learns from the graph
        alone.

    Departures: our own method; measured in `bench.attributes`.

    Examples
    --------
    >>> graph = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
    >>> learner = ExpertPool(graph)
    >>> learner.learn(0, 0)
    >>> learner.learn(5, 1)
    >>> learner.predict(np.arange(6))
    array([0, 0, 0, 1, 1, 1])
    >>> learner.learn(1, 0)
    >>> learner.regret <= learner.regret_bound
    True
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None = None,
        *,
        use: Sequence[str] | None = None,
        text: Sequence[str] = (),
        vectors: Sequence[str] = (),
    ) -> None:
        self.graph, self.n_nodes, self.fixed_classes = graph, graph.n_nodes, n_classes
        self._read = partial(attribute_rows, use=use, text=text, vectors=vectors)
        self.near_far = NearFar(graph, n_classes)
        self.attributes: AttributeRows = self._read(graph.node_table)
        self.first_trust = neighbour_prior(graph, self.attributes.rows)
        self.sources = roster.sources_on(graph, self.near_far, self.attributes)
        self.experts = roster.experts_on(graph, self.near_far, self.sources)
        self.views = roster.views_over(self.experts)
        self.sharpness = np.array([roster.SHARPNESS[expert.name] for expert in self.experts])
        self.noted: dict[int, Guess] = {}
        self.given: dict[int, Given] = {}
        self.chosen: set[int] = set()
        self.slips, self.doubted = NO_SLIPS, dict[int, int]()
        self.finish, self.memo, self.kept = Finish(), Memo(), Memo()
        self._new, self._behind = 0, False

    @property
    def n_classes(self) -> int:
        return self.near_far.n_classes

    @property
    def labels(self) -> dict[int, int]:
        """What was learned: node to class."""
        return self.near_far.labels

    def postpone(self) -> None:
        """Learn without eigenvectors, and make them in the background."""
        self.near_far.postpone()
        if roster.SPECTRUM in self.sources:
            self.sources[roster.SPECTRUM].sleep()
        self.memo.clear()

    @property
    def is_made(self) -> bool:
        """Whether the eigenvectors are made and not yet used."""
        spectrum = self.sources.get(roster.SPECTRUM)
        return self.near_far.is_made and (spectrum is None or spectrum.making.is_done)

    def adopt(self) -> None:
        """Use the eigenvectors from now on."""
        self.near_far.adopt()
        if roster.SPECTRUM in self.sources:
            self.sources[roster.SPECTRUM].wake()
        for expert in self.experts:
            if isinstance(expert, RowExpert):
                expert.wake()
        self._is_behind()

    @property
    def grows(self) -> HowItGrows:
        return "by fitting again"

    def _grow(self, graph: Graph, change: Change) -> None:
        """Follow a change: rows of attributes and structure are made again, labels are kept."""
        self.near_far.grow(graph)
        self.n_nodes = change.n_nodes
        if roster.RAW in self.sources:
            self.attributes = self._read(graph.node_table)
            self.first_trust = neighbour_prior(graph, self.attributes.rows)
        for name, made in roster.makers_of(self.attributes).items():
            if name in self.sources:
                self.sources[name].follow(graph, made)
        for expert in self.experts:
            expert.follow(graph)
        self._is_behind()

    def _make_room(self, n_classes: int) -> None:
        self.near_far._make_room(n_classes)
        self.memo.clear()

    def mixture(self, nodes: Index) -> Array:
        """The mean of the views: what the bound speaks of."""
        return self._in_blocks(nodes, np.asarray)

    def _scores(self, nodes: Index) -> Array:
        """The mixture, balanced; before the last temperature."""
        return self._in_blocks(nodes, partial(self.finish.balanced, shares=self.shares()))

    def _predict_proba(self, nodes: Index) -> Array:
        """Finished probabilities; zeros for a node that no label reaches, without attributes."""
        return self._in_blocks(nodes, partial(self.finish.probabilities, shares=self.shares()))

    def _in_blocks(self, nodes: Index, finished: Callable[[Array], Array]) -> Array:
        """The mixture, block by block: what experts and views say takes several times its room."""
        wanted = np.atleast_1d(np.asarray(nodes, dtype=np.intp))
        if self.known_classes().sum() < 2 or not len(wanted):
            return self.near_far._predict_proba(wanted.reshape(np.shape(nodes)))
        found, step = np.empty((len(wanted), self.n_classes)), max(BLOCK // self.n_classes, 1)
        for part in (slice(at, at + step) for at in range(0, len(wanted), step)):
            found[part] = finished(self._mixture_at(wanted[part]))
        return found if np.ndim(nodes) else found[0]

    def _learn(self, node: int, label: int | None) -> None:
        if label is None:
            return
        if node in self.doubted:
            self._predict_proba(node)  # fits what is to be fitted, if nobody has read since
        doubted = self.doubted.pop(node, None)
        known = doubted == label
        if doubted is not None and not known:
            self.given.pop(node, None)
            self.finish.forget(node)
        guess = self.noted.get(node) if known else self._guess(node, label)
        if node in self.labels:
            self.given.pop(node, None)
            self.finish.forget(node)
        self.near_far._learn(node, label)
        for expert in self.experts:
            expert.learn(node, label)
        if guess is None or not known:
            self.noted.pop(node, None)
        if guess is not None:
            self.noted[node] = guess
        self.memo.clear()
        self._new += 1
        if self._new * REFIT >= len(self.labels):
            self._behind, self._new = True, 0

    def _guess(self, node: int, label: int) -> Guess | None:
        """What is thought of a node before its label; None if nothing can be thought yet.

        A view that does not speak is charged what the mixture is: the bound holds as it does for
        sleeping experts. `given` keeps what was given to the label.
        """
        known = self.known_classes()
        if node in self.labels or known.sum() < 2 or label >= len(known) or not known[label]:
            return None
        views = self._views_at(node)
        answer = self._mixed(views)[0]
        classes = tuple(np.flatnonzero(known).tolist())
        self.given[node] = Given(float(views[0, 0, label]), float(answer[label]), classes)
        mixed = float(answer[label]) or 1.0 / float(known.sum())
        given = np.where(views[:, 0].any(axis=1), views[:, 0, label], mixed)
        if answer.any():
            self.finish.note(node, answer, self.shares(), label, is_chosen=node in self.chosen)
        return Guess(label, np.maximum(given, 1e-9))

    def _evidence(self, node: int) -> Evidence:
        return evidence_of(self, node)

    def _counted(self, nodes: Nodes) -> dict[str, float]:
        return counted_experts(self, nodes)

    def _withdraw(self, node: int) -> None:
        self.near_far._withdraw(node)
        for expert in self.experts:
            expert.withdraw(node)
        self.noted.pop(node, None)
        self.given.pop(node, None)
        self.chosen.discard(node)
        self.doubted.pop(node, None)
        self.finish.forget(node)
        self._is_behind()

    def _doubt(self, node: int) -> None:
        if node not in self.labels:
            return
        self.doubted[node] = self.labels[node]
        self.near_far._doubt(node)
        for expert in self.experts:
            expert.withdraw(node)
        self._is_behind()

    def _expect_slips(self, slips: Slips) -> None:
        self.slips = slips
        self.near_far._expect_slips(slips)
        self.finish.expect(slips)
        self._is_behind()

    def _is_behind(self) -> None:
        self._behind = True
        self.memo.clear()
