"""Herbster 2005 and 2006: projections, interpolation, the kernel perceptron and its rivals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lapwing.catalog.entry import Entry
from lapwing.catalog.unreached import Reached
from lapwing.embed import in_usual_unit, laplacian
from lapwing.graph import Graph
from lapwing.learner import Learner
from lapwing.online import KNN, MNI, Halving, OneVsRest, Perceptron, Projections
from lapwing.online.kernel.columns import KernelColumns
from lapwing.online.kernel.kernel_learner import KernelLearner
from lapwing.online.kernel.laplacian_columns import ComponentColumns, laplacian_columns
from lapwing.types import Array

HPW = "Herbster, Pontil and Wainer 2005"
HP = "Herbster and Pontil 2006"
BIAS = 0.0
"""The kernel of 2005 is L+ alone. With lopsided labels some bias errs far less: on the karate club
and on Cora (one class against the rest) .01 is the best of .01, .1 and 1."""
SEVERAL = "several classes are learned one against the rest; the paper has two"
ZERO = "reading: a margin of 0 is answered with +1 and counts as a mistake"


def one_projection(
    graph: Graph,
    n_classes: int | None,
    *,
    bias: float = BIAS,
    c: float = 0.0,
    rank: int | None = None,
    aggressive: bool = False,
) -> Learner:
    """1-proj: on a mistake, to the nearest function that has this label right.

    `bias`, `c` and `rank` make the kernel, `aggressive` updates in every round.
    """
    kernel = _kernel(graph, bias, rank)
    return _lifted(graph, partial(Projections, kernel, c=c, aggressive=aggressive), n_classes)


def cyclic_projection(
    graph: Graph,
    n_classes: int | None,
    *,
    bias: float = BIAS,
    c: float = 0.0,
    rank: int | None = None,
    max_sweeps: int = 200,
) -> Learner:
    """C-proj: on a mistake, again and again through all labels until none is wrong."""
    kernel = _kernel(graph, bias, rank)
    make = partial(Projections, kernel, strategy="all", cyclic=True, c=c, max_sweeps=max_sweeps)
    return _lifted(graph, make, n_classes)


def interpolation(
    graph: Graph,
    n_classes: int | None,
    *,
    bias: float = BIAS,
    c: float = 0.0,
    rank: int | None = None,
) -> Learner:
    """MNI-ag: the smoothest function through all labels seen."""
    kernel = _kernel(graph, bias, rank)
    return _lifted(graph, partial(MNI, kernel, c=c), n_classes)


def perceptron(
    graph: Graph,
    n_classes: int | None,
    *,
    bias: float = 1.0,
    c: float = 0.0,
    rank: int | None = None,
) -> Learner:
    """The kernel perceptron on L+ + bias 11' + c I."""
    kernel = _kernel(graph, bias, rank)
    return _lifted(graph, partial(Perceptron, kernel, c=c), n_classes)


def _kernel(graph: Graph, bias: float, rank: int | None) -> KernelColumns | Array:
    """The whole kernel by columns, or rows of low rank when one is given."""
    usual = in_usual_unit(graph)
    if rank is not None:
        return laplacian(usual, rank=rank, bias=bias, components=True)
    if graph.n_components <= 1:
        return laplacian_columns(usual, bias=bias)
    return ComponentColumns(laplacian_columns(usual), graph.components, bias=bias)


def _lifted(graph: Graph, make: Callable[[], KernelLearner], n_classes: int | None) -> Learner:
    learner = OneVsRest(make, n_classes)
    return learner if graph.n_components <= 1 else Reached(learner, graph.components)


ENTRIES = (
    Entry(
        name="1-proj",
        kind="online",
        summary="on a mistake, move to the nearest function that has this label right",
        paper=f"{HPW}, Algorithm 2",
        build=one_projection,
        explained_by=Projections,
        departures=(SEVERAL, ZERO),
    ),
    Entry(
        name="c-proj",
        kind="online",
        summary="on a mistake, correct all labels seen, again and again, until none is wrong",
        paper=f"{HPW}, Algorithm 2",
        build=cyclic_projection,
        explained_by=Projections,
        departures=(
            "stops after 200 passes over the labels; the paper goes on until none is wrong",
            SEVERAL,
            ZERO,
        ),
    ),
    Entry(
        name="mni-ag",
        kind="online",
        summary="the smoothest function through all labels seen so far",
        paper=f"{HPW}, Algorithm 2",
        build=interpolation,
        explained_by=MNI,
        departures=(SEVERAL, ZERO),
    ),
    Entry(
        name="perceptron",
        kind="online",
        summary="add a node's kernel column on a mistake; exact kernel, columns as needed",
        paper=f"{HP}, Figure 1",
        build=perceptron,
        explained_by=Perceptron,
        departures=(SEVERAL, ZERO),
    ),
    Entry(
        name="knn",
        kind="online",
        summary="votes of the nearest labelled nodes, by path or by resistance",
        paper=f"{HP}, section 5.1",
        build=KNN,
        departures=("reading: ties between neighbours at one distance are all counted",),
    ),
    Entry(
        name="halving",
        kind="online",
        summary="the majority of all labellings of small cut that fit; for trees and small graphs",
        paper=f"{HP}, section 5.2",
        build=Halving,
        departures=(
            "counts the labellings of at most the largest cut given; `exactly` counts those of "
            "that cut alone",
        ),
    ),
)
