"""``lapwing classify``: the labels of all nodes from those of a few."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from scipy import sparse

from lapwing.batch.calibration.priors import with_guesses, with_priors
from lapwing.catalog.families.batch_today import DEFAULT_BATCH
from lapwing.catalog.make import checked_parameters, make, named
from lapwing.cli.inputs import (
    GraphArgument,
    JsonOption,
    LabelsOption,
    LargestComponentOption,
    Reading,
    needs_labels,
    problem,
    reads_files,
)
from lapwing.cli.output import console, facts, print_json, progress
from lapwing.cli.prediction_table import predicted_table
from lapwing.cli.settings import parsed_priors, parsed_settings
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.io import checked_output, write_table
from lapwing.learner import Classifier
from lapwing.metrics import calibration_error, f1
from lapwing.types import UNKNOWN, Array, Nodes


@reads_files
def classify(
    graph: GraphArgument,
    labels: LabelsOption = None,
    method: Annotated[
        str, typer.Option(help="auto, or a name of lapwing learners --kind batch.")
    ] = "auto",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write node, label, confidence, runner_up here."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "--set", metavar="NAME=VALUE", help="A parameter; repeatable."),
    ] = None,
    priors: Annotated[
        str | None,
        typer.Option(
            metavar="CLASS=SHARE,...", help="Known class shares, which answers then have."
        ),
    ] = None,
    guess_unreached: Annotated[
        bool, typer.Option("--guess-unreached", help="Class shares where no label reaches.")
    ] = False,
    fraction: Annotated[
        float | None, typer.Option(help="Learn from this share of the labels, test on the rest.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Draws the share; and whatever is random.")] = 0,
    largest_component: LargestComponentOption = False,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Learn from the labels known of some nodes, and label all others.

    Nodes that no label reaches are unknown: an empty label of confidence 0. A given label comes
    back as it is, with confidence 1. Examples: lapwing classify edges.csv --labels some.csv -o
    predictions.csv · lapwing classify cora --fraction 0.05 --method wvgn --param rho=5
    """
    if output is not None:
        checked_output(output)
    elif fraction is None:
        raise InputError("predictions need a file to go to: give -o predictions.csv")
    found = needs_labels(problem(graph, labels, largest_component=largest_component,
                                 reading=reading))  # fmt: skip
    known = _known(found, fraction, seed)
    shares = None if priors is None else parsed_priors(priors, found.classes)
    model = _model(found, method, parsed_settings(param or [], "--param"), seed)
    start = time.process_time()
    with progress() as bar:
        bar.add_task(f"{method} on {found.name}", total=None)
        model.fit(known, found.labels[known])
        chances = model.predict_proba(np.arange(found.graph.n_nodes))
    if shares is not None:
        chances = with_priors(chances, shares)
    if guess_unreached:
        chances = with_guesses(chances, _label_shares(found, known) if shares is None else shares)
    result = {
        "name": found.name,
        "method": method,
        **_choice(model),
        **_counts(found, chances, known),
        **(_on_hidden(found, chances, known) if fraction is not None else {}),
        "cpu_seconds": time.process_time() - start,
    }
    if output is not None:
        write_table(predicted_table(found, chances, known), output)
        result["output"] = str(output)
    if json:
        print_json(result)
    else:
        rows = [(key.replace("_", " "), value) for key, value in result.items() if key != "name"]
        console.print(facts(found.name, rows))


def _known(found: Dataset, fraction: float | None, seed: int) -> Nodes:
    """The nodes to learn from: all that have a label, or some of them, every class once."""
    labelled = _labelled(found)
    if fraction is None:
        if len(labelled) == found.graph.n_nodes:
            raise InputError(
                f"every node of {found.name} has a label: nothing is left to classify; "
                "--fraction 0.05 learns from a twentieth of them and tests on the rest"
            )
        return labelled
    if not 0 < fraction < 1:
        raise InputError(f"--fraction must lie between 0 and 1, got {fraction}")
    order = np.random.default_rng(seed).permutation(labelled)
    indicator = _indicator(found)[order]
    first = np.unique(np.asarray(indicator.argmax(axis=0)).ravel()[indicator.any(axis=0)])
    rest = np.delete(order, first)
    count = max(round(fraction * len(order)) - len(first), 0)
    return np.concatenate([order[first], rest[:count]])


def _model(found: Dataset, method: str, given: dict[str, Any], seed: int) -> Classifier:
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
    """What `auto` chose and why; nothing for others."""
    return {key: getattr(model, key) for key in ("chosen", "why") if hasattr(model, key)}


def _counts(found: Dataset, chances: Array, known: Nodes) -> dict[str, int]:
    return {
        "nodes": found.graph.n_nodes,
        "labelled": len(known),
        "classes": found.n_classes,
        "unknown": int((~chances.any(axis=1)).sum()),
    }


def _on_hidden(found: Dataset, chances: Array, known: Nodes) -> dict[str, float | int]:
    """How right the answers are where the label was hidden; an unknown is wrong."""
    hidden = np.setdiff1d(_labelled(found), known)
    truth, said = found.labels[hidden], chances[hidden]
    scores = f1(said, truth)
    reached = said.any(axis=1)
    right = f1(said[reached], truth[reached]).micro if reached.any() else 0.0
    return {
        "hidden": len(hidden),
        "hidden_unknown": int((~reached).sum()),
        **({} if found.multilabel else {"accuracy": scores.micro, "accuracy_where_known": right}),
        "micro_f1": scores.micro,
        "macro_f1": scores.macro,
        "calibration_error": calibration_error(said, truth),
    }


def _label_shares(found: Dataset, known: Nodes) -> Array:
    return np.asarray(_indicator(found)[known].sum(axis=0), dtype=np.float64).ravel()


def _labelled(found: Dataset) -> Nodes:
    return np.flatnonzero(_indicator(found).any(axis=1))


def _indicator(found: Dataset) -> Array:
    """A 0/1 row per node."""
    if found.multilabel:
        return np.asarray(sparse.csr_array(found.labels).toarray(), dtype=np.float64)
    matrix = np.zeros((found.graph.n_nodes, found.n_classes))
    labelled = np.flatnonzero(found.labels != UNKNOWN)
    matrix[labelled, found.labels[labelled]] = 1.0
    return matrix
