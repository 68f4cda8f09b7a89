"""The game: rounds, orders, teachers, numbers, tuning and files."""

import json
from dataclasses import replace

import numpy as np
import pytest

from lapwing import Graph, make, play
from lapwing.catalog import Experiment
from lapwing.errors import InputError, UnknownNodeError
from lapwing.learner import Trace
from lapwing.metrics import Summary, cumulative, spread, summary
from lapwing.play import Adversary, Round, Teacher, shuffled, tuned, write_table

TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
SIDES = np.array([0, 0, 0, 1, 1, 1])


def test_rounds_come_one_at_a_time_and_the_learner_is_never_ahead():
    learner = make("ollgc", TRIANGLES, n_classes=2)
    game = play(learner, [0, 5, 1], SIDES)
    assert next(game) == Round(node=0, guess=-1, label=0, queried=True)
    assert int(learner.predict(1)) == 0
    assert learner.scores(5)[1] <= 0
    rest = list(game)
    assert [r.node for r in rest] == [5, 1]
    assert rest[-1].guess == 0


@pytest.mark.parametrize("name", ["gpa", "ollgc", "sslgc", "mixture", "random-ollgc"])
def test_drawing_rounds_is_the_same_as_running_them(name):
    drawn = play(make(name, TRIANGLES), SIDES[::-1], SIDES)
    rounds = list(drawn)
    run = play(make(name, TRIANGLES), SIDES[::-1], SIDES).run()
    assert [r.guess for r in rounds] == run.trace.guesses.tolist()
    assert replace(drawn.summary(), seconds=0.0) == replace(run.summary(), seconds=0.0)


def test_a_game_may_be_stopped_and_gone_on_with():
    game = play(make("gpa", TRIANGLES), range(6), SIDES)
    game.run(2)
    assert game.so_far().rounds == 2
    assert len(game.left) == 4
    assert game.summary().rounds == 6
    assert len(game.seconds) == 6
    assert (np.diff(game.seconds) >= 0).all()


def test_selective_learners_see_only_what_they_query():
    game = play(make("sslgc", TRIANGLES, n_classes=2, mu=1.0), range(6), SIDES)
    numbers = game.summary()
    assert 0 < numbers.distinct_queries < 6
    told = play(
        make("sslgc", TRIANGLES, n_classes=2, mu=1.0), range(6), SIDES, teacher="every-label"
    )
    assert told.summary().distinct_queries == 6
    assert told.teacher is Teacher.EVERY_LABEL


def test_bandits_are_told_one_bit():
    learner = make("banditron", TRIANGLES, n_classes=2)
    game = play(learner, range(6), SIDES)
    assert game.teacher is Teacher.ONE_BIT
    assert game.summary().binary_error is None
    with pytest.raises(InputError, match="a bandit learner cannot be taught every-label"):
        play(learner, range(6), SIDES, teacher="every-label")
    with pytest.raises(InputError, match="a learner of labels cannot be taught bandit"):
        play(make("gpa", TRIANGLES), range(6), SIDES, teacher="bandit")
    with pytest.raises(InputError, match="teacher must be one of on-query, every-label, bandit"):
        play(make("gpa", TRIANGLES), range(6), SIDES, teacher="strict")
    with pytest.raises(InputError, match="an adversary needs the learner's scores"):
        play(learner, Adversary(6), SIDES)


def test_orders():
    assert sorted(shuffled(50, seed=1)) == list(range(50))
    assert shuffled(50, seed=1).tolist() == shuffled(50, seed=1).tolist()
    assert shuffled(50, seed=1).tolist() != shuffled(50, seed=2).tolist()
    assert sorted(shuffled([3, 5], seed=0)) == [3, 5]
    with pytest.raises(UnknownNodeError, match=r"nodes must lie in 0..5, got -1"):
        play(make("gpa", TRIANGLES), [0, -1], SIDES)
    with pytest.raises(UnknownNodeError, match="nodes must be integer indices, got float64"):
        play(make("gpa", TRIANGLES), [0.5], SIDES)
    with pytest.raises(InputError, match="every node played needs a label, node 5 has none"):
        play(make("gpa", TRIANGLES), range(6), np.array([0, 0, 0, 1, 1, -1]))


