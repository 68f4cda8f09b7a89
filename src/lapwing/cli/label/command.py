"""``lapwing label``: label a graph in the terminal, one key per answer, nothing ever lost."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

import lapwing
from lapwing.catalog import FOR_SESSIONS
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LargestComponentOption,
    Reading,
    problem,
    reads_files,
)
from lapwing.cli.label.answering import answered_by_keys
from lapwing.cli.label.keys import at_terminal
from lapwing.cli.label.oracle import answered_by_oracle
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import console, facts, print_json
from lapwing.cli.session.opening import DbOption, opened, parts, priced, store_at
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.session import AUDIT_SHARE, Session, Store

KNOWN = "known"


@reads_files
def label(
    graph: GraphArgument,
    classes: Annotated[
        str, typer.Option(help="Names of classes, separated by commas; more may be added later.")
    ] = "",
    session: Annotated[
        str | None, typer.Option(help="Its name; an existing one is resumed. By default GRAPH's.")
    ] = None,
    learner: Annotated[str, typer.Option(help="Which learner (lapwing learners).")] = FOR_SESSIONS,
    strategy: Annotated[str, typer.Option(help="How the next node is chosen.")] = "uncertain-reach",
    budget: Annotated[int | None, typer.Option(min=1, help="Stop after so many labels.")] = None,
    target_error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Advise to stop below this error.")
    ] = 0.1,
    confidence: Annotated[float, typer.Option(help="How sure that advice must be.")] = 0.95,
    audit: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Share of questions drawn at random (more once they find no error).",
        ),
    ] = AUDIT_SHARE,
    oracle: Annotated[
        str | None,
        typer.Option(help="Answer from a table node,label ('known': the data set's own labels)."),
    ] = None,
    cost: Annotated[
        Path | None,
        typer.Option(help="Table node,cost of questions: 1 if not named; inf is never asked."),
    ] = None,
    by: Annotated[str, typer.Option(help="Who answers.")] = "me",
    seed: Annotated[int, typer.Option(help="Seed of the audit.")] = 0,
    largest_component: LargestComponentOption = False,
    db: DbOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Ask about one node after the other; every answer is on disk before the next question.

    Examples: lapwing label edges.csv --classes fraud,fine ·
    lapwing label digits --oracle known --budget 200 --json
    """
    if oracle is None and json:
        raise InputError("--json goes with --oracle: there is no object to print for a person")
    if oracle is None and not at_terminal():
        raise InputError(
            "lapwing label must run in a terminal, where a person can see the questions and type; "
            "to answer from a table give --oracle labels.csv"
        )
    labels = Path(oracle) if oracle not in (None, KNOWN) else None
    found = problem(graph, labels, largest_component=largest_component, reading=reading)
    header = {
        "graph": graph,
        "largest_component": largest_component,
        "reading": {name: said for name, said in asdict(reading).items() if said is not None},
        "learner": learner,
        "parameters": {},
        "strategy": strategy,
        "audit_share": audit,
        "seed": seed,
        "version": lapwing.__version__,
        **priced(found.graph, cost, reading),
    }
    wanted = [name.strip() for name in classes.split(",") if name.strip()]
    rules = Rules(by=by, budget=budget, target=target_error, confidence=confidence)
    with store_at(db) as store:
        held = _session(store, session or Path(graph).stem, found, header, wanted)
        if oracle is None:
            answered_by_keys(held, rules)
            return
        result = answered_by_oracle(held, rules, found)
    if json:
        print_json(result)
    else:
        console.print(facts(held.name, result.items()))


def _session(
    store: Store, name: str, found: Dataset, header: dict[str, Any], classes: list[str]
) -> Session:
    """The session of that name: resumed if there is one, otherwise begun."""
    if any(record.name == name for record in store.records()):
        held = opened(store, name, found.graph)
        for new in classes:
            if new not in held.classes:
                held.add_class(new)
        return held
    chosen = parts(header, found.graph)
    chosen["make_learner"]()
    return Session.create(store, name, found.graph, classes=classes, header=header, **chosen)
