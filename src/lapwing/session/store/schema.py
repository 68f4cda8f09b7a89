"""The tables of the database: created, recognised and brought up to date."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.engine import Connection, Engine

from lapwing.optional import need
from lapwing.session.store.files import APPLICATION
from lapwing.session.store.logs import StoreError

VERSION = "0002"
"""The version of the tables that this program writes."""
EARLIER = ("0001",)
ADVISORY_LOCK = 0x1A9

metadata = MetaData()

sessions = Table(
    "sessions",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False),
    Column("graph_hash", String(64), nullable=False),
    Column("created", String(40), nullable=False),
    Column("header", Text, nullable=False),
    Column("n_events", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    UniqueConstraint("name", "graph_hash", name="sessions_by_name_and_graph"),
)

events = Table(
    "events",
    metadata,
    Column("session", Integer, ForeignKey("sessions.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)

versions = Table("alembic_version", metadata, Column("version_num", String(32), primary_key=True))


def made(connection: Connection) -> None:
    """Make the tables of an empty database, all at once."""
    metadata.create_all(connection)
    connection.execute(insert(versions).values(version_num=VERSION))
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION}")


def made_or_upgraded(engine: Engine, where: str, file: Path | None, *, lost: bool) -> None:
    """Bring the tables up to date; alembic runs only if they are older.

    `lost` says that the file came without the ``-wal`` file that SQLite would look for.
    """
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({ADVISORY_LOCK})"))
        version = _version(connection, where, file, lost=lost)
        if version is None:
            made(connection)
        elif version in EARLIER:
            migrate(connection)
        elif version != VERSION:
            raise StoreError(
                f"{where} must have tables of version {VERSION} or older, got {version}: "
                "it was written by a newer lapwing"
            )
    if file is not None and version in EARLIER:
        file.chmod(0o600)


def _version(connection: Connection, where: str, file: Path | None, *, lost: bool) -> str | None:
    """The version of the tables; None where there are none and may be made."""
    tables = set(inspect(connection).get_table_names())
    ours = {"sessions", "events", "alembic_version"}
    if file is None and not ours & tables:
        return None
    if not ours <= tables:
        hint = "; was it copied without the file that ends in -wal?" if lost else ""
        raise StoreError(f"{where} is not a database of lapwing sessions{hint}")
    found = stored_version(connection)
    if found is None:
        raise StoreError(f"{where} must contain the version of its tables")
    marked = file is not None and found not in EARLIER
    if marked and connection.exec_driver_sql("PRAGMA application_id").scalar() != APPLICATION:
        raise StoreError(f"{where} is not a database of lapwing sessions, or it is damaged")
    return found


def stored_version(connection: Connection) -> str | None:
    """The migration that the tables are at, if they say exactly one."""
    found = connection.execute(select(versions.c.version_num)).scalars().all()
    return str(found[0]) if len(found) == 1 else None


def migrate(connection: Connection) -> None:
    """Run the migrations that the database has not seen."""
    command = need("alembic.command", extra="session")
    config = need("alembic.config", extra="session").Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION}")
