"""``lapwing demo``: the main job from start to end, on data that needs no download."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from lapwing import data
from lapwing.bounds import Certificate, certify, tightest
from lapwing.catalog import FOR_SESSIONS
from lapwing.cli.compiling import preparing
from lapwing.cli.info import info
from lapwing.cli.label.attributes import attribute_lines
from lapwing.cli.label.stopping import Rules
from lapwing.cli.output import console, progress, waiting
from lapwing.data import Dataset
from lapwing.figures import draw_map, saved
from lapwing.figures.learning import draw_learning, draw_questions
from lapwing.figures.page import Page
from lapwing.io.tables import check_writable
from lapwing.session import Asked, Dialogue, Store
from lapwing.session.parts import parts
from lapwing.types import UNKNOWN, Nodes

HEADER = {
    "graph": "digits",
    "learner": FOR_SESSIONS,
    "strategy": "uncertain-reach",
    "parameters": {},
    "seed": 0,
}
SHOWN = 60
FIRST = 3
"""Questions shown one by one; the rest run behind a progress bar."""
OWN_GRAPH = """\
lapwing info edges.csv
lapwing label edges.csv --classes fraud,fine
lapwing classify edges.csv --labels labels.csv -o predictions.csv
lapwing session list"""


@dataclass
class Story:
    """What happened, question by question."""

    questions: list[Asked] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)
    truth: list[float] = field(default_factory=list)
    upper: list[float] = field(default_factory=list)


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the report.")] = Path(
        "demo"
    ),
    target_error: Annotated[float, typer.Option(help="Stop when the error is below this.")] = 0.1,
) -> None:
    """Label 1,797 images of handwritten digits by asking about as few as it takes.

    Example: lapwing demo -o demo
    """
    check_writable(output / "report.html")
    info(graph="digits", spectrum=False)
    digits = data.load("digits")
    output.mkdir(parents=True, exist_ok=True)
    database = output / "session.db"
    for old in output.glob("session.db*"):
        old.unlink()
    with Store(database) as store:
        story = Story()
        with preparing("preparing the learner"):
            session = Dialogue.create(
                store, "digits", digits.graph, header=HEADER, **parts(HEADER, digits.graph)
            )
            for _ in range(FIRST):
                _answer(session, digits, story)
        _tell_first(session, digits, story)
        _labelled(session, digits, story, target_error)
        guesses = _guesses(session, digits)
        with preparing("drawing the map and writing the report"):
            page = _page(session, digits, story, guesses, target_error)
    estimate = session.error_estimate()
    console.print(
        f"\n{len(session.state.labels)} of {digits.graph.n_nodes:,} images were asked about. "
        f"Claimed for the others: {estimate}. True error: {story.truth[-1]:.1%}."
    )
    marked = np.array(sorted(session.state.labels), dtype=np.intp)
    with waiting("drawing the picture"):
        figure = draw_map(digits.graph, labels=guesses, classes=digits.classes, marked=marked)
        report, picture = page.written(output / "report.html"), saved(figure, output / "digits.png")
    console.print(f"report:  {report}")
    console.print(f"picture: {picture}")
    console.print(f"answers: {database} (lapwing session show digits --db {database})")
    console.print("\nOn your own graph:")
    console.print(OWN_GRAPH, style="bold")


def _answer(session: Dialogue, digits: Dataset, story: Story) -> bool:
    """Ask one question and answer it from the known labels; False if there is none left."""
    question = session.ask()
    if question is None:
        return False
    session.tell(question.node, digits.classes[int(digits.labels[question.node])])
    story.questions.append(question)
    story.labels.append(len(session.state.labels))
    story.truth.append(_true_error(session, digits))
    story.upper.append(session.error_estimate().upper)
    return True


def _tell_first(session: Dialogue, digits: Dataset, story: Story) -> None:
    for number, question in enumerate(story.questions, start=1):
        known = question.guess != UNKNOWN
        guess = f"the guess is {session.classes[question.guess]}" if known else "no guess yet"
        answer = digits.classes[int(digits.labels[question.node])]
        console.print(f"question {number}: image {question.node}, {guess}; the answer is {answer}")
        if number == 1:
            for line in attribute_lines(digits.graph, question.node, ["image"]):
                console.print(line)


def _labelled(session: Dialogue, digits: Dataset, story: Story, target: float) -> None:
    """Ask a simulated person until the advice is to stop."""
    rules = Rules(by="me", budget=None, target=target, confidence=0.95)
    with progress() as bar:
        task = bar.add_task("asking", total=None)
        while rules.enough(session) is None and _answer(session, digits, story):
            words = f"{story.labels[-1]} labels, {session.error_estimate()}"
            bar.update(task, description=words)


def _guesses(session: Dialogue, digits: Dataset) -> Nodes:
    """The learner's class of every node, in the data set's numbering."""
    order = [digits.classes.index(name) for name in session.classes] + [UNKNOWN]
    everyone = np.arange(digits.graph.n_nodes)
    return np.asarray(np.array(order)[session.learner.predict(everyone)], dtype=np.intp)


def _true_error(session: Dialogue, digits: Dataset) -> float:
    rest = session.labels == UNKNOWN
    return float((_guesses(session, digits) != digits.labels)[rest].mean())


def _page(
    session: Dialogue,
    digits: Dataset,
    story: Story,
    guesses: Nodes,
    target: float,
) -> Page:
    estimate = session.error_estimate()
    asked = np.array([question.node for question in story.questions], dtype=np.intp)
    page = Page("1,797 handwritten digits, learned by asking")
    page.text(
        f"A simulated person was asked about {len(asked)} images, one after the other. Then "
        f"lapwing advised to stop: with 95% confidence fewer than {target:.0%} of the other "
        f"{len(digits.graph) - len(asked):,} predictions are wrong. In truth "
        f"{story.truth[-1]:.1%} are.",
        lead=True,
    )
    page.heading("The map")
    figure = draw_map(digits.graph, labels=guesses, classes=digits.classes, marked=asked)
    page.figure(figure, "Every image a dot, joined with those most alike, coloured by the "
                "prediction; ringed: the images asked about.")  # fmt: skip
    page.heading("The error, claimed and true")
    page.figure(
        draw_learning(story.labels, story.truth, story.upper, target=target),
        "The bound rests on audit questions drawn at random: it may be looked at after every "
        "answer and still holds with 95% confidence.",
    )
    page.heading("The questions")
    page.figure(
        draw_questions(np.asarray(digits.images)[asked[:SHOWN]], _captions(session, digits, story)),
        f"The first {min(SHOWN, len(asked))} in order: what was guessed → what was answered; "
        "* marks an audit.",
    )
    page.heading("The certificate")
    best = tightest(certify(digits.graph, digits.labels, learners=["perceptron"]))
    page.table([
        ("labels given", len(asked)),
        ("audit questions", estimate.audits),
        ("error, best guess", f"{estimate.estimate:.1%}"),
        ("error, at most (95%)", f"{estimate.upper:.1%}"),
        ("error, true", f"{story.truth[-1]:.1%}"),
        ("log verified", session.store.verified(session.name)[:16]),
        ("tightest theorem", _theorem(best)),
    ])  # fmt: skip
    page.heading("On your own graph")
    return page.code(OWN_GRAPH)


def _captions(session: Dialogue, digits: Dataset, story: Story) -> list[str]:
    captions = []
    for question in story.questions[:SHOWN]:
        guess = "?" if question.guess == UNKNOWN else session.classes[question.guess]
        answer = digits.classes[int(digits.labels[question.node])]
        captions.append(f"{guess}→{answer}{'*' if question.audit else ''}")
    return captions


def _theorem(best: Certificate | None) -> str:
    if best is None or best.value is None:
        return "none applies"
    if best.vacuous:
        return f"none promises fewer mistakes than there are images; nearest: {best.value:,.0f}"
    return (
        f"the {best.learner}, asked about every image in any order, errs at most "
        f"{best.value:,.0f} times ({best.paper}, {best.theorem})"
    )
