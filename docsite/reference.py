"""The API reference: one page per module, with its public names."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

import lapwing

HIDDEN = ("lapwing.cli", "lapwing.optional", "lapwing.session.store.migrations", "lapwing.__main__")
PLAIN = ("lapwing.errors", "lapwing.types")
"""Modules that are no folders, and still are rooms."""


def rooms() -> list[ModuleType]:
    """The top itself, every folder that says what is public, and the plain modules."""
    names = [
        found.name
        for found in pkgutil.walk_packages(lapwing.__path__, "lapwing.")
        if (found.ispkg or found.name in PLAIN) and not found.name.startswith(HIDDEN)
    ]
    modules = [lapwing, *map(import_module, names)]
    return [module for module in modules if public(module)]


def public(module: ModuleType) -> list[str]:
    """The names a room offers, rooms inside it left out."""
    offered = getattr(module, "__all__", None)
    if offered is None and module.__name__ in PLAIN:
        offered = [name for name, value in vars(module).items() if _own(module, name, value)]
    names = offered or []
    return [name for name in names if not isinstance(getattr(module, name), ModuleType)]


def pages() -> dict[str, str]:
    """The Markdown of every page, by its path in the site."""
    modules = rooms()
    lines = [
        f"| [`{module.__name__}`]({module.__name__}.md) | {_first_line(module)} |"
        for module in modules
    ]
    found = {
        "reference/index.md": "# Reference\n\nAll public names, one page per module.\n\n"
        "| Module | Purpose |\n|---|---|\n" + "\n".join(lines) + "\n"
    }
    return found | {path(module): page(module) for module in modules}


def path(module: ModuleType) -> str:
    """Where a room's page lies."""
    return f"reference/{module.__name__}.md"


def page(module: ModuleType) -> str:
    """One room: its words, then each of its names."""
    said = inspect.getdoc(module) or ""
    parts = [f"# `{module.__name__}`", said]
    parts += [_entry(module, name) for name in public(module)]
    return "\n\n".join(parts) + "\n"


def _entry(module: ModuleType, name: str) -> str:
    """One name; `Graph` with what its base, which no room offers, tells of it."""
    inherited = "\n    options:\n      inherited_members: true" if name == "Graph" else ""
    return f"::: {module.__name__}.{name}{inherited}"


def _first_line(module: ModuleType) -> str:
    return (inspect.getdoc(module) or "").split("\n\n")[0].replace("\n", " ")


def _own(module: ModuleType, name: str, value: object) -> bool:
    """Whether a plain module defines this public name itself."""
    if name.startswith("_") or isinstance(value, ModuleType):
        return False
    home = getattr(value, "__module__", module.__name__)
    return home == module.__name__ and name != "annotations"
