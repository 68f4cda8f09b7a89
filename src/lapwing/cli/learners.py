"""``lapwing learners``: every algorithm by name."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from lapwing.catalog import DEFAULT, ENTRIES, Entry
from lapwing.catalog.make import named
from lapwing.checks import one_of
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, print_json

KINDS = {
    "online": "Online: learn from a label in every round",
    "selective": "Selective: query the labels they want",
    "bandit": "Bandit: only hear whether the guess was right",
    "batch": "Batch: learn all known labels at once",
}


def learners(
    name: Annotated[str | None, typer.Argument(help="Only this one.")] = None,
    kind: Annotated[str | None, typer.Option(help=f"Only {', '.join(KINDS)}.")] = None,
    json: JsonOption = False,
) -> None:
    """List the learners: what they do, their papers, parameters and defaults.

    Examples: lapwing learners · lapwing learners sslgc · lapwing learners --kind selective
    """
    if kind is not None:
        one_of("kind", kind, KINDS)
    wanted = [named(name)] if name else [e for e in ENTRIES.values() if kind in (None, e.kind)]
    if json:
        print_json({"default": DEFAULT, "learners": [_as_dict(entry) for entry in wanted]})
        return
    for each, title in KINDS.items():
        entries = [entry for entry in wanted if entry.kind == each]
        if entries:
            console.print(f"\n{title}", style="bold")
        for entry in entries:
            _print(entry, departures=name is not None)
    if name is None:
        console.print("\nlapwing learners NAME also lists where it departs from its paper.")


def _as_dict(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "kind": entry.kind,
        "summary": entry.summary,
        "paper": entry.paper,
        "needs": "graph" if entry.rows is None else "rows or graph",
        "parameters": entry.settings,
        "rows": entry.row_settings,
        "departures": entry.departures,
    }


def _print(entry: Entry, *, departures: bool) -> None:
    mark = (" (default)", "green") if entry.name == DEFAULT else ""
    line = Text.assemble((entry.name, "cyan"), mark, "  ", entry.summary)
    console.print(Padding(line, (0, 0, 0, 2)))
    own = ", ".join(f"{name}={value!r}" for name, value in entry.settings.items())
    parts = [entry.paper, own or "nothing to set"]
    if entry.rows is not None:
        shown = {name: entry.row_settings[name] for name in ("rank", *entry.rows)}
        parts.append("rows " + ", ".join(f"{name}={value!r}" for name, value in shown.items()))
    console.print(Padding(Text(" · ".join(parts), "dim"), (0, 0, 0, 6)))
    if departures:
        for each in entry.departures:
            console.print(Padding(Text(f"- {each}", "dim"), (0, 0, 0, 6)))
