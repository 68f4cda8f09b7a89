"""Draw the papers' figures: lines along a grid, curves over rounds, maps and shapes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from lapwing.embed.layout import layout
from lapwing.figures.gallery import draw_shapes
from lapwing.figures.map import edge_lines
from lapwing.figures.rounds import DASHES
from lapwing.figures.style import PALETTE, colour_of, new_figure
from lapwing.reproduce.graphs import study_graph
from lapwing.reproduce.parts import Picture
from lapwing.reproduce.results import Results
from lapwing.types import Array

MARKS = "osD^vP*X<>"
WRONG = "#d00000"
FEW = 5
"""Up to this many lines get a band of one standard deviation; up to this many ticks, labels."""


def study_figure(results: Results, drawing: Picture) -> Any:
    """The figure that a study asks for.

    Examples
    --------
    >>> from lapwing.reproduce import Results, load_study
    >>> octopus = load_study("herbster2006/octopus")
    >>> records = [{"graph": "octopus", "method": "perceptron", "at": at, "seed": 0,
    ...             "measured": {"mistakes": 2.0}} for at in octopus.grid.values]
    >>> len(study_figure(Results(octopus, records), octopus.drawings[0]).axes) >= 1
    True
    """
    return PICTURE_KINDS[drawing.kind](results, drawing)


def _chosen(results: Results, drawing: Picture) -> tuple[list[str], list[str]]:
    graphs = [name for name in results.graphs if not drawing.graphs or name in drawing.graphs]
    methods = [name for name in results.methods if not drawing.methods or name in drawing.methods]
    return graphs, methods


def _panels(graphs: list[str], rows: int) -> Any:
    return new_figure(max(len(graphs), 1), max(rows, 1), width=3.7, height=3.0)


def _title(results: Results, measure: str) -> str:
    known = results.study.measures.get(measure.removesuffix("_so_far"))
    return known.title if known else measure.replace("_", " ")


def _lines(results: Results, drawing: Picture) -> Any:
    """One panel per graph and measure, one line per method, over the grid or another measure."""
    graphs, methods = _chosen(results, drawing)
    panels = [(graph, measure) for measure in drawing.y for graph in graphs]
    columns = min(len(panels), 2) if 1 in (len(graphs), len(drawing.y)) else len(graphs)
    figure, axes = new_figure(columns or 1, -(-len(panels) // (columns or 1)) or 1)
    for ax in axes.flat[len(panels) :]:
        ax.axis("off")
    for ax, (graph, measure) in zip(axes.flat, panels, strict=False):
        for method in methods:
            x, y, sd = _along(results, drawing.x, measure, graph, method)
            if len(x):
                band = sd if len(methods) <= FEW else None
                _line(ax, x, y, band, results.methods.index(method), method)
        _named(ax, graph, _x_title(results, drawing), _title(results, measure))
        _scales(ax, results, drawing)
    _legend(figure, axes)
    return figure


def _scales(ax: Any, results: Results, drawing: Picture) -> None:
    """Logarithmic axes; along a grid, ticks stand at its values."""
    grid = results.study.grid
    if drawing.log:
        ax.set_xscale("log")
    few = drawing.log or (grid is not None and len(grid.values) <= FEW)
    if few and grid is not None and drawing.x == grid.name:
        ax.set_xticks(grid.values, [f"{value:g}" for value in grid.values])
        ax.minorticks_off()
    if drawing.log_y:
        ax.set_yscale("log")


def _x_title(results: Results, drawing: Picture) -> str:
    grid = results.study.grid
    if grid is not None and drawing.x == grid.name:
        return grid.title or grid.name
    return _title(results, drawing.x)


def _along(
    results: Results, x: str, measure: str, graph: str, method: str
) -> tuple[Array, Array, Array]:
    grid, study = results.study.grid, results.study
    points = []
    for at in results.places(graph, method):
        cell = results.cell(graph, method, measure, at)
        on_grid = grid is not None and x == grid.name
        other = None if on_grid else results.cell(graph, method, x, at)
        if cell is None or (other is None and (not on_grid or at is None)):
            continue
        scale = 100 if study.measures[measure].percent else 1
        points.append((float(at) if other is None else other.mean, scale * cell.mean,
                       scale * cell.sd))  # fmt: skip
    found = np.array(sorted(points)).reshape(-1, 3)
    return found[:, 0], found[:, 1], found[:, 2]


def _line(ax: Any, x: Array, y: Array, sd: Array | None, place: int, name: str) -> None:
    colour = PALETTE[place % len(PALETTE)]
    ax.plot(
        x, y, color=colour, marker=MARKS[place % len(MARKS)], markersize=4, linewidth=1.3,
        linestyle=DASHES[place % len(DASHES)], label=name,
    )  # fmt: skip
    if sd is not None and np.any(sd > 0):
        ax.fill_between(x, y - sd, y + sd, color=colour, alpha=0.13, linewidth=0)


def _curves(results: Results, drawing: Picture) -> Any:
    """One panel per graph (column) and list measure (row), one line per method."""
    graphs, methods = _chosen(results, drawing)
    figure, axes = _panels(graphs, len(drawing.y))
    for g, graph in enumerate(graphs):
        for m, measure in enumerate(drawing.y):
            ax = axes[m, g]
            for method in methods:
                place = results.methods.index(method)
                x = results.line(graph, method, drawing.x)
                y = results.line(graph, method, measure)
                if x is not None and y is not None:
                    ax.plot(
                        x, y, color=PALETTE[place % len(PALETTE)], linewidth=1.4, label=method,
                        linestyle=DASHES[place % len(DASHES)],
                        marker=MARKS[place % len(MARKS)], markersize=4, markevery=0.12,
                    )  # fmt: skip
            _named(ax, graph, drawing.x.replace("_", " "), _title(results, measure))
            ax.set_ylim(bottom=0)
            if drawing.log:
                ax.set_xscale("log")
    _legend(figure, axes)
    return figure


def _named(ax: Any, graph: str, x: str, y: str) -> None:
    ax.set_title(graph, fontsize=10, loc="left")
    ax.set_xlabel(x, fontsize=8)
    ax.set_ylabel(y, fontsize=8)


def _legend(figure: Any, axes: Any) -> None:
    """One legend for all panels, under them."""
    told: dict[str, Any] = {}
    for ax in axes.flat:
        for handle, name in zip(*ax.get_legend_handles_labels(), strict=True):
            told.setdefault(name, handle)
    figure.legend(
        list(told.values()), list(told), loc="outside lower center", frameon=False, fontsize=8,
        ncols=min(len(told), 4 if figure.get_size_inches()[0] > 5 else 2),
    )  # fmt: skip


def _maps(results: Results, drawing: Picture) -> Any:
    """One panel for each answer: the graph, labelled nodes black, wrong ones red."""
    graphs, methods = _chosen(results, drawing)
    panels = [
        (graph, method, at)
        for graph in graphs
        for method in methods
        for at in results.places(graph, method)
    ]
    columns = min(len(panels), 3) or 1
    figure, axes = new_figure(columns, -(-len(panels) // columns) or 1, width=3.8, height=3.4)
    for ax in axes.flat:
        ax.axis("off")
    for ax, (graph, method, at) in zip(axes.flat, panels, strict=False):
        _map(ax, results, graph, method, at)
    return figure


def _map(ax: Any, results: Results, graph: str, method: str, at: Any) -> None:
    record = results.records_at(graph, method, at)[0]["measured"]
    answers, truth = np.array(record["answers"]), np.array(record["truth"])
    labelled = np.array(record["labelled"], dtype=np.intp)
    found = study_graph(graph, results.study.graphs[graph]).graph
    places = layout(found)
    wrong = np.flatnonzero(answers != truth)
    ax.add_collection(edge_lines(found, places))
    colours = [colour_of(int(answer)) for answer in answers]
    ax.scatter(*places.T, s=34, c=colours, linewidths=0, zorder=2)
    red = {"facecolors": "none", "edgecolors": WRONG, "linewidths": 1.8}
    ax.scatter(*places[wrong].T, s=80, marker="s", zorder=3, **red)
    ax.scatter(*places[labelled].T, s=90, c="#000000", marker="*", zorder=4)
    grid = results.study.grid
    where = "" if at is None or grid is None else f", {grid.title or grid.name} {at}"
    ax.set_title(
        f"{method}{where}: {len(wrong)} wrong\n"
        f"({record['micro']:.3f}, {record['macro']:.3f})", fontsize=9,
    )  # fmt: skip
    ax.margins(0.06)


def _shapes(results: Results, drawing: Picture) -> Any:
    """Draw the study's graphs, with nodes shaded by K_pp."""
    graphs = drawing.graphs or tuple(results.study.graphs)
    return draw_shapes([study_graph(name, results.study.graphs[name]) for name in graphs])


PICTURE_KINDS: Mapping[str, Callable[[Results, Picture], Any]] = {
    "lines": _lines,
    "curves": _curves,
    "maps": _maps,
    "shapes": _shapes,
}


def pictures(results: Results) -> Iterator[tuple[str, str, Any]]:
    """A file name, a caption and a figure for each drawing that has something to show."""
    if not results.records:
        return
    for number, drawing in enumerate(results.study.drawings, start=1):
        name = results.study.name.replace("/", "-") + (f"-{number}" if number > 1 else "")
        caption = drawing.title or f"{results.study.where}, drawn from our runs."
        yield name, caption, study_figure(results, drawing)
