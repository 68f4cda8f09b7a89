"""What the learners by residual push share: the state, the verbs, changes of mind and of edges."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Self

import numpy as np

from lapwing.checks import label_table, one_label, one_node, positive
from lapwing.graph import Graph
from lapwing.graph.growth import Change
from lapwing.learner import (
    CanChangeEdges,
    CanMakeRoom,
    CanSave,
    CanWithdraw,
    HowItGrows,
    Learner,
    Trace,
)
from lapwing.learner.growth import GrowingDomain
from lapwing.linalg.push.diffusions import Diffusions
from lapwing.linalg.push.kernel_columns import Scratch, scratch_arrays
from lapwing.linalg.push.spare_space import lengthened
from lapwing.online.push import asking, company, rounds, saving
from lapwing.online.push.blend import new_blend
from lapwing.online.push.member import EXACT, LAZY, MANY, SMALL, Member
from lapwing.types import Array, Index, Nodes

LOW_RANK_COVER = 0.02
"""The sum of scores at which a low-rank answer counts half in the probabilities."""


class PushLearner(Learner, CanWithdraw, CanMakeRoom, CanSave, CanChangeEdges):
    """Diffusions kept solved by pushes; `PushLGC`, `PushRidge` and `Auto` say which.

    A node keeps the last label it was told; `also` gives it further classes, each a problem of its
    own. `withdraw` takes labels back; `grow` continues on a changed graph, and `add_edge` and
    `remove_edge` are short for changes of one edge. None of these is a round.

    After any of these, every diffusion solves the equations of the current graph and labels, up to
    `residual_bound`. What is learned from guesses in earlier rounds (the calibration, and the
    mixture's weights of `Auto`) is kept as it is.
    """

    def __init__(
        self,
        graph: Graph,
        n_classes: int | None,
        *,
        members: tuple[Member, ...],
        asks: tuple[int, float],
        eps: float | None,
        domain: GrowingDomain | None = None,
        class_shares: bool = False,
        trust: float = 1.0,
    ) -> None:
        self.graph, self.n_nodes = graph, graph.n_nodes
        self.fixed_classes = n_classes
        self._usual, self._eps, self._always = members, eps, asks[0] == asking.ALWAYS
        self._before_edges: Graph | None = None
        self.members = self._members_for(graph.n_nodes)
        for member in self.members:
            member.check()
        alpha, ridge, tolerance = zip(*self.members, strict=True)
        self.state = Diffusions(
            graph.adjacency,
            alpha=alpha,
            ridge=ridge,
            tolerance=tolerance,
            lazy=self._lazy_for(graph.n_nodes),
            n_classes=n_classes or 0,
            single=graph.n_nodes > MANY,
            components=graph.components,
        )
        self.domain = domain
        low = np.zeros((graph.n_nodes, 0)) if domain is None else domain.rows
        rank = low.shape[1]
        self.low = rounds.LowRank(low, np.eye(rank), np.zeros((rank, self.state.room)))
        cover = np.array([member.cover for member in members] + [LOW_RANK_COVER] * (rank > 0))
        room, kind = self.state.room if class_shares else 0, self.state.solution.dtype
        self.company = company.new_company(self.n_nodes, room, kind)
        self.blend = new_blend(cover, class_shares=class_shares, trust=trust)
        self.asking = asking.Asking(
            rule=np.array([*asks, max(graph.n_nodes, 1)], dtype=np.float64),
            memory=np.array([0.0, 0.0, np.log(0.5), 0.0, 0.0]),
            scratch=scratch_arrays(graph.n_nodes),
            label_weight=self.state.mean_weight,
        )

    @property
    def n_classes(self) -> int:
        return self.state.n_classes

    @property
    def asked(self) -> int:
        """How many rounds gave a label so far."""
        return int(self.asking.memory[asking.ASKED])

    @property
    def model(self) -> rounds.PushModel:
        """Everything the compiled rounds read or change."""
        component, sums = self.state.components()
        return rounds.PushModel(
            self.state.system,
            self.state.targets,
            component,
            sums,
            self.low,
            self.company,
            self.blend,
            self.asking,
            self.state.visits,
        )

    def _predict_proba(self, nodes: Index) -> Array:
        """Calibrated probabilities, rows summing to 1; zeros where no label can be reached."""
        model, k = self.model, self.n_classes
        rows = rounds.all_chances(model, np.atleast_1d(nodes).astype(np.intp), k)
        return np.asarray(rows.reshape(*np.shape(nodes), k))

    def _queries(self, node: int) -> bool:
        model, k = self.model, self.n_classes
        _, chance = rounds.answer(model, node, rounds.shares_of(model, node, k))
        return bool(rounds.asks_for(model, node, chance, k))

    def _learn(self, node: int, label: int | None) -> None:
        z = rounds.shares_of(self.model, node, self.n_classes)
        _, chance = rounds.answer(self.model, node, z)
        if label is not None:
            self._meet(label)
            rounds.learn_label(self.model, node, label, z)
        asking.note_round(self.asking, label is not None, chance, z.shape[1])

    def tell_outside_rounds(self, node: int, label: int) -> None:
        """Spread a label; no round is counted and no member is charged for a guess."""
        node, label = one_node(node, self.n_nodes), one_label(label, self.fixed_classes)
        self._meet(label)
        self._retell(node, np.eye(1, self.state.room, label)[0])

    def also(self, node: int, label: int) -> None:
        """Give a node one more class beside those it has."""
        node, label = one_node(node, self.n_nodes), one_label(label, self.fixed_classes)
        self._meet(label)
        self._set_target(node, label, 1.0)

    def withdraw(self, node: int, label: int | None = None) -> None:
        """Forget a node's labels, or one of them, as if they had never been given."""
        if label is None:
            super().withdraw(node)
        else:
            node = one_node(node, self.n_nodes)
            self._set_target(node, one_label(label, self.n_classes), 0.0)

    def _withdraw(self, node: int) -> None:
        self._retell(node, np.zeros(self.state.room))

    def _stream(self, nodes: Nodes, labels: Nodes, *, always: bool) -> Trace:
        self._make_room(int(labels.max(initial=-1)) + 1)
        guesses, queried, known = rounds.play_rounds(
            self.model, nodes, labels, always, self.n_classes
        )
        self.state.n_classes = int(known)
        return Trace(guesses=guesses, queried=queried)

    def fit(self, nodes: Any, labels: Any) -> Self:
        """Learn these nodes' labels at once, forgetting any before; no rounds are counted.

        Labels are class indices, or a 0/1 matrix with one row per node where a node may have
        several classes.
        """
        nodes = self.graph.checked(nodes)
        targets = label_table(labels, self.fixed_classes, length=len(nodes))
        for node in np.flatnonzero(self.state.label_weight):
            self._withdraw(int(node))
        self._make_room(targets.shape[1])
        self.state.n_classes = max(self.n_classes, targets.shape[1])
        known = targets.any(axis=1)
        self.labels_learned = int(known.sum())
        self.state.load(nodes[known], targets[known], self.asking.label_weight)
        if self.low.rows.shape[1]:
            self._regress(nodes[known])
        self.recount()
        return self

    def recount(self) -> None:
        """Count pairs of labelled neighbours anew, if anybody asks for them."""
        if self.company.told.size:
            weight = self.asking.label_weight
            company.recount(self.state.system, self.company, self.state.targets, weight)

    @property
    def grows(self) -> HowItGrows:
        return "exactly"

    def _grow(self, graph: Graph, change: Change) -> None:
        self._before_edges = None
        if change.n_nodes > self.n_nodes:
            self._add_nodes(change.n_nodes)
        if len(change):
            company.follow(self.company, self.state, change)
            self.state.set_edges(
                change.sources, change.targets, change.weights, lambda: graph.adjacency
            )
        weight = self.state.mean_weight
        if weight != self.asking.label_weight:
            self.state.scale_labels(weight / self.asking.label_weight)
            self.asking = self.asking._replace(label_weight=weight)
        company.find_odds(self.company, weight)
        if self.domain is not None:
            self.domain = self.domain.grown(graph)
            self._regress_again(self.domain.rows)

    def _add_nodes(self, n_nodes: int) -> None:
        self.state.add_nodes(n_nodes - self.n_nodes)
        self.company = company.resized(self.company, n_nodes, self.state.room)
        self.n_nodes = n_nodes
        longer = {name: lengthened(part, n_nodes + (name == "queue"))
                  for name, part in self.asking.scratch._asdict().items()}  # fmt: skip
        self.asking = self.asking._replace(scratch=Scratch(**longer))
        self.asking.rule[2] = max(n_nodes, 1)
        members = self._members_for(n_nodes)
        if members != self.members:
            self.members = members
            self.state.set_tolerance([m.eps for m in members], self._lazy_for(n_nodes))

    def _change_edge(self, graph: Graph) -> None:
        """Change one edge; the learner can still be loaded on the graph that it was made with."""
        origin = self._before_edges or self.graph
        self.grow(graph)
        self._before_edges = origin

    def _members_for(self, n_nodes: int) -> tuple[Member, ...]:
        """The members with the tolerances that are wanted, or usual for this many nodes."""
        eps = EXACT if self._eps is None and n_nodes <= SMALL else self._eps
        return tuple(m if eps is None else m._replace(eps=eps) for m in self._usual)

    def _lazy_for(self, n_nodes: int) -> float:
        return LAZY if self._eps is None and self._always and n_nodes > SMALL else 0.0

    def _regress_again(self, rows: Array) -> None:
        """Regress all labels on these rows."""
        self.low = rounds.LowRank(
            rows, np.eye(rows.shape[1]), np.zeros((rows.shape[1], self.state.room))
        )
        self._regress(np.flatnonzero(self.state.label_weight))

    def _regress(self, nodes: Nodes) -> None:
        for node in nodes:
            rounds.regress(self.low, node, self.state.targets[node], 1.0)

    def set_eps(self, eps: float) -> None:
        """Change the tolerance of every member, and push what is above it now."""
        positive("eps", eps)
        self._eps = eps
        self.members = self._members_for(self.n_nodes)
        self.state.set_tolerance([m.eps for m in self.members], self._lazy_for(self.n_nodes))

    def residual_bound(self) -> float:
        """No score x = F / sqrt(D) is further than this from the exact diffusion's, right now."""
        return max(self.state.bound(m) for m in range(len(self.members)))

    def save(self, path: str | Path) -> None:
        """Write the whole state to an .npz file of plain arrays."""
        saving.save_state(self, path)

    def load(self, path: str | Path) -> Self:
        """Go on, to the bit, where a learner with the same settings on this graph was saved."""
        saving.load_state(self, path)
        return self

    def _set_target(self, node: int, label: int, value: float) -> None:
        after = self.state.targets[node].copy()
        after[label] = value
        self._retell(node, after)

    def _retell(self, node: int, after: Array) -> None:
        """Replace a node's targets; without rows and company there is less to compile."""
        if self.low.rows.shape[1] or self.company.told.size:
            rounds.retell(self.model, node, after)
            return
        self.state.components()
        self.state.tell(node, after, self.asking.label_weight if after.any() else 0.0)

    def _meet(self, label: int) -> None:
        """Make a class known."""
        self._make_room(label + 1)
        self.state.n_classes = max(self.n_classes, label + 1)

    def _make_room(self, n_classes: int) -> None:
        """Reserve columns for this many classes; they become known with their first labels.

        Done before the first label, it need not be done between two answers.
        """
        self.state.make_room(n_classes)
        self.company = company.resized(self.company, self.n_nodes, self.state.room)
        more = self.state.room - self.low.weights.shape[1]
        if more:
            self.low = self.low._replace(weights=np.pad(self.low.weights, ((0, 0), (0, more))))
