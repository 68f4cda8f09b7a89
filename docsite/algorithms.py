"""One page per algorithm, made from the catalog, its docstring and the benchmarks."""

from __future__ import annotations

import inspect
from collections import defaultdict
from collections.abc import Mapping, Sequence

from docsite.docstrings import Docstring, fenced, in_cell, parsed
from docsite.results import Row, rows, table
from lapwing.catalog import DEFAULT, ENTRIES, Entry
from lapwing.cli.learners import KINDS
from lapwing.embed import laplacian

GENERAL = {
    "rank": "Use eigenvectors 2..rank of the Laplacian; None uses all.",
    "bias": "The constant b in the kernel L+ + b 11'.",
    "normalized": "Use the normalised Laplacian.",
    "unit_rows": "Scale each row to length 1.",
    "mu": "Ridge penalty, positive.",
    "every_label": "Learn from every label, not only from mistakes.",
    "seed": "Seed of the random number generator.",
    "tol": "Tolerance at which the iteration stops.",
}
"""Descriptions for parameters that a docstring does not explain."""


def pages(measured: Sequence[Row] | None = None) -> dict[str, str]:
    """The Markdown of every page, by its path in the site."""
    by_learner: Mapping[str, list[Row]] = defaultdict(list)
    for row in rows() if measured is None else measured:
        by_learner[row.learner].append(row)
    found = {"algorithms/index.md": index()}
    for entry in ENTRIES.values():
        found[path(entry)] = page(entry, by_learner.get(entry.name, []))
    return found


def path(entry: Entry) -> str:
    """The path of an algorithm's page."""
    return f"algorithms/{entry.name}.md"


def index() -> str:
    """All algorithms by kind."""
    parts = [
        "# Algorithms",
        'Create any of them by name: `lapwing.make("NAME", graph)`. If you are not sure, use '
        f"[`{DEFAULT}`]({DEFAULT}.md) or read [Choose a learner](../choose-a-learner.md).",
    ]
    for kind, title in KINDS.items():
        parts += [f"## {title}", "| Name | What it does | Source |\n|---|---|---|"]
        parts[-1] += "".join(
            f"\n| [`{entry.name}`]({entry.name}.md) | {in_cell(entry.summary)} "
            f"| {in_cell(entry.paper)} |"
            for entry in of_kind(kind)
        )
    return "\n\n".join(parts) + "\n"


def of_kind(kind: str) -> list[Entry]:
    """The entries of one kind, in the catalog's order."""
    return [entry for entry in ENTRIES.values() if entry.kind == kind]


def page(entry: Entry, measured: Sequence[Row]) -> str:
    """One algorithm: what it is, how to create it, what it does, its results."""
    said = parsed(inspect.getdoc(entry.about) or "")
    maker = parsed(inspect.getdoc(entry.build) or "") if entry.build is not entry.about else None
    parts = [
        f"---\ntitle: {entry.name}\n---",
        f"# {entry.name}",
        f"{_sentence(entry.summary)}",
        f"**{entry.kind.capitalize()}** · {entry.paper} · class `{entry.about.__name__}`"
        + (" · the default" if entry.name == DEFAULT else ""),
        f'```python\nlearner = lapwing.make("{entry.name}", graph)\n```',
        "## Parameters",
        parameters(entry, said, maker),
        "## What it does",
        said.summary,
        said.text,
        *([f"As created by name: {maker.summary}"] if maker else []),
        *said.notes,
    ]
    if said.departures:
        parts += ["## Departures from the paper", *map(_plain, said.departures)]
    if measured:
        parts += ["## Benchmarks", "Mean ± standard deviation.", table(measured)]
    if said.examples:
        parts += ["## Example", fenced(said.examples)]
    if said.references:
        parts += ["## Reference", said.references]
    return "\n\n".join(part for part in parts if part) + "\n"


def parameters(entry: Entry, said: Docstring, maker: Docstring | None = None) -> str:
    """A table of the parameters, their defaults and their meaning."""
    if not entry.parameters:
        return "This algorithm has no parameters."
    words = {**GENERAL, **said.parameters, **(maker.parameters if maker else {})}
    lines = [
        f"| `{name}` | `{default!r}` | {in_cell(words.get(name, ''))} |"
        for name, default in entry.parameters.items()
    ]
    table = "\n".join(["| Name | Default | Meaning |\n|---|---|---|", *lines])
    return table if entry.rows is None else f"{table}\n\n{_about_rows(entry)}"


def _about_rows(entry: Entry) -> str:
    names = ", ".join(f"`{name}`" for name in entry.row_settings)
    return (
        f"{names} are passed to `lapwing.embed.{laplacian.__name__}`, which computes the rows. "
        "They have no effect if you pass an array instead of a graph."
    )


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _plain(departure: str) -> str:
    """A paragraph without its first word, which the heading repeats."""
    said = departure.partition(":")[2].strip()
    return said[:1].upper() + said[1:]
