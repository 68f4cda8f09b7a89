"""A public name has one meaning in the whole package."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

import lapwing

ROOT = Path(lapwing.__file__).parent
MIGRATIONS = "session/store/migrations/versions"
"""Alembic finds these by fixed names: one revision, upgrade and downgrade per file."""

COMMAND = "the command of this name, beside the function that it calls"
THEOREM = "one theorem per paper; the module of the paper is its namespace"
ALLOWED = {
    "certify": ({"bounds/certification.py", "cli/certify.py"}, COMMAND),
    "classify": ({"session/classification.py", "cli/classify/command.py"}, COMMAND),
    "fetch": ({"data/registry.py", "cli/data.py"}, COMMAND),
    "gallery": ({"figures/gallery.py", "cli/gallery.py"}, COMMAND),
    "play": ({"play/game.py", "cli/play/command.py"}, COMMAND),
    "Rounds": (
        {"session/asking/rounds.py", "client/rounds.py"},
        "the service's client offers the rounds of a system",
    ),
    "Session": (
        {"session/session.py", "client/session.py"},
        "the service's client offers the methods of a session",
    ),
    "main": ({"__main__.py", "cli/app.py"}, "where `python -m lapwing` and `lapwing` start"),
    "mistakes": ({"bounds/theorems/gu2013.py", "bounds/theorems/yang2018.py"}, THEOREM),
    "node_norms": (
        {"bounds/theorems/herbster2005.py", "bounds/theorems/herbster2006.py"},
        THEOREM,
    ),
    "regret": (
        {
            "bounds/theorems/gu2013.py",
            "bounds/theorems/gu2013_selective.py",
            "bounds/theorems/yang2018_bandit.py",
        },
        THEOREM,
    ),
}


def public_names(source: str) -> Iterator[str]:
    """Classes, functions, type aliases and variables at the top level; no constants."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [each.id for each in node.targets if isinstance(each, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        else:
            continue
        constants = isinstance(node, ast.Assign | ast.AnnAssign)
        yield from (name for name in names if name[0] != "_" and not (constants and name.isupper()))


@pytest.fixture(scope="module")
def homes():
    """The files that define each public name."""
    found = defaultdict(set)
    for path in sorted(ROOT.rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if not place.startswith(MIGRATIONS):
            for name in public_names(path.read_text(encoding="utf-8")):
                found[name].add(place)
    return found


def test_names_are_collected(homes):
    """Classes, functions and aliases are seen, private names and constants are not."""
    assert homes["Graph"] == {"graph/graph.py"}
    assert homes["Strategy"] == {"active/contracts.py"}
    source = "class A: ...\ndef b(): ...\nRows = list\nSize: type = int\nMOST = 3\ndef _c(): ...\n"
    assert list(public_names(source)) == ["A", "b", "Rows", "Size"]


def test_a_public_name_is_defined_once(homes):
    """No name is defined in two places but for the few above, exactly where they say."""
    twice = {name: places for name, places in homes.items() if len(places) > 1}
    assert twice == {name: places for name, (places, _) in ALLOWED.items()}
