"""What all tests share: published data, never downloaded, and no clock on property tests."""

from __future__ import annotations

import importlib
import os
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

import lapwing.data
from lapwing.cli import main
from lapwing.data import Dataset

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"
if "LAPWING_DATA" not in os.environ and _BESIDE.is_dir():
    os.environ["LAPWING_DATA"] = str(_BESIDE)

settings.register_profile("lapwing", deadline=None)
settings.load_profile("lapwing")


@cache
def _loaded(name: str) -> Dataset:
    return lapwing.data.load(name)


@pytest.fixture(scope="session")
def dataset() -> Callable[[str], Dataset]:
    """``dataset("cora")`` is that data set, or skips the test when its files are not here."""

    def get(name: str) -> Dataset:
        if not lapwing.data.is_present(name):
            pytest.skip(f"files of {name} are not here: set LAPWING_DATA to their folder")
        return _loaded(name)

    return get


@pytest.fixture(scope="session")
def new_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[], str]]:
    """``new_postgres()`` is the address of an empty database; skips where none can be started."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            psycopg = importlib.import_module("psycopg")
            server = importlib.import_module("pgserver").get_server(tmp_path_factory.mktemp("pg"))
    except (ImportError, OSError, RuntimeError, AssertionError) as wrong:
        pytest.skip(f"no PostgreSQL server can be started here: {wrong!r}")
    numbers = count(1)

    def made() -> str:
        address, name = server.get_uri(), f"test{next(numbers)}"
        with psycopg.connect(address, autocommit=True, connect_timeout=10) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return str(address.replace("/postgres?", f"/{name}?"))

    yield made
    server.cleanup()


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest) -> Callable[[], str | None]:
    """``new_database()`` is where a service keeps its data: None (a file), or a PostgreSQL."""
    if request.param == "sqlite":
        return lambda: None
    found: Callable[[], str] = request.getfixturevalue("new_postgres")
    return found


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """``run("info", "karate")`` is one command: exit code, what it printed, what it complained."""
    monkeypatch.setenv("COLUMNS", "200")

    def go(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        return int(stopped.value.code or 0), out, err

    return go
