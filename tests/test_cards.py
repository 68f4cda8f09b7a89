"""In a notebook, graphs, runs, certificates and sessions show themselves, whatever names say."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import lapwing
from lapwing import Graph, data, make, play
from lapwing.bounds import Certificate, Certificates, certify_played
from lapwing.card import curves
from lapwing.session import Dialogue, Store

HOSTILE = '<script>alert("x")</script><img src=x onerror=y>&amp;'
EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)]
LABELS = np.array([0, 0, 0, 1, 1, 1])
ALLOWED = {"div", "table", "thead", "tbody", "tr", "th", "td", "span"} | {
    "svg", "path", "polyline", "text",
}  # fmt: skip


class Reader(HTMLParser):
    """Reads a card as a browser would: its elements, its words, whether all is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.open.append(tag)
        for name, value in attrs:
            assert not name.startswith("on")
            assert name == "xmlns" or "http" not in value

    def handle_startendtag(self, tag, _attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data + " "


def shown(thing: object) -> str:
    """The words of a card, which must be well formed, small and of harmless elements only."""
    html = thing._repr_html_()
    read = Reader(html)
    assert not read.open
    assert set(read.tags) <= ALLOWED
    assert len(html) < 20_000
    return read.words


def test_a_graph_tells_its_size_and_some_names():
    words = shown(Graph.from_edges(EDGES, weights=[1, 1, 1, 0.5, 1, 1, 1]))
    for expected in ("nodes 6", "edges 7", "components 1", "0.5 to 1", "0, 1, 2, 3, 4, 5"):
        assert expected in words


def test_an_empty_graph_and_a_broken_one_show_themselves():
    assert "nodes 0" in shown(Graph.from_edges(np.empty((0, 2), dtype=int)))
    apart = Graph.from_edges([(0, 1)], names=["a", "b", "alone"])
    assert "2, the largest has 2 nodes" in shown(apart)


def test_hostile_names_of_nodes_are_words_only():
    assert HOSTILE in shown(Graph.from_edges([(HOSTILE, "b")]))


def test_a_game_shows_what_was_played_and_plays_no_further():
    game = play(make("sslgc", Graph.from_edges(EDGES)), [0, 5, 1, 4, 2, 3], LABELS)
    assert "0 of 6 rounds" in shown(game)
    game.run(4)
    before = game.so_far()
    words = shown(game)
    assert "4 of 6 rounds" in words
    assert f"error {before.error:.1%}" in words
    assert "4 rounds" in words
    assert (len(game.left), repr(game)) == (2, "Game(OneVsRest, 4 of 6 rounds)")


def test_a_bandits_game_and_a_summary_show_themselves():
    game = play(make("push-bandit", Graph.from_edges(EDGES), n_classes=2), range(6), LABELS)
    assert "guesses 6" in shown(game.summary())
    assert "teacher bandit" in shown(game)


def test_a_certificate_tells_promise_and_what_happened():
    found = certify_played(Graph.from_edges(EDGES), LABELS, learners=["perceptron"])
    words = shown(found[0])
    for expected in ("perceptron: mistakes", "kept", "5.389", "happened  2", "|u|^2"):
        assert expected in words
    assert "kept, hindsight" in shown(found[1])
    assert isinstance(found, Certificates)
    assert shown(found).count("kept") == 5


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({"value": None, "why": "needs a connected graph"}, "no promise: needs a connected graph"),
        ({"value": 9.0, "rounds": 6}, "a promise, vacuous"),
        ({"value": 2.0, "actual": 3.0, "rounds": 6}, "broken!"),
        ({"value": 2.0, "actual": 1.0, "rounds": 6, "knows": "run"}, "kept, hindsight"),
    ],
)
def test_a_certificate_says_what_it_is_worth(what, expected):
    found = Certificate(
        name="n", paper="p", theorem="1", learner=HOSTILE, bounds="mistakes", says=HOSTILE, **what
    )
    assert expected in shown(found)
    assert shown(found).count(HOSTILE) == 2
    assert HOSTILE in shown(Certificates([found]))


def test_a_session_shows_its_labels_and_hostile_classes_stay_words():
    graph = Graph.from_edges([(HOSTILE, "b"), ("b", "c")])
    with Store("sqlite://") as store:
        session = Dialogue.create(
            store,
            HOSTILE,
            graph,
            make_learner=lambda: make("auto", graph),
            make_strategy=lambda _: lambda _learner, candidates: int(candidates[0]),
        )
        assert "no audit question answered yet" in shown(session)
        session.tell(1, HOSTILE)
        session.ask()
        words = shown(session)
        assert words.count(HOSTILE) >= 2
        assert "1 of 3 nodes" in words
        assert repr(session) == f"Dialogue({HOSTILE!r}, 1 labels)"


def test_learners_show_their_parameters_their_graph_and_how_many_labels_they_learned():
    graph = Graph.from_edges(EDGES)
    learner = make("near-far", graph)
    assert "labels learned 0" in shown(learner)
    learner.learn(0, 0)
    learner.learn(5, 1)
    learner.learn(2, None)
    words = shown(learner)
    for expected in ("NearFar", "6 nodes, 7 edges", "rank None", "labels learned 2"):
        assert expected in words
    batch = make("lgc", graph, n_classes=2).fit([0, 5, 3], [0, 1, 1])
    assert "labels learned 3" in shown(batch)
    ridge = make("oslg", graph, n_classes=2, rank=3)
    trace = ridge.stream(np.arange(6), LABELS)
    assert f"labels learned {int(trace.queried.sum())}" in shown(ridge)
    bandit = make("push-bandit", graph, n_classes=2)
    bandit.learn(0, 0, True)
    assert "labels learned 1" in shown(bandit)


def test_a_question_and_predictions_show_hostile_names_as_words():
    graph = Graph.from_edges([(HOSTILE, "b"), ("b", "c")])
    graph = graph.with_node_table({"title": [HOSTILE, "y", "z"]})
    session = lapwing.Session(graph, labels={"b": HOSTILE}, audit_share=0.0, show=["title"])
    assert shown(session.reask(HOSTILE)).count(HOSTILE) >= 3
    assert HOSTILE in shown(session.predictions())
    assert "1 of 3 nodes" in shown(session)


def test_curves_stay_inside_the_drawing():
    drawn = curves({"a": np.linspace(0, 7, 5000), "b": np.zeros(10)}, along="rounds")
    points = drawn.split('points="')[1].split('"')[0].split()
    xy = np.array([point.split(",") for point in points], dtype=float)
    assert len(xy) <= 200
    assert xy.min() >= 0
    assert (xy.max(axis=0) <= [420, 130]).all()


def test_cards_need_no_plotting_library():
    code = (
        "import lapwing, sys, numpy as np\n"
        "graph = lapwing.Graph.from_edges([(0, 1), (1, 2)])\n"
        "game = lapwing.play(lapwing.make('auto', graph), [0, 2, 1], np.array([0, 0, 1])).run()\n"
        "assert graph._repr_html_() and game._repr_html_()\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_question_in_a_notebook_shows_its_picture_and_its_neighbours():
    digits = data.load("digits")
    session = lapwing.Session(digits.graph, classes=digits.classes)
    shown = session.ask()._repr_html_()
    assert "data:image/png;base64," in shown
    assert "neighbour" in shown
    assert "why" in shown
