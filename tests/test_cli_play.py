"""``lapwing play`` and ``lapwing learners`` as a person types them."""

import json

import numpy as np
import pytest

from lapwing.catalog import DEFAULT, ENTRIES
from lapwing.play import Game

MEASURES = ("error", "binary_error", "queries", "distinct_queries", "updates", "seconds")


@pytest.fixture
def files(tmp_path):
    graph, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    graph.write_text("source,target\na,b\nb,c\nc,a\nc,x\nx,y\ny,z\nz,x\np,q\n")
    labels.write_text("node,label\na,red\nb,red\nc,red\nx,blue\ny,blue\np,blue\n")
    return graph, labels


def test_play_prints_one_object(run):
    code, out, _ = run("play", "karate", "--learner", "sslgc", "--shuffles", 3, "--json")
    told = json.loads(out)
    assert code == 0
    assert told["learner"] == "sslgc"
    assert told["parameters"]["kappa"] == 0.4
    assert told["parameters"]["every_label"] is False
    assert any(each.startswith("reading: ") for each in told["departures"])
    assert (told["n_nodes"], told["shuffles"], told["n_classes"]) == (34, 3, 2)
    for measure in MEASURES:
        assert set(told[measure]) == {"mean", "sd"}
        assert isinstance(told[measure]["sd"], float)
    assert 0 < told["error"]["mean"] < 0.5
    assert told["unknown"]["mean"] > 0


def test_the_same_seed_plays_the_same(run):
    objects = [
        json.loads(run("play", "karate", "--learner", "random-ollgc", "--seed", seed, "--json")[1])
        for seed in (1, 1, 2)
    ]
    for told in objects:
        del told["seconds"], told["waited"]
    assert objects[0] == objects[1]
    assert objects[0]["queries"] != objects[2]["queries"]


def test_play_takes_a_file_and_labels_of_some_nodes(run, files, tmp_path):
    results, plot = tmp_path / "rounds.csv", tmp_path / "rounds.png"
    code, out, _ = run(
        "play", files[0], "--labels", files[1], "--output", results, "--plot", plot, "--seed", 1
    )
    assert code == 0
    assert DEFAULT in out
    assert "rounds per second" in out
    lines = results.read_text().splitlines()
    assert len(lines) == 1 + 6
    assert lines[0].startswith("learner,shuffle,round,node,label,guess,queried")
    assert ",p,blue,," in results.read_text()
    assert plot.read_bytes()[:4] == b"\x89PNG"


def test_several_learners_are_compared(run):
    code, out, _ = run("play", "karate", "--learner", "gpa", "--learner", "banditron", "--json")
    runs = json.loads(out)["runs"]
    assert code == 0
    assert [told["learner"] for told in runs] == ["gpa", "banditron"]
    assert runs[0]["binary_error"]["mean"] is not None
    assert runs[1]["binary_error"]["mean"] is None
    assert "binary error" in run("play", "karate", "--learner", "gpa", "--learner", "ollgc")[1]


def test_parameters_are_set_by_name(run):
    out = run("play", "karate", "--learner", "ollgc", "--set", "mu=2", "--set", "rank=5", "--json")[
        1
    ]
    assert json.loads(out)["parameters"]["mu"] == 2
    assert json.loads(out)["parameters"]["rank"] == 5
    code, _, err = run("play", "karate", "--learner", "ollgc", "--set", "nu=2")
    assert code == 1
    assert "ollgc has no parameter 'nu'; its parameters are: bias, every_label, mu" in err
    assert run("play", "karate", "--set", "mu")[0] == 1
    assert "no algorithm is called 'olgc'" in run("play", "karate", "--learner", "olgc")[2]


def test_tuning_is_told(run):
    out = run("play", "karate", "--learner", "ollgc", "--tune", "--json")[1]
    told = json.loads(out)
    assert set(told["tuning"]) == {"0.001", "0.01", "0.1", "1.0", "10.0"}
    best = min(told["tuning"].values())
    assert told["tuning"][str(told["parameters"]["mu"])] == best


def test_the_protocol_of_gu2013(run, files):
    out = run(
        "play", files[0], "--labels", files[1], "--learner", "sslgc", "--protocol", "gu2013",
        "--shuffles", 2, "--json",
    )[1]  # fmt: skip
    told = json.loads(out)
    assert told["n_nodes"] == 6
    wanted = {"rank": 100, "bias": 2.0, "kappa": 0.4, "every_label": False}
    assert {name: told["parameters"][name] for name in wanted} == wanted
    assert told["protocol"] == "gu2013"
    assert told["tuning"]
    assert "there are gu2013" in run("play", "karate", "--protocol", "gu2012")[2]


def test_interrupted_play_keeps_what_was_played(run, monkeypatch, tmp_path):
    original, calls = Game.run, []

    def interrupted(self, rounds=None):
        calls.append(1)
        if len(calls) > 50:
            raise KeyboardInterrupt
        return original(self, rounds)

    monkeypatch.setattr(Game, "run", interrupted)
    results = tmp_path / "rounds.jsonl"
    code, out, _ = run(
        "play", "karate", "--learner", "gpa", "--shuffles", 9, "--json", "--output", results
    )
    told = json.loads(out)
    assert code == 130
    assert told["interrupted"] is True
    assert told["shuffles"] == 1
    assert 34 < len(results.read_text().splitlines()) < 9 * 34


def test_unlabelled_graphs_and_wrong_files_fail_clearly(run, files, tmp_path):
    assert "has no labels" in run("play", files[0])[2]
    assert "a table must end in" in run("play", "karate", "--output", tmp_path / "a.xls")[2]
    assert "only online learners play" in run("play", "karate", "--learner", _a_batch_method())[2]


def _a_batch_method():
    names = [name for name, entry in ENTRIES.items() if entry.kind == "batch"]
    if not names:
        pytest.skip("the catalog has no batch method")
    return names[0]


def test_learners_lists_every_name(run):
    code, out, _ = run("learners")
    assert code == 0
    assert all(f"  {name}" in out for name in ENTRIES)
    told = json.loads(run("learners", "--json")[1])
    assert [each["name"] for each in told["learners"]] == list(ENTRIES)
    assert told["default"] in ENTRIES
    one = json.loads(run("learners", "sslgc", "--json")[1])["learners"][0]
    assert one["parameters"] == {"mu": 0.1, "kappa": 0.4, "every_label": False}
    assert any("constant column" in each for each in one["departures"])
    told = run("learners", "sslgc")[1]
    assert "- reading: rows have a constant column" in told
    better = json.loads(run("learners", "sslgc-every-label", "--json")[1])["learners"][0]
    assert better["parameters"] == {"mu": 1e-4, "kappa": 0.4, "every_label": True}
    assert one["rows"]["rank"] == 100
    assert "gpa" not in run("learners", "--kind", "bandit")[1].split()
    assert "kind must be one of online" in run("learners", "--kind", "lazy")[2]


def test_curves_and_tables_agree(run, tmp_path):
    results = tmp_path / "rounds.json"
    out = run("play", "karate", "--learner", "gpa", "--output", results, "--json")[1]
    rows = json.loads(results.read_text())
    wrong = np.mean([row["label"] != row["guess"] for row in rows])
    assert wrong == pytest.approx(json.loads(out)["error"]["mean"])
