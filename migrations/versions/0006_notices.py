"""What people are told when they are away: of what, by which way, and what they look at meanwhile."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

NOW = sa.text("now()")
MOMENT = sa.DateTime(timezone=True)


def of_person(table: str) -> sa.ForeignKeyConstraint:
    """What belongs to a person goes with them."""
    return sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=f"fk_{table}_user_id", ondelete="CASCADE")


def of_table(table: str) -> sa.ForeignKeyConstraint:
    """What is told of a table goes with it."""
    return sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{table}_table_id", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "notices",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("since", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("told", sa.Boolean, nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", "kind", "number", name="pk_notices"),
        of_person("notices"),
        of_table("notices"),
    )
    op.create_index("ix_notices_table_id", "notices", ["table_id"])
    op.create_table(
        "looks",
        sa.Column("process", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("visible", sa.Boolean, nullable=False),
        sa.Column("awake", sa.Integer, server_default=sa.text("-1"), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", "process", name="pk_looks"),
        of_person("looks"),
        of_table("looks"),
    )
    op.create_index("ix_looks_table_id", "looks", ["table_id"])
    op.create_table(
        "hushes",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "table_id", name="pk_hushes"),
        of_person("hushes"),
        of_table("hushes"),
    )
    op.create_index("ix_hushes_table_id", "hushes", ["table_id"])
    op.create_table(
        "subscriptions",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("login_id", sa.BigInteger, nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("public", sa.Text, nullable=False),
        sa.Column("auth", sa.Text, nullable=False),
        sa.Column("failures", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", MOMENT, server_default=NOW, nullable=False),
        sa.UniqueConstraint("endpoint", name="uq_subscriptions_endpoint"),
        of_person("subscriptions"),
        sa.ForeignKeyConstraint(["login_id"], ["logins.id"], name="fk_subscriptions_login_id", ondelete="CASCADE"),
    )
    op.create_index("ix_subscriptions_user_id", "subscriptions", ["user_id"])
    op.create_index("ix_subscriptions_login_id", "subscriptions", ["login_id"])
    op.create_table(
        "pushes",
        sa.Column("id", sa.BigInteger, primary_key=True),
        sa.Column("subscription_id", sa.BigInteger, nullable=False),
        sa.Column("items", sa.dialects.postgresql.JSONB, nullable=False),
        sa.Column("due_at", MOMENT, nullable=False),
        sa.Column("tries", sa.Integer, server_default=sa.text("0"), nullable=False),
        sa.UniqueConstraint("subscription_id", name="uq_pushes_subscription_id"),
        sa.ForeignKeyConstraint(
            ["subscription_id"], ["subscriptions.id"], name="fk_pushes_subscription_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_pushes_due_at", "pushes", ["due_at"])
    op.create_table(
        "keys",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )


def downgrade() -> None:
    for table in ("keys", "pushes", "subscriptions", "hushes", "looks", "notices"):
        op.drop_table(table)
