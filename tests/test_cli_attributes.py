"""What a person sees of a node: its row in the node table, and its picture."""

import io
import json

import numpy as np
import pytest
from rich.console import Console

from bench.terminal import Terminal
from lapwing.cli.label.attributes import NodePicture, image_of
from lapwing.errors import InputError
from lapwing.graph import Graph
from lapwing.session.asking.view import card_columns

EDGES = "source,target\nada,bo\nbo,cy\ncy,ada\ncy,dee\n"
PAGES = "page,title,url,age\nada,[red]Ada's page\x1b[31m,http://a,31\nbo,Bo,http://b,\ncy,Cy,,7\n"


@pytest.fixture
def files(tmp_path):
    edges, pages = tmp_path / "edges.csv", tmp_path / "pages.csv"
    edges.write_text(EDGES)
    pages.write_text(PAGES)
    return edges, pages


def test_info_names_the_columns_and_counts_nodes_without_a_row(run, files):
    edges, pages = files
    code, out, _ = run("info", edges, "--nodes", pages, "--node-column", "page", "--json")
    assert code == 0
    found = json.loads(out)
    assert set(found["node_columns"]) == {"title", "url", "age"}
    assert "dee" in found["node_rows"]
    plain = json.loads(run("info", edges, "--json")[1])
    assert plain["hash"] == found["hash"]


def test_the_question_shows_the_card_columns_as_text(tmp_path, files):
    edges, pages = files
    words = ("--classes", "x,y", "--audit", "0", "--db", tmp_path / "s.db")
    with Terminal("label", edges, "--nodes", pages, "--show", "title", *words) as at:
        at.prompted(1)
        at.answer("121")
        screen = at.leave()
    assert "[red]Ada's page\\x1b[31m" in screen
    assert "title" in screen
    assert "http://" not in screen


def test_a_column_that_is_not_there_is_refused(run, files, tmp_path):
    edges, pages = files
    words = ("--oracle", "known", "--db", tmp_path / "s.db")
    code, _, err = run("label", edges, "--nodes", pages, "--show", "titel", *words)
    assert code == 1
    assert "no column is named 'titel'; there are title, url, age" in err


def test_without_a_choice_rows_of_many_numbers_are_left_out():
    columns = {"words": np.ones((2, 50)), "image": np.zeros((2, 4, 4)), "title": ["a", "b"]}
    graph = Graph.from_edges([("a", "b")]).with_node_table(columns)
    assert card_columns(graph.node_table, []) == ("image", "title")
    assert card_columns(graph.node_table, ["words"]) == ("words",)
    with pytest.raises(InputError, match="no column"):
        card_columns(graph.node_table, ["title", "x"])


def drawn(**settings):
    stream = io.StringIO()
    Console(file=stream, width=40, **settings).print(
        NodePicture(np.array([[0.0, 1.0], [1.0, 0.0]]))
    )
    return stream.getvalue()


def test_a_picture_is_drawn_in_half_blocks_or_in_shades():
    coloured = drawn(force_terminal=True, color_system="truecolor")
    assert coloured.count("▀") == 2
    assert "38;2;0;0;0;48;2;255;255;255" in coloured
    assert drawn().splitlines()[:2] == ["  ██", "██  "]


def test_a_picture_comes_from_a_file_or_from_bytes(tmp_path):
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "p.png"
    image.fromarray(np.array([[0, 255]], dtype=np.uint8)).save(path)
    for value in (str(path), path.read_bytes()):
        assert image_of(value).tolist() == [[0.0, 1.0]]
    assert image_of(b"no picture") is None
    assert image_of("missing.png") is None
