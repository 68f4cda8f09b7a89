"""A picture of a graph, with one colour per class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lapwing.embed.layout import layout
from lapwing.figures.style import colour_of, new_figure
from lapwing.graph import Graph
from lapwing.optional import need
from lapwing.types import UNKNOWN, Array, Nodes

MOST_EDGES = 40_000


def draw_map(
    graph: Graph,
    *,
    labels: Nodes | None = None,
    classes: Sequence[Any] = (),
    places: Array | None = None,
    marked: Nodes | None = None,
    title: str = "",
) -> Any:
    """Draw the graph with matplotlib; `marked` nodes (for example, labelled ones) get a ring.

    Examples
    --------
    >>> figure = draw_map(Graph.from_edges([(0, 1), (1, 2)]), labels=np.array([0, 0, 1]))
    >>> len(figure.axes)
    1
    """
    places = layout(graph) if places is None else places
    labels = np.full(graph.n_nodes, UNKNOWN) if labels is None else labels
    figure, axes = new_figure(width=7.0, height=6.0)
    ax = axes[0, 0]
    ax.add_collection(edge_lines(graph, places))
    size = float(np.clip(12_000 / max(graph.n_nodes, 1), 1.5, 60))
    colours = [colour_of(int(label)) for label in labels]
    ax.scatter(*places.T, s=size, c=colours, linewidths=0, zorder=2)
    if marked is not None and len(marked):
        ax.scatter(
            *places[marked].T, s=4 * size, facecolors="none", edgecolors="#111111", linewidths=1.2
        )
    for k in np.unique(labels):
        name = "unknown" if k == UNKNOWN else classes[k] if k < len(classes) else k
        ax.scatter([], [], s=30, c=colour_of(int(k)), label=str(name))
    if len(np.unique(labels)) > 1:
        ax.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=8)
    ax.set_title(title, fontsize=10, loc="left")
    ax.set_aspect("equal")
    ax.axis("off")
    return figure


def edge_lines(graph: Graph, places: Array) -> Any:
    """Draw the edges as thin lines; of a large graph, a random sample."""
    sources, targets, _ = graph.edges()
    if len(sources) > MOST_EDGES:
        kept = np.random.default_rng(0).choice(len(sources), MOST_EDGES, replace=False)
        sources, targets = sources[kept], targets[kept]
    lines = np.stack([places[sources], places[targets]], axis=1)
    collections = need("matplotlib.collections", extra="plot")
    return collections.LineCollection(
        list(lines), colors="#999999", linewidths=0.35, alpha=0.5, zorder=1
    )