def test_an_adversary_makes_more_mistakes_than_chance():
    rng = np.random.default_rng(0)
    edges = [
        (i, j)
        for i in range(40)
        for j in range(i)
        if rng.random() < (0.3 if i // 20 == j // 20 else 0.04)
    ]
    graph = Graph.from_edges(edges, names=range(40))
    labels = np.arange(40) // 20

    def errors(order):
        return (
            play(make("ollgc", graph, n_classes=2, every_label=False), order, labels)
            .summary()
            .error
        )

    by_chance = np.mean([errors(shuffled(40, seed)) for seed in range(10)])
    assert errors(Adversary(40)) > by_chance


def test_numbers_of_a_game():
    trace = Trace(
        guesses=np.array([-1, 0, 1, 1]),
        queried=np.array([True, True, False, True]),
        class_queries=np.array([2, 1, 0, 1]),
        binary_mistakes=np.array([2, 0, 1, 1]),
        updates=np.array([2, 0, 0, 1]),
    )
    found = summary(trace, np.array([0, 1, 1, 0]), np.array([0, 0, 0, 1]), n_classes=2, seconds=1.0)
    assert found == Summary(
        rounds=4,
        n_classes=2,
        error=0.5,
        unknown=0.25,
        binary_error=0.5,
        queries=2.0,
        distinct_queries=2,
        updates=3,
        seconds=1.0,
    )
    assert cumulative(np.array([1, 1, 0, 0])).tolist() == [1.0, 1.0, 2 / 3, 0.5]
    both = spread([found, replace(found, error=1.0)])
    assert both["error"] == {"mean": 0.75, "sd": pytest.approx(0.25 * np.sqrt(2))}
    assert spread([found])["error"] == {"mean": 0.5, "sd": None}


def test_tuning_picks_the_least_error():
    errors = {0.1: 3, 1.0: 1, 10.0: 2}

    def making(value):
        learner = make("gpa", TRIANGLES, n_classes=2)
        original = learner.stream

        def stream(nodes, labels, *, always=False):
            guesses = labels.copy()
            guesses[: errors[value]] = -1
            return replace(original(nodes, labels, always=always), guesses=guesses)

        learner.stream = stream
        return learner

    found = tuned(making, [np.arange(6)] * 2, SIDES, grid=errors)
    assert found.best == 1.0
    assert found.errors == {value: wrong / 6 for value, wrong in errors.items()}


@pytest.mark.parametrize("suffix", ["parquet", "csv", "json", "jsonl"])
def test_every_round_goes_into_a_file(tmp_path, suffix):
    table = play(make("gpa", TRIANGLES), range(6), SIDES).run().table()
    path = write_table(table, tmp_path / "deep" / f"rounds.{suffix}")
    read = {"parquet": _parquet, "csv": _csv, "json": _json, "jsonl": _jsonl}[suffix](path)
    assert read["node"] == [0, 1, 2, 3, 4, 5]
    assert read["label"] == SIDES.tolist()
    assert read["guess"] == table["guess"].tolist()
    with pytest.raises(InputError, match=r"a table must end in .csv, .tsv"):
        write_table(table, tmp_path / "rounds.xls")


def _parquet(path):
    pyarrow = pytest.importorskip("pyarrow.parquet")
    return pyarrow.read_table(path).to_pydict()


def _csv(path):
    pyarrow = pytest.importorskip("pyarrow.csv")
    return pyarrow.read_csv(path).to_pydict()


def _json(path):
    rows = json.loads(path.read_text())
    return {name: [row[name] for row in rows] for name in rows[0]}


def _jsonl(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {name: [row[name] for row in rows] for name in rows[0]}


def test_an_experiment_plays_labelled_nodes_only_and_seeds_everything():
    labels = np.array([0, -1, 0, 1, 1, -1])
    experiment = Experiment("random-gpa", TRIANGLES, labels, shuffles=3, seed=4)
    games = [game.run() for game in experiment.games()]
    assert [sorted(game.nodes) for game in games] == [[0, 2, 3, 4]] * 3
    assert [game.learner.rng.bit_generator.seed_seq.entropy for game in games] == [4, 5, 6]
    again = [game.run().trace.guesses.tolist() for game in experiment.games()]
    assert again == [game.trace.guesses.tolist() for game in games]
    assert experiment.all_parameters["p"] == 0.3
    with pytest.raises(InputError, match="shuffles must be at least 1, got 0"):
        Experiment("gpa", TRIANGLES, labels, shuffles=0)
    with pytest.raises(InputError, match="the graph has no labelled node to play"):
        Experiment("gpa", TRIANGLES, np.full(6, -1))
    with pytest.raises(InputError, match="gpa has no parameter mu to tune"):
        Experiment("gpa", TRIANGLES, labels).tuned()
