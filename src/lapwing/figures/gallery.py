"""Figures of the papers' example graphs, shaded by distance from the centre."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lapwing import data
from lapwing.data import Dataset
from lapwing.embed import laplacian
from lapwing.embed.layout import layout
from lapwing.figures.style import new_figure, saved
from lapwing.optional import need
from lapwing.types import Array

MARKS = ("o", "s")
GREYS = ("#2b2b2b", "#f4f4f4")
"""The colours of the smallest and the largest K_pp."""
FILE = "{name}.png"


def gallery(folder: str | Path) -> list[Path]:
    """Draw all example graphs into a folder, one file each, and return the paths.

    The hierarchical graph of Herbster, Pontil and Wainer (2005, Figure 1), and the barbell,
    noisy barbell, thick barbell, flower and octopus of Herbster and Pontil (2006, Figures 2-5 and
    section 4).
    """
    return [
        saved(
            dataset_picture(found, places=place(found)), Path(folder) / FILE.format(name=found.name)
        )
        for found, place in shapes()
    ]


def shapes() -> Iterator[tuple[Dataset, Callable[[Dataset], Array]]]:
    """Return the example graphs and the layout of each.

    Examples
    --------
    >>> [found.name for found, _ in shapes()]
    ['barbell', 'noisy-barbell', 'thick-barbell', 'flower', 'octopus', 'hierarchical']
    """
    yield data.barbell(6), _two_rings
    yield data.noisy_barbell(6, 1), _two_rings
    yield data.thick_barbell(6, 3), _two_rings
    yield data.flower(5, 12), _flower
    yield data.octopus(16, 5, 3), _octopus
    yield data.hierarchical(q=6, k=2, seed=1), _clusters


def dataset_picture(found: Dataset, *, places: Array | None = None) -> Any:
    """Draw a small graph: the grey scale is K_pp (black is central), the marker is the class.

    Nodes are numbered if there are at most 40. The subtitle gives the smallest and largest K_pp.

    Examples
    --------
    >>> figure = dataset_picture(data.barbell(4))
    >>> figure.axes[0].get_title(loc="left")
    'barbell: K from 0.34 (node 0) to 0.59 (node 1)'
    """
    figure, axes = new_figure(width=6.4, height=5.2)
    _draw(figure, axes[0, 0], found, layout(found.graph) if places is None else places)
    return figure


def draw_shapes(several: Sequence[Dataset]) -> Any:
    """Draw small graphs side by side in one figure, each as `dataset_picture` does.

    Examples
    --------
    >>> len(draw_shapes([data.barbell(4), data.flower(3, 5)]).axes) >= 2
    True
    """
    columns = min(len(several), 2) or 1
    figure, axes = new_figure(columns, -(-len(several) // columns) or 1, width=5.2, height=4.4)
    for ax in axes.flat:
        ax.axis("off")
    known = {found.name: place for found, place in shapes()}
    for ax, found in zip(axes.flat, several, strict=False):
        place = known.get(found.name)
        _draw(figure, ax, found, layout(found.graph) if place is None else place(found))
    return figure


def _draw(figure: Any, ax: Any, found: Dataset, places: Array) -> None:
    graph = found.graph
    norms = np.square(laplacian(graph, rank=None)).sum(axis=1)
    sources, targets, _ = graph.edges()
    lines = np.stack([places[sources], places[targets]], axis=1)
    collections = need("matplotlib.collections", extra="plot")
    ax.add_collection(
        collections.LineCollection(list(lines), colors="#8a8a8a", linewidths=0.7, zorder=1)
    )
    greys = need("matplotlib.colors", extra="plot").LinearSegmentedColormap
    for k, mark in enumerate(MARKS):
        nodes = np.flatnonzero(found.labels == k)
        points = ax.scatter(
            *places[nodes].T,
            c=norms[nodes],
            s=230,
            marker=mark,
            cmap=greys.from_list("greys", GREYS),
            vmin=norms.min(),
            vmax=norms.max(),
            edgecolors="#222222",
            linewidths=0.9,
            zorder=2,
            clip_on=False,
        )
        empty = {"facecolors": "none", "edgecolors": "#222222"}
        ax.scatter([], [], s=50, marker=mark, label=str(found.classes[k]), **empty)
    _numbers(ax, places, norms)
    figure.colorbar(points, ax=ax, shrink=0.7, label="$K_{pp}$: distance from the centre")
    low, high = int(np.argmin(norms.round(9))), int(np.argmax(norms.round(9)))
    ax.set_title(
        f"{found.name}: K from {norms[low]:.2f} (node {low}) to {norms[high]:.2f} (node {high})",
        fontsize=10,
        loc="left",
    )
    ax.legend(frameon=False, fontsize=8, loc="upper center", bbox_to_anchor=(0.5, 0), ncols=2)
    ax.set_aspect("equal")
    ax.margins(0.08)
    ax.axis("off")


def _numbers(ax: Any, places: Array, norms: Array) -> None:
    if len(places) > 40:
        return
    middle = (norms.min() + norms.max()) / 2
    for node, (x, y) in enumerate(places):
        colour = "#ffffff" if norms[node] < middle else "#000000"
        ax.text(x, y, str(node), color=colour, fontsize=7, ha="center", va="center", zorder=3)


def _ring(count: int, *, towards: float) -> Array:
    """Place points on a circle, the first in the given direction, then on alternating sides."""
    steps = np.arange(count)
    turns = np.where(steps % 2 == 1, (steps + 1) // 2, -(steps // 2))
    angles = towards + 2 * np.pi * turns / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _two_rings(found: Dataset) -> Array:
    half = found.graph.n_nodes // 2
    left = _ring(half, towards=0.0) - [1.9, 0.0]
    return np.concatenate([left, left * [-1.0, 1.0]])


def _flower(found: Dataset) -> Array:
    stem = int((found.labels == 0).sum())
    petals = found.graph.n_nodes - stem
    line = np.stack([np.zeros(stem), np.linspace(0.0, 0.6 * (stem - 1), stem)], axis=1)
    angles = np.linspace(-0.15 * np.pi, 1.15 * np.pi, petals)
    around = np.stack([np.cos(angles), np.sin(angles)], axis=1) + line[-1]
    return np.concatenate([line, around])


def _octopus(found: Dataset) -> Array:
    graph = found.graph
    head = int((found.labels == 0).sum())
    tips = int((np.diff(graph.adjacency.indptr) == 1).sum())
    length = (graph.n_nodes - head - 1) // tips
    ring = _ring(head, towards=-np.pi / 2) * 1.1 + [0.0, 2.0]
    root = np.zeros((1, 2))
    angles = np.linspace(-0.95 * np.pi, -0.05 * np.pi, tips)
    reach = 0.75 * np.arange(1, length + 1)
    arms = [np.stack([r * np.cos(a), r * np.sin(a)]) for a in angles for r in reach]
    return np.concatenate([ring, root, np.array(arms)])


def _clusters(found: Dataset) -> Array:
    """Place each cluster on a ring, and the clusters on a larger ring."""
    q = round(found.graph.n_nodes**0.5)
    around = 3.2 * _turned(q)
    return np.concatenate([_turned(q) + centre for centre in around])


def _turned(count: int) -> Array:
    angles = np.pi / 2 + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)
