"""What a pool says of nodes: the mean of its views, which are means of its experts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lapwing.embed.attributes.rows import AttributeRows
from lapwing.online.near_far.near_far import NearFar
from lapwing.online.pool import roster
from lapwing.online.pool.expert import Expert
from lapwing.online.pool.finish import Finish
from lapwing.online.pool.reading.at_once import ExpertReading, weighed_means
from lapwing.online.pool.reading.memo import Memo
from lapwing.online.pool.sources import Source
from lapwing.online.pool.track_record import TrackRecord
from lapwing.online.pool.views import View, sharpened
from lapwing.online.pool.worth import LEAST, worth_of_experts
from lapwing.types import Array, Mask, Nodes

NOTHING = 1e-13
"""An expert with a smaller weight in the mixture is not read."""


class ReadsMixture(TrackRecord):
    """The experts of a pool, judged when it is read, and what they say together."""

    near_far: NearFar
    attributes: AttributeRows
    sources: Mapping[str, Source]
    experts: Sequence[Expert]
    sharpness: Array
    finish: Finish
    doubted: dict[int, int]
    """Labels that are rather wrong than right, and do not teach."""

    kept: Memo
    """What stays until an expert is fitted again."""

    _behind: bool

    def _mixture_at(self, nodes: Nodes) -> Array:
        """The mixture at these nodes: `_mixed` of `view_chances`, in a faster way.

        Where every view speaks, the mean of the views is a mean of the experts, and those that
        hardly count are not read.
        """
        if len(nodes) == 1:
            return self._mixed(self._views_at(int(nodes[0])))
        near, base = self.near_far.near_and_whole(nodes)
        if not base.any(axis=1).all():
            return self._mixed(self._views(nodes, near, base))
        reading, sharpness, weights = self.memo.made("blend", self._blend)
        known = self.known_classes()
        blend = weighed_means(reading.chances(nodes, near), sharpness, known, weights)[0]
        return np.asarray(blend + self.trust[0] * base)

    def _blend(self) -> tuple[ExpertReading, Array, Array]:
        """The experts that count, and their weights in the mixture where every view speaks."""
        self._prepare()
        weights = self.trust[1:] @ np.array([self._weights_of(view) for view in self.views])
        counts = np.flatnonzero(weights > NOTHING)
        return self._reading(tuple(counts.tolist())), self.sharpness[counts], weights[None, counts]

    def _views_at(self, node: int) -> Array:
        """`view_chances` at one node, ``(V, 1, K)``; often read again before the next label."""
        one = np.array([node])
        return self.memo.made(
            ("views", node), lambda: self._views(one, *self.near_far.near_and_whole(one))
        )

    def _views(self, nodes: Nodes, near: Array, base: Array) -> Array:
        """`view_chances`, from what near-far says."""
        self._prepare()
        reading = self._reading(tuple(range(len(self.experts))))
        weights = np.array([self._weights_of(view) for view in self.views])
        found = np.empty((1 + len(self.views), *base.shape))
        found[0], chances = base, reading.chances(nodes, near)
        found[1:] = weighed_means(chances, self.sharpness, self.known_classes(), weights)
        reached: Mask = np.asarray(base.any(axis=1))
        if not reached.all():
            for view, out in zip(self.views, found[1:], strict=True):
                out[~self._sees(view, nodes, reached)] = 0.0
        return found

    def _reading(self, wanted: tuple[int, ...]) -> ExpertReading:
        """What reads some of the experts, until one of the pool's is fitted again."""
        fits = (self.n_classes, *[expert.n_fits for expert in self.experts])
        if self.kept.get("fits") != fits:
            self.kept.clear()
            self.kept["fits"] = fits
        experts = [self.experts[e] for e in wanted]
        return self.kept.made(wanted, lambda: ExpertReading(experts, self.n_classes))

    def _prepare(self) -> None:
        """Let the experts catch up, then judge them."""
        for expert in self.experts:
            expert.catch_up()
        self._catch_up()

    def _weights_of(self, view: View) -> Array:
        """The weight of every expert in a view."""
        weights = np.zeros(len(self.experts))
        weights[view.experts] = view.weights
        return weights

    def known_classes(self) -> Mask:
        """Which classes have labels."""
        return self.memo.made("known", self._known_classes)

    def _known_classes(self) -> Mask:
        known = np.zeros(self.n_classes, dtype=bool)
        known[list(set(self.labels.values()))] = True
        return known

    def thoughts(self, nodes: Nodes) -> Array:
        """Return every expert's log probabilities, shape ``(E, m, K)``."""
        count = self.n_classes
        return np.log(np.array([e.chances(nodes, count) for e in self.experts]) + LEAST)

    def view_chances(self, nodes: Nodes, thoughts: Array) -> Array:
        """Return the probabilities of near-far and of each view, ``(V, m, K)``.

        Zeros where a view has nothing to go by: near-far and structure where no label is reached,
        and all without attributes there.
        """
        self._catch_up()
        known, base = self.known_classes(), self.near_far._predict_proba(nodes)
        reached: Mask = np.asarray(base.any(axis=1))
        found, sharp = [base], sharpened(thoughts, self.sharpness, known)
        for view in self.views:
            sees = self._sees(view, nodes, reached)
            found.append(np.where(sees[:, None], view.chances(sharp), 0.0))
        return np.array(found)

    def _sees(self, view: View, nodes: Nodes, reached: Mask) -> Mask:
        return np.logical_or(reached, "attributes" in view.name and self._told(nodes))

    def _told(self, nodes: Nodes) -> Mask:
        return np.asarray(self.attributes.told[nodes] if roster.RAW in self.sources else nodes < 0)

    def _catch_up(self) -> None:
        """Judge the experts by labels left out, and settle how the mixture is finished."""
        if not self._behind:
            return
        self._behind = False
        self.finish.settle()
        first = np.array([roster.SHARPNESS[expert.name] for expert in self.experts])
        self.sharpness, losses = worth_of_experts(
            self.experts, self.labels, self.chosen, self.known_classes(), first,
            slips=self.slips, doubted=self.doubted,
        )  # fmt: skip
        for view in self.views:
            view.weigh(losses)
