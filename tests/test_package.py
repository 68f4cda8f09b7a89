"""What a user sees first: the names at the top, and the README's own words."""

import re
import subprocess
import sys
from pathlib import Path

import lapwing

ROOT = Path(__file__).resolve().parents[1]


def test_the_names_at_the_top_are_sorted_and_there():
    assert sorted(lapwing.__all__) == lapwing.__all__
    for name in (*lapwing.__all__, *lapwing._ROOMS):
        assert getattr(lapwing, name) is not None
    assert set(lapwing._ROOMS) <= set(dir(lapwing))


def test_the_readmes_library_example_runs_and_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "[0 0 0 1 1 1]"


def test_the_library_alone_brings_no_screen_and_no_server():
    heavy = ("typer", "matplotlib", "sqlalchemy", "duckdb", "networkx", "sklearn")
    code = f"import lapwing, sys; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_readme_points_only_to_what_is_there():
    targets = re.findall(r"\]\(([^)#]+)\)", (ROOT / "README.md").read_text())
    assert "docs/start.md" in targets
    for target in targets:
        assert "://" in target or (ROOT / target).exists(), f"{target} is not there"
