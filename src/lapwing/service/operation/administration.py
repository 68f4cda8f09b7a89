"""``lapwing token``, ``lapwing backup`` and ``lapwing restore``: what an administrator does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from lapwing.cli.inputs import JsonOption
from lapwing.cli.output import console, print_json, rows_table
from lapwing.errors import InputError
from lapwing.optional import need
from lapwing.service.operation.settings import settings_from

token = typer.Typer(help="Tokens of the service: create, list, revoke.", no_args_is_help=True)
FolderOption = Annotated[Path | None, typer.Option(help="The service's folder.")]
DatabaseOption = Annotated[str | None, typer.Option(help="A file or a PostgreSQL address.")]
SettingsOption = Annotated[Path | None, typer.Option(help="A TOML file of settings.")]


@token.command("create")
def create_token(
    person: Annotated[str, typer.Argument(help="Whose token it is.")],
    role: Annotated[str, typer.Option(help="viewer, annotator or owner.")] = "annotator",
    team: Annotated[str, typer.Option(help="The team whose sessions it opens.")] = "main",
    folder: FolderOption = None,
    database: DatabaseOption = None,
    settings: SettingsOption = None,
    json: JsonOption = False,
) -> None:
    """Create a token and show it once.

    Example: lapwing token create ada --role owner
    """
    tokens = need("lapwing.service.people.tokens", extra="service")
    people = need("lapwing.service.people.person", extra="service")
    with _database(folder, database, settings, new=True) as store, store.together() as connection:
        made, secret = tokens.created_token(connection, person, people.Role.named(role), team)
    if json:
        print_json({"id": made, "token": secret, "person": person, "role": role, "team": team})
    else:
        console.print(f"token {made} for {person} ({role} of team {team}); it is not shown again:")
        console.print(secret, soft_wrap=True, highlight=False)


@token.command("list")
def list_tokens(
    folder: FolderOption = None,
    database: DatabaseOption = None,
    settings: SettingsOption = None,
    json: JsonOption = False,
) -> None:
    """List all tokens, without their text.

    Example: lapwing token list
    """
    tokens = need("lapwing.service.people.tokens", extra="service")
    with _database(folder, database, settings) as store, store.reading() as connection:
        rows = tokens.listed_tokens(connection)
    if json:
        print_json({"tokens": rows})
    else:
        columns = ("id", "team", "person", "role", "created", "revoked")
        console.print(rows_table(columns, [[row[c] or "" for c in columns] for row in rows]))


@token.command("revoke")
def revoke_token(
    id: Annotated[str, typer.Argument(help="The id that lapwing token list shows.")],
    folder: FolderOption = None,
    database: DatabaseOption = None,
    settings: SettingsOption = None,
) -> None:
    """Revoke a token; it stops working within a second.

    Example: lapwing token revoke 3f2a9c1b7d5e
    """
    tokens = need("lapwing.service.people.tokens", extra="service")
    with _database(folder, database, settings) as store, store.together() as connection:
        tokens.revoked_token(connection, id)
    console.print(f"token {id} is revoked")


def backup(
    output: Annotated[Path, typer.Argument(help="The archive to write: a .tar file.")],
    folder: FolderOption = None,
    database: DatabaseOption = None,
    settings: SettingsOption = None,
) -> None:
    """Write the database and all graphs to one archive; the service may keep running.

    Example: lapwing backup monday.tar --folder work
    """
    archives = need("lapwing.service.database.backup", extra="service")
    chosen = _known(settings_from(settings, folder=folder, database=database))
    told = archives.backed_up(chosen, output)
    console.print(f"{told['sessions']} sessions and {told['graphs']} graphs written to {output}")


def restore(
    archive: Annotated[Path, typer.Argument(help="An archive that lapwing backup wrote.")],
    folder: Annotated[Path, typer.Option(help="A folder that does not exist yet.")],
) -> None:
    """Restore an archive into a new folder, and verify every log in it.

    Example: lapwing restore monday.tar --folder restored
    """
    archives = need("lapwing.service.database.backup", extra="service")
    told = archives.restored(archive, folder)
    console.print(f"{told['sessions']} sessions verified and restored into {folder}")


def _known(chosen: Any) -> Any:
    """The settings, if there is a service with them; `serve` and a first token begin one."""
    if chosen.database is None and not chosen.folder.joinpath("service.db").exists():
        raise InputError(f"{chosen.folder} is no folder of a service: it has no service.db")
    return chosen


@contextmanager
def _database(
    folder: Path | None, database: str | None, file: Path | None, *, new: bool = False
) -> Iterator[Any]:
    chosen = settings_from(file, folder=folder, database=database)
    if not new:
        _known(chosen)
    schema = need("lapwing.service.database.schema", extra="service")
    store_type = need("lapwing.session.store.store", extra="session").Store
    with store_type(chosen.database_address) as store:
        schema.service_tables_made(store.engine, store.where)
        yield store
