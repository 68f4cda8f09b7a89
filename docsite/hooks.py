"""What mkdocs calls while it builds: adds the pages made of code, results and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from docsite import algorithms, notebooks, reference, results
from docsite.mathml import MathML
from lapwing.cli.learners import KINDS

STUDIES = "results/index.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let Markdown know formulas, and complete the menu."""
    config.markdown_extensions.append(MathML())
    menu: list[Any] = config.nav or []
    menu += [
        {"Algorithms": [algorithms_index(), *map(algorithms_of, KINDS)]},
        {"Measured": [STUDIES, *studies()]},
        {"Reference": ["reference/index.md", *map(reference.path, reference.rooms())]},
    ]
    config.nav = menu
    return config


def algorithms_index() -> str:
    """The page that lists all algorithms."""
    return "algorithms/index.md"


def algorithms_of(kind: str) -> dict[str, list[dict[str, str]]]:
    """The menu of one kind."""
    entries = algorithms.of_kind(kind)
    return {kind.capitalize(): [{entry.name: algorithms.path(entry)} for entry in entries]}


def studies() -> Iterator[dict[str, Any]]:
    """The menu of committed results: pages of no paper, then paper by paper."""
    for paper, pages in results.studies().items():
        listed = [
            {page.stem: f"results/{page.relative_to(results.FOLDER).as_posix()}"} for page in pages
        ]
        yield from [{paper: listed}] if paper else listed


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add every page that is not written by hand."""
    made = {**algorithms.pages(), **reference.pages(), STUDIES: results.index()}
    for uri, words in made.items():
        files.append(File.generated(config, uri, content=words))
    for path in results.files():
        uri = f"results/{path.relative_to(results.FOLDER).as_posix()}"
        files.append(File.generated(config, uri, abs_src_path=str(path)))
    for path in sorted((Path(config.docs_dir) / "notebooks").glob("*.ipynb")):
        words, pictures = notebooks.page(path)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=words))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files
