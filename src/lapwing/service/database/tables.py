"""The tables of the service: tokens, graphs, sessions, replies, leases, snapshots, the trail."""

from sqlalchemy import Column, Float, Index, Integer, MetaData, String, Table, Text

SERVICE_VERSION = 2
"""The shape of these tables that this program writes."""

service_tables = MetaData()

service_version = Table(
    "service_version", service_tables, Column("version", Integer, primary_key=True)
)

tokens = Table(
    "service_tokens",
    service_tables,
    Column("id", String(32), primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("team", String(100), nullable=False),
    Column("person", String(100), nullable=False),
    Column("role", String(20), nullable=False),
    Column("created", String(40), nullable=False),
    Column("revoked", String(40)),
)

graphs = Table(
    "service_graphs",
    service_tables,
    Column("id", String(32), primary_key=True),
    Column("team", String(100), nullable=False),
    Column("name", String(200), nullable=False),
    Column("facts", Text, nullable=False),
    Column("created", String(40), nullable=False),
)

shared_sessions = Table(
    "service_sessions",
    service_tables,
    Column("id", String(32), primary_key=True),
    Column("team", String(100), nullable=False),
    Column("name", String(200), nullable=False),
    Column("graph", String(32), nullable=False),
    Column("choices", Text, nullable=False),
    Column("created", String(40), nullable=False),
)

replies = Table(
    "service_replies",
    service_tables,
    Column("scope", String(230), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("fingerprint", String(64), nullable=False),
    Column("body", Text, nullable=False),
    Column("at", Float, nullable=False, index=True),
)

leases = Table(
    "service_leases",
    service_tables,
    Column("session", String(32), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("until", Float, nullable=False),
)

snapshots = Table(
    "service_snapshots",
    service_tables,
    Column("session", String(32), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("head", String(64), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("made_with", String(200), nullable=False),
)

trail = Table(
    "service_trail",
    service_tables,
    Column("id", Integer, primary_key=True),
    Column("at", String(40), nullable=False),
    Column("team", String(100), nullable=False),
    Column("person", String(100), nullable=False),
    Column("action", String(40), nullable=False),
    Column("target", String(64), nullable=False),
    Column("detail", Text, nullable=False),
    Index("service_trail_by_team", "team", "id"),
)
