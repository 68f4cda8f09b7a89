"""``lapwing classify`` as a person types it."""

import csv
import json
from functools import partial

import pytest

from lapwing.data import barbell
from lapwing.io import read_graph, read_labels, write_graph
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


@pytest.mark.parametrize(
    "method", ["cross-validated", "spreading", "poisson", "propagation", "spectral"]
)
def test_predictions_are_written_with_confidence_and_runner_up(run, files, method):
    graph, labels, output = files
    code, out, _ = run(graph, "--labels", labels, "--method", method, "-o", output, "--json")
    told, rows = json.loads(out), rows_of(output)
    assert code == 0
    assert list(rows["a"]) == ["node", "label", "confidence", "runner_up", "asked"]
    assert [rows[n]["label"] for n in "abcdefxy"] == ["red"] * 3 + ["blue"] * 3 + ["", ""]
    assert rows["a"]["confidence"] == "1"
    assert 0.5 <= float(rows["c"]["confidence"]) < 1
    assert rows["c"]["runner_up"] == "blue"
    assert (rows["x"]["confidence"], rows["x"]["runner_up"]) == ("0", "")
    assert (told["labelled"], told["unknown"], told["nodes"]) == (4, 2, 8)


def test_auto_is_the_default_and_says_why(run, files):
    code, out, _ = run(files[0], "--labels", files[1], "-o", files[2])
    assert code == 0
    words = " ".join(out.split())
    assert "method best-evidence" in words
    assert "chosen neighbours are alike why evidence by its weight: position in the" in words


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
    told = {"node": "x", "label": "red", "confidence": "0.7", "runner_up": "blue"}
    assert after["x"] == told | {"asked": "false"}


def test_several_labels_need_to_be_said(run, files):
    graph, labels, output = files
    labels.write_text("node,label\na,red\na,green\nb,red\ne,blue\nf,blue\n")
    code, _, answer = run(graph, "--labels", labels, "--method", "spreading", "-o", output)
    assert code == 1
    assert "1 of 4 nodes have different labels: 'a' ('green', 'red')" in " ".join(answer.split())


SEVERAL = "node,label\na,x\na,y\na,w\nb,x\nb,y\ne,z\nf,z\n"


def sets_of(path):
    found = {}
    with path.open(newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["node"], set()).add(row["label"])
    return found


@pytest.mark.parametrize("method", ["cross-validated", "spreading", "wvgn"])
def test_all_labels_of_a_node_are_written_and_read_back(run, files, method):
    graph, labels, output = files
    labels.write_text(SEVERAL)
    said = (graph, "--multilabel", "--method", method)
    code, _, _ = run(*said, "--labels", labels, "-o", output)
    assert code == 0
    written = sets_of(output)
    assert written["a"] == {"x", "y", "w"}
    assert written["b"] == {"x", "y"}
    assert written["d"] == {"z"}
    assert set(written) == set("abcdef")
    found = read_labels(output, read_graph(graph), multilabel=True)
    names = list("abcdefxy")
    nodes, classes = found.pairs()
    back = {}
    for node, label in zip(nodes.tolist(), classes.tolist(), strict=True):
        back.setdefault(names[node], set()).add(found.classes[label])
    assert back == written
    again = output.with_name("again.csv")
    assert run(*said, "--labels", output, "-o", again)[0] == 0
    assert sets_of(again) == written


def test_labels_joined_in_one_field_are_said_and_separated(run, files):
    graph, labels, output = files
    labels.write_text("node,label\na,x|y|w\nb,x|y\ne,z\nf,z\nc,x\n")
    said = (graph, "--labels", labels, "--method", "spreading", "-o", output)
    code, _, err = run(*said)
    assert code == 0
    assert "'x|y' is read as one class" in " ".join(err.split())
    assert "--separator '|'" in " ".join(err.split())
    assert rows_of(output)["b"]["label"] == "x|y"
    code, _, err = run(*said, "--separator", "|")
    assert code == 0
    assert "note" not in err
    assert sets_of(output)["a"] == {"x", "y", "w"}
    labels.write_text("node,label\na,x||y\nb,x\n")
    code, _, err = run(*said, "--separator", "|")
    assert code == 1
    assert "line 2" in err
    assert "a label between separators is empty in 'x||y'" in " ".join(err.split())


