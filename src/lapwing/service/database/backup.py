"""Backups: a consistent copy of the database and the graphs in one archive; checked restores."""

from __future__ import annotations

import shutil
import sqlite3
import tarfile
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from lapwing.errors import InputError
from lapwing.service.operation.settings import ServiceSettings
from lapwing.session import Store, StoreError

DATABASE = "service.db"


def backed_up(settings: ServiceSettings, output: Path) -> dict[str, int]:
    """Write an archive of a service that keeps its database in a file; it may be running.

    SQLite copies the database as of one moment. Graphs never change once they are there, so those
    that the copy names are complete.
    """
    with Store(settings.database_address) as store:
        if store.file is None:
            raise InputError(
                "the database must be a file for lapwing backup; use pg_dump for PostgreSQL and "
                "copy the folder of graphs"
            )
        source = store.file
    if output.exists():
        raise InputError(f"{output} exists already")
    with tempfile.TemporaryDirectory(dir=output.absolute().parent) as folder:
        copy = Path(folder) / DATABASE
        with closing(sqlite3.connect(source)) as live, closing(sqlite3.connect(copy)) as made:
            live.backup(made)
        fresh = Path(folder) / "archive"
        graphs = settings.folder / "graphs"
        found = sorted(graphs.iterdir()) if graphs.is_dir() else []
        known = [each for each in found if each.is_dir()]
        with tarfile.open(fresh, "w") as archive:
            archive.add(copy, DATABASE)
            for each in known:
                archive.add(each, f"graphs/{each.name}")
        fresh.chmod(0o600)
        fresh.replace(output)
        with closing(sqlite3.connect(source)) as live:
            (sessions,) = live.execute("SELECT count(*) FROM service_sessions").fetchone()
    return {"sessions": int(sessions), "graphs": len(known)}


def restored(archive: Path, folder: Path) -> dict[str, Any]:
    """Restore an archive into a new folder; every log's chain is checked first."""
    if folder.exists():
        raise InputError(f"folder must not exist yet, {folder} does")
    folder.absolute().parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.absolute().parent))
    try:
        try:
            with tarfile.open(archive) as packed:
                packed.extractall(fresh, filter="data")
        except (OSError, tarfile.TarError) as wrong:
            raise InputError(f"{archive} must be an archive of lapwing backup: {wrong}") from None
        if not (fresh / DATABASE).is_file():
            raise InputError(f"{archive} must be an archive of lapwing backup, it has no database")
        (fresh / DATABASE).chmod(0o600)
        with Store(fresh / DATABASE) as store:
            records = store.records()
            for record in records:
                store.verified(record)
        fresh.chmod(0o700)
        fresh.rename(folder)
    except (InputError, StoreError):
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return {"sessions": len(records)}
