"""The store's tables: the same whether made at once or migrated; alembic only when needed."""

import subprocess
import sys

import pytest
from sqlalchemy import create_engine, inspect, text

from lapwing.errors import InputError
from lapwing.session import Store
from lapwing.session.store.schema import VERSION, migrate, stored_version

OPENED = """
import sys
from lapwing.session import Store
Store(sys.argv[1]).close()
print("alembic" in sys.modules)
"""


def shape(engine):
    """Tables, columns, keys: whatever a database says about itself."""
    seen = inspect(engine)
    return {
        table: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in seen.get_columns(table)],
            seen.get_pk_constraint(table)["constrained_columns"],
            [key["constrained_columns"] for key in seen.get_foreign_keys(table)],
        )
        for table in seen.get_table_names()
    }


def test_a_new_database_has_the_shape_that_the_migrations_leave(tmp_path):
    migrated = create_engine(f"sqlite:///{tmp_path / 'migrated.db'}")
    with migrated.begin() as connection:
        migrate(connection)
        assert stored_version(connection) == VERSION
    with Store(tmp_path / "new.db") as store:
        assert shape(store.engine) == shape(migrated)
        with store.engine.connect() as connection:
            assert stored_version(connection) == VERSION
    migrated.dispose()


def test_alembic_is_loaded_only_for_an_older_database(tmp_path):
    def loads_alembic(path):
        command = [sys.executable, "-c", OPENED, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip() == "True"

    new, old = tmp_path / "new.db", tmp_path / "old.db"
    assert not loads_alembic(new)
    assert not loads_alembic(new)
    engine = create_engine(f"sqlite:///{old}")
    with engine.begin() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
    engine.dispose()
    assert loads_alembic(old)
    assert not loads_alembic(old)


def test_a_database_of_a_newer_program_is_refused(tmp_path):
    with Store(tmp_path / "s.db") as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(InputError, match="got 9999: a newer lapwing wrote it"):
        Store(tmp_path / "s.db")
