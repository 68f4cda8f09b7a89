"""The commands as a person types them: what they print, and how they fail."""

import itertools
import json
import subprocess
import sys

import numpy as np
import pytest

from lapwing import Graph
from lapwing.cli.app import COMMANDS, loaded
from lapwing.io import read_graph, write_graph


@pytest.fixture
def files(tmp_path):
    graph, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    graph.write_text("source,target\na,b\nb,c\nc,a\nx,y\n")
    labels.write_text("node,label\na,red\nb,red\nx,blue\n")
    return graph, labels


def test_info_tells_what_a_graph_is_like(run, files):
    code, out, _ = run("info", files[0], "--labels", files[1], "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["n_nodes"], told["n_edges"], told["n_components"]) == (5, 4, 2)
    assert told["class_sizes"] == {"blue": 1, "red": 2}
    assert told["labelled"] == 3
    assert told["homophily"] == 1.0
    assert told["smallest_nonzero_eigenvalues"] == pytest.approx([2.0, 3.0, 3.0])


def test_info_for_people_and_for_the_largest_component(run):
    code, out, _ = run("info", "karate")
    assert code == 0
    assert "homophily" in out
    assert "0.4685" in out
    _, out, _ = run("info", "karate", "--json", "--largest-component")
    assert json.loads(out)["n_nodes"] == 34


def test_a_graph_without_labels_or_edges_is_no_problem(run, tmp_path):
    write_graph(Graph.from_edges([], names=["a", "b"]), tmp_path / "two.graphml")
    code, out, _ = run("info", tmp_path / "two.graphml", "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["n_nodes"], told["isolated_nodes"], told["labelled"]) == (2, 2, 0)
    assert "smallest_nonzero_eigenvalues" not in told or not told["smallest_nonzero_eigenvalues"]


def test_embed_writes_the_rows(run, tmp_path):
    code, out, _ = run(
        "embed", "karate", "--rank", 5, "--bias", 2, "-o", tmp_path / "rows.npy", "--json"
    )
    assert code == 0
    assert json.loads(out)["columns"] == 5
    rows = np.load(tmp_path / "rows.npy")
    assert rows.shape == (34, 5)
    np.testing.assert_allclose(rows[:, -1], np.sqrt(2))


def test_embed_says_when_a_graph_has_no_such_rank(run, tmp_path):
    code, out, err = run("embed", "karate", "--rank", 1000, "-o", tmp_path / "rows.npy")
    assert code == 0
    assert "34 rows of 33 numbers" in out
    assert "has 34 nodes" in err
    assert "1,000" in err


def test_convert_keeps_graph_and_labels(run, files, tmp_path):
    code, out, _ = run(
        "convert", files[0], tmp_path / "g.graphml", "--labels", files[1],
        "--labels-output", tmp_path / "l.csv",
    )  # fmt: skip
    assert code == 0
    assert "5 nodes" in out
    assert read_graph(tmp_path / "g.graphml") == read_graph(files[0])
    assert sorted((tmp_path / "l.csv").read_text().split()) == sorted(files[1].read_text().split())


def test_data_list_and_fetch(run):
    code, out, _ = run("data", "list", "--json")
    sets = {entry["name"]: entry for entry in json.loads(out)["datasets"]}
    assert code == 0
    assert sets["karate"]["where"] == "bundled"
    assert sets["cora"]["where"] in ("present", "download")
    assert run("data", "list")[1].count("bundled") >= 8
    code, out, _ = run("data", "fetch", "karate", "--json")
    assert (code, json.loads(out)) == (0, {"fetched": {"karate": []}})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("info", "karat"), "did you mean karate"),
        (("info", "no-such-file.csv"), "neither"),
        (("info", "."), "is a folder"),
        (("info", "karate", "--directed", "max"), "--directed describes a file"),
        (("info", "karate", "--labels", "gone.csv"), "gone.csv"),
        (("embed", "karate", "-o", "rows.txt"), "must end in .npy"),
        (("embed", "karate", "-o", "rows.npy", "--rank", "1"), "rank must be at least 2, got 1"),
        (("embed", "karate", "-o", "rows.npy", "--bias", "-1"), "bias must be"),
        (("convert", "karate", "karate.docx"), "docx"),
        (("data", "fetch", "cara"), "did you mean"),
    ],
)
def test_a_mistake_is_answered_with_one_clear_line(run, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert code == 1
    assert out == ""
    assert says in err
    assert err.startswith("lapwing: ")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


def test_malformed_files_are_named_with_their_line(run, tmp_path):
    bad = tmp_path / "edges.csv"
    bad.write_text("source,target,weight\na,b,1\nb,c,-2\n")
    code, _, err = run("info", bad)
    assert code == 1
    assert f"{bad}, line 3" in err


def test_wrong_usage_exits_with_2(run):
    assert run("info")[0] == 2
    assert run("no-such-command")[0] == 2
    assert run("info", "karate", "--rank", 3)[0] == 2


def test_every_command_has_help_with_an_example(run):
    for command in ("info", "embed", "convert"):
        code, out, _ = run(command, "--help")
        assert code == 0
        assert f"lapwing {command} " in out
    assert "data" in run("--help")[1]


def test_python_dash_m_and_the_version():
    done = subprocess.run(
        [sys.executable, "-m", "lapwing", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("lapwing 0.")


def test_every_command_loads_and_its_help_agrees_with_the_list():
    for name, (_, summary) in COMMANDS.items():
        command = loaded(name)
        assert command.name == name
        assert summary.endswith(".")
        assert command.help


def test_info_prints_the_facts_before_eigenvalues_and_few_of_many_classes(run, tmp_path):
    names = [f"n{k}" for k in range(40)]
    (tmp_path / "e.csv").write_text("".join(f"{a},{b}\n" for a, b in itertools.pairwise(names)))
    (tmp_path / "l.csv").write_text("node,label\n" + "".join(f"{n},c{n}\n" for n in names))
    code, out, _ = run("info", tmp_path / "e.csv", "--labels", tmp_path / "l.csv")
    assert code == 0
    assert "and 28 more" in out
    assert out.index("class sizes") < out.index("smallest nonzero eigenvalues")


def test_files_are_read_as_the_options_say(run, tmp_path):
    edges, labels = tmp_path / "e.dat", tmp_path / "l.txt"
    edges.write_text("w;author;coauthor\n2;ada;bo\n3;bo;cy\n")
    labels.write_text("kind;when;who\nred;1;ada\nblue;2;cy\n")
    options = ["--source", "author", "--target", "coauthor", "--weight", "0", "--delimiter", ";"]
    options += ["--header", "--format", "csv", "--node-column", "who", "--label-column", "kind"]
    code, out, _ = run("info", edges, "--labels", labels, *options, "--json")
    told = json.loads(out)
    assert code == 0
    assert (told["n_nodes"], told["n_edges"], told["weighted"]) == (3, 2, True)
    assert told["class_sizes"] == {"blue": 1, "red": 1}


def test_a_table_of_many_columns_is_not_guessed_to_be_labels(run, files, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("id,title,kind,year\na,T1,x,2001\nb,T2,y,2002\nx,T3,x,2003\n")
    code, out, err = run("info", files[0], "--labels", table)
    assert (code, out) == (1, "")
    assert "table.csv, line 1" in err
    assert "--node-column and --label-column" in err
    code, out, _ = run("info", files[0], "--labels", table, "--label-column", "kind",
                       "--node-column", "id", "--json")  # fmt: skip
    assert code == 0
    assert json.loads(out)["class_sizes"] == {"x": 2, "y": 1}


def test_hints_name_the_options_of_the_command_line(run, files, tmp_path):
    edges, labels = tmp_path / "co.csv", tmp_path / "topics.csv"
    edges.write_text("author,coauthor\na,b\nb,c\n")
    labels.write_text("paper,topic\na,x\n")
    for arguments in (("info", edges), ("info", files[0], "--labels", labels)):
        code, _, err = run(*arguments)
        assert code == 1
        assert "--header" in err
        assert "header=True" not in err


@pytest.mark.parametrize(
    "name", ["info", "label", "classify", "certify", "play", "convert", "embed"]
)
def test_every_command_that_reads_files_has_the_options_for_it(run, name):
    code, out, _ = run(name, "--help")
    assert code == 0
    for option in ("source", "target", "weight", "node-column", "label-column", "delimiter"):
        assert f"--{option} " in out
    assert "--no-header" in out
    assert "--format" in out


def test_names_are_text_in_every_command(run, tmp_path):
    nasty = ["[/x]", "[link=http://a]b", "\x1b[31mc", "[bold]d"]
    edges, labels = tmp_path / "[red]e.csv", tmp_path / "l.csv"
    edges.write_text("".join(f"{a},{b}\n" for a, b in itertools.combinations(nasty, 2)))
    labels.write_text("node,label\n" + "".join(f"{n},[/{k % 2}]\n" for k, n in enumerate(nasty)))
    for command in (
        ["info", "--labels", labels],
        ["play", "--labels", labels, "--learner", "knn"],
        ["classify", "--labels", labels, "--fraction", "0.5"],
        ["certify", "--labels", labels, "--learner", "perceptron"],
        ["label", "--oracle", labels, "--db", tmp_path / "s.db"],
    ):
        code, out, err = run(command[0], edges, *command[1:])
        assert code == 0, (command, err)
        assert "\x1b" not in out
    assert "[red]e" in run("session", "list", "--db", tmp_path / "s.db")[1]
    assert "[/1]" in run("session", "show", "[red]e", "--db", tmp_path / "s.db")[1]
    code, _, err = run("info", "[/x]\x1b[31m")
    assert code == 1
    assert "'[/x]\\x1b[31m' is neither" in err


def test_errors_of_the_system_are_one_line(run, tmp_path, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", str(tmp_path / "k.csv"))

    monkeypatch.setattr("lapwing.io.write_graph", full)
    code, _, err = run("convert", "karate", tmp_path / "k.csv")
    assert code == 1
    assert " ".join(err.split()) == f"lapwing: {tmp_path / 'k.csv'}: no space left on device"


@pytest.mark.parametrize(
    "arguments",
    [
        ("convert", "karate", "OUT/k.csv"),
        ("convert", "karate", "k.graphml", "--labels-output", "OUT/l.csv"),
        ("classify", "karate", "--fraction", "0.2", "-o", "OUT/p.csv"),
        ("play", "karate", "--output", "OUT/r.csv"),
        ("play", "karate", "--plot", "OUT/r.png"),
        ("embed", "karate", "-o", "OUT/rows.npy"),
        ("demo", "-o", "OUT/demo"),
        ("gallery", "-o", "OUT/pictures"),
        ("reproduce", "gu2013/table2", "--quick", "-o", "OUT/r"),
        ("session", "export", "karate", "-o", "OUT/k.jsonl"),
        ("session", "replay", "karate", "-o", "OUT/k.csv"),
    ],
)
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    run, tmp_path, monkeypatch, arguments
):
    def work(*_, **__):
        pytest.fail("the work began")

    monkeypatch.setattr("lapwing.data.load", work)
    monkeypatch.setattr("lapwing.figures.gallery.gallery", work)
    monkeypatch.setattr("lapwing.session.store.store.Store.__init__", work)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    code, _, err = run(*(each.replace("OUT", "file") for each in arguments))
    assert code == 1
    assert "file is not a folder" in " ".join(err.split())
    assert "Traceback" not in err
