"""What profiles count of a result: how many sat there, who they were, and where the points came from."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

NUMBERS = ("seats", "people", "bots")


def upgrade() -> None:
    for name in NUMBERS:
        op.add_column("results", sa.Column(name, sa.SmallInteger, server_default="0", nullable=False))
    op.add_column("results", sa.Column("parts", JSONB, server_default=sa.text("'[]'"), nullable=False))
    op.create_index("ix_results_slug", "results", ["slug", "at"])
    op.execute("""
        UPDATE results SET seats = counted.seats, people = counted.people, bots = counted.bots
        FROM (
          SELECT table_id, count(*) AS seats, count(user_id) AS people, count(*) FILTER (WHERE bot <> '') AS bots
          FROM results GROUP BY table_id
        ) AS counted
        WHERE counted.table_id = results.table_id
    """)
    op.execute("""
        UPDATE results SET parts = sheet -> 'parts'
        FROM tables, jsonb_array_elements(tables.scores) AS sheet
        WHERE tables.id = results.table_id AND jsonb_typeof(tables.scores) = 'array'
          AND CAST(sheet ->> 'seat' AS int) = results.seat
    """)


def downgrade() -> None:
    op.drop_index("ix_results_slug", "results")
    op.drop_column("results", "parts")
    for name in reversed(NUMBERS):
        op.drop_column("results", name)
