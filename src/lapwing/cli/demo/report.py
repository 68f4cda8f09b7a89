"""The report of a demo: the map, the error claimed and true, the questions, the certificate."""

from __future__ import annotations

import numpy as np

from lapwing.bounds import Certificate, certify, tightest
from lapwing.cli.demo.story import Story
from lapwing.figures import draw_map
from lapwing.figures.learning import draw_learning, draw_questions
from lapwing.figures.page import Page
from lapwing.session.asking.question import value_text
from lapwing.types import UNKNOWN, Array, Nodes

SHOWN = 60
MOST_FOR_CERTIFICATE = 2_000
"""Larger graphs get no certificate: it needs a pseudoinverse."""
OWN_GRAPH = """\
lapwing info edges.csv
lapwing label edges.csv --classes fraud,fine
lapwing classify edges.csv --labels labels.csv -o predictions.csv
lapwing session list"""


def report_page(story: Story, target: float, places: Array, guesses: Nodes) -> Page:
    """The report as a page."""
    found, asked = story.found, story.asked()
    page = Page(f"{found.name}: {found.graph.n_nodes:,} nodes, learned by asking")
    page.text(_summary(story, target), lead=True)
    page.heading("The map")
    figure = draw_map(
        found.graph, labels=guesses, classes=found.classes, places=places, marked=asked
    )
    page.figure(figure, "Every node a dot, coloured by the prediction; ringed: the nodes asked "
                "about.")  # fmt: skip
    page.heading("The error, claimed and true")
    page.figure(
        draw_learning(story.labels, story.truth, story.upper, target=target),
        "The bound rests on audit questions drawn at random: it may be looked at after every "
        "answer and still holds with 95% confidence.",
    )
    page.heading("The questions")
    _questions(page, story, asked)
    page.heading("The facts")
    page.table(_facts(story))
    page.heading("On your own graph")
    return page.code(OWN_GRAPH)


def _summary(story: Story, target: float) -> str:
    count, n_nodes = len(story.questions), story.found.graph.n_nodes
    estimate, true = story.session.error_estimate(), f"In truth {story.truth[-1]:.1%} are."
    asked = f"A simulated person was asked about {count} nodes, one after the other."
    if not estimate.below(target):
        return f"{asked} Then no node was left to ask about: {estimate}. {true}"
    return (
        f"{asked} Then lapwing advised to stop: with 95% confidence fewer than {target:.0%} of all "
        f"{n_nodes:,} nodes are wrong. Of the predictions for the others it is told: {estimate}. "
        f"{true}"
    )


def _questions(page: Page, story: Story, asked: Nodes) -> None:
    """The first questions, with the image of each node if there is one, or else what is shown."""
    count = min(SHOWN, len(asked))
    captions = [story.caption(position) for position in range(count)]
    told = f"The first {count} in order: what was guessed → what was answered; * marks an audit."
    if story.found.images is not None:
        images = np.asarray(story.found.images)[asked[:SHOWN]]
        page.figure(draw_questions(images, captions), told)
        return
    columns = story.session.shown
    rows = [
        [
            str(each.node),
            *(value_text(each.attributes[name]) for name in columns),
            each.reason,
            said,
        ]
        for each, said in zip(story.questions, captions, strict=False)
    ]
    page.text(told).numbers(["node", *columns, "why", "guess → answer"], rows)


def _facts(story: Story) -> list[tuple[str, str]]:
    session, estimate = story.session, story.session.error_estimate()
    return [
        ("labels given", str(len(story.questions))),
        ("audit questions", str(estimate.audits)),
        ("error, best guess", f"{estimate.estimate:.1%}" if estimate.audits else "unknown"),
        ("error, at most (95%)", f"{estimate.upper:.1%}"),
        ("error, true", f"{story.truth[-1]:.1%}"),
        ("log verified", session.store.verified(session.name)[:16]),
        ("tightest theorem", _theorem(story)),
    ]


def _theorem(story: Story) -> str:
    graph, labels = story.found.graph, story.found.labels
    if graph.n_nodes > MOST_FOR_CERTIFICATE or (np.asarray(labels) == UNKNOWN).any():
        return "not computed: only for up to 2,000 nodes that all have a label"
    return _promise(tightest(certify(graph, labels, learners=["perceptron"])))


def _promise(best: Certificate | None) -> str:
    if best is None or best.value is None:
        return "none applies"
    if best.vacuous:
        return f"none promises fewer mistakes than there are nodes; nearest: {best.value:,.0f}"
    return (
        f"the {best.learner}, asked about every node in any order, errs at most "
        f"{best.value:,.0f} times ({best.paper}, {best.theorem})"
    )
