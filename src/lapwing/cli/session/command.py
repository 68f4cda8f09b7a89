"""``lapwing session``: every labelling session, to look at, move, replay and verify."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing.cli.inputs import JsonOption, Reading, problem
from lapwing.cli.output import console, facts, listing, print_json
from lapwing.cli.prediction_table import predicted_table
from lapwing.cli.session.opening import DbOption, opened, parts, store_at
from lapwing.data import Dataset
from lapwing.errors import InputError, LapwingError
from lapwing.graph import Graph
from lapwing.io import checked_output, write_table, write_text
from lapwing.io.tables import check_writable
from lapwing.session import Session, Store, exported, imported, verified
from lapwing.types import UNKNOWN

session = typer.Typer(help="Labelling sessions: list, show, move, replay.", no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help="The session's name.")]
GraphOption = Annotated[
    str | None, typer.Option("--graph", help="The graph, if it is not where the session says.")
]


@session.command("list")
def list_sessions(db: DbOption = None, json: JsonOption = False) -> None:
    """Every session in the database.

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
        console.print(listing(columns, [[row[c] for c in columns] for row in rows]))


@session.command()
def show(
    name: NameArgument, db: DbOption = None, graph: GraphOption = None, json: JsonOption = False
) -> None:
    """What a session knows so far: labels, classes, estimated error.

    Example: lapwing session show karate
    """
    with store_at(db) as store:
        held = opened(store, name, _graph(store, name, graph))
        estimate = held.error_estimate()
        result = {
            "name": name,
            **held.header,
            "events": held.state.n_events,
            "head": held.head,
            "labels": len(held.state.labels),
            "classes": {
                label: int((held.labels == k).sum()) for k, label in enumerate(held.classes)
            },
            "annotators": held.state.votes.reliability(),
            "disputed": held.state.votes.disputed(),
            "estimated_error": estimate.estimate if estimate.audits else None,
            "error_at_most": estimate.upper,
            "audits": estimate.audits,
        }
    if json:
        print_json(result)
    else:
        shown = {
            key: str(value) if isinstance(value, dict) else value for key, value in result.items()
        }
        console.print(facts(name, shown.items()))


@session.command()
def export(
    name: NameArgument,
    output: Annotated[Path, typer.Option("--output", "-o", help="A file of JSON Lines.")],
    db: DbOption = None,
) -> None:
    """Write a session as JSON Lines: what it stands on, then every event.

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
    name: Annotated[str | None, typer.Option(help="Another name for it.")] = None,
    db: DbOption = None,
) -> None:
    """Add a session from JSON Lines, whole or not at all.

    Example: lapwing session import karate.jsonl --name karate-2
    """
    with store_at(db) as store:
        chosen = imported(store, path, name=name)
        console.print(f"session {chosen}: {store.record(chosen).n_events} events")


@session.command()
def replay(
    name: NameArgument,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Predictions, csv.")] = None,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Play a session's log from the start and say what its learner predicts now.

    Predictions are written as node, label, confidence (the calibrated probability that the label
    is right; 1 for an answer) and runner_up. Example: lapwing session replay karate -o all.csv
    """
    if output is not None:
        checked_output(output)
    with store_at(db) as store:
        found = _graph(store, name, graph)
        held = opened(store, name, found)
        guesses = held.learner.predict(np.arange(found.n_nodes))
    counts = {label: int((guesses == k).sum()) for k, label in enumerate(held.classes)}
    if output is not None:
        write_table(_predictions(held), output)
    result = {"name": name, "events": held.state.n_events, "predicted": counts}
    result["unknown"] = int((guesses < 0).sum())
    if json:
        print_json(result)
    else:
        console.print(facts(name, [(k, str(v)) for k, v in result.items()]))


@session.command()
def verify(
    name: NameArgument,
    expect: Annotated[
        str | None,
        typer.Option(metavar="HASH", help="The head kept elsewhere (8 digits of it are enough)."),
    ] = None,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Check that no line was changed, and that every question and guess comes out the same.

    Write down the digest this prints: --expect then also tells a log that was cut short or
    written anew. Example: lapwing session verify karate --expect 0a1b2c3d4e5f
    """
    with store_at(db) as store:
        found = _graph(store, name, graph)
        chosen = parts(store.record(name).header, found)
        report = verified(store, name, found, expect=expect, **chosen)
    if not report.same:
        raise LapwingError(f"event {report.first_difference} of {name!r} came out otherwise")
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
            f"{name}: {report.n_events} events as written, {report.n_questions} questions "
            f"and guesses as recorded; digest {report.digest[:16]}"
        )


def _predictions(held: Session) -> dict[str, Any]:
    """A session's answers and predictions, one row per node."""
    everyone, count = np.arange(held.graph.n_nodes), len(held.classes)
    if not count:
        raise InputError(f"session {held.name!r} must have a class to predict, it has none yet")
    chances = np.zeros((len(everyone), count))
    found = held.learner.predict_proba(everyone)
    chances[:, : found.shape[1]] = found
    answers = Dataset(held.name, held.graph, held.labels, tuple(held.classes))
    return predicted_table(answers, chances, np.flatnonzero(held.labels != UNKNOWN))


def _graph(store: Store, name: str, given: str | None) -> Graph:
    header = store.record(name).header
    source = given or header.get("graph")
    if not source:
        raise InputError(f"session {name!r} does not say where its graph is: give --graph")
    return problem(
        str(source),
        largest_component=bool(header.get("largest_component", False)),
        reading=_reading(header),
    ).graph


def _reading(header: Mapping[str, Any]) -> Reading:
    """How the session's graph was read when it was created; not how a table was."""
    said = dict(header.get("reading", {}))
    of_table = ("node_column", "label_column", "multilabel")
    return Reading(**{name: value for name, value in said.items() if name not in of_table})
