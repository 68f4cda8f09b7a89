"""Short runs of `bench.durability`: what was acknowledged is in the log, once, and unchanged."""

import importlib
import warnings

import pytest

from bench import durability


def test_four_writers_killed_at_random_lose_and_double_nothing(tmp_path):
    found = durability.kills(tmp_path, 8)
    assert found["kills"] == 12
    assert found["acknowledged"] > 0
    assert (found["lost"], found["doubled"], found["wrong"]) == (0, 0, 0)


def test_a_disk_that_fills_up_loses_nothing(tmp_path):
    found = durability.full_disk(tmp_path)
    assert "nothing was recorded" in found["said"]
    assert (found["after"], found["lost or doubled"]) == (50, 0)


def test_bits_flipped_in_the_file_never_change_an_answer(tmp_path):
    found = durability.flips(tmp_path, 30)
    assert found["wrong"] == 0
    assert found["noticed"] > 0


def test_a_server_killed_under_four_writers_loses_nothing(tmp_path):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            importlib.import_module("psycopg")
            importlib.import_module("pgserver").get_server(tmp_path / "try").cleanup()
    except (ImportError, OSError, RuntimeError, AssertionError) as wrong:
        pytest.skip(f"no PostgreSQL server can be started here: {wrong!r}")
    found = durability.servers(tmp_path, 2, least=20)
    assert found["acknowledged"] >= 20
    assert (found["lost"], found["doubled"], found["wrong"]) == (0, 0, 0)


def test_a_session_can_be_reopened_at_any_size(tmp_path):
    rows = durability.growth(tmp_path, (100, 300))
    assert [row["answers"] for row in rows] == [100, 300]
