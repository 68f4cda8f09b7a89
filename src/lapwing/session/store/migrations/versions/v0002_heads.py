"""Heads of logs; sessions told apart by name and graph; chains that begin with the header."""

import json

import sqlalchemy as sa
from alembic import op

from lapwing.session.log.events import chained, root

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Move every session and event into tables of today's shape."""
    connection = op.get_bind()
    op.rename_table("events", "events_0001")
    op.rename_table("sessions", "sessions_0001")
    if connection.dialect.name == "postgresql":
        op.execute("ALTER INDEX sessions_pkey RENAME TO sessions_0001_pkey")
        op.execute("ALTER INDEX events_pkey RENAME TO events_0001_pkey")
    op.create_table(
        "sessions",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("graph_hash", sa.String(64), nullable=False),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("n_events", sa.Integer, nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.UniqueConstraint("name", "graph_hash", name="sessions_by_name_and_graph"),
    )
    op.create_table(
        "events",
        sa.Column("session", sa.Integer, sa.ForeignKey("sessions.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    rows = connection.execute(
        sa.text("SELECT name, created, header FROM sessions_0001 ORDER BY created, name")
    ).all()
    for key, row in enumerate(rows, start=1):
        _moved(connection, key, row.name, row.created, row.header)
    if connection.dialect.name == "postgresql" and rows:
        op.execute(f"SELECT setval(pg_get_serial_sequence('sessions', 'id'), {len(rows)})")
    op.drop_table("events_0001")
    op.drop_table("sessions_0001")


def _moved(connection: sa.Connection, key: int, name: str, created: str, header: str) -> None:
    """One session: its chain is checked as it was, and made anew from the header on.

    From the first line that is not as it was written the old digests stay, so that it still shows.
    """
    stands_on = json.loads(header)
    lines = connection.execute(
        sa.text(
            "SELECT number, line, digest FROM events_0001 WHERE session = :name ORDER BY number"
        ),
        {"name": name},
    ).all()
    before, head, rows, sound = "", root(created, stands_on), [], True
    for position, line in enumerate(lines, start=1):
        before = chained(before, line.line)
        sound = sound and before == line.digest and line.number == position
        head = chained(head, line.line) if sound else line.digest
        rows.append({"s": key, "n": line.number, "l": line.line, "d": head})
    connection.execute(
        sa.text(
            "INSERT INTO sessions (id, name, graph_hash, created, header, n_events, head) "
            "VALUES (:id, :name, :hash, :created, :header, :n, :head)"
        ),
        {
            "id": key,
            "name": name,
            "hash": str(stands_on.get("graph_hash", "")),
            "created": created,
            "header": json.dumps(stands_on, sort_keys=True),
            "n": max((line.number for line in lines), default=0),
            "head": head,
        },
    )
    if rows:
        connection.execute(
            sa.text("INSERT INTO events (session, number, line, digest) VALUES (:s, :n, :l, :d)"),
            rows,
        )


def downgrade() -> None:
    """Names alone cannot tell sessions apart again."""
    raise NotImplementedError("tables of version 0002 cannot be made 0001 again")
