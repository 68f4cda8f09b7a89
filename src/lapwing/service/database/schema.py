"""Make the service's tables, bring older ones up to date, refuse those of a newer program."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import insert, inspect, select, text, update
from sqlalchemy.engine import Connection, Engine

from lapwing.service.database.tables import (
    SERVICE_VERSION,
    service_tables,
    service_version,
    snapshots,
)
from lapwing.session import StoreError

SERVICE_LOCK = 0x1AA
"""The advisory lock of PostgreSQL that makes the tables, once."""


def service_tables_made(engine: Engine, where: str) -> None:
    """Leave the service's tables in today's shape, whole or not at all."""
    with engine.begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({SERVICE_LOCK})"))
        found = _found_version(connection)
        if found is None:
            service_tables.create_all(connection)
            connection.execute(insert(service_version).values(version=SERVICE_VERSION))
        elif found > SERVICE_VERSION:
            raise StoreError(
                f"{where} must have service tables of version {SERVICE_VERSION} or older, "
                f"got {found}: a newer lapwing wrote it"
            )
        else:
            for version in range(found + 1, SERVICE_VERSION + 1):
                STEPS[version](connection)
            connection.execute(update(service_version).values(version=SERVICE_VERSION))


def _with_snapshots(connection: Connection) -> None:
    snapshots.create(connection)


STEPS: dict[int, Callable[[Connection], None]] = {2: _with_snapshots}
"""What brings the tables to each version from the one before."""


def _found_version(connection: Connection) -> int | None:
    if service_version.name not in inspect(connection).get_table_names():
        return None
    return int(connection.execute(select(service_version.c.version)).scalar_one())
