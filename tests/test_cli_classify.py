"""``lapwing classify`` as a person types it."""

import csv
import json
from functools import partial

import pytest

from lapwing.optional import need

EDGES = "source,target\na,b\nb,c\nc,a\nc,d\nd,e\ne,f\nf,d\nx,y\n"


@pytest.fixture
def run(run):
    return partial(run, "classify")


@pytest.fixture
def files(tmp_path):
    graph, labels = tmp_path / "edges.csv", tmp_path / "some.csv"
    graph.write_text(EDGES)
    labels.write_text("node,label\na,red\nb,red\ne,blue\nf,blue\n")
    return graph, labels, tmp_path / "predictions.csv"


def rows_of(path):
    with path.open(newline="") as file:
        return {row["node"]: row for row in csv.DictReader(file)}


@pytest.mark.parametrize("method", ["auto", "spreading", "poisson", "propagation", "spectral"])
def test_predictions_are_written_with_confidence_and_runner_up(run, files, method):
    graph, labels, output = files
    code, out, _ = run(graph, "--labels", labels, "--method", method, "-o", output, "--json")
    told, rows = json.loads(out), rows_of(output)
    assert code == 0
    assert list(rows["a"]) == ["node", "label", "confidence", "runner_up"]
    assert [rows[n]["label"] for n in "abcdefxy"] == ["red"] * 3 + ["blue"] * 3 + ["", ""]
    assert rows["a"]["confidence"] == "1"
    assert 0.5 <= float(rows["c"]["confidence"]) < 1
    assert rows["c"]["runner_up"] == "blue"
    assert (rows["x"]["confidence"], rows["x"]["runner_up"]) == ("0", "")
    assert (told["labelled"], told["unknown"], told["nodes"]) == (4, 2, 8)


def test_auto_is_the_default_and_says_why(run, files):
    code, out, _ = run(files[0], "--labels", files[1], "-o", files[2])
    assert code == 0
    assert "4 labels are too few to compare methods: blend" in out


def test_parquet_and_parameters(run, files, tmp_path):
    output = tmp_path / "predictions.parquet"
    code, _, _ = run(
        files[0], "--labels", files[1], "--method", "propagation",
        "--param", "rounds=1", "-o", output,
    )  # fmt: skip
    table = need("pyarrow.parquet", extra="tables").read_table(output).to_pydict()
    assert code == 0
    assert dict(zip(table["node"], table["label"], strict=True))["d"] == "blue"


def test_a_share_of_a_data_set_is_tested_on_the_rest(run):
    code, out, _ = run("digits", "--fraction", 0.05, "--method", "spreading", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["labelled"] == 90
    assert told["hidden"] == 1707
    assert told["accuracy"] == told["micro_f1"] > 0.85
    assert 0 <= told["calibration_error"] < 0.5
    again = json.loads(run("digits", "--fraction", 0.05, "--method", "spreading", "--json")[1])
    assert again["accuracy"] == told["accuracy"]
    other = run("digits", "--fraction", 0.05, "--method", "spreading", "--json", "--seed", 1)[1]
    assert json.loads(other)["accuracy"] != told["accuracy"]


def test_priors_move_answers_and_guesses_fill_the_unreached(run, files):
    graph, labels, output = files
    common = (graph, "--labels", labels, "--method", "spreading", "-o", output)
    run(*common)
    before = rows_of(output)["d"]
    run(*common, "--priors", "red=0.7,blue=0.3", "--guess-unreached")
    after = rows_of(output)
    assert float(after["d"]["confidence"]) < float(before["confidence"])
    assert after["x"] == {"node": "x", "label": "red", "confidence": "0.7", "runner_up": "blue"}


def test_several_labels_a_node(run, files):
    graph, labels, output = files
    labels.write_text("node,label\na,red\na,green\nb,red\ne,blue\nf,blue\n")
    said = ("--labels", labels, "--method", "spreading", "-o", output)
    code, _, answer = run(graph, *said)
    assert code == 1
    assert "1 of 4 nodes have different labels: 'a' ('green', 'red')" in " ".join(answer.split())
    code, _, _ = run(graph, *said, "--multilabel")
    assert code == 0
    assert rows_of(output)["b"]["label"] == "red"
    assert rows_of(output)["d"]["label"] == "blue"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["karate", "-o", "p.csv"], "every node of karate has a label"),
        (["karate"], "-o predictions.csv"),
        (["karate", "--fraction", "1.5"], "--fraction must lie between 0 and 1, got 1.5"),
        (["karate", "--fraction", ".2", "--method", "gpa"], "gpa learns one label at a time"),
        (["karate", "--fraction", ".2", "--method", "poison"], "near: poisson"),
        (["karate", "--fraction", ".2", "--param", "rounds"], "--param takes NAME=VALUE"),
        (["karate", "--fraction", ".2", "--param", "x=1"], "cross-validated has no parameter 'x'"),
        (["karate", "--fraction", ".2", "--priors", "Officer=1"], "must name every class, Mr. Hi"),
        (["karate", "--fraction", ".2", "--priors", "cat=1"], "of the classes Mr. Hi, Officer"),
        (["karate", "--fraction", ".2", "-o", "p.docx"], "must end in .csv, .tsv"),
    ],
)
def test_mistakes_get_one_clear_line(run, arguments, said):
    code, _, err = run(*arguments)
    assert code == 1
    assert said in err


def test_a_label_of_an_unknown_node_names_file_and_line(run, files):
    files[1].write_text("node,label\na,red\nzed,blue\n")
    code, _, err = run(files[0], "--labels", files[1], "-o", files[2])
    assert code == 1
    assert "some.csv, line 3" in err
    assert not files[2].exists()
