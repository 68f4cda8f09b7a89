"""The shape of the store's tables: made at once in a new database, migrated in an older one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from lapwing.errors import InputError
from lapwing.optional import need
from lapwing.session.store.tables import metadata

VERSION = "0001"
"""The newest migration: what `tables` says is what it leaves behind."""


def upgrade(engine: Engine) -> None:
    """Bring the tables to today's shape.

    alembic, which is slow to import, runs only if the database was written by an older program.
    """
    try:
        _upgrade(engine)
    except SQLAlchemyError:
        with engine.connect() as connection:
            if stored_version(connection) != VERSION:  # nobody else did it at the same moment
                raise


def _upgrade(engine: Engine) -> None:
    with engine.begin() as connection:
        stored = stored_version(connection)
        if stored == VERSION:
            return
        if stored is not None and stored > VERSION:
            raise InputError(
                f"the database must be of version {VERSION} or older, got {stored}: "
                "a newer lapwing wrote it"
            )
        if stored is None and not inspect(connection).get_table_names():
            _create(connection)
        else:
            migrate(connection)


def migrate(connection: Connection) -> None:
    """Run the migrations that the database has not seen."""
    config = need("alembic.config", extra="session").Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    need("alembic.command", extra="session").upgrade(config, "head")


def stored_version(connection: Connection) -> str | None:
    """The migration that the database is at; None if it has never seen one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _create(connection: Connection) -> None:
    """The tables of a new database, and the version that alembic will find."""
    metadata.create_all(connection)
    connection.execute(
        text(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, "
            "CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))"
        )
    )
    connection.execute(
        text("INSERT INTO alembic_version (version_num) VALUES (:version)"), {"version": VERSION}
    )
