"""``lapwing data``: which data sets there are, and fetching them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from lapwing import data as sets
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, print_json, progress, rows_table

data = typer.Typer(help="List and download data sets.", no_args_is_help=True)


@data.command("list")
def list_sets(json: JsonOption = False) -> None:
    """List all data sets, and whether each is bundled, present or would be downloaded.

    Example: lapwing data list --json
    """
    entries = sets.catalog()
    if json:
        print_json({"datasets": [asdict(entry) for entry in entries]})
        return
    columns = ("name", "nodes", "edges", "classes", "", "where")
    rows = [
        (e.name, e.nodes, e.edges, e.classes, "several per node" * e.multilabel, _where(e))
        for e in entries
    ]
    console.print(rows_table(columns, rows))
    console.print("Licences and descriptions: lapwing data list --json", style="dim")


@data.command()
def fetch(
    names: Annotated[list[str], typer.Argument(help="Data sets to download, or 'all'.")],
    json: JsonOption = False,
) -> None:
    """Download data sets into the cache and check their SHA-256.

    Example: lapwing data fetch cora pubmed
    """
    wanted = [entry.name for entry in sets.catalog()] if names == ["all"] else names
    fetched = {}
    with progress() as bar:
        task = bar.add_task("fetching", total=len(wanted))
        for name in wanted:
            bar.update(task, description=f"fetching {name}")
            fetched[name] = [str(path) for path in sets.fetch(name)]
            bar.advance(task)
    if json:
        print_json({"fetched": fetched})
    else:
        rows = [(name, "\n".join(paths) or "bundled") for name, paths in fetched.items()]
        console.print(rows_table(("name", "files"), rows))


def _where(entry: sets.DatasetEntry) -> str:
    return f"download, {entry.size / 1e6:.1f} MB" if entry.where == "download" else entry.where
