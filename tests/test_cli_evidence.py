"""Attributes at the command line: --use, what was used, and explanations."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lapwing import data
from lapwing.cli.app import app

RUN = CliRunner()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Random edges between 60 nodes whose titles tell their class, and labels of half of them."""
    folder, rng = tmp_path_factory.mktemp("evidence"), np.random.default_rng(0)
    pairs = sorted({tuple(sorted(pair)) for pair in rng.integers(0, 60, (150, 2)).tolist()})
    edges = "".join(f"n{u},n{v}\n" for u, v in pairs if u != v)
    (folder / "edges.csv").write_text("source,target\n" + edges)
    words = (("red fox", "hen"), ("blue whale", "sea"))
    rows = [f"n{i},{words[i % 2][0]} {words[i % 2][1]} {i % 7},{i % 5}\n" for i in range(60)]
    (folder / "pages.csv").write_text("node,title,year\n" + "".join(rows))
    told = "".join(f"n{i},{'land' if i % 2 == 0 else 'water'}\n" for i in range(30))
    (folder / "labels.csv").write_text("node,label\n" + told)
    return folder


def classified(files, *more: str) -> tuple[dict, str]:
    out = files / "found.csv"
    told = RUN.invoke(app, [
        "classify", str(files / "edges.csv"), "--labels", str(files / "labels.csv"),
        "--nodes", str(files / "pages.csv"), "-o", str(out), "--json", *more,
    ])  # fmt: skip
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout), out.read_text()


def test_classify_uses_titles_where_edges_say_nothing(files):
    told, found = classified(files)
    assert told["chosen"] == "attributes"
    assert "evidence by its weight" in told["why"]
    rows = [line.split(",") for line in found.splitlines()[1:]]
    right = [label == ("land" if int(name[1:]) % 2 == 0 else "water") for name, label, *_ in rows]
    assert np.mean(right) > 0.95


def test_columns_can_be_chosen(files):
    told, _ = classified(files, "--use", "year")
    assert "caution" in told


def test_parameters_name_columns_as_they_are_written(files):
    told, _ = classified(files, "--set", "text=title", "--set", 'use=["title"]')
    assert told["columns"] == "title as text; not used: year (not named)"


def test_classify_says_how_columns_were_used_and_what_to_know(files, tmp_path):
    """A sub-class tells the labels, rows name strangers, a node without edges has words alone."""
    rows = (files / "pages.csv").read_text().splitlines()
    more = ["shelf", *(f"s{at % 6}" for at in range(60))]
    pages = "\n".join(f"{row},{shelf}" for row, shelf in zip(rows, more, strict=True))
    (tmp_path / "pages.csv").write_text(pages + "\nn99,red fox,3,s0\nn98,red hen,3,s0\n")
    edges = (files / "edges.csv").read_text() + "n99,n99\n"
    (tmp_path / "edges.csv").write_text(edges)
    told = RUN.invoke(app, [
        "classify", str(tmp_path / "edges.csv"), "--labels", str(files / "labels.csv"),
        "--nodes", str(tmp_path / "pages.csv"), "-o", str(tmp_path / "o.csv"), "--json",
    ])  # fmt: skip
    found = json.loads(told.stdout)
    assert found["columns"] == "title as text, year as category, shelf as category"
    assert found["node_rows"] == "1 row names no node: 'n98'"
    assert "shelf alone tells 100%" in found["beware"]
    assert found["by_attributes_alone"] == 1
    assert found["unknown"] == 0


def test_info_leaves_out_what_classify_refuses(files, tmp_path):
    rows = ["node,topic,year"]
    years = ["", *range(1991, 2050)]
    rows += [f"n{at},{'wet' if at % 2 else 'dry'},{years[at]}" for at in range(60)]
    (tmp_path / "pages.csv").write_text("\n".join(rows) + "\n")
    told = RUN.invoke(app, [
        "info", str(files / "edges.csv"), "--labels", str(files / "labels.csv"),
        "--nodes", str(tmp_path / "pages.csv"), "--json", "--no-spectrum",
    ])  # fmt: skip
    found = json.loads(told.stdout)
    assert found["evidence"] == "year as number; not used: topic (gives the label away)"
    assert found["node_columns"]["topic"] == "text, gives the label away"
    assert found["node_columns"]["year"] == "numbers"  # although one is missing


def test_info_says_what_attributes_let_expect_before_any_label(files):
    told = RUN.invoke(app, [
        "info", str(files / "edges.csv"), "--nodes", str(files / "pages.csv"), "--json",
        "--no-spectrum",
    ])  # fmt: skip
    assert json.loads(told.stdout)["expect"].startswith("attributes of neighbours are ")


def test_info_says_what_edges_alone_let_expect_before_any_label(tmp_path):
    rng = np.random.default_rng(0)
    pays = [f"account {i},shop {s}" for i in range(300) for s in rng.choice(5, 2, replace=False)]
    (tmp_path / "pays.csv").write_text("\n".join(["source,target", *pays]))
    told = RUN.invoke(app, ["info", str(tmp_path / "pays.csv"), "--json", "--no-spectrum"])
    assert json.loads(told.stdout)["expect"].startswith("the graph has no communities")
    camps = zip(*data.karate().graph.edges()[:2], strict=True)
    (tmp_path / "camps.csv").write_text("source,target\n" + "".join(f"{u},{v}\n" for u, v in camps))
    told = RUN.invoke(app, ["info", str(tmp_path / "camps.csv"), "--json", "--no-spectrum"])
    assert "expect" not in json.loads(told.stdout)


def test_info_says_what_to_expect(files):
    told = RUN.invoke(app, [
        "info", str(files / "edges.csv"), "--labels", str(files / "labels.csv"),
        "--nodes", str(files / "pages.csv"), "--json", "--no-spectrum",
    ])  # fmt: skip
    found = json.loads(told.stdout)
    assert found["adjusted_homophily"] < 0.3
    assert found["evidence"].startswith("title as text, year as")
    assert found["attributes"].startswith("with 15 labels, attributes alone tell ")
    assert abs(found["likeness_of_neighbours"]) < 0.5


def test_a_session_explains_a_node(files):
    db = str(files / "sessions.db")
    labels = str(files / "labels.csv")
    told = RUN.invoke(app, [
        "label", str(files / "edges.csv"), "--oracle", labels, "--budget", "12", "--db", db,
        "--nodes", str(files / "pages.csv"), "--session", "pages", "--use", "title",
    ])  # fmt: skip
    assert told.exit_code == 0, told.output
    assert "evidence by its weight: " in " ".join(told.output.split())
    shown = RUN.invoke(app, ["session", "show", "pages", "--db", db, "--json"])
    assert sum(json.loads(shown.stdout)["evidence"].values()) > 0.9
    told = RUN.invoke(app, ["session", "explain", "pages", "n40", "--db", db])
    assert told.exit_code == 0, told.output
    assert "n40 is" in told.output
    assert "evidence:" in told.output


def test_a_stream_learns_from_columns(files):
    errors = {}
    for use in ((), ("--use", "title")):
        told = RUN.invoke(app, [
            "play", str(files / "edges.csv"), "--labels", str(files / "labels.csv"),
            "--nodes", str(files / "pages.csv"), "--json", *use,
        ])  # fmt: skip
        assert told.exit_code == 0, told.output
        found = json.loads(told.stdout)
        errors[found["learner"]] = found["error"]["mean"]
    assert errors["pool"] < errors["auto"] - 0.1
