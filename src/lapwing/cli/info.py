"""``lapwing info``: what a graph is like before anything is learned on it."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from scipy import sparse

from lapwing.cli.cluster.commands import info_partitioned
from lapwing.cli.cluster.opening import ClusterOption, is_for_cluster, refuse
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LabelsOption,
    LargestComponentOption,
    NodesOption,
    Reading,
    problem,
    reads_files,
)
from lapwing.cli.output import console, facts_table, print_json, waiting
from lapwing.data import Dataset
from lapwing.embed.attributes.kinds import ColumnUse, column_uses, uses_in_words
from lapwing.embed.attributes.leaks import (
    leaking_columns,
    telling_columns,
    telling_words,
    used_columns,
)
from lapwing.embed.attributes.likeness import likeness_of_neighbours, neighbour_prior
from lapwing.embed.attributes.rows import attribute_rows
from lapwing.embed.communities import community_prior
from lapwing.graph import Graph
from lapwing.linalg import low_spectrum
from lapwing.metrics import attribute_worth
from lapwing.session.asking.view import labels_by_node

EIGENVALUES = 6
MOST_NODES = 100_000
MOST_CLASSES = 12
SAMPLE = 10_000
"""Values of a column that are looked at to say what it holds."""
DIFFER, ALIKE = 0.15, 0.5
"""Adjusted homophily below which neighbours differ, and above which they are alike."""


@reads_files
def info(
    graph: GraphArgument,
    labels: LabelsOption = None,
    nodes: NodesOption = None,
    largest_component: LargestComponentOption = False,
    spectrum: Annotated[
        bool | None,
        typer.Option(help="Compute the smallest eigenvalues. Default: up to 100,000 nodes."),
    ] = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Show a graph's size, components, degrees, homophily and smallest eigenvalues.

    A partitioned graph is read block by block, and has no eigenvalues here.
    Examples: lapwing info karate · lapwing info edges.csv --labels labels.csv --json
    """
    if is_for_cluster(graph, cluster):
        refuse({"--nodes": nodes, "--largest-component": largest_component, "--spectrum": spectrum})
        info_partitioned(graph, labels, cluster, reading, json=json)
        return
    found = problem(
        graph, labels, largest_component=largest_component, reading=reading, nodes=nodes
    )
    with waiting("counting components, degrees and the classes of neighbours"):
        result = {"name": found.name, **_structure(found.graph), **_labelling(found)}
        result |= _attributes(found)
    if not json:
        console.print(facts_table(found.name, _for_people(result)))
    if spectrum or (spectrum is None and found.graph.n_nodes <= MOST_NODES):
        with waiting("computing the smallest eigenvalues of the Laplacian"):
            low = {"smallest_nonzero_eigenvalues": _low_end(found.graph)}
        result |= low
        if not json:
            console.print(facts_table("", _for_people(low)))
    if json:
        print_json(result)


def facts(found: Dataset) -> list[tuple[str, Any]]:
    """What is known of a graph and its labels before anything is computed, for people."""
    return _for_people(_structure(found.graph) | _labelling(found) | _attributes(found))


def _structure(graph: Graph) -> dict[str, Any]:
    sizes = np.bincount(graph.components) if graph.n_nodes else np.zeros(1, dtype=int)
    counts = np.diff(graph.adjacency.indptr)
    weights = graph.adjacency.data
    return {
        "n_nodes": graph.n_nodes,
        "n_edges": graph.n_edges,
        "n_components": graph.n_components,
        "largest_component": int(sizes.max()),
        "isolated_nodes": int((counts == 0).sum()),
        "neighbors": _five(counts),
        "weighted": bool(len(weights) and weights.min() != weights.max()),
        "degrees": _five(graph.degrees),
        "input": str(graph.notes),
        "hash": graph.hash,
    }


def _attributes(found: Dataset) -> dict[str, Any]:
    """The columns of the node table and what they hold; those that are the labels are marked."""
    table = found.graph.node_table
    if not len(table) or not found.graph.n_nodes:
        return {} if found.classes else _expected_of_edges(found.graph)
    known = labels_by_node(found.known) if found.classes else {}
    away = leaking_columns(table, known)
    columns = {
        name: _kind(values) + (", gives the label away" if name in away else "")
        for name, values in table.items()
    }
    uses = column_uses(table)
    uses |= dict.fromkeys(away, ColumnUse("unused", "gives the label away"))
    told: dict[str, Any] = {"node_columns": columns, "evidence": uses_in_words(uses)}
    told |= {"node_rows": table.notes} if table.notes else {}
    if told_alone := telling_words(telling_columns(table, uses, known)):
        told["beware"] = told_alone
    used = used_columns(uses)
    if not used or found.graph.n_nodes > MOST_NODES:
        return told
    rows = attribute_rows(table, use=used)
    told["likeness_of_neighbours"] = likeness_of_neighbours(found.graph, rows.rows).value
    if not found.classes:
        told["expect"] = _expected(neighbour_prior(found.graph, rows.rows))
    if found.classes and not found.multilabel:
        worth = attribute_worth(rows.rows, np.asarray(found.labels))
        told |= {} if worth is None else {"attributes": str(worth)}
    return told


