"""Figures 1 and 2 of Yang 2018: what the margin and the rank do to errors and updates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lapwing.figures.style import PALETTE, new_figure
from lapwing.types import Array

MARKS = "osD^vP*X"
Curve = tuple[Array, Array]
"""Where, and how much."""


def update_ratio(errors: Mapping[str, Mapping[str, Curve]]) -> Any:
    """Figure 1: error (%) against the share of rounds that taught, one panel a graph.

    `errors` holds, for each graph and each learner, ratios and errors over the margins tried; a
    learner without a margin is one point.

    Examples
    --------
    >>> import numpy as np
    >>> curves = {"molg-f": (np.array([0.2, 0.5]), np.array([22.0, 18.1]))}
    >>> figure = update_ratio({"cora": curves})
    >>> figure.axes[0].get_title()
    'cora'
    """
    figure, axes = new_figure(len(errors), width=3.6, height=3.0)
    for ax, (graph, learners) in zip(axes.flat, errors.items(), strict=True):
        _curves(ax, learners)
        ax.set_title(graph, fontsize=9)
        ax.set_xlabel("rounds that taught, share of all", fontsize=8)
        ax.set_ylabel("error, %", fontsize=8)
        ax.legend(fontsize=7, frameon=False)
    return figure


def rank(results: Mapping[str, Mapping[str, tuple[Array, Array, Array]]]) -> Any:
    """Figure 2: error (%) and updates against the rank, two panels a graph.

    `results` holds, for each graph and each learner, ranks, errors and updates.

    Examples
    --------
    >>> import numpy as np
    >>> ranks = np.array([10, 100])
    >>> learners = {"molg-b": (ranks, np.array([35.0, 28.0]), np.array([1100, 1000]))}
    >>> [ax.get_ylabel() for ax in rank({"coauthor": learners}).axes]
    ['error, %', 'updates']
    """
    figure, axes = new_figure(2, len(results), width=3.6, height=2.8)
    for (errors, updates), (graph, learners) in zip(axes, results.items(), strict=True):
        _curves(errors, {name: (d, error) for name, (d, error, _) in learners.items()})
        _curves(updates, {name: (d, count) for name, (d, _, count) in learners.items()})
        for ax, what in ((errors, "error, %"), (updates, "updates")):
            ax.set_xscale("log")
            ax.set_title(graph, fontsize=9)
            ax.set_xlabel("rank d", fontsize=8)
            ax.set_ylabel(what, fontsize=8)
        errors.legend(fontsize=7, frameon=False)
    return figure


def _curves(ax: Any, curves: Mapping[str, Curve]) -> None:
    for k, (name, (x, y)) in enumerate(curves.items()):
        look = {"color": PALETTE[k % len(PALETTE)], "marker": MARKS[k % len(MARKS)]}
        ax.plot(x, y, label=name, markersize=4, linewidth=1.2, **look)
