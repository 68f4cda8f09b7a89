"""``lapwing certify`` and ``lapwing gallery`` as a person types them."""

import json

import numpy as np
import pytest

from lapwing import data, make, play
from lapwing.bounds import promise


def test_the_club_is_certified_in_words(run):
    code, out, _ = run("certify", "karate")
    assert code == 0
    assert "34 labelled of 34 nodes" in out
    assert "In words" in out
    assert "Tightest promise" in out
    assert "Herbster and Pontil 2006" in out
    assert "broken" not in out


def test_the_same_as_json(run):
    code, out, _ = run("certify", "karate", "--json", "--seed", "3")
    told = json.loads(out)
    assert code == 0
    assert told["n_classes"] == 2
    assert all(each["holds"] is not False for each in told["certificates"])
    assert {each["learner"] for each in told["certificates"]} >= {"perceptron", "mni-ag", "sslgc"}
    played = [each for each in told["certificates"] if each["bounds"] == "mistakes"]
    assert all(each["actual"] is not None for each in played if each["applies"])
    promised = [each for each in played if each["applies"] and not each["hindsight"]]
    assert told["tightest"]["value"] == min(each["value"] for each in promised)


def test_without_play_the_bounds_are_for_any_order(run):
    code, out, _ = run("certify", "karate", "--no-play", "--learner", "perceptron", "--ingredients")
    assert code == 0
    assert "in any order" in out
    assert "R_G = 1.83" in out


def test_partial_labels_and_several_classes(run, tmp_path):
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("source,target\n" + "".join(f"n{i},n{i + 1}\n" for i in range(11)))
    labels.write_text("node,label\nn0,red\nn3,red\nn5,blue\nn7,blue\nn11,green\n")
    code, out, _ = run("certify", edges, "--labels", labels, "--json", "--learner", "perceptron")
    told = json.loads(out)
    assert code == 0
    assert (told["labelled"], told["n_classes"]) == (5, 3)
    for each in told["certificates"]:
        assert each["holds"]
        assert set(each["ingredients"]) == {"class 0", "class 1", "class 2"}


def test_what_cannot_be_certified_is_said(run, tmp_path):
    edges, labels = tmp_path / "edges.csv", tmp_path / "labels.csv"
    edges.write_text("source,target\na,b\nx,y\n")
    labels.write_text("node,label\na,red\nx,blue\n")
    code, out, _ = run("certify", edges, "--labels", labels)
    assert code == 0
    assert "needs a connected graph, this one has 2 components" in out
    code, _, err = run("certify", edges)
    assert code == 1
    assert "has no labels" in err
    code, _, err = run("certify", "karate", "--learner", "oracle")
    assert code == 1
    assert "learner must be one of" in err


def test_the_gallery_draws_six_pictures(run, tmp_path):
    code, out, _ = run("gallery", "-o", tmp_path)
    assert code == 0
    assert len(out.split()) == 6
    assert all(path.stat().st_size > 10_000 for path in tmp_path.glob("*.png"))
    assert len(list(tmp_path.glob("*.png"))) == 6


@pytest.mark.parametrize("name", ["1-proj", "c-proj", "mni-ag", "perceptron"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_keeps_the_promise_made_before_it(name, seed):
    club = data.karate()
    bias = 1.0 if name == "perceptron" else 0.1
    order = np.random.default_rng(seed).permutation(34)
    learner = make(name, club.graph, n_classes=2, bias=bias)
    game = play(learner, order, club.labels).run()
    wrong = int((game.trace.guesses != club.labels[order]).sum())
    made = promise(name, club.graph, club.labels, {"bias": bias}, mistakes=wrong)
    assert made.holds


def test_no_promise_where_no_theorem_speaks():
    club = data.karate()
    assert promise("sslgc", club.graph, club.labels) is None
    assert promise("gpa", club.graph, club.labels, {"rank": 10, "bias": 2.0}) is None
    assert promise("gpa", club.graph, club.labels, {"rank": 34, "bias": 2.0}) is not None
