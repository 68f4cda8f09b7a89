"""``lapwing certify``: the papers' bounds for a labelled graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import typer
from rich.padding import Padding
from rich.text import Text

from lapwing import bounds
from lapwing.bounds import (
    THEOREMS,
    Certificate,
    Settings,
    certify_played,
    tightest,
    yang2018,
)
from lapwing.bounds.certificate import COUNTS
from lapwing.bounds.games import LEARNERS, PLAYED_BELOW
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
from lapwing.cli.output import console, print_json, progress, rows_table, worded
from lapwing.data import Dataset
from lapwing.errors import InputError
from lapwing.types import UNKNOWN


@reads_files
def certify(
    graph: GraphArgument,
    labels: LabelsOption = None,
    largest_component: LargestComponentOption = False,
    learner: Annotated[
        list[str] | None,
        typer.Option(
            help=f"One of {', '.join([*THEOREMS, *yang2018.LEARNERS])}; may be repeated. "
            "All by default."
        ),
    ] = None,
    bias: Annotated[
        float | None, typer.Option(help="b of the kernel L+ + b 11'; default: each learner's own.")
    ] = None,
    play: Annotated[
        bool | None, typer.Option(help="Also play the learners. Default: up to 4,000 nodes.")
    ] = None,
    active: Annotated[int, typer.Option(help="How many nodes Act-st chooses.")] = 10,
    seed: Annotated[int, typer.Option(help="Seed for the order of play.")] = 0,
    ingredients: Annotated[
        bool, typer.Option("--ingredients", help="Show what each number is made of.")
    ] = False,
    json: JsonOption = False,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Compute proven bounds on mistakes and queries, and compare them with what happened.

    Bounds that hold in every order come first; values computed from the played order are listed
    separately. Labels can be partial; bounds then apply to the labelled nodes. Examples: lapwing
    certify karate · lapwing certify edges.csv --labels labels.csv --learner perceptron
    """
    found = needs_labels(
        problem(graph, labels, largest_component=largest_component, reading=reading)
    )
    if found.multilabel:
        raise InputError(f"{found.name} has several labels per node; the theorems are about one")
    with progress() as bar:
        bar.add_task("certifying", total=None)
        certificates = _certificates(found, learner, bias, play, active, seed)
    if json:
        best = tightest(certificates)
        print_json(
            {
                "name": found.name,
                "n_nodes": found.graph.n_nodes,
                "labelled": int((found.labels != UNKNOWN).sum()),
                "n_classes": found.n_classes,
                "tightest": None if best is None else best.as_dict(),
                "certificates": [each.as_dict() for each in certificates],
            }
        )
    else:
        _print(found, certificates, ingredients)


def _certificates(
    found: Dataset,
    learners: list[str] | None,
    bias: float | None,
    play: bool | None,
    active: int,
    seed: int,
) -> list[Certificate]:
    asked = learners or [*THEOREMS, *yang2018.LEARNERS]
    wanted = [name for name in asked if name not in yang2018.LEARNERS]
    connected = found.graph.n_components == 1
    can_play = connected and found.graph.n_nodes <= PLAYED_BELOW
    labels = np.asarray(found.labels)
    if play is False or not (can_play or play):
        if not wanted:
            raise InputError(f"{', '.join(asked)} need a game; add --play")
        return bounds.certify(found.graph, labels, bias=bias, learners=wanted)
    unplayed = [name for name in wanted if name not in LEARNERS]
    alone = bounds.certify(found.graph, labels, bias=bias, learners=unplayed)
    settings = Settings(bias=bias, active=active, seed=seed)
    played = [name for name in wanted if name in LEARNERS]
    binary = (
        certify_played(found.graph, labels, learners=played, settings=settings) if played else []
    )
    several = [name for name in asked if name in yang2018.LEARNERS]
    return alone + binary + yang2018.certified(found.graph, labels, learners=several, seed=seed)


