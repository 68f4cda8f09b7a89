"""``lapwing play``: a labelled graph as a stream, and how a learner does on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import Progress

from lapwing.catalog import DEFAULT, FOR_SESSIONS, Experiment, Protocol, protocol
from lapwing.catalog.make import checked_parameters, named
from lapwing.cli.compiling import compile_time
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LabelsOption,
    LargestComponentOption,
    NodesOption,
    Reading,
    UseOption,
    listed_names,
    needs_labels,
    problem,
    reads_files,
)
from lapwing.cli.output import console, print_json, progress, rows_table, worded
from lapwing.cli.play.events import play_events, refuse_beside_events
from lapwing.cli.play.report import Played, in_words, played_table, promised, rounds_table
from lapwing.cli.settings import parsed_settings
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.figures.rounds import draw_rounds
from lapwing.figures.style import checked_picture, saved
from lapwing.io import checked_output, write_table
from lapwing.io.tables import check_writable

LEAST = 1e-3
"""Seconds below which a wait is not listed."""
STEPS = 100
"""How often a game stops, at least, to show how far it is."""
FIRST, SLOW = 50, 1.0
"""The rounds before the first stop, and the seconds after which a game stops more often."""


@reads_files
def play(
    graph: GraphArgument,
    learner: Annotated[
        list[str] | None,
        typer.Option(help="A name of lapwing learners; repeat it to compare several."),
    ] = None,
    labels: LabelsOption = None,
    nodes: NodesOption = None,
    use: UseOption = "",
    seed: Annotated[int, typer.Option(help="Seed for the orders: order i uses seed + i.")] = 0,
    shuffles: Annotated[
        int | None, typer.Option(help="Number of random orders to play.", show_default="1")
    ] = None,
    protocol_name: Annotated[
        str | None,
        typer.Option("--protocol", help="Play as a paper's table was made: gu2013, yang2018."),
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter; may be repeated."),
    ] = None,
    tune: Annotated[
        bool, typer.Option("--tune", help="First choose mu on held-out orders.")
    ] = False,
    teacher: Annotated[
        str | None, typer.Option(help="on-query (default), every-label; bandit: one bit per guess.")
    ] = None,
    tries: Annotated[int, typer.Option(help="Guesses a bandit may make per node.")] = 1,
    events: Annotated[
        Path | None,
        typer.Option(help="Stream of events instead: columns event, node, other, label, time."),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Save a plot of error, queries and time by round.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="Write every round: .parquet, .csv, .json or .jsonl.")
    ] = None,
    largest_component: LargestComponentOption = False,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Replay a labelled graph as a stream and measure a learner's error, queries and time.

    With --use, columns of the node table are learned from too, by `pool` or any learner on rows.
    Ctrl-C stops and keeps what was played. Examples: lapwing play karate · lapwing play edges.csv
    --labels labels.csv --learner sslgc --set mu=1 --plot rounds.png
    """
    if output is not None:
        checked_output(output)
    if plot is not None:
        check_writable(checked_picture(plot))
    usual = FOR_SESSIONS if use else DEFAULT
    settings = parsed_settings(set_ or [], "--set") | ({"use": listed_names(use)} if use else {})
    if events is not None:
        refuse_beside_events(shuffles, protocol_name, teacher, plot, labels, tune or None)
        place = problem(
            graph, None, largest_component=largest_component, reading=reading, nodes=nodes
        )
        play_events(place.graph, events, learner or [usual], settings, output, json=json)
        return
    rules = None if protocol_name is None else protocol(protocol_name)
    kept = largest_component or (rules is not None and rules.largest_component)
    found = needs_labels(
        problem(graph, labels, largest_component=kept, reading=reading, nodes=nodes)
    )
    if found.multilabel:
        raise InputError(f"{found.name} has several labels per node; play needs one")
    common = {
        "shuffles": (rules.shuffles if rules else 1) if shuffles is None else shuffles,
        "seed": seed,
        "teacher": teacher,
        "tries": tries,
    }
    experiments = [_experiment(found, name, rules, settings, common) for name in learner or [usual]]
    runs = _played(experiments, rules, tune)
    if output is not None:
        write_table(rounds_table(runs, found), output)
    if plot is not None:
        binary = rules is not None and rules.measure == "binary_error"
        curves = {run.learner: run.curves(binary=binary) for run in runs}
        saved(draw_rounds(curves, error="binary error" if binary else "error"), plot)
    _report(found, runs, rules, json)
    for path in (output, plot):
        if path is not None and not json:
            console.print(f"wrote {path}", style="dim")
    if any(run.interrupted for run in runs):
        raise typer.Exit(130)


