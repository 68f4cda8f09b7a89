"""The two tables of the store."""

from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table, Text

metadata = MetaData()

sessions = Table(
    "sessions",
    metadata,
    Column("name", String(200), primary_key=True),
    Column("created", String(40), nullable=False),
    Column("header", Text, nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("session", String(200), ForeignKey("sessions.name"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("digest", String(64), nullable=False),
)