def _print(found: Dataset, certificates: list[Certificate], ingredients: bool) -> None:
    known = int((found.labels != UNKNOWN).sum())
    title = worded(found.name, "bold").append(
        f": {known:,} labelled of {found.graph.n_nodes:,} nodes", "not bold"
    )
    console.print(title)
    proven = [each for each in certificates if each.applies]
    promises = [each for each in proven if each.any_order]
    _print_table("Beforehand: holds in every order of the nodes", promises, _COLUMNS)
    later = [each for each in proven if not each.any_order]
    _print_table("Afterwards: explains the order played, promises nothing", later, _LATER)
    _print_words(proven, ingredients)
    _print_silent([each for each in certificates if not each.applies])
    _print_tightest(tightest(certificates))
    papers = sorted({(_source(each).split(" ")[0], each.paper) for each in certificates})
    console.print("; ".join(f"{short}: {paper}" for short, paper in papers), style="dim")


def _print_tightest(best: Certificate | None) -> None:
    if best is None:
        return
    happened = ""
    if best.actual is not None:
        happened = f" In the order played it erred {_number(best.actual)} times."
    if best.vacuous:
        console.print("\nNo promise is useful here; the tightest one is vacuous:", end="")
    console.print(
        f"\nTightest promise: {best.subject} errs at most {_number(best.value)} times in "
        f"{best.rounds:,} rounds, in any order ({_source(best)}).{happened}"
    )


_COLUMNS = ("learner", "bounded", "at most", "printed", "happened", "rounds", "", "theorem")
_LATER = ("learner", "bounded", "at most", "printed", "happened", "knows", "", "theorem")
_SHORT = {"norm of labelling": "|u|^2", "norm of node": "K_pp"}
_NAMES = {"sslgc-every-label": "sslgc-every"}
"""Names too long for a table 80 characters wide."""


def _print_table(title: str, certificates: list[Certificate], columns: Sequence[str]) -> None:
    if not certificates:
        return
    later = columns is _LATER
    table = rows_table(
        columns, [_row(each, later=later) for each in certificates], title=Text(title)
    )
    table.padding = (0, 1, 0, 0)
    for column in table.columns:
        column.no_wrap = True
    console.print(table)


def _row(each: Certificate, *, later: bool) -> tuple[Any, ...]:
    verdict = "broken!" if each.holds is False else "vacuous" if each.vacuous else ""
    happened = "" if each.actual is None else _number(each.actual)
    rounds = each.rounds if each.bounds in COUNTS else None
    return (
        _NAMES.get(each.learner, each.learner),
        _SHORT.get(each.bounds, each.bounds),
        _number(each.value),
        _number(each.printed),
        happened,
        each.knows if later else rounds,
        verdict,
        _source(each),
    )


def _print_words(certificates: list[Certificate], ingredients: bool) -> None:
    told = [each for each in certificates if ingredients or not each.vacuous]
    if told:
        console.print("\nIn words", style="bold")
    for each in told:
        _line(f"{each.subject}, {_source(each)}{_WHEN[each.knows]}: {each.says}")
        if ingredients:
            made = ", ".join(f"{name} = {_number(v)}" for name, v in each.ingredients.items())
            _line(f"  {made}", style="dim")
            _line(f"  {each.note}", style="dim")
        if each.printed is not None:
            _line(f"  printed {_number(each.printed)}: {each.correction}", style="dim")
    if len(told) < len(certificates):
        _line("vacuous: no fewer mistakes promised than there are rounds")


_WHEN = {"labels": "", "order": ", for this order", "run": ", in hindsight"}


def _print_silent(certificates: list[Certificate]) -> None:
    if certificates:
        console.print("\nWithout a promise", style="bold")
    for each in certificates:
        _line(f"{each.learner}, {_source(each)}{_WHEN[each.knows]}: {each.why}", style="dim")


def _line(text: str, *, style: str | None = None) -> None:
    if text.strip():
        console.print(Padding(Text(text, style=style or ""), (0, 0, 0, 2)))


def _source(each: Certificate) -> str:
    """A paper's initial and year, and the theorem's number there."""
    return f"{each.paper[0]}{each.paper[-2:]} {each.theorem.replace('Corollary', 'Cor.')}"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    if float(value).is_integer() and abs(value) < 1e6:
        return f"{int(value):,}"
    return f"{value:.3g}" if abs(value) < 1000 or abs(value) >= 1e6 else f"{value:,.0f}"
