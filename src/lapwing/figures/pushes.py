"""A figure of how a label spreads by pushes."""

from __future__ import annotations

from typing import Any

import numpy as np

from lapwing.embed.layout import layout
from lapwing.figures.map import edge_lines
from lapwing.figures.style import PALETTE, UNKNOWN_COLOUR, new_figure
from lapwing.graph import Graph
from lapwing.online.push import PushRidge
from lapwing.types import Array

STAGES = (0.3, 0.05, 0.005)
"""Tolerances of the first three panels."""


def draw_pushes(graph: Graph, first: int, second: int) -> Any:
    """Draw four panels: one label spreading at three tolerances, then a second class added.

    The area of a disc is the node's score, and the area of a ring its remaining residual. In the
    last panel the colour is the class with the larger score, and it is stronger where the lead is
    larger.

    Examples
    --------
    >>> path = Graph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> len(draw_pushes(path, 0, 3).axes)
    4
    """
    places = layout(graph)
    figure, axes = new_figure(columns=2, rows=2, width=4.0, height=3.4)
    for ax, eps in zip(axes.flat, STAGES, strict=False):
        learner = PushRidge(graph, eps=eps)
        learner.learn(first, 0)
        state = learner.state
        waits = np.abs(state.residual[:, 0]) / state.diagonal
        _panel(ax, graph, places, state.solution[:, 0], waits)
        ax.set_title(f"no residual above {eps:g}: {int(state.counts[2])} pushes", fontsize=9)
    learner = PushRidge(graph, eps=STAGES[-1])
    learner.learn(first, 0)
    learner.learn(second, 1)
    _answers(axes[1, 1], graph, places, learner.scores(np.arange(graph.n_nodes)))
    axes[1, 1].scatter(
        *places[[first, second]].T, s=260, facecolors="none", edgecolors="#111111", zorder=4
    )
    axes[1, 1].set_title("a second class: who leads, and how clearly", fontsize=9)
    for ax in [*axes[:, 0].tolist(), axes[0, 1]]:
        ax.scatter(*places[first], s=260, facecolors="none", edgecolors="#111111", zorder=4)
    return figure


def _panel(ax: Any, graph: Graph, places: Array, scores: Array, waits: Array) -> None:
    ax.add_collection(edge_lines(graph, places))
    ax.scatter(*places.T, s=12, c=UNKNOWN_COLOUR, zorder=2)
    ax.scatter(*places.T, s=250 * scores, c=PALETTE[0], linewidths=0, alpha=0.85, zorder=3)
    ax.scatter(
        *places.T, s=600 * waits, facecolors="none", edgecolors=PALETTE[3], linewidths=1.2, zorder=3
    )
    _bare(ax)


def _answers(ax: Any, graph: Graph, places: Array, scores: Array) -> None:
    ax.add_collection(edge_lines(graph, places))
    lead = np.abs(scores[:, 0] - scores[:, 1])
    strength = 0.25 + 0.75 * lead / max(float(lead.max()), 1e-12)
    colours = [PALETTE[int(best)] for best in np.argmax(scores, axis=1)]
    ax.scatter(*places.T, s=70, c="white", linewidths=0, zorder=2)
    ax.scatter(*places.T, s=70, c=colours, alpha=strength, linewidths=0, zorder=3)
    _bare(ax)


def _bare(ax: Any) -> None:
    ax.margins(0.12)
    ax.axis("off")