def test_probabilities_of_every_class_on_request(run, files, tmp_path):
    graph, labels, output = files
    chances = tmp_path / "chances.csv"
    code, _, _ = run(graph, "--labels", labels, "--method", "spreading", "-o", output,
                     "--probabilities", chances)  # fmt: skip
    rows, told = rows_of(chances), rows_of(output)
    assert code == 0
    assert list(rows["c"]) == ["node", "blue", "red"]
    assert float(rows["c"]["red"]) == float(told["c"]["confidence"])
    assert float(rows["c"]["red"]) + float(rows["c"]["blue"]) == pytest.approx(1, abs=1e-5)
    assert (rows["a"]["red"], rows["a"]["blue"]) == ("1", "0")
    labels.write_text(SEVERAL)
    code, _, _ = run(graph, "--labels", labels, "--multilabel", "--method", "spreading",
                     "--probabilities", chances)  # fmt: skip
    rows = rows_of(chances)
    assert code == 0
    assert [rows["a"][name] for name in "wxyz"] == ["1", "1", "1", "0"]
    assert rows["x"] == {"node": "x", "w": "0", "x": "0", "y": "0", "z": "0"}


def test_so_many_labels_for_every_node(run, files):
    graph, labels, output = files
    labels.write_text(SEVERAL)
    said = (graph, "--labels", labels, "--multilabel", "--method", "spreading", "-o", output)
    assert run(*said, "--per-node", 2)[0] == 0
    assert len(sets_of(output)["c"]) == len(sets_of(output)["d"]) == 2
    assert sets_of(output)["a"] == {"x", "y", "w"}
    assert "x" not in sets_of(output)
    assert run(*said, "--guess-unreached")[0] == 0
    assert sets_of(output)["x"] <= {"x", "y", "z"}
    code, _, err = run(*said, "--priors", "x=1")
    assert code == 1
    assert "--priors are shares of one label per node" in err


def test_several_labels_are_scored_and_their_calibration_told(run, tmp_path):
    """Two communities whose nodes have one label in common and one of their own."""
    found = barbell(m=40)
    graph, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    write_graph(found.graph, graph)
    classes = ("left", "right")
    rows = [f"{node},{classes[label]}" for node, label in enumerate(found.labels)]
    rows += [f"{node},left too" for node, label in enumerate(found.labels) if label == 0]
    labels.write_text("node,label\n" + "\n".join(rows) + "\n")
    code, out, _ = run(graph, "--labels", labels, "--multilabel", "--fraction", 0.4,
                       "--method", "heat", "--json")  # fmt: skip
    told = json.loads(out)
    assert code == 0
    assert told["set_micro_f1"] > 0.9
    assert told["micro_f1"] > 0.9
    assert told["label_calibration_error"] < 0.2
    assert 1.2 < told["labels_per_node"] < 1.8


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["karate", "-o", "p.csv"], "every node of karate has a label"),
        (["karate"], "-o predictions.csv"),
        (["karate", "--fraction", ".2", "--per-node", "2"], "--per-node needs several labels"),
        (["karate", "--fraction", "1.5"], "--fraction must lie between 0 and 1, got 1.5"),
        (["karate", "--fraction", ".2", "--method", "gpa"], "gpa learns one label at a time"),
        (["karate", "--fraction", ".2", "--method", "poison"], "did you mean poisson"),
        (["karate", "--fraction", ".2", "--param", "rounds"], "--param takes NAME=VALUE"),
        (["karate", "--fraction", ".2", "--param", "x=1"], "best-evidence has no parameter 'x'"),
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