def _experiment(
    found: Dataset,
    name: str,
    rules: Protocol | None,
    given: dict[str, Any],
    common: dict[str, Any],
) -> Experiment:
    fixed = rules.parameters_for(name, found.graph.n_nodes) if rules else {}
    checked_parameters(named(name), given)
    return Experiment(
        learner=name,
        graph=found.graph,
        labels=np.asarray(found.labels),
        n_classes=found.n_classes,
        parameters=fixed | given,
        **common,
    )


def _played(experiments: list[Experiment], rules: Protocol | None, tune: bool) -> list[Played]:
    runs: list[Played] = []
    with progress() as bar:
        for experiment in experiments:
            run = Played(experiment)
            runs.append(run)
            try:
                with timed(run, "tuning"):
                    run.tune(tune, rules)
                _play_all(run, bar)
            except KeyboardInterrupt:
                run.interrupted = True
                break
    return [run for run in runs if run.games or not run.interrupted]


@contextmanager
def timed(run: Played, what: str) -> Iterator[None]:
    """Note how long something took, what was compiled meanwhile apart."""
    start = perf_counter()
    with compile_time() as compiled:
        yield
    for name, seconds in (
        (what, perf_counter() - start - compiled.seconds),
        ("compiling, once", compiled.seconds),
    ):
        if seconds >= LEAST:
            run.note(name, seconds)


def _play_all(run: Played, bar: Progress) -> None:
    experiment = run.experiment
    n, of = len(experiment.nodes), experiment.shuffles
    task = bar.add_task(f"{experiment.learner}: preparing", total=n * of)
    games = experiment.games()
    rounds = min(FIRST, max(1, n // STEPS))
    for i in range(of):
        with timed(run, "rows and learner"):
            game = next(games)
        run.games.append(game)
        while len(game.left):
            start = perf_counter()
            game.run(rounds)
            took = perf_counter() - start
            if took > SLOW:
                rounds = max(1, rounds // 2)
            elif took < SLOW / 4:
                rounds = min(2 * rounds, max(1, n // STEPS))
            error = game.so_far().error
            text = f"{experiment.learner} {i + 1}/{of}  error {error:.1%}"
            bar.update(task, completed=i * n + n - len(game.left), description=text)


def _report(found: Dataset, runs: list[Played], rules: Protocol | None, json: bool) -> None:
    promises = [promised(run.experiment, run.games) for run in runs]
    if json:
        results = [
            run.as_dict(found, rules) | ({"promise": proven.as_dict()} if proven else {})
            for run, proven in zip(runs, promises, strict=True)
        ]
        print_json(results[0] if len(results) == 1 else {"runs": results})
        return
    for run in runs:
        if run.interrupted:
            console.print(f"{run.learner}: stopped after {run.rounds:,} rounds", style="yellow")
    title = worded(found.name, "bold").append(
        f": {found.graph.n_nodes:,} nodes, {found.n_classes} classes", "not bold"
    )
    console.print(rows_table(*played_table(runs), title=title))
    if rules is not None:
        measure = "of the arg-max" if rules.measure == "error" else "the binary error"
        console.print(f"{rules.paper}; its error is {measure}", style="dim")
    for proven in promises:
        if proven is not None:
            console.print(in_words(proven), style="dim", markup=False)
