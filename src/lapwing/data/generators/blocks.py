"""The stochastic block model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from lapwing.checks import at_least
from lapwing.data.dataset import Dataset
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.types import Array, Nodes


def stochastic_block_model(
    *,
    sizes: Sequence[int] = (100, 100, 100),
    within: float | Sequence[float] = 0.1,
    between: ArrayLike = 0.01,
    seed: int = 0,
) -> Dataset:
    """Draw a stochastic block model: edges are independent and depend on the two blocks.

    Nodes are ordered by block, and the blocks are the classes. Time and memory are proportional to
    the number of edges, not to the number of pairs of nodes.

    Parameters
    ----------
    sizes
        Number of nodes in each block.
    within
        Probability of an edge inside a block: one number, or one per block.
    between
        Probability of an edge between two blocks: one number, or a symmetric matrix with one row
        per block, whose diagonal is ignored.
    seed
        Seed of the random number generator.

    Reference
    ---------
    Holland, Laskey, Leinhardt. Stochastic blockmodels: first steps. Social Networks 5, 1983.

    Examples
    --------
    >>> stochastic_block_model(sizes=(3, 2), within=1.0, between=0.0).graph.edges()[:2]
    (array([0, 0, 1, 3]), array([1, 2, 2, 4]))
    >>> stochastic_block_model(sizes=(500, 500), within=0.02, between=0.001)
    Dataset(stochastic-block-model: 1,000 nodes, 5,171 edges, 2 classes)
    """
    for size in sizes:
        at_least("every size", size, 1)
    at_least("the number of blocks", len(sizes), 1)
    chances = _chances(len(sizes), within, between)
    random = np.random.default_rng(seed)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    tails: list[Nodes] = []
    heads: list[Nodes] = []
    for a in range(len(sizes)):
        for b in range(a + 1):
            rows, cols = _pairs(sizes[a], None if a == b else sizes[b], chances[a, b], random)
            tails.append(rows + starts[a])
            heads.append(cols + starts[b])
    n = int(starts[-1])
    return Dataset(
        name="stochastic-block-model",
        graph=Graph.from_edges((np.concatenate(tails), np.concatenate(heads)), names=range(n)),
        labels=np.repeat(np.arange(len(sizes)), sizes),
        classes=tuple(str(block + 1) for block in range(len(sizes))),
        description=f"a stochastic block model of {len(sizes)} blocks",
        source="Holland, Laskey, Leinhardt. Stochastic blockmodels: first steps. 1983",
    )


def _chances(blocks: int, within: float | Sequence[float], between: ArrayLike) -> Array:
    matrix = np.array(between, dtype=np.float64)
    if matrix.ndim == 0:
        matrix = np.full((blocks, blocks), float(matrix))
    if matrix.shape != (blocks, blocks) or not np.array_equal(matrix, matrix.T):
        raise InputError(
            f"between must be a number or a symmetric {blocks} x {blocks} matrix, "
            f"got shape {matrix.shape}"
        )
    if np.ndim(within) and np.shape(within) != (blocks,):
        raise InputError(
            f"within must be a number or {blocks} numbers, got shape {np.shape(within)}"
        )
    np.fill_diagonal(matrix, within)
    if not ((matrix >= 0) & (matrix <= 1)).all():
        wrong = matrix[~((matrix >= 0) & (matrix <= 1))][0]
        raise InputError(f"probabilities must be between 0 and 1, got {wrong:g}")
    return matrix


def _pairs(
    rows: int, cols: int | None, chance: float, random: np.random.Generator
) -> tuple[Nodes, Nodes]:
    """Draw pairs of a row and a column with equal probability; without cols, below the diagonal.

    Pairs are numbered row by row, and the gaps between chosen numbers are geometric.
    """
    if cols is not None:
        chosen = _chosen(rows * cols, chance, random)
        return chosen // cols, chosen % cols
    chosen = _chosen(rows * (rows - 1) // 2, chance, random)
    row = ((1 + np.sqrt(1 + 8 * chosen.astype(np.float64))) / 2).astype(np.intp)
    row -= row * (row - 1) // 2 > chosen
    row += row * (row + 1) // 2 <= chosen
    return row, chosen - row * (row - 1) // 2


def _chosen(pairs: int, chance: float, random: np.random.Generator) -> Nodes:
    if chance == 0 or pairs == 0:
        return np.empty(0, dtype=np.intp)
    runs: list[Nodes] = []
    last = -1
    while last < pairs:
        expected = (pairs - last) * chance
        gaps = random.geometric(chance, size=int(expected + 4 * np.sqrt(expected) + 16))
        runs.append(last + np.cumsum(np.minimum(gaps, pairs + 1)))
        last = int(runs[-1][-1])
    chosen = np.concatenate(runs).astype(np.intp)
    return chosen[chosen < pairs]
