"""What is stored, one file a noun: people, tables, their talk and time, what is told to whom, the club's rules and
its record of who did what."""

from app.db.models.accounts import Letter, Login, Rating, Token, User
from app.db.models.admin import Announcement, Audit, Backup, Ban, BoxEdition, Fault, Pulse, Setting
from app.db.models.notices import Hush, Key, Look, Notice, Push, Subscription
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
    "Hush",
    "Invitation",
    "Key",
    "Letter",
    "Login",
    "Look",
    "Mark",
    "Mute",
    "Notice",
    "Outage",
    "Pulse",
    "Push",
    "Rating",
    "Remark",
    "Report",
    "Result",
    "Seat",
    "Setting",
    "SharedSeat",
    "Subscription",
    "Table",
    "Token",
    "User",
    "Visit",
    "Watch",
]
