"""``lapwing session``: sessions imported, renamed, deleted, merged and grown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing.checks import plain_text
from lapwing.cli.inputs import problem
from lapwing.cli.output import console
from lapwing.cli.session.growing import edges_in, grown_to_file
from lapwing.cli.session.opening import DbOption, GraphOption, NameArgument, opened, store_at
from lapwing.errors import InputError
from lapwing.session import Record, Store, imported, merge


def import_session(
    path: Annotated[Path, typer.Argument(help="A file that lapwing session export wrote.")],
    name: Annotated[
        str | None, typer.Option(help="Name of the imported session. Default: its own name.")
    ] = None,
    db: DbOption = None,
) -> None:
    """Add a session from JSON Lines; nothing is added if anything in the file is wrong.

    Example: lapwing session import karate.jsonl --name karate-2
    """
    with store_at(db, new=True) as store:
        chosen = imported(store, path, name=name)
        console.print(f"session {chosen}: {store.record(chosen).n_events} events")


def rename(
    name: NameArgument,
    new: Annotated[str, typer.Argument(metavar="NEW", help="The new name.")],
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """Give a session another name; its log stays as it is.

    Example: lapwing session rename edges pages
    """
    with store_at(db) as store:
        store.rename(_record(store, name, graph), plain_text("a session's name", new))
    console.print(f"session {name} is now named {new}", markup=False)


def delete(
    name: NameArgument,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """Remove a session and all its answers for good.

    Example: lapwing session delete practice --yes
    """
    with store_at(db) as store:
        record = _record(store, name, graph)
        if not yes and not typer.confirm(f"Delete {name} with {record.n_events} events for good?"):
            raise InputError(f"session {name!r} was not deleted; --yes deletes without asking")
        store.delete(record)
    console.print(f"session {name}: {record.n_events} events deleted", markup=False)


def merge_sessions(
    name: NameArgument,
    others: Annotated[
        list[str], typer.Argument(metavar="OTHER...", help="Sessions whose answers to add.")
    ],
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """Add the answers of other sessions on the same graph to a session.

    All answers keep the names of the people who gave them; the other sessions stay unchanged.
    Merged answers train the learner but do not count as spot checks. Example: lapwing
    session merge pages pages-bo pages-cy
    """
    with store_at(db) as store:
        into = opened(store, name, graph)
        count = sum(merge(into, opened(store, other, graph)) for other in others)
    console.print(f"session {name}: {count} answers added", markup=False)


def grow(
    name: NameArgument,
    edges: Annotated[
        Path | None, typer.Option(help="File of new edges, read like the session's graph.")
    ] = None,
    nodes: Annotated[
        Path | None, typer.Option(help="Table of new nodes and their attributes.")
    ] = None,
    by: Annotated[str, typer.Option(help="Name of the person who adds them.")] = "me",
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """Add nodes and edges to a session's graph; every answer is kept.

    Without --edges and --nodes it adds what the graph's own file has gained since. Example:
    lapwing session grow pages --edges new.csv --nodes new_nodes.csv
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        if edges is None and nodes is None:
            growth = grown_to_file(held, by)
        else:
            ends, weights = edges_in(edges, held)
            growth = held.grow(ends, nodes, weights=weights, by=by)
        console.print(f"session {name}: {growth}; {held.graph}", markup=False)


def _record(store: Store, name: str, graph: str | None) -> Record:
    return store.record(name, graph=None if graph is None else problem(graph).graph.hash)
