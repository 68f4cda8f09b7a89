"""Hooks for mkdocs: add the pages generated from code, results and notebooks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from docsite import algorithms, notebooks, reference, results, texts
from docsite import studies as study_pages
from docsite.mathml import MathML
from lapwing.cli.learners import KINDS

STUDIES = "results/index.md"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Enable formulas in Markdown and complete the menu."""
    config.markdown_extensions.append(MathML())
    menu: list[Any] = config.nav or []
    menu += [
        {"Algorithms": [algorithms_index(), *map(algorithms_of, KINDS)]},
        {"Benchmarks": [STUDIES, {"The five texts": texts.PAGE}, *studies()]},
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
    """The menu of committed results: general benchmarks first, then paper by paper."""
    for paper, pages in results.studies().items():
        listed = []
        for page in pages:
            name = page.stem if paper else results.title(page)
            listed.append({name: f"results/{page.relative_to(results.FOLDER).as_posix()}"})
        yield from [{paper: listed}] if paper else listed


def committed(config: MkDocsConfig) -> Iterator[File]:
    """Committed results: pages of studies with a picture each, everything else as it is."""
    rows = results.rows()
    for path in results.files():
        uri = f"results/{path.relative_to(results.FOLDER).as_posix()}"
        if path.suffix != ".md" or path.parent == results.FOLDER:
            yield File.generated(config, uri, abs_src_path=str(path))
            continue
        own = [row for row in rows if (row.paper, row.study) == (path.parent.name, path.stem)]
        words, pictures = study_pages.page(path, own)
        yield File.generated(config, uri, content=words)
        for name, picture in pictures.items():
            yield File.generated(config, f"{uri.rpartition('/')[0]}/{name}", content=picture)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add every page that is not written by hand."""
    made = {
        **algorithms.pages(),
        **reference.pages(),
        STUDIES: results.index(),
        texts.PAGE: texts.page(),
    }
    for uri, words in made.items():
        files.append(File.generated(config, uri, content=words))
    for file in committed(config):
        files.append(file)
    for path in sorted((Path(config.docs_dir) / "notebooks").glob("*.ipynb")):
        words, pictures = notebooks.page(path)
        files.append(File.generated(config, f"notebooks/{path.stem}.md", content=words))
        for name, picture in pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files
