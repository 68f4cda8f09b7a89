"""``lapwing label``: label a graph in the terminal, one key per answer, nothing ever lost."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing.catalog import FOR_SESSIONS
from lapwing.cli.cluster.labelling import WholeRules, label_partitioned
from lapwing.cli.cluster.opening import ClusterOption, is_for_cluster, refuse
from lapwing.cli.compiling import preparing
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LargestComponentOption,
    NodesOption,
    Reading,
    ShowOption,
    UseOption,
    listed_names,
    problem,
    reads_files,
)
from lapwing.cli.label.answering import answered_by_keys
from lapwing.cli.label.keys import at_terminal
from lapwing.cli.label.oracle import answerable, answered_by_oracle
from lapwing.cli.label.stopping import Rules
from lapwing.cli.memory import for_session, foresee
from lapwing.cli.output import console, facts_table, print_json
from lapwing.cli.session.growing import in_order_of, offered
from lapwing.cli.session.opening import DbOption, costs_in, store_at, with_place
from lapwing.errors import InputError
from lapwing.io import read_labels
from lapwing.session import AUDIT_SHARE, Session
from lapwing.session.asking.view import card_columns
from lapwing.session.opening.gained import record_on
from lapwing.session.opening.goals import TARGET_ERROR
from lapwing.session.opening.parts import STRATEGY

KNOWN = "known"


@reads_files
def label(
    graph: GraphArgument,
    classes: Annotated[
        str, typer.Option(help="Names of classes, separated by commas; more may be added later.")
    ] = "",
    session: Annotated[
        str | None,
        typer.Option(
            help="Name of the session; an existing one is resumed. Default: GRAPH's name."
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            help=f"Learner (see lapwing learners). Default for new sessions: {FOR_SESSIONS}."
        ),
    ] = None,
    strategy: Annotated[
        str | None,
        typer.Option(help=f"How the next node is chosen. Default for new sessions: {STRATEGY}."),
    ] = None,
    find: Annotated[
        list[str] | None,
        typer.Option(
            help="Find as many nodes of this class as possible; repeat the option for more classes."
        ),
    ] = None,
    recall: Annotated[
        float | None,
        typer.Option(
            min=0.0, max=1.0, help="With --find: advise to stop once this share has been found."
        ),
    ] = None,
    certify: Annotated[
        str | None,
        typer.Option(
            help="Prove this instead of the error, e.g. 'recall:fraud>=0.9', 'precision:fraud>=0.9'"
            ", 'macro-f1>=0.8', 'class-error<0.2'; '@column=value' at the end means a part."
        ),
    ] = None,
    second_looks: Annotated[
        bool,
        typer.Option(
            "--second-looks", help="Ask again, without a guess, about answers that look wrong."
        ),
    ] = False,
    budget: Annotated[int | None, typer.Option(min=1, help="Stop after this many labels.")] = None,
    target_error: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help="Advise to stop below this error; if given, spot checks are planned for it. "
            f"Default: that of the session, or {TARGET_ERROR}.",
        ),
    ] = None,
    confidence: Annotated[float, typer.Option(help="Confidence required for that advice.")] = 0.95,
    audit: Annotated[
        float | None,
        typer.Option(
            min=0.0,
            max=1.0,
            help=f"Share of questions drawn at random to measure the error. "
            f"Default for new sessions: {AUDIT_SHARE}.",
        ),
    ] = None,
    labels: Annotated[
        Path | None,
        typer.Option(
            "--labels", help="Table node,label of known labels: learned from, never asked."
        ),
    ] = None,
    oracle: Annotated[
        str | None,
        typer.Option(help="Answer from a table node,label ('known': the data set's labels)."),
    ] = None,
    cost: Annotated[
        Path | None,
        typer.Option(help="Table node,cost of asking. Default cost: 1; inf means never ask."),
    ] = None,
    nodes: NodesOption = None,
    show: ShowOption = "",
    use: UseOption = "",
    by: Annotated[str, typer.Option(help="Name of the person who answers.")] = "me",
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Seed for drawing spot checks. Default for new sessions: 0."),
    ] = None,
    largest_component: LargestComponentOption = False,
    db: DbOption = None,
    cluster: ClusterOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Ask about one node after another; every answer is on disk before the next question.

    Examples: lapwing label edges.csv --classes fraud,fine ·
    lapwing label edges.csv --nodes pages.csv --show title,url ·
    lapwing label edges.csv --find fraud --recall 0.9 ·
    lapwing label edges.csv --certify "recall:fraud>=0.9" ·
    lapwing label digits --oracle known --budget 200 --json ·
    lapwing label big.parts --classes fraud,fine --cluster local:4
    """
    if oracle is None and json:
        raise InputError("--json goes with --oracle: there is no object to print for a person")
    if oracle is None and not at_terminal():
        raise InputError(
            "lapwing label must run in a terminal, where a person can see the questions and type; "
            "to answer from a table give --oracle labels.csv"
        )
    answers = Path(oracle) if oracle not in (None, KNOWN) else None
    if is_for_cluster(graph, cluster):
        refuse({
            "--oracle known": oracle == KNOWN, "--learner": learner, "--strategy": strategy,
            "--find": find, "--recall": recall, "--certify": certify, "--labels": labels,
            "--cost": cost, "--nodes": nodes, "--show": show, "--use": use, "--db": db,
            "--largest-component": largest_component, "--second-looks": second_looks,
        })  # fmt: skip
        target = TARGET_ERROR if target_error is None else target_error
        label_partitioned(
            graph, listed_names(classes), cluster, reading, WholeRules(budget, target, confidence),
            name=session, oracle=answers, audit=audit, seed=seed, json=json,
        )  # fmt: skip
        return
    found = problem(
        graph, answers, largest_component=largest_component, reading=reading, nodes=nodes
    )
    wanted = listed_names(show)
    card_columns(found.graph.node_table, wanted)
    if oracle is not None:
        answerable(found, find)
    foresee(
        f"questions about {found.graph.n_nodes:,} nodes",
        for_session(found.graph, len(listed_names(classes))),
        "label a part of the graph",
    )
    place = with_place(found.graph, graph, largest_component=largest_component)
    with store_at(db, new=True) as store:
        chosen = Path(graph).stem if session is None else session
        grown = offered(store, chosen, place, by)
        if grown is not None:
            place = grown.graph
        if recall is not None and not find and record_on(store, chosen, place) is None:
            raise InputError("--recall goes with --find: there is no class to find")
        plannable = target_error not in (None, 0.0, 1.0) and not find
        if record_on(store, chosen, place) is not None:
            plannable = False  # another target than the recorded one changes the advice alone
        known = None if labels is None else read_labels(labels, place, **reading.of_table(labels))
        with preparing("preparing the learner"):
            held = Session(
                place,
                listed_names(classes),
                name=chosen,
                store=store,
                labels=known,
                learner=learner,
                parameters={"use": listed_names(use)} if use else None,
                strategy=strategy,
                goal="find" if find else None,
                positive=find or None,
                cost=costs_in(cost, place, reading),
                audit_share=audit,
                second_looks=second_looks or None,
                certify=certify,
                target_error=target_error if plannable else None,
                target_recall=recall if find else None,
                seed=seed,
                by=by,
                show=wanted,
                background=oracle is None,
            )
        rules = Rules(
            by=by,
            budget=budget,
            target=held.target_error if target_error is None else target_error,
            confidence=confidence,
            recall=recall,
        )
        if oracle is None:
            answered_by_keys(held, rules)
            return
        result = answered_by_oracle(held, rules, in_order_of(found, held))
    if json:
        print_json(result)
    else:
        console.print(facts_table(held.name, result.items()))
