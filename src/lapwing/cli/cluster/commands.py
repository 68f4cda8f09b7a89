"""``info``, ``convert``, ``classify`` and ``embed`` on a partitioned graph."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from lapwing.cli.cluster.opening import (
    connected,
    known_labels_of,
    opened_in_blocks,
    partitioned,
    running_with,
    telling,
)
from lapwing.cli.inputs import Reading
from lapwing.cli.output import console, facts_table, print_json, waiting
from lapwing.cluster.classification import checked_method
from lapwing.cluster.description import labelling_on, structure_on
from lapwing.cluster.jobs import (
    Running,
    check_table_folder,
    classify_partitioned,
    embed_partitioned,
    expected_passes,
)
from lapwing.cluster.partition.writing import check_replaceable


def info_partitioned(
    graph: str, labels: Path | None, address: str | None, reading: Reading, *, json: bool
) -> None:
    """Show what a partitioned graph is like."""
    with connected(address) as cluster, opened_in_blocks(graph, cluster, reading) as parts:
        told = None if labels is None else known_labels_of(parts, labels, reading)
        place = Path(graph).absolute().with_name(f".{Path(graph).name}.info")
        with (
            waiting("counting neighbours and degrees, block by block"),
            Running(cluster).engine(parts, place, "info") as engine,
        ):
            result: dict[str, Any] = {"name": Path(graph).name, **structure_on(engine)}
            if told is not None:
                result |= labelling_on(engine, told)
    print_found(result, json=json)


def convert_partitioned(
    graph: str, output: Path, address: str | None, reading: Reading, blocks: int | None,
    *, json: bool,
) -> None:  # fmt: skip
    """Write a partitioned graph."""
    check_replaceable(output)
    with connected(address) as cluster:
        parts = partitioned(graph, output, cluster, reading, blocks)
    held = parts.manifest
    counts = {"n_nodes": held.n_nodes, "n_edges": held.n_edges, "n_components": held.n_components}
    if json:
        print_json({"written": [str(output)], **counts, "blocks": len(held.blocks)})
    else:
        console.print(f"{parts!r} written to {output}")


def classify_on_cluster(
    graph: str,
    labels: Path | None,
    output: Path,
    address: str | None,
    reading: Reading,
    *,
    method: str,
    parameters: dict[str, Any],
    every: int | None,
    halo: str | None,
    json: bool,
) -> None:
    """Predict the labels of a partitioned graph's nodes."""
    check_table_folder(output)
    start = time.perf_counter()
    with connected(address) as cluster, opened_in_blocks(graph, cluster, reading, output) as parts:
        told = known_labels_of(parts, labels, reading)
        model = checked_method(method, len(told.classes), parameters)
        total = expected_passes(model, told)
        with telling(f"passes of {method} over the edges", total) as (bar, task):
            found = classify_partitioned(
                parts, told, output, method=method, parameters=parameters,
                running=running_with(cluster, lambda n: bar.advance(task, n), every, halo),
            )  # fmt: skip
    print_found(
        {"name": Path(graph).name, **found, "seconds": time.perf_counter() - start}, json=json
    )


def embed_on_cluster(
    graph: str, output: Path, address: str | None, reading: Reading,
    *, rank: int, tol: float, every: int | None, halo: str | None, json: bool,
) -> None:  # fmt: skip
    """Write rows of a partitioned graph's nodes."""
    check_table_folder(output)
    with (
        connected(address) as cluster,
        opened_in_blocks(graph, cluster, reading, output) as parts,
        telling("filtering the rows", 1.0) as (bar, task),
    ):
        found = embed_partitioned(
            parts, output, rank=rank, tol=tol,
            running=running_with(cluster, lambda _: None, every, halo),
            progress=lambda part: bar.update(task, completed=part),
        )  # fmt: skip
    print_found({"name": Path(graph).name, **found}, json=json)


def print_found(result: dict[str, Any], *, json: bool) -> None:
    """Print what a command found."""
    if json:
        print_json(result)
        return
    rows = [
        (key.replace("n_", "", 1).replace("_", " "), _worded(value))
        for key, value in result.items()
        if key != "name" and value not in ({}, [])
    ]
    console.print(facts_table(result["name"], rows))


def _worded(value: Any) -> Any:
    if isinstance(value, dict):
        return "  ".join(f"{name} {number:,.4g}" for name, number in value.items())
    return value
