"""Clocks, quiet hours, what happens when time is up, conceding and cancelling."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

EMPTY = sa.text("''")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("users", sa.Column("quiet", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("tables", sa.Column("pace", JSONB, server_default=sa.text("'{}'"), nullable=False))
    op.add_column("tables", sa.Column("marks", sa.Integer, server_default=sa.text("0"), nullable=False))
    op.add_column("seats", sa.Column("quiet", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("seats", sa.Column("cancels", sa.Boolean, server_default=sa.text("false"), nullable=False))
    op.add_column("seats", sa.Column("conceded_id", sa.BigInteger))
    op.add_column("seats", sa.Column("conceded_at", MOMENT))
    op.create_foreign_key("fk_seats_conceded_id", "seats", "users", ["conceded_id"], ["id"])
    op.create_table(
        "marks",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("turn", sa.Integer),
        sa.PrimaryKeyConstraint("table_id", "number", name="pk_marks"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_marks_table_id", ondelete="CASCADE"),
    )
    op.create_table(
        "outages",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("began_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outages"),
    )
    op.create_index("ix_outages_ended_at", "outages", ["ended_at"])
    op.create_table(
        "watch",
        sa.Column("id", sa.SmallInteger, autoincrement=False, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_watch"),
    )
    # Whoever pauses a table: the clocks must know.
    op.execute("""
        CREATE FUNCTION pauses_are_marked() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.marks := NEW.marks + 1;
          INSERT INTO marks (table_id, number, at, version, kind)
          VALUES (NEW.id, NEW.marks, now(), NEW.version, CASE WHEN NEW.paused THEN 'paused' ELSE 'resumed' END);
          RETURN NEW;
        END $$
    """)
    op.execute("""
        CREATE TRIGGER pauses_are_marked BEFORE UPDATE ON tables
        FOR EACH ROW WHEN (OLD.paused <> NEW.paused) EXECUTE FUNCTION pauses_are_marked()
    """)


def downgrade() -> None:
    op.execute("DROP TRIGGER pauses_are_marked ON tables")
    op.execute("DROP FUNCTION pauses_are_marked")
    for name in ("watch", "outages", "marks"):
        op.drop_table(name)
    for name in ("conceded_at", "conceded_id", "cancels", "quiet"):
        op.drop_column("seats", name)
    op.drop_column("tables", "marks")
    op.drop_column("tables", "pace")
    op.drop_column("users", "quiet")
