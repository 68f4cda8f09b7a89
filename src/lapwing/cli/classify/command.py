"""``lapwing classify``: the labels of all nodes from those of a few."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from lapwing.batch.chosen.cross_validated import CrossValidated
from lapwing.batch.evidence.best_evidence import BestEvidence
from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.catalog.make import checked_parameters, make, named
from lapwing.cli.classify.answers import Answers, label_set_table, probability_table
from lapwing.cli.cluster.commands import classify_on_cluster
from lapwing.cli.cluster.opening import (
    CheckpointOption,
    ClusterOption,
    HaloOption,
    is_for_cluster,
    refuse,
)
from lapwing.cli.compiling import preparing
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
from lapwing.cli.memory import for_classes, foresee
from lapwing.cli.output import console, errors, facts_table, print_json, waiting
from lapwing.cli.settings import parsed_priors, parsed_settings
from lapwing.data import Dataset
from lapwing.embed.attributes.kinds import uses_in_words
from lapwing.embed.attributes.leaks import telling_columns, telling_words
from lapwing.errors import InputError
from lapwing.io import checked_output, write_table
from lapwing.learner import Classifier
from lapwing.session import Predictions
from lapwing.session.asking.view import labels_by_node
from lapwing.types import Nodes


@reads_files
def classify(
    graph: GraphArgument,
    labels: LabelsOption = None,
    method: Annotated[
        str, typer.Option(help="A name of lapwing learners --kind batch.")
    ] = DEFAULT_BATCH,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write node, label, confidence (and runner_up) here."),
    ] = None,
    probabilities: Annotated[
        Path | None,
        typer.Option(help="Write every class's probability here, one column per class."),
    ] = None,
    per_node: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="With several labels: this many for every node, not those above a threshold.",
        ),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", "--set", metavar="NAME=VALUE", help="A parameter; may be repeated."
        ),
    ] = None,
    priors: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS=SHARE,...", help="Known class shares; predictions are adjusted to them."
        ),
    ] = None,
    guess_unreached: Annotated[
        bool,
        typer.Option(
            "--guess-unreached", help="Predict class shares for nodes that no label reaches."
        ),
    ] = False,
    fraction: Annotated[
        float | None, typer.Option(help="Learn from this share of the labels, test on the rest.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for the draw and for random methods.")] = 0,
    nodes: NodesOption = None,
    use: UseOption = "",
    largest_component: LargestComponentOption = False,
    cluster: ClusterOption = None,
    checkpoint_every: CheckpointOption = None,
    halo: HaloOption = None,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Learn from the known labels and predict the labels of all other nodes.

    Nodes that no label reaches are answered from their attributes, or else unknown: their label is
    empty and their confidence 0. Given labels are kept, with confidence 1. If nodes have several
    labels (--multilabel, --separator), the output has one row per node and label: the given labels,
    and for other nodes all labels above the threshold of their class, which is fitted to held-out
    labels. Examples: lapwing classify edges.csv --labels some.csv -o predictions.csv · lapwing
    classify edges.csv --labels some.csv --nodes pages.csv --use title,year -o predictions.csv ·
    lapwing classify cora --fraction 0.05 --method wvgn --param rho=5 · lapwing classify graph.parts
    --labels some.csv -o predictions --cluster local:4
    """
    if is_for_cluster(graph, cluster):
        refuse(
            {"--probabilities": probabilities, "--per-node": per_node, "--priors": priors,
             "--guess-unreached": guess_unreached, "--fraction": fraction, "--nodes": nodes,
             "--use": use, "--largest-component": largest_component}
        )  # fmt: skip
        if output is None:
            raise InputError("give a folder for the predictions: -o predictions")
        classify_on_cluster(
            graph, labels, output, cluster, reading,
            method="pagerank" if method == DEFAULT_BATCH else method,
            parameters=parsed_settings(param or [], "--param"),
            every=checkpoint_every, halo=halo, json=json,
        )  # fmt: skip
        return
    wanted = [checked_output(path) for path in (output, probabilities) if path is not None]
    if not wanted and fraction is None:
        raise InputError("give a file for the predictions: -o predictions.csv")
    found = needs_labels(problem(graph, labels, largest_component=largest_component,
                                 reading=reading, nodes=nodes))  # fmt: skip
    _checked_options(found, reading.separator, priors, per_node)
    known = _known(found, fraction, seed)
    foresee(
        f"scores of {found.graph.n_nodes:,} nodes for {found.n_classes:,} classes",
        for_classes(found.graph, found.n_classes),
        "give fewer classes, or a smaller graph",
    )
    shares = None if priors is None else np.array(parsed_priors(priors, found.classes))
    settings = parsed_settings(param or [], "--param") | ({"use": listed_names(use)} if use else {})
    model = _model(found, method, settings, seed)
    start = time.process_time()
    with preparing(f"learning with {method} on {found.name}"):
        answers = Answers.of(found, model, known, seed=seed)
    if shares is not None:
        answers.shift(shares)
    if per_node is not None:
        answers.limit(per_node)
    if guess_unreached:
        answers.guess(shares)
    with waiting(f"writing the predictions of {found.graph.n_nodes:,} nodes"):
        result = {
            "name": found.name,
            "method": method,
            **_choice(model),
            **_columns(model, answers),
            **answers.counts(),
            **(answers.on_hidden() if fraction is not None else {}),
            "cpu_seconds": time.process_time() - start,
            **_written(answers, output, probabilities),
        }
    if json:
        print_json(result)
    else:
        rows = [(key.replace("_", " "), value) for key, value in result.items() if key != "name"]
        console.print(facts_table(found.name, rows))


