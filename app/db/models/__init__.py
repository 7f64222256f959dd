"""What is stored, one file a noun: people, tables and their talk, the club's rules and its record of who did what."""

from app.db.models.accounts import Letter, Login, Rating, Token, User
from app.db.models.admin import Announcement, Audit, Backup, Ban, BoxEdition, Fault, Pulse, Setting
from app.db.models.tables import Entry, Invitation, Result, Seat, SharedSeat, Table, Visit
from app.db.models.talk import Mute, Remark, Report
from app.db.models.time import Mark, Outage, Watch

__all__ = [
    "Announcement",
    "Audit",
    "Backup",
    "Ban",
    "BoxEdition",
    "Entry",
    "Fault",
    "Invitation",
    "Letter",
    "Login",
    "Mark",
    "Mute",
    "Outage",
    "Pulse",
    "Rating",
    "Remark",
    "Report",
    "Result",
    "Seat",
    "Setting",
    "SharedSeat",
    "Table",
    "Token",
    "User",
    "Visit",
    "Watch",
]
