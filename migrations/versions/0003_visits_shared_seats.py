"""Who has seen how much of a table, and seats that several people share on one device."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

NOW = sa.text("now()")
MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "visits",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", MOMENT, server_default=NOW, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "user_id", name="pk_visits"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name="fk_visits_table_id", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_visits_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_visits_user_id", "visits", ["user_id"])
    op.create_table(
        "shared_seats",
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.SmallInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("opened", sa.Boolean, server_default=sa.text("false"), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_shared_seats"),
        sa.ForeignKeyConstraint(
            ["table_id", "seat"],
            ["seats.table_id", "seats.seat"],
            name="fk_shared_seats_table_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_shared_seats_user_id", ondelete="CASCADE"),
    )
    op.create_index("ix_shared_seats_user_id", "shared_seats", ["user_id"])


def downgrade() -> None:
    op.drop_table("shared_seats")
    op.drop_table("visits")
