"""A page an algorithm, made from the catalog, its docstring and what was measured."""

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
    "rank": "Rows from eigenvectors 2..rank of the Laplacian; None takes all.",
    "bias": "b of the kernel L+ + b 11'.",
    "normalized": "Rows of the normalised Laplacian.",
    "unit_rows": "Each row scaled to length 1.",
    "mu": "Ridge penalty, positive.",
    "every_label": "Learn from every label it gets, not only from mistakes.",
    "seed": "Of all that is drawn at random.",
    "tol": "The tolerance at which iterating stops.",
}
"""Said where a docstring does not say more."""


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
    """Where an algorithm's page lies."""
    return f"algorithms/{entry.name}.md"


def index() -> str:
    """All algorithms by kind."""
    parts = [
        "# Algorithms",
        'Each is made by its name: `lapwing.make("NAME", graph)`. If you do not want to choose, '
        f"take [`{DEFAULT}`]({DEFAULT}.md); [Choose a learner](../choose-a-learner.md) helps "
        "otherwise.",
    ]
    for kind, title in KINDS.items():
        parts += [f"## {title}", "| name | what it does | from |\n|---|---|---|"]
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
    """One algorithm: what it is, how it is called, what it does, how it did."""
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
        *([f"In the catalog: {maker.summary}"] if maker else []),
        *said.notes,
    ]
    if said.departures:
        parts += ["## Departures from the paper", *map(_plain, said.departures)]
    if measured:
        parts += ["## Measured", "Mean ± standard deviation.", table(measured)]
    if said.examples:
        parts += ["## Example", fenced(said.examples)]
    if said.references:
        parts += ["## Reference", said.references]
    return "\n\n".join(part for part in parts if part) + "\n"


def parameters(entry: Entry, said: Docstring, maker: Docstring | None = None) -> str:
    """A table of what may be set, the defaults in the catalog, and what the docstring says."""
    if not entry.parameters:
        return "None: there is nothing to set."
    words = {**GENERAL, **said.parameters, **(maker.parameters if maker else {})}
    lines = [
        f"| `{name}` | `{default!r}` | {in_cell(words.get(name, ''))} |"
        for name, default in entry.parameters.items()
    ]
    table = "\n".join(["| name | default | meaning |\n|---|---|---|", *lines])
    return table if entry.rows is None else f"{table}\n\n{_about_rows(entry)}"


def _about_rows(entry: Entry) -> str:
    names = ", ".join(f"`{name}`" for name in entry.row_settings)
    return (
        f"{names} say which rows `lapwing.embed.{laplacian.__name__}` makes of a graph; "
        "given an array in place of a graph, they do not apply."
    )


def _sentence(words: str) -> str:
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")


def _plain(departure: str) -> str:
    """A paragraph without the word that the heading already says."""
    said = departure.partition(":")[2].strip()
    return said[:1].upper() + said[1:]