def _expected_of_edges(graph: Graph) -> dict[str, Any]:
    """What to expect where nothing but edges is known; nothing where the graph has communities."""
    if community_prior(graph) == 1.0:
        return {}
    return {"expect": "the graph has no communities: labels of neighbours may differ"}


def _expected(trust: float) -> str:
    """What to expect before any label is known, as far as attributes tell."""
    if trust < 1.0:
        return "attributes of neighbours are hardly alike: their labels may differ, too"
    return "attributes of neighbours are alike: labels probably spread along edges"


def _kind(values: Any) -> str:
    """What a column holds, in a word or two."""
    if len(values.shape) > 1:
        return f"{' x '.join(map(str, values.shape[1:]))} numbers"
    there = [value for value in values[:SAMPLE].tolist() if value is not None]
    if not there:
        return "no value"
    if any(isinstance(value, list | tuple | np.ndarray) for value in there):
        return "lists"
    return "numbers" if all(isinstance(value, int | float) for value in there) else "text"


def _low_end(graph: Graph) -> list[float]:
    if graph.n_edges == 0:
        return []
    return [float(value) for value in low_spectrum(graph.adjacency, EIGENVALUES)[0]]


def _five(values: Any) -> dict[str, float]:
    if len(values) == 0:
        return {}
    return {
        "min": float(values.min()),
        "median": float(np.median(values)),
        "mean": float(values.mean()),
        "max": float(values.max()),
    }


def _labelling(found: Dataset) -> dict[str, Any]:
    if not found.classes:
        return {"n_classes": 0, "labelled": 0}
    known = found.known
    names = [str(name) for name in found.classes]
    return {
        "n_classes": len(names),
        "labelled": len(known.nodes()),
        "multi_label": found.multilabel,
        "class_sizes": dict(zip(names, found.class_sizes().tolist(), strict=True)),
        "homophily": _homophily(found.graph, known.matrix()),
        **({} if found.multilabel else _alike(found.graph, np.asarray(found.labels))),
    }


def _alike(graph: Graph, labels: Any) -> dict[str, Any]:
    """Adjusted homophily: 1 if all neighbours are alike, 0 if no more than by chance."""
    sources, targets, weights = graph.edges()
    both = (labels[sources] >= 0) & (labels[targets] >= 0)
    if not both.any():
        return {}
    s, t, w = labels[sources[both]], labels[targets[both]], weights[both]
    ends = np.bincount(s, w, labels.max() + 1) + np.bincount(t, w, labels.max() + 1)
    chance = float(np.square(ends / ends.sum()).sum())
    if chance >= 1.0:
        return {}
    adjusted = (float(w[s == t].sum() / w.sum()) - chance) / (1.0 - chance)
    if adjusted < DIFFER:
        expect = "neighbours differ: attributes and structure count, edges alone say little"
    elif adjusted < ALIKE:
        expect = "neighbours are partly alike: attributes help"
    else:
        expect = "neighbours are alike: labels spread along edges"
    return {"adjusted_homophily": adjusted, "expect": expect}


def _homophily(graph: Graph, indicator: sparse.csr_array) -> float | None:
    """The weight of edges whose ends share a label, over that of edges with both ends labelled."""
    sources, targets, weights = graph.edges()
    labelled = np.asarray(indicator.sum(axis=1)).ravel() > 0
    both = labelled[sources] & labelled[targets]
    if not both.any():
        return None
    s, t, w = sources[both], targets[both], weights[both]
    shared = np.asarray((indicator[s] * indicator[t]).sum(axis=1)).ravel() > 0
    return float(w[shared].sum() / w.sum())


def _for_people(result: dict[str, Any]) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in result.items():
        if key in ("name", "hash") or value is None or value in ([], {}):
            continue
        if isinstance(value, dict):
            value = _shortened(value, by_size=key == "class_sizes")
        rows.append((key.replace("n_", "", 1).replace("_", " "), value))
    return rows


def _shortened(numbers: dict[str, Any], *, by_size: bool) -> str:
    """Names beside numbers; of many classes only the largest."""
    shown = list(numbers.items())
    if by_size and len(shown) > MOST_CLASSES:
        shown = sorted(shown, key=lambda each: -each[1])[:MOST_CLASSES]
    words = "  ".join(f"{name} {_figure(number)}" for name, number in shown)
    left = len(numbers) - len(shown)
    return f"{words}  and {left:,} more" if left else words


def _figure(value: float | str) -> str:
    return f"({value})" if isinstance(value, str) else f"{value:,.4g}"
