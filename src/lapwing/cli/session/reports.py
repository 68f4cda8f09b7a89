"""``lapwing session``: what a session holds, shown, written to files, replayed and verified."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing.cli.compiling import preparing
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, facts_table, print_json, rows_table, worded
from lapwing.cli.session.claims import claims_of
from lapwing.cli.session.opening import DbOption, GraphOption, NameArgument, opened, store_at
from lapwing.errors import LapwingError
from lapwing.io import checked_output, write_table, write_text
from lapwing.io.tables import check_writable
from lapwing.session import exported, verified
from lapwing.session.opening.parts import parts

TableOption = Annotated[
    Path, typer.Option("--output", "-o", help="The table to write: .csv, .tsv, .jsonl or .parquet.")
]
SHOWN = 20
"""Leads that are shown unless a number is given."""
_PREDICTING = "predicting the label of every node"


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


def show(
    name: NameArgument, db: DbOption = None, graph: GraphOption = None, json: JsonOption = False
) -> None:
    """Show a session: labels, classes, estimated error; of a search, what it found.

    Example: lapwing session show karate
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing("estimating the error"):
            dialogue, claims, advice = held.dialogue, claims_of(held), held.advice()
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
            **claims,
            "evidence": held.evidence(),
            "advice": str(advice),
        }
    if json:
        print_json(result)
    else:
        shown = {
            key: str(value) if isinstance(value, dict) else value for key, value in result.items()
        }
        console.print(facts_table(name, shown.items()))


def proof(
    name: NameArgument,
    measure: Annotated[
        str, typer.Argument(help="error, class-error, macro-f1, recall or precision.")
    ] = "error",
    of: Annotated[str | None, typer.Option(help="The class, for recall and precision.")] = None,
    part: Annotated[
        str | None, typer.Option(help="A part of the graph: column=value of the node table.")
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence of the bound.")] = 0.95,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Show what the spot checks prove: error, macro-F1, recall or precision of a class.

    Example: lapwing session certify karate recall --of Officer
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing("estimating"):
            told = held.certificate(measure, of=of, part=part, confidence=confidence)
    if json:
        print_json(asdict(told))
    else:
        console.print(worded(str(told)))


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


def replay(
    name: NameArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write the predictions to this table: .csv, .tsv, .jsonl or .parquet.",
        ),
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
        with preparing(_PREDICTING):
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


def predictions(
    name: NameArgument, output: TableOption, db: DbOption = None, graph: GraphOption = None
) -> None:
    """Write a label for every node: node, label, confidence, runner_up, asked.

    The confidence is the calibrated probability that the label is right; 1 for an answer.
    Example: lapwing session predictions karate -o predictions.csv
    """
    checked_output(output)
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing(_PREDICTING):
            found = held.predictions()
            write_table(found.columns, output)
    console.print(f"{len(found)} predictions written to {output}")


def leads(
    name: NameArgument,
    count: Annotated[
        int | None, typer.Option(min=1, help="Show so many; all if written to a table.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write a table: .csv, .tsv, .jsonl or .parquet."),
    ] = None,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Show the nodes that are likeliest of the class to find, with calibrated probabilities.

    Only for sessions begun with --find. Example: lapwing session leads edges --count 50
    """
    if output is not None:
        checked_output(output)
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing("ranking the nodes"):
            found = held.leads(SHOWN if count is None and output is None else count)
            claim, advice = held.recall(), held.advice()
    columns = {"node": [str(lead.node) for lead in found],
               "probability": [round(lead.probability, 6) for lead in found]}  # fmt: skip
    if output is not None:
        write_table(columns, output)
        console.print(f"{len(found)} nodes written to {output}")
    elif json:
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        print_json({"name": name, "recall": str(claim), "advice": str(advice), "leads": rows})
    else:
        console.print(rows_table(tuple(columns), list(zip(*columns.values(), strict=True))))
        console.print(f"{claim}; {advice.words}", markup=False, highlight=False)


def explain(
    name: NameArgument,
    node: Annotated[str, typer.Argument(metavar="NODE", help="The node's name.")],
    db: DbOption = None,
    graph: GraphOption = None,
) -> None:
    """Show what a node's label rests on: labels, words, columns and neighbours.

    Example: lapwing session explain karate 9
    """
    with store_at(db) as store:
        found = opened(store, name, graph)
        known = found.graph.names
        at = int(node) if node not in known and node.lstrip("-").isdigit() else node
        with preparing("asking which labels the prediction rests on"):
            words = str(found.explain(at))
        console.print(words, markup=False, highlight=False)


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
        with preparing(f"replaying {held.dialogue.state.n_events:,} events"):
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
