"""The store's tables: the same whether made at once or migrated; alembic only when needed."""

import json
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing

import pytest
from sqlalchemy import create_engine, inspect, text

from lapwing.session import Event, Store, StoreError
from lapwing.session.log.events import chained
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


def earlier(path, sessions=(), *, wal=False):
    """A database as the first program wrote it; each session is a name, a header and events."""
    raw = sqlite3.connect(path)
    raw.execute(f"PRAGMA journal_mode={'WAL' if wal else 'DELETE'}")
    raw.executescript(
        """
        CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL,
            CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num));
        INSERT INTO alembic_version VALUES ('0001');
        CREATE TABLE sessions (name VARCHAR(200) NOT NULL, created VARCHAR(40) NOT NULL,
            header TEXT NOT NULL, PRIMARY KEY (name));
        CREATE TABLE events (session VARCHAR(200) NOT NULL, number INTEGER NOT NULL,
            line TEXT NOT NULL, digest VARCHAR(64) NOT NULL, PRIMARY KEY (session, number),
            FOREIGN KEY(session) REFERENCES sessions (name));
        """
    )
    for name, header, events in sessions:
        row = (name, "2026-01-01T00:00:00Z", json.dumps(header, sort_keys=True))
        raw.execute("INSERT INTO sessions VALUES (?, ?, ?)", row)
        digest = ""
        for event in events:
            digest = chained(digest, event.line())
            row = (name, event.number, event.line(), digest)
            raw.execute("INSERT INTO events VALUES (?, ?, ?, ?)", row)
    raw.commit()
    return raw


OLD = [
    Event(1, "class", "2026-01-01T00:00:00Z", "me", detail={"name": "red"}),
    Event(2, "told", "2026-01-01T00:00:01Z", "me", node=0, label=0),
    Event(3, "told", "2026-01-01T00:00:02Z", "me", node=5, label=0),
]


def test_sessions_of_an_earlier_database_are_kept_and_get_a_head(tmp_path):
    old = tmp_path / "old.db"
    old.touch(mode=0o644)
    header = {"graph_hash": "abc", "n_nodes": 8, "learner": "auto"}
    earlier(old, [("one", header, OLD), ("two", {"n_nodes": 8}, OLD[:1])]).close()
    with Store(old) as store:
        assert [(r.name, r.n_events) for r in store.records()] == [("one", 3), ("two", 1)]
        assert store.events("one") == [Event.parsed(event.line()) for event in OLD]
        assert store.record("one").header == header
        assert store.verified("one") == store.record("one").head
        store.append("one", Event(4, "skipped", "2026-01-01T00:00:03Z", "me", node=1))
    assert stat.S_IMODE(old.stat().st_mode) == 0o600
    with Store(old) as store:
        assert len(store.events("one")) == 4
        store.verified("one")
        assert store.create("three", "2026-01-02T00:00:00Z", {}).key == 3


def test_a_line_changed_before_the_migration_still_shows_after_it(tmp_path):
    old = tmp_path / "old.db"
    with closing(earlier(old, [("one", {"n_nodes": 8}, OLD)])) as raw, raw:
        raw.execute("UPDATE events SET line = replace(line, '\"node\":0', '\"node\":4')")
    with (
        Store(old) as store,
        pytest.raises(StoreError, match="event 2 was changed after it was written"),
    ):
        store.verified("one")


def test_an_earlier_database_copied_without_its_wal_is_refused(tmp_path):
    old, copy = tmp_path / "old.db", tmp_path / "copy.db"
    with closing(earlier(old, [("one", {"n_nodes": 8}, OLD)], wal=True)):
        copy.write_bytes(old.read_bytes())
        assert (tmp_path / "old.db-wal").stat().st_size > 0
        with pytest.raises(StoreError, match=r"not a database of lapwing.*copied without.*-wal"):
            Store(copy)
    assert copy.read_bytes()[18] == 2


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
    earlier(old).close()
    assert loads_alembic(old)
    assert not loads_alembic(old)


def test_a_database_of_a_newer_program_is_refused(tmp_path):
    with Store(tmp_path / "s.db") as store, store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match="got 9999: it was written by a newer lapwing"):
        Store(tmp_path / "s.db")
