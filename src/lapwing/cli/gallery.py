"""``lapwing gallery``: the papers' example graphs as pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lapwing.cli.output import console
from lapwing.figures import gallery as pictures
from lapwing.io.tables import check_writable


def gallery(
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the pictures.")] = Path(
        "gallery"
    ),
) -> None:
    """Draw the graphs on which the papers compare bounds. Lighter nodes have a larger K_pp.

    Example: lapwing gallery -o pictures
    """
    check_writable(output / "gallery.png")
    for path in pictures.gallery(output):
        console.print(str(path), markup=False, soft_wrap=True)
