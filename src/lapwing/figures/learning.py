"""Figures of a labelling run: claimed error against true error, and the questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lapwing.figures.style import PALETTE, new_figure
from lapwing.types import Array


def draw_learning(
    labels: Sequence[int], truth: Sequence[float], upper: Sequence[float], *, target: float
) -> Any:
    """Plot the true error on nodes not asked, and the bound claimed, against labels.

    Examples
    --------
    >>> len(draw_learning([5, 10], [0.4, 0.2], [1.0, 0.9], target=0.1).axes)
    1
    """
    figure, axes = new_figure(width=6.4, height=3.4)
    ax = axes[0, 0]
    ax.fill_between(labels, 0, 100 * np.asarray(upper), color=PALETTE[0], alpha=0.15, linewidth=0)
    ax.plot(labels, 100 * np.asarray(upper), color=PALETTE[0], label="claimed: at most (95%)")
    ax.plot(labels, 100 * np.asarray(truth), color=PALETTE[3], label="true error, nodes not asked")
    ax.axhline(100 * target, color="#555555", linewidth=0.8, linestyle="--")
    ax.annotate("target", (0.995, 100 * target), xycoords=("axes fraction", "data"), fontsize=8,
                ha="right", va="bottom", color="#555555")  # fmt: skip
    ax.set_xlabel("labels", fontsize=9)
    ax.set_ylabel("error, %", fontsize=9)
    ax.set_ylim(0, 102)
    ax.legend(fontsize=8, frameon=False)
    return figure


def draw_questions(images: Array, captions: Sequence[str], *, columns: int = 12) -> Any:
    """Show small images in the order they were asked, with the guess and the answer.

    Examples
    --------
    >>> len(draw_questions(np.zeros((3, 8, 8)), ["a", "b", "c"]).axes)
    12
    """
    rows = max(1, -(-len(images) // columns))
    figure, axes = new_figure(columns, rows, width=0.72, height=0.9)
    for ax in axes.flat:
        ax.axis("off")
    for ax, image, caption in zip(axes.flat, images, captions, strict=False):
        ax.imshow(image, cmap="gray_r", interpolation="nearest")
        ax.set_title(caption, fontsize=6, pad=2)
    return figure
