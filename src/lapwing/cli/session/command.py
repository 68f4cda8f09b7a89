"""``lapwing session``: every labelling session, to look at, move, replay and verify."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing.checks import plain_text
from lapwing.cli.inputs import JsonOption, problem
from lapwing.cli.output import console, facts_table, print_json, rows_table
from lapwing.cli.session.growing import edges_in, grown_to_file, names_in
from lapwing.cli.session.opening import DbOption, opened, store_at
from lapwing.errors import InputError, LapwingError
from lapwing.io import checked_output, write_table, write_text
from lapwing.io.tables import check_writable
from lapwing.session import Record, Store, exported, imported, merge, verified
from lapwing.session.opening.parts import parts

session = typer.Typer(help="Labelling sessions: list, show, move, replay.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The session's name.")]
TableOption = Annotated[
    Path, typer.Option("--output", "-o", help="The table to write: .csv, .tsv, .jsonl or .parquet.")
]
GraphOption = Annotated[str | None, typer.Option("--graph", help="The graph, if it has moved.")]


@session.command("list")
def list_sessions(db: DbOption = None, json: JsonOption = False) -> None:
    """List all sessions in the database.

    Example: lapwing session list --db answers.db
    """
    with store_at(db) as store:
        rows = [
            {
                "name": r.name,
                "created": r.created,
                "graph": r.header.get("graph"),
                "events": r.n_events,
            }
            for r in store.records()
        ]
    if json:
        print_json({"sessions": rows})
    else:
        columns = ("name", "created", "graph", "events")
        console.print(rows_table(columns, [[row[c] for c in columns] for row in rows]))


@session.command()
def show(
    name: NameArgument, db: DbOption = None, graph: GraphOption = None, json: JsonOption = False
) -> None:
    """Show a session: labels, classes, estimated error.

    Example: lapwing session show karate
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        dialogue, estimate = held.dialogue, held.error_estimate()
        result = {
            "name": name,
            **dialogue.header,
            "events": dialogue.state.n_events,
            "head": held.head,
            "labels": len(dialogue.state.labels),
            "classes": {
                label: int((dialogue.labels == k).sum()) for k, label in enumerate(held.classes)
            },
            "annotators": dialogue.state.votes.reliability(),
            "disputed": [held.graph.names[node] for node in dialogue.state.votes.disputed()],
            "estimated_error": estimate.estimate if estimate.audits else None,
            "error_at_most": estimate.upper,
            "audits": estimate.audits,
            "advice": str(held.advice()),
        }
    if json:
        print_json(result)
    else:
        shown = {
            key: str(value) if isinstance(value, dict) else value for key, value in result.items()
        }
        console.print(facts_table(name, shown.items()))


@session.command()
def export(
    name: NameArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write (JSON Lines).")],
    db: DbOption = None,
) -> None:
    """Write a session as JSON Lines: its header, then every event.

    Example: lapwing session export karate -o karate.jsonl
    """
    check_writable(output)
    with store_at(db) as store:
        text = exported(store, name)
    write_text(text, output)
    console.print(f"{text.count(chr(10)) - 1} events written to {output}")


@session.command("import")
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


@session.command()
def replay(
    name: NameArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the predictions to this CSV file.")
    ] = None,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Replay a session's log from the start and show what its learner predicts now.

    Predictions are written as node, label, confidence (the calibrated probability that the label
    is right; 1 for an answer) and runner_up. Example: lapwing session replay karate -o all.csv
    """
    if output is not None:
        checked_output(output)
    with store_at(db) as store:
        held = opened(store, name, graph)
        guesses = held.dialogue.learner.predict(np.arange(held.graph.n_nodes))
        if output is not None:
            write_table(held.predictions().columns, output)
    counts = {label: int((guesses == k).sum()) for k, label in enumerate(held.classes)}
    result = {"name": name, "events": held.dialogue.state.n_events, "predicted": counts}
    result["unknown"] = int((guesses < 0).sum())
    if json:
        print_json(result)
    else:
        console.print(facts_table(name, [(k, str(v)) for k, v in result.items()]))


@session.command()
def labels(
    name: NameArgument, output: TableOption, db: DbOption = None, graph: GraphOption = None
) -> None:
    """Write only the answers: node, label, by whom and when.

    Example: lapwing session labels karate -o labels.csv
    """
    checked_output(output)
    with store_at(db) as store:
        answers = opened(store, name, graph).answers()
    columns = ("node", "label", "by", "when")
    rows = list(zip(*answers, strict=True)) or [()] * len(columns)
    write_table(dict(zip(columns, map(list, rows), strict=True)), output)
    console.print(f"{len(answers)} answers written to {output}")


@session.command()
def predictions(
    name: NameArgument, output: TableOption, db: DbOption = None, graph: GraphOption = None
) -> None:
    """Write a label for every node: node, label, confidence, runner_up, asked.

    The confidence is the calibrated probability that the label is right; 1 for an answer.
    Example: lapwing session predictions karate -o predictions.csv
    """
    checked_output(output)
    with store_at(db) as store:
        found = opened(store, name, graph).predictions()
    write_table(found.columns, output)
    console.print(f"{len(found)} predictions written to {output}")


@session.command()
def explain(
    name: NameArgument,
    node: Annotated[str, typer.Argument(metavar="NODE", help="The node's name.")],
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """What a node's label rests on: labels, words, columns and neighbours.

    Example: lapwing session explain karate 9
    """
    with store_at(db) as store:
        found = opened(store, name, graph)
        known = found.graph.names
        at = int(node) if node not in known and node.lstrip("-").isdigit() else node
        console.print(str(found.explain(at)), markup=False, highlight=False)


@session.command()
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


@session.command()
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


@session.command("merge")
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


@session.command()
def grow(
    name: NameArgument,
    edges: Annotated[
        Path | None, typer.Option(help="File of new edges, read like the session's graph.")
    ] = None,
    nodes: Annotated[
        Path | None, typer.Option(help="Table of new nodes; its first column names them.")
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
            growth = held.grow(ends, names_in(nodes, held), weights=weights, by=by)
        console.print(f"session {name}: {growth}; {held.graph}", markup=False)


@session.command()
def verify(
    name: NameArgument,
    expect: Annotated[
        str | None,
        typer.Option(
            metavar="HASH", help="The digest that you kept; its first 8 digits are enough."
        ),
    ] = None,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Check that no line was changed, and that a replay gives the same questions and guesses.

    Keep the digest that this prints: with --expect, the command also detects a log that was
    truncated or rewritten. Example: lapwing session verify karate --expect 0a1b2c3d4e5f
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        first = held.dialogue.first_graph
        chosen = parts(held.dialogue.header, first)
        report = verified(store, held.dialogue.record, first, expect=expect, **chosen)
    if not report.same:
        raise LapwingError(f"event {report.first_difference} of {name!r} differs from the replay")
    result: dict[str, Any] = {
        "name": name,
        "events": report.n_events,
        "questions": report.n_questions,
        "digest": report.digest,
    }
    if json:
        print_json(result | {"same": True})
    else:
        console.print(
            f"{name}: {report.n_events} events unchanged, {report.n_questions} questions "
            f"and guesses as recorded; digest {report.digest[:16]}"
        )


def _record(store: Store, name: str, graph: str | None) -> Record:
    return store.record(name, graph=None if graph is None else problem(graph).graph.hash)
