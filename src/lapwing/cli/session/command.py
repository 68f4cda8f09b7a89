"""``lapwing session``: every labelling session, to look at, move, replay and verify."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from lapwing.cli.session import changes, doubts, reports

session = typer.Typer(help="Labelling sessions: list, show, move, replay.", no_args_is_help=True)
COMMANDS: dict[str, Callable[..., Any]] = {
    "list": reports.list_sessions,
    "show": reports.show,
    "export": reports.export,
    "import": changes.import_session,
    "replay": reports.replay,
    "labels": reports.labels,
    "predictions": reports.predictions,
    "certify": reports.proof,
    "leads": reports.leads,
    "explain": reports.explain,
    "odd": doubts.odd,
    "people": doubts.people,
    "rename": changes.rename,
    "delete": changes.delete,
    "merge": changes.merge_sessions,
    "grow": changes.grow,
    "verify": reports.verify,
}
for _name, _command in COMMANDS.items():
    session.command(_name)(_command)
