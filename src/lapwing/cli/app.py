"""The application: commands that are loaded when they are run, and error handling."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

import lapwing
from lapwing.cli.output import errors, waiting
from lapwing.errors import LapwingError

COMMANDS = {
    "info": ("lapwing.cli.info", "Describe a graph and its labels."),
    "label": ("lapwing.cli.label.command", "Label a graph at the keyboard, one key per answer."),
    "classify": (
        "lapwing.cli.classify.command",
        "Predict all nodes' labels from those of a few.",
    ),
    "studio": ("lapwing.studio.command", "Label a graph on a page in your browser."),
    "session": ("lapwing.cli.session.command", "List, show, move, replay and verify sessions."),
    "play": ("lapwing.cli.play.command", "Replay a labelled graph as a stream for learners."),
    "certify": ("lapwing.cli.certify", "Compute the papers' bounds on mistakes and queries."),
    "learners": ("lapwing.cli.learners", "List the algorithms and their parameters."),
    "embed": ("lapwing.cli.embed", "Write one row of numbers per node."),
    "convert": ("lapwing.cli.convert", "Write a graph in another file format."),
    "data": ("lapwing.cli.data", "List and download data sets."),
    "demo": (
        "lapwing.cli.demo.command",
        "Watch a simulated person label digits, or your graph.",
    ),
    "reproduce": ("lapwing.cli.reproduce.command", "Reproduce the papers' tables and figures."),
    "serve": (
        "lapwing.service.operation.command",
        "Serve labelling sessions over HTTP, for a team.",
    ),
    "token": (
        "lapwing.service.operation.administration",
        "Create, list and revoke tokens of the service.",
    ),
    "backup": (
        "lapwing.service.operation.administration",
        "Write the service's data to one archive.",
    ),
    "restore": (
        "lapwing.service.operation.administration",
        "Restore the service's data and verify it.",
    ),
    "gallery": ("lapwing.cli.gallery", "Draw the example graphs of the papers."),
}
"""Each command: the module with a function (or a group) of that name, and one line of help."""
OPTIONS: dict[str, Any] = {
    "rich_markup_mode": "rich",
    "pretty_exceptions_enable": False,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class Commands(TyperGroup):
    """The commands of the table; a command's module is imported when it is run."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, (_, summary) in COMMANDS.items():
            self.commands[name] = TyperCommand(name, help=summary)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the arguments name, loaded, and the arguments left for it."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, loaded(name) if name in COMMANDS else command, rest


def loaded(name: str) -> Any:
    """The command of that name, its module imported."""
    module, _ = COMMANDS[name]
    with waiting("loading the command") if errors.is_terminal else nullcontext():
        found = getattr(import_module(module), name)
    alone = typer.Typer(add_completion=False, **OPTIONS)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
        return get_group(alone).commands[name]
    alone.command(name)(found)
    return get_command(alone)


app = typer.Typer(
    name="lapwing",
    cls=Commands,
    help="Learn the labels of a graph's nodes from as few labels as possible.",
    epilog="Start with: lapwing info karate · lapwing data list · lapwing COMMAND --help",
    no_args_is_help=True,
    **OPTIONS,
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
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except Exception as problem:
        words = in_one_line(problem)
        if words is None:
            raise
        errors.print(f"lapwing: {words}", style="bold red", soft_wrap=True)
        sys.exit(1)


def in_one_line(problem: Exception) -> str | None:
    """What went wrong, for a person; None for an error of the program itself.

    Examples
    --------
    >>> in_one_line(PermissionError(13, "Permission denied", "out.csv"))
    'out.csv: permission denied'
    >>> in_one_line(LapwingError("rank= must be at least 2, header=True or header=False"))
    '--rank must be at least 2, --header or --no-header'
    >>> in_one_line(LapwingError("say label_column (--label-column)"))
    'say --label-column'
    """
    if isinstance(problem, LapwingError):
        return _as_options(" ".join(str(problem).split()))
    if isinstance(problem, OSError):
        why = (problem.strerror or str(problem) or type(problem).__name__).lower()
        return f"{problem.filename}: {why}" if problem.filename else why
    if isinstance(problem, MemoryError):
        return "there is not enough memory for this"
    if type(problem).__module__.startswith("sqlalchemy."):
        why = str(getattr(problem, "orig", None) or problem).splitlines()[0]
        return f"the database cannot be used: {why}"
    return None


def _as_options(message: str) -> str:
    """Arguments of functions as the options of commands: ``header=True`` is ``--header``.

    Where a message names both, as in ``header=True (--header)``, the option alone is kept.
    """
    message = re.sub(r"\b[a-z_]+(?:=True(?: or [a-z_]+=False)?)? \((--[^)]*)\)", r"\1", message)
    message = re.sub(r"(?<![\w-])(header)=False\b", r"--no-\1", message)
    message = re.sub(r"(?<![\w-])(header|multilabel)=True\b", r"--\1", message)
    return re.sub(
        r"(?<![\w-])([a-z]+(?:_[a-z]+)*)=(?=[\s\"'\[(]|$)",
        lambda found: "--" + found[1].replace("_", "-") + _gap(message, found.end()),
        message,
    )


def _gap(message: str, end: int) -> str:
    return "" if end >= len(message) or message[end].isspace() else " "
