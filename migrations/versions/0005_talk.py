"""Talk at tables: remarks, whom somebody does not hear, reports."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

NOW = sa.text("now()")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("tables", sa.Column("talk", sa.Text, server_default=sa.text("'open'"), nullable=False))
    op.create_table(
        "remarks",
        sa.Column("id", sa.BigInteger, autoincrement=True, nullable=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("private", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("removed", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.Column("once", sa.Text, server_default=sa.text("''"), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_remarks"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_remarks_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_remarks_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_remarks_room", "remarks", ["table_id", "room", "id"])
    op.create_index("ix_remarks_user_id", "remarks", ["user_id"])
    op.create_index(
        "uq_remarks_once", "remarks", ["user_id", "once"], unique=True, postgresql_where=sa.text("once <> ''")
    )
    op.create_table(
        "mutes",
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("muted_id", sa.BigInteger, nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("user_id", "muted_id", name="pk_mutes"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_mutes_user_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["muted_id"], ["users.id"], name="fk_mutes_muted_id", ondelete="CASCADE"),
    )
    op.create_index("ix_mutes_muted_id", "mutes", ["muted_id"])
    op.create_table(
        "reports",
        sa.Column("remark_id", sa.BigInteger, nullable=False),
        sa.Column("by_id", sa.BigInteger, nullable=False),
        sa.Column("outcome", sa.Text, server_default=sa.text("''"), nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("remark_id", "by_id", name="pk_reports"),
        sa.ForeignKeyConstraint(["remark_id"], ["remarks.id"], name="fk_reports_remark_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["by_id"], ["users.id"], name="fk_reports_by_id", ondelete="CASCADE"),
    )
    op.create_index("ix_reports_by_id", "reports", ["by_id"])
    op.create_index("ix_reports_open", "reports", ["at"], postgresql_where=sa.text("outcome = ''"))


def downgrade() -> None:
    for table in ("reports", "mutes", "remarks"):
        op.drop_table(table)
    op.drop_column("tables", "talk")
