"""What all tests share: published data, never downloaded, and no clock on property tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
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
