"""Draws the pictures of these pages: ``python docs/figures.py``."""

import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from rich.console import Console

import lapwing
from lapwing.active import UncertainReach
from lapwing.cli.label.screen import question_panel
from lapwing.cli.label.stopping import Rules
from lapwing.data import Dataset, karate, load, stochastic_block_model
from lapwing.embed.layout import layout
from lapwing.figures.map import edge_lines
from lapwing.figures.pushes import draw_pushes
from lapwing.figures.style import colour_of, new_figure, saved
from lapwing.types import Array, Nodes

HERE = Path(__file__).parent
QUESTIONS = 100
ANSWERS = 40
CLASSES = ["fraud", "fine"]
MARGIN = 0.03
COLOURS = 128


def main() -> None:
    """Write every picture beside the pages that show it."""
    figure = draw_pushes(karate().graph, 0, 33)
    figure.set_dpi(90)
    saved(figure, HERE / "how-lapwing-learns.png")
    (HERE / "label-my-graph.svg").write_text(screen(), encoding="utf-8")
    digits = load("digits")
    asked, guesses = answered(digits, QUESTIONS)
    rest = np.setdiff1d(np.arange(len(guesses)), asked)
    right = np.mean(guesses[rest] == digits.labels[rest])
    print(f"{len(asked)} questions, {right:.1%} of the other {len(rest):,} digits are right")
    path = saved(banner(digits, asked, guesses), HERE / "digits.png")
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)


def screen() -> str:
    """What ``lapwing label edges.csv --classes fraud,fine`` shows after some answers, as SVG."""
    found = stochastic_block_model(sizes=(120, 180), within=0.05, between=0.004, seed=0)
    sources, targets, _ = found.graph.edges()
    graph = lapwing.Graph.from_edges(
        [(f"account {u}", f"account {v}") for u, v in zip(sources, targets, strict=True)]
    )
    numbers = {name: int(str(name).split()[1]) for name in graph.names}
    session = lapwing.Session(graph, CLASSES)
    question = session.ask()
    while question and (question.audit or len(session.labels()) < ANSWERS):
        session.tell(question.node, CLASSES[int(found.labels[numbers[question.node]])])
        question = session.ask()
    if question is None:
        raise RuntimeError("no question is left to show")
    rules = Rules(by="me", budget=None, target=0.1, confidence=0.95)
    console = Console(record=True, width=88, file=io.StringIO())
    console.print(question_panel(session, question, rules))
    drawn = console.export_svg(
        title="lapwing label edges.csv --classes fraud,fine", unique_id="label"
    )
    fetched = r"@font-face \{.*?\}\s*|<!--.*?-->\s*"
    return re.sub(fetched, "", drawn, flags=re.DOTALL)


def answered(digits: Dataset, questions: int) -> tuple[Nodes, Nodes]:
    """The nodes asked about, and the class predicted for every node."""
    graph, labels = digits.graph, dict[int, int]()
    learner = lapwing.make("near-far", graph, n_classes=10)
    ask = UncertainReach(graph, labels)
    for _ in range(questions):
        left = np.setdiff1d(np.arange(graph.n_nodes), list(labels))
        node = ask(learner, left)
        labels[node] = int(digits.labels[node])
        learner.learn(node, labels[node])
    return np.array(list(labels)), learner.predict(np.arange(graph.n_nodes))


def banner(digits: Dataset, asked: Nodes, guesses: Nodes) -> Any:
    """The graph across the whole picture: a colour for each class, rings around questions."""
    places = spread(layout(digits.graph))
    figure, axes = new_figure(width=10, height=5)
    figure.set_layout_engine("none")
    ax = axes[0, 0]
    ax.set_position((0, 0, 1, 1))
    ax.axis("off")
    ax.set(xlim=(-MARGIN, 1 + MARGIN), ylim=(-2 * MARGIN, 1 + 2 * MARGIN))
    ax.add_collection(edge_lines(digits.graph, places))
    ax.scatter(*places.T, s=13, c=[colour_of(int(k)) for k in guesses], linewidths=0, zorder=2)
    rings = {"facecolors": "none", "edgecolors": "#111111", "linewidths": 1.2}
    ax.scatter(*places[asked].T, s=42, zorder=3, **rings)
    for k, name in enumerate(digits.classes):
        middle = np.median(places[guesses == k], axis=0)
        box = {"boxstyle": "circle,pad=0.25", "fc": "white", "ec": colour_of(k), "lw": 2}
        ax.text(*middle, str(name), ha="center", va="center", fontsize=15, bbox=box, zorder=4)
    return figure


def spread(places: Array) -> Array:
    """Turned so that the long axis lies flat, and stretched to fill a frame from 0 to 1.

    Halfway between places and their ranks, so that crowded regions get more room.
    """
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    low, high = turned.min(axis=0), turned.max(axis=0)
    ranks = turned.argsort(axis=0).argsort(axis=0) / (len(turned) - 1)
    return np.asarray(0.5 * (turned - low) / (high - low) + 0.5 * ranks)


if __name__ == "__main__":
    main()
