"""What somebody was called when they said something or left a seat."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("remarks", sa.Column("name", sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("seats", sa.Column("left_name", sa.Text, nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE remarks SET name = users.name FROM users WHERE users.id = remarks.user_id")
    op.execute("UPDATE seats SET left_name = users.name FROM users WHERE users.id = seats.left_id")


def downgrade() -> None:
    op.drop_column("seats", "left_name")
    op.drop_column("remarks", "name")
