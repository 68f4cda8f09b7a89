"""Sessions and their events."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "sessions",
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("created", sa.String(40), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("session", sa.String(200), sa.ForeignKey("sessions.name"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )


def downgrade() -> None:
    """Remove both tables."""
    op.drop_table("events")
    op.drop_table("sessions")
