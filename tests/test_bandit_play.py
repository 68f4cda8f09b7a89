"""Bandits and Yang 2018's protocol as a user plays them."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from lapwing import Graph, make, play
from lapwing.catalog import PROTOCOLS
from lapwing.cli import app
from lapwing.errors import InputError
from lapwing.learner import BanditLearner, no_feedback

TRIANGLES = Graph.from_edges([(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 5), (5, 3)])
LABELS = np.array([0, 0, 0, 1, 1, 1])


class Stubborn(BanditLearner):
    """Guesses 0, 1, 2, ... for a node that says no."""

    def __init__(self) -> None:
        self.told: dict[int, int] = {}

    n_classes, n_nodes, feedback = 3, 3, no_feedback(3, 3)

    def _scores(self, nodes):
        return np.eye(3)[[self.told.get(node, 0) for node in np.atleast_1d(nodes)]]

    def _guess(self, node: int) -> int:
        return self.told.get(node, 0)

    def _learn(self, node: int, guess: int, correct: bool) -> None:
        self.told[node] = guess if correct else guess + 1


def test_any_bandit_may_guess_again():
    trace = Stubborn().stream(np.arange(3), np.array([0, 2, 1]), tries=2)
    assert trace.guesses.tolist() == [0, 0, 0]
    assert trace.tries.tolist() == [1, 2, 2]


def test_second_guesses_are_played_and_counted():
    game = play(make("molg-b", TRIANGLES, n_classes=2), range(6), LABELS, tries=2)
    numbers = game.summary()
    assert numbers.guesses == 6 + round(6 * numbers.error) == game.learner.n_guesses
    assert game.table()["tries"].sum() == numbers.guesses
    assert game.learner.n_second_guesses == numbers.guesses - 6


@pytest.mark.parametrize(("name", "tries"), [("molg-f", 2), ("molg-b", 0)])
def test_tries_that_make_no_sense_are_refused(name, tries):
    with pytest.raises(InputError, match=f"tries must be at least 1.*got {tries}"):
        play(make(name, TRIANGLES, n_classes=2), range(6), LABELS, tries=tries)


def test_protocol_sets_what_the_table_needs():
    rows = {"rank": 100, "normalized": True, "unit_rows": True}
    wanted = PROTOCOLS["yang2018"].parameters_for
    assert wanted("molg-f", 2485) == rows | {"phi": 10.0, "b": 10.0}
    assert wanted("molg-b", 19717) == rows | {"phi": 10.0, "b": 100.0}
    assert wanted("msg", 1711) == rows | {"phi": 10.0, "h": float("inf"), "b": 10.0}
    assert wanted("linucb", 19717) == rows


def test_command_plays_the_protocol(dataset):
    dataset("cora")
    command = "play cora --learner molg-b --protocol yang2018 --teacher bandit --shuffles 3 --json"
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert told["rounds"] == 2485
    assert told["parameters"]["b"] == 10.0
    assert 100 * told["error"]["mean"] == pytest.approx(20.5, abs=1.2)
    assert told["updates"]["mean"] == pytest.approx(1292, rel=0.03)
    assert told["guesses"]["mean"] == 2485
