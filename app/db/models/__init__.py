"""What is stored, one file a noun: people, tables, the club's rules and its record of who did what."""

from app.db.models.accounts import Letter, Login, Rating, Token, User
from app.db.models.admin import Announcement, Audit, Ban, BoxEdition, Setting
from app.db.models.tables import Entry, Invitation, Result, Seat, Table
from app.db.models.time import Mark, Outage, Pulse

__all__ = [
    "Announcement",
    "Audit",
    "Ban",
    "BoxEdition",
    "Entry",
    "Invitation",
    "Letter",
    "Login",
    "Mark",
    "Outage",
    "Pulse",
    "Rating",
    "Result",
    "Seat",
    "Setting",
    "Table",
    "Token",
    "User",
]
