"""``lapwing demo``: the main job from start to end, on data that needs no download."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing.cli.compiling import preparing
from lapwing.cli.demo.report import OWN_GRAPH, report_page
from lapwing.cli.demo.story import Story
from lapwing.cli.info import facts
from lapwing.cli.inputs import (
    LabelsOption,
    NodesOption,
    Reading,
    ShowOption,
    listed_names,
    needs_labels,
    problem,
    reads_files,
)
from lapwing.cli.label.attributes import attribute_lines
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import console, facts_table, waiting
from lapwing.cli.session.opening import with_place
from lapwing.embed.layout import layout
from lapwing.errors import InputError
from lapwing.figures import draw_map, saved
from lapwing.io.tables import check_writable
from lapwing.session import Session, Store

TOLD = 25
"""Number of labels between two reports of the error."""
FIRST = 3
"""Questions shown one by one; the rest run behind a progress bar."""


@reads_files
def demo(
    graph: Annotated[
        str, typer.Argument(metavar="[GRAPH]", help="A graph file or data set with known labels.")
    ] = "digits",
    labels: LabelsOption = None,
    nodes: NodesOption = None,
    show: ShowOption = "",
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the report.")] = Path(
        "demo"
    ),
    target_error: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Stop when the error is below this.")
    ] = 0.1,
    reading: Reading = Reading(),  # noqa: B008 - frozen
) -> None:
    """Ask a simulated person about as few nodes as it takes, and write a report.

    Without GRAPH it labels 1,797 images of handwritten digits. With your own graph and known
    labels it shows how many of them would have been enough. Examples: lapwing demo -o demo ·
    lapwing demo links.csv --labels kinds.csv --nodes pages.csv --show title,url
    """
    check_writable(output / "report.html")
    found = needs_labels(problem(graph, labels, reading=reading, nodes=nodes))
    if found.multilabel:
        raise InputError(f"{found.name} must have one known label per node to answer from")
    console.print(facts_table(found.name, facts(found)))
    output.mkdir(parents=True, exist_ok=True)
    database = output / "session.db"
    for old in output.glob("session.db*"):
        old.unlink()
    place = with_place(found.graph, graph, largest_component=False)
    with Store(database) as store:
        with preparing("preparing the learner"):
            session = Session(
                place,
                name=Path(graph).stem,
                store=store,
                show=listed_names(show),
                seed=0,
            )
        story = Story(session, found)
        _first_questions(story)
        _labelled(story, target_error)
        with preparing("laying out the map"):
            places, guesses = layout(place), story.guesses()
        with preparing("drawing the figures and writing the report"):
            page = report_page(story, target_error, places, guesses)
            figure = draw_map(place, labels=guesses, classes=found.classes, places=places,
                              marked=story.asked())  # fmt: skip
            report = page.written(output / "report.html")
            picture = saved(figure, output / "map.png")
        estimate = session.error_estimate()
    console.print(
        f"\n{session.n_labels} of {place.n_nodes:,} nodes were asked about. "
        f"Claimed for the others: {estimate}. True error: {story.truth[-1]:.1%}."
    )
    console.print(f"report:  {report}")
    console.print(f"picture: {picture}")
    console.print(f"answers: {database} (lapwing session show {session.name} --db {database})")
    console.print("\nOn your own graph:")
    console.print(OWN_GRAPH, style="bold")
    console.print("\nOpen this session in the studio (make studio does it):")
    console.print(
        f"lapwing studio --db {database} --session {session.name}", style="bold", soft_wrap=True
    )


def _first_questions(story: Story) -> None:
    """The first few questions, each shown as soon as it is answered."""
    for number in range(1, FIRST + 1):
        with preparing("choosing the first question" if number == 1 else "learning the answer"):
            if not story.answer():
                return
        question, answer = story.questions[-1], story.answers[-1]
        guess = "no guess yet" if question.guess is None else f"the guess is {question.guess}"
        console.print(
            f"question {number}: node {question.node}, {question.reason}; {guess}; "
            f"the answer is {answer}",
            soft_wrap=True,
        )
        if number == 1:
            for line in attribute_lines(question):
                console.print(line)
        with preparing("learning the answer"):
            story.measure()


def _labelled(story: Story, target: float) -> None:
    """Ask a simulated person until the advice is to stop."""
    rules = Rules(by="me", budget=None, target=target, confidence=0.95)
    with waiting("asking a simulated person") as say:
        while rules.enough(story.session) is None and story.answer():
            story.measure()
            if story.labels[-1] % TOLD == 0:
                bound = f"error at most {story.upper[-1]:.1%}"
                say(f"asking a simulated person: {story.labels[-1]} labels, {bound}")
