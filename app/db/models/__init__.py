"""What is stored, one file a noun: people, tables, time, what is told to whom, the club's rules and its record of
who did what."""

from app.db.models.accounts import Letter, Login, Rating, Token, User
from app.db.models.admin import Announcement, Audit, Ban, BoxEdition, Fault, Pulse, Setting
from app.db.models.notices import Key, Look, Mute, Notice, Push, Subscription
from app.db.models.tables import Entry, Invitation, Result, Seat, SharedSeat, Table, Visit
from app.db.models.time import Mark, Outage, Watch

__all__ = [
    "Announcement",
    "Audit",
    "Ban",
    "BoxEdition",
    "Entry",
    "Fault",
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
