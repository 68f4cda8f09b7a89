"""The tables of the store."""

from sqlalchemy import (
    Column,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

VERSION = "0002"
"""Which shape of the tables this program writes."""

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
