"""``lapwing embed``: one row per node, for use anywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from lapwing import embed as rows_of
from lapwing.cli.cluster.commands import embed_on_cluster
from lapwing.cli.cluster.opening import (
    CheckpointOption,
    ClusterOption,
    HaloOption,
    is_for_cluster,
    refuse,
)
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LargestComponentOption,
    Reading,
    problem,
    reads_files,
)
from lapwing.cli.memory import for_rows, foresee
from lapwing.cli.output import console, errors, print_json, progress
from lapwing.errors import InputError
from lapwing.io.files import replaced_file
from lapwing.io.tables import check_writable


@reads_files
def embed(
    graph: GraphArgument,
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The .npy file; for a partitioned graph a folder of Parquet."
        ),
    ],
    rank: Annotated[int, typer.Option(help="Eigenvectors 2..rank; 0 for all of them.")] = 100,
    normalized: Annotated[bool, typer.Option(help="Use the normalised Laplacian.")] = False,
    bias: Annotated[float, typer.Option(help="Append a constant column sqrt(bias).")] = 0.0,
    unit_rows: Annotated[bool, typer.Option(help="Scale every row to length 1.")] = False,
    largest_component: LargestComponentOption = False,
    tol: Annotated[
        float | None,
        typer.Option(help="Largest residual of approximate rows, as a partitioned graph has them."),
    ] = None,
    cluster: ClusterOption = None,
    checkpoint_every: CheckpointOption = None,
    halo: HaloOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Write rows whose inner products are the (low-rank) pseudoinverse of the Laplacian.

    On a partitioned graph, writes approximate rows of the normalised Laplacian.

    Example: lapwing embed cora --largest-component --rank 100 --bias 2 -o rows.npy
    """
    if is_for_cluster(graph, cluster):
        refuse(
            {"--bias": bias, "--unit-rows": unit_rows, "--largest-component": largest_component,
             "--rank 0": rank == 0}
        )  # fmt: skip
        embed_on_cluster(graph, output, cluster, reading, rank=rank, tol=tol or 1e-2,
                         every=checkpoint_every, halo=halo, json=json)  # fmt: skip
        return
    refuse({"--tol without --normalized": tol and not normalized})
    if output.suffix != ".npy":
        raise InputError(f"--output must end in .npy, got {output}")
    check_writable(output)
    found = problem(graph, largest_component=largest_component, reading=reading)
    foresee(
        f"rows of {found.graph.n_nodes:,} nodes",
        for_rows(found.graph, rank),
        "ask for a lower --rank",
    )
    with progress() as bar:
        task = bar.add_task(f"rows of {found.name}", total=1.0)
        rows = rows_of.laplacian(
            found.graph,
            rank=rank or None,
            normalized=normalized,
            bias=bias,
            unit_rows=unit_rows,
            tol=tol,
            progress=lambda part: bar.update(task, completed=part),
        )
    if rank > found.graph.n_nodes:
        errors.print(
            f"note: {found.name} has {found.graph.n_nodes:,} nodes and so no more eigenvectors: "
            f"a rank of {rank:,} is the same as --rank 0"
        )
    with replaced_file(output, make_folders=True) as fresh, fresh.open("wb") as file:
        np.save(file, rows)
    if json:
        print_json({"output": str(output), "n_nodes": rows.shape[0], "columns": rows.shape[1]})
    else:
        console.print(f"{rows.shape[0]:,} rows of {rows.shape[1]} numbers in {output}")