def _written(answers: Answers, output: Path | None, probabilities: Path | None) -> dict[str, str]:
    """Write what was asked for; where it lies, by option."""
    chances, sets = answers.with_given()
    if output is not None:
        write_table(
            Predictions.of(answers.found.graph, answers.chances, answers.given()).columns
            if answers.sets is None
            else label_set_table(answers.found, chances, sets),
            output,
        )
    if probabilities is not None:
        write_table(probability_table(answers.found, chances), probabilities)
    told = {"output": output, "probabilities": probabilities}
    return {name: str(path) for name, path in told.items() if path is not None}


def _checked_options(
    found: Dataset, separator: str | None, priors: str | None, per_node: int | None
) -> None:
    """Raise where options do not go with the labels; say so where a class looks like several."""
    if found.multilabel and priors is not None:
        raise InputError("--priors are shares of one label per node; nodes here have several")
    if not found.multilabel and per_node is not None:
        raise InputError("--per-node needs several labels per node: --multilabel or --separator")
    if separator is None and (warning := joined_classes(found.classes)):
        errors.print(f"note: {warning}", markup=False)


def joined_classes(classes: Sequence[str]) -> str:
    """A word of warning about classes that look like several labels in one; empty if none does.

    Examples
    --------
    >>> joined_classes(["x", "y", "x|y", "z"])
    "'x|y' is read as one class; if it is several labels, say --separator '|'"
    >>> joined_classes(["x", "a;b"])
    ''
    """
    there = set(classes)
    for mark in "|;,/+":
        for name in classes:
            parts = [part.strip() for part in name.split(mark)]
            if len(parts) > 1 and there & set(parts):
                hint = f"if it is several labels, say --separator {mark!r}"
                return f"{name!r} is read as one class; {hint}"
    return ""


def _known(found: Dataset, fraction: float | None, seed: int) -> Nodes:
    """The nodes to learn from: all that have a label, or some of them, every class once."""
    having = found.known.nodes()
    if fraction is None:
        if len(having) == found.graph.n_nodes:
            raise InputError(
                f"every node of {found.name} has a label, so there is nothing to classify; "
                "--fraction 0.05 learns from a twentieth of them and tests on the rest"
            )
        return having
    if not 0 < fraction < 1:
        raise InputError(f"--fraction must lie between 0 and 1, got {fraction}")
    order = np.random.default_rng(seed).permutation(having)
    places, kinds = found.known.restricted(order).pairs()
    first = np.unique(places[np.unique(kinds, return_index=True)[1]])
    rest = np.delete(order, first)
    count = max(round(fraction * len(order)) - len(first), 0)
    return np.concatenate([order[first], rest[:count]])


def _model(found: Dataset, method: str, given: dict[str, Any], seed: int) -> Classifier:
    if method == "auto":
        errors.print(f"note: --method auto is now called {DEFAULT_BATCH}")
    entry = named(DEFAULT_BATCH if method == "auto" else method)
    if entry.kind != "batch":
        raise InputError(
            f"{method} learns one label at a time (lapwing play); "
            "classify takes a name of lapwing learners --kind batch"
        )
    checked_parameters(entry, given)
    if "seed" in entry.parameters:
        given = {"seed": seed} | given
    model: Classifier = make(entry.name, found.graph, n_classes=found.n_classes, **given)
    return model


def _choice(model: Classifier) -> dict[str, str]:
    """The method that was chosen, and why; nothing for methods that were named."""
    if isinstance(model, BestEvidence | CrossValidated):
        told = {"chosen": model.chosen, "why": model.why}
        caution = model.caution if isinstance(model, BestEvidence) else ""
        return told | ({"caution": caution} if caution else {})
    return {}


def _columns(model: Classifier, answers: Answers) -> dict[str, str]:
    """How the columns of the node table are used, and what to know of them."""
    found, table = answers.found, answers.found.graph.node_table
    if not len(table) or not isinstance(model, BestEvidence) or found.multilabel:
        return {}
    alone = telling_columns(table, model.columns, labels_by_node(answers.given()))
    told = {
        "columns": uses_in_words(model.columns),
        "node_rows": table.notes,
        "beware": telling_words(alone),
    }
    return {name: words for name, words in told.items() if words}
