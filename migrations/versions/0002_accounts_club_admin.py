"""Accounts, the club's powers, and the record of who did what."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import CIDR, JSONB

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NOW = sa.text("now()")
NO = sa.text("false")
EMPTY = sa.text("''")
NOTHING = sa.text("'{}'")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    people()
    tables()
    club()


def people() -> None:
    op.add_column("users", sa.Column("name_key", sa.Text))
    op.add_column("users", sa.Column("password_hash", sa.Text))
    op.add_column("users", sa.Column("email", sa.Text))
    op.add_column("users", sa.Column("email_confirmed_at", MOMENT))
    op.add_column("users", sa.Column("role", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("users", sa.Column("time_zone", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("users", sa.Column("preferences", JSONB, server_default=NOTHING, nullable=False))
    op.add_column("users", sa.Column("muted_until", MOMENT))
    op.add_column("users", sa.Column("deleted_at", MOMENT))
    op.execute("UPDATE users SET role = 'owner' WHERE admin")
    op.drop_column("users", "admin")
    op.create_index("uq_users_name_key", "users", ["name_key"], unique=True, postgresql_where=sa.text("NOT guest"))
    op.create_index("ix_users_name_key", "users", ["name_key"])
    op.create_index(
        "uq_users_email", "users", ["email"], unique=True, postgresql_where=sa.text("email_confirmed_at IS NOT NULL")
    )
    op.add_column("logins", sa.Column("browser", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("logins", sa.Column("address", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("logins", sa.Column("seen_at", MOMENT, server_default=NOW, nullable=False))
    op.create_table(
        "tokens",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("email", sa.Text, server_default=EMPTY, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=False),
        sa.Column("used_at", MOMENT),
        sa.PrimaryKeyConstraint("id", name="pk_tokens"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_tokens_user_id", ondelete="CASCADE"),
        sa.UniqueConstraint("token_hash", name="uq_tokens_token_hash"),
    )
    op.create_index("ix_tokens_user_id", "tokens", ["user_id"])
    op.create_table(
        "letters",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("email", sa.Text, nullable=False),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("facts", JSONB, server_default=NOTHING, nullable=False),
        sa.Column("due_at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("tries", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("sent_at", MOMENT),
        sa.Column("dropped", sa.Text, server_default=EMPTY, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_letters"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_letters_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_letters_user_id", "letters", ["user_id"])
    op.create_index("ix_letters_due_at", "letters", ["due_at"])
    op.create_table(
        "ratings",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "slug", name="pk_ratings"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_ratings_user_id", ondelete="CASCADE"),
    )


def tables() -> None:
    op.add_column("tables", sa.Column("rated", sa.Boolean, server_default=sa.text("true"), nullable=False))
    op.add_column("tables", sa.Column("password_hash", sa.Text))
    op.add_column("tables", sa.Column("auto_start", sa.Boolean, server_default=NO, nullable=False))
    op.add_column("tables", sa.Column("hidden", sa.Boolean, server_default=NO, nullable=False))
    op.add_column("tables", sa.Column("paused", sa.Boolean, server_default=NO, nullable=False))
    op.add_column("tables", sa.Column("ended", sa.Text, server_default=EMPTY, nullable=False))
    op.add_column("tables", sa.Column("warned_at", MOMENT))
    op.add_column("seats", sa.Column("ready", sa.Boolean, server_default=NO, nullable=False))
    op.add_column("seats", sa.Column("left_id", sa.BigInteger))
    op.add_column("seats", sa.Column("offer_key", sa.Text))
    op.create_foreign_key("fk_seats_left_id", "seats", "users", ["left_id"], ["id"])
    op.create_unique_constraint("uq_seats_offer_key", "seats", ["offer_key"])
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("declined", sa.Boolean, server_default=NO, nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_invitations"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_invitations_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_invitations_user_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name="fk_invitations_by_id", ondelete="SET NULL"),
    )
    op.create_index("ix_invitations_user_id", "invitations", ["user_id"])
    op.create_table(
        "results",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("bot", sa.Text, server_default=EMPTY, nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("total", sa.Integer, nullable=False),
        sa.Column("rank", sa.SmallInteger, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Float),
        sa.Column("sigma", sa.Float),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_results"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_results_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_results_user_id", ondelete="SET NULL"),
    )
    op.create_index("ix_results_user", "results", ["user_id", "slug", "at"])


def club() -> None:
    op.create_table(
        "settings",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", JSONB, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_settings"),
    )
    op.create_table(
        "announcements",
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("language", name="pk_announcements"),
    )
    op.create_table(
        "bans",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("addresses", CIDR),
        sa.Column("reason", sa.Text, server_default=EMPTY, nullable=False),
        sa.Column("until", MOMENT),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bans"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_bans_user_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name="fk_bans_by_id", ondelete="SET NULL"),
    )
    op.create_index("ix_bans_user_id", "bans", ["user_id"])
    op.create_table(
        "editions",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("slug", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("contents", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("offered", sa.Boolean, server_default=sa.text("true"), nullable=False),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_editions"),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name="fk_editions_by_id", ondelete="SET NULL"),
    )
    op.create_index("uq_editions_name", "editions", ["slug", "name"], unique=True)
    op.create_table(
        "audit",
        sa.Column("id", sa.BigInteger, sa.Identity(), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.Column("actor_id", sa.BigInteger),
        sa.Column("act", sa.Text, nullable=False),
        sa.Column("table_id", sa.BigInteger),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("reason", sa.Text, server_default=EMPTY, nullable=False),
        sa.Column("facts", JSONB, server_default=NOTHING, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_at", "audit", ["at"])
    op.create_index("ix_audit_table_id", "audit", ["table_id"])
    op.create_index("ix_audit_user_id", "audit", ["user_id"])
    op.execute("""
        CREATE FUNCTION acts_are_for_ever() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'the record of acts is append-only'; END $$
    """)
    op.execute("""
        CREATE TRIGGER acts_are_for_ever BEFORE UPDATE OR DELETE ON audit
        FOR EACH STATEMENT EXECUTE FUNCTION acts_are_for_ever()
    """)


def downgrade() -> None:
    for name in ("audit", "editions", "bans", "announcements", "settings", "results", "invitations"):
        op.drop_table(name)
    op.execute("DROP FUNCTION acts_are_for_ever")
    op.drop_column("seats", "offer_key")
    op.drop_column("seats", "left_id")
    op.drop_column("seats", "ready")
    for name in ("warned_at", "ended", "paused", "hidden", "auto_start", "password_hash", "rated"):
        op.drop_column("tables", name)
    for name in ("ratings", "letters", "tokens"):
        op.drop_table(name)
    for name in ("seen_at", "address", "browser"):
        op.drop_column("logins", name)
    op.add_column("users", sa.Column("admin", sa.Boolean, server_default=NO, nullable=False))
    op.execute("UPDATE users SET admin = role IN ('owner', 'admin')")
    op.drop_index("uq_users_email", "users")
    op.drop_index("ix_users_name_key", "users")
    op.drop_index("uq_users_name_key", "users")
    for name in ("deleted_at", "muted_until", "preferences", "time_zone", "role"):
        op.drop_column("users", name)
    for name in ("email_confirmed_at", "email", "password_hash", "name_key"):
        op.drop_column("users", name)
