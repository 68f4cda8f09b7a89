"""The application every command hangs on, and what happens when a command cannot go on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

import lapwing
from lapwing.cli.output import errors
from lapwing.errors import LapwingError

app = typer.Typer(
    name="lapwing",
    help="Learn the labels of a graph's nodes from as few labels as possible.",
    epilog="Start with: lapwing info karate · lapwing data list · lapwing COMMAND --help",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"lapwing {lapwing.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    pass


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command: exit code 0 done, 1 could not be done, 2 wrong usage, 130 interrupted."""
    try:
        app(args=list(arguments) if arguments is not None else None, standalone_mode=True)
    except LapwingError as problem:
        errors.print(f"lapwing: {problem}", style="bold red", markup=False, soft_wrap=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
