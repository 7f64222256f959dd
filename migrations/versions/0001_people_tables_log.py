"""People, tables and the log that only grows."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

NOW = sa.text("now()")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("guest", sa.Boolean, server_default=sa.text("true"), nullable=False),
        sa.Column("admin", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("language", sa.Text, server_default=sa.text("''"), nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("seen_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_index("ix_users_seen_at", "users", ["seen_at"])
    op.create_table(
        "logins",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_logins"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_logins_user_id", ondelete="CASCADE"),
        sa.UniqueConstraint("token_hash", name="uq_logins_token_hash"),
    )
    op.create_index("ix_logins_user_id", "logins", ["user_id"])
    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("edition", sa.Text, nullable=False),
        sa.Column("edition_digest", sa.Text, nullable=False),
        sa.Column("seat_count", sa.SmallInteger, nullable=False),
        sa.Column("options", JSONB, nullable=False),
        sa.Column("deal", JSONB, server_default=sa.text("'{}'"), nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("status", sa.Text, server_default=sa.text("'waiting'"), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("host_id", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("changed", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("waiting", JSONB, server_default=sa.text("'{}'"), nullable=False),
        sa.Column("scores", JSONB),
        sa.Column("rematch_id", sa.BigInteger),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("started_at", MOMENT),
        sa.Column("moved_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
        sa.UniqueConstraint("key", name="uq_tables_key"),
        sa.ForeignKeyConstraint(["host_id"], ["users.id"], name="fk_tables_host_id"),
        sa.ForeignKeyConstraint(["rematch_id"], ["tables.id"], name="fk_tables_rematch_id"),
    )
    op.create_index("ix_tables_open", "tables", ["status", "public", "created_at"])
    op.create_table(
        "seats",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("bot", sa.Text, server_default=sa.text("''"), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_seats"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_seats_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_seats_user_id"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "entries",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq", name="pk_entries"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_entries_table_id"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_entries_user_id"),
    )
    op.execute("""
        CREATE FUNCTION entries_are_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the log is append-only'; END $$
    """)
    op.execute("""
        CREATE TRIGGER entries_are_for_ever BEFORE UPDATE OR DELETE ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION entries_are_for_ever()
    """)


def downgrade() -> None:
    op.drop_table("entries")
    op.execute("DROP FUNCTION entries_are_for_ever")
    op.drop_table("seats")
    op.drop_table("tables")
    op.drop_table("logins")
    op.drop_table("users")
