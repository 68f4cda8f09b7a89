"""What a user sees first: the names at the top, and the README's own words."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lapwing

ROOT = Path(__file__).resolve().parents[1]


def test_the_names_at_the_top_are_sorted_and_there():
    assert sorted(lapwing.__all__) == lapwing.__all__
    for name in (*lapwing.__all__, *lapwing._ROOMS):
        assert getattr(lapwing, name) is not None
    assert set(lapwing._ROOMS) <= set(dir(lapwing))
    assert set(lapwing._ROOM_OF) == set(lapwing.__all__)


def test_the_readmes_library_example_runs_and_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "[0 0 0 1 1 1]"


HEAVY = (
    "PIL", "alembic", "anywidget", "dask", "distributed", "duckdb", "fastapi", "matplotlib",
    "networkx", "numba", "numpy", "pandas", "polars", "prometheus_client", "pyarrow", "pydantic",
    "scipy", "sklearn", "sqlalchemy", "starlette", "structlog", "uvicorn",
)  # fmt: skip
"""Packages that take long to import."""
SLOW_PARTS = ("scipy.optimize", "scipy.stats", "typer")


def loaded(code, modules):
    """Which of the modules are loaded once the code has run."""
    tail = f"\nimport sys; print([m for m in {modules} if m in sys.modules], file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    return ast.literal_eval(done.stderr.splitlines()[-1])


def command(*arguments):
    """The code that runs one command and goes on."""
    return (
        "from lapwing.cli import main\n"
        f"try: main({list(arguments)!r})\nexcept SystemExit as done: assert not done.code"
    )


def test_importing_the_package_loads_nothing_heavy():
    assert loaded("import lapwing", (*HEAVY, *SLOW_PARTS)) == []


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["-h"]])
def test_help_and_version_load_nothing_heavy(arguments):
    assert loaded(command(*arguments), HEAVY) == []


def test_what_the_library_offers_loads_no_screen_and_no_server():
    code = "import lapwing; lapwing.make, lapwing.Graph, lapwing.play, lapwing.read_graph"
    heavy = set(HEAVY) - {"numba", "numpy", "scipy"}
    assert loaded(code, (*sorted(heavy), *SLOW_PARTS)) == []


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        (["learners", "auto"], {"numba", "numpy", "scipy"}),
        (["data", "list"], {"numba", "numpy", "scipy"}),
        (["session", "list", "--db", "sqlite://"], {"numba", "numpy", "scipy", "sqlalchemy"}),
        (["play", "--help"], {"numba", "numpy", "scipy"}),
        (["demo", "--help"], {"numba", "numpy", "scipy", "sqlalchemy"}),
    ],
)
def test_commands_load_only_what_they_need(arguments, needed):
    by_typer = {"pydantic"}  # typer needs it to read options
    wanted = [*(set(HEAVY) - needed - by_typer), "scipy.optimize", "scipy.stats"]
    assert loaded(command(*arguments), wanted) == []


def test_play_is_the_function_whatever_was_imported_before():
    code = "import lapwing.play, lapwing.catalog, lapwing; assert lapwing.play.__name__ == 'play'"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "from lapwing import play; import lapwing; assert lapwing.play is play; play.__code__"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_readme_points_only_to_what_is_there():
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert "docs/start.md" in targets
    for target in targets:
        assert "://" in target or (ROOT / target).exists(), f"{target} is not there"
