"""``lapwing session``: answers that look wrong, and what people mix up."""

from __future__ import annotations

from typing import Annotated

import typer

from lapwing.cli.compiling import preparing
from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, print_json, rows_table
from lapwing.cli.session.opening import DbOption, GraphOption, NameArgument, opened, store_at
from lapwing.session.reading.odd_answers import FEWEST, LIKELY

_JUDGING = "judging each answer by the others"


def odd(
    name: NameArgument,
    least: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="How likely an answer must be wrong.")
    ] = LIKELY,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Show the answers that look wrong: what the others say about their nodes speaks against them.

    Look at them again with o in lapwing label. Example: lapwing session odd karate --least 0.2
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing(_JUDGING):
            found, labels = held.odd_answers(least=least), held.n_labels
    columns = ("node", "label", "likelier", "wrong", "by")
    rows = [
        (str(each.node), each.label, each.likelier, round(each.wrong, 3), ", ".join(each.by))
        for each in found
    ]
    if json:
        odd_rows = [dict(zip(columns, row, strict=True)) for row in rows]
        print_json({"name": name, "labels": labels, "odd": odd_rows})
        return
    if rows:
        console.print(rows_table(columns, rows))
    else:
        console.print(f"None of {labels:,} answers is at least {least:.0%} likely wrong.")
    if labels < FEWEST:
        console.print(f"With fewer than {FEWEST} labels, these are hints at best.", style="dim")


def people(
    name: NameArgument,
    db: DbOption = None,
    graph: GraphOption = None,
    json: JsonOption = False,
) -> None:
    """Show how often each person is right, and which classes they mix up.

    Example: lapwing session people karate
    """
    with store_at(db) as store:
        held = opened(store, name, graph)
        with preparing(_JUDGING):
            found = held.people_errors()
    if json:
        print_json(
            {
                "name": name,
                "people": {
                    who: {
                        "answers": each.answers,
                        "right": each.right,
                        "classes": list(each.classes),
                        "said": [list(row) for row in each.said],
                    }
                    for who, each in found.items()
                },
            }
        )
        return
    rows = [
        (who, each.answers, f"{each.right:.0%}", _mix_ups(each.mix_ups()))
        for who, each in found.items()
    ]
    console.print(rows_table(("person", "answers", "right, about", "mixes up"), rows))


def _mix_ups(found: list[tuple[str, str, float]], most: int = 3) -> str:
    """The commonest mix-ups, in words."""
    return "; ".join(f"says {said} for {right}: {share:.0%}" for right, said, share in found[:most])
