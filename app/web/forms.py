"""The forms about a person as they stand: what was written, and what was wrong. Passwords are never sent back."""

import msgspec

from app.services.mutes import Muted
from app.services.playing import Playing
from app.services.sessions import SignedIn


class Field(msgspec.Struct, frozen=True):
    """What was written into a field, and the complaint about it, by its name in ``_complaints.html``."""

    written: str = ""
    complaint: str = ""
    left: int = 0
    """How many more tries there are, for a wrong password."""


class Doors(msgspec.Struct, frozen=True):
    """The ways in: as a guest, into an account, to a new one. ``lost``: what was not done because somebody was signed
    out (``move``, ``post``, ``page``); ``written``: what they wanted to say."""

    next: str = "/"
    lost: str = ""
    guest: Field = Field()
    name: Field = Field()
    password: Field = Field()
    new_name: Field = Field()
    new_password: Field = Field()
    email: Field = Field()
    invitation: str = ""
    """The secret of an invitation, where one is needed."""
    registration: str = "open"
    """Whether anybody may make an account (``open``), who was invited (``invitation``), or nobody (``closed``)."""
    guests: bool = True
    """Whether one may play without an account."""
    complaint: str = ""
    """What is wrong with making an account as such."""
    written: str = ""


class Forgotten(msgspec.Struct, frozen=True):
    """A lost password. ``asked``: a letter is on its way, if there is somebody to write to."""

    who: Field = Field()
    asked: bool = False


class NewPassword(msgspec.Struct, frozen=True):
    """Choosing a password by a link; ``name``: whose."""

    token: str
    name: str = ""
    password: Field = Field()


class Proof(msgspec.Struct, frozen=True):
    """A link that proves an address; without one the link is worthless. ``done``: it is proven."""

    token: str = ""
    name: str = ""
    email: str = ""
    done: bool = False
    complaint: str = ""


class Person(msgspec.Struct, frozen=True):
    """Everything on the page of preferences. ``saved``: what was just done (``preferences``, ``playing``, ``name``,
    ``email``, ``password``, ``sessions``, ``muted``, ``letter``, ``notices``)."""

    guest: bool
    language: str
    theme: str
    sound: bool
    time_zone: str
    signed_in: tuple[SignedIn, ...]
    name: Field
    email: Field = Field()
    confirmed: bool = False
    password: Field = Field()
    new_password: Field = Field()
    email_password: Field = Field()
    choices: Field = Field()
    telling: Field = Field()
    quiet: str = ""
    muted: tuple[Muted, ...] = ()
    playing: Playing = Playing()
    habits: Field = Field()
    """What is wrong with how one likes to play."""
    saved: str = ""


class Going(msgspec.Struct, frozen=True):
    """Deleting oneself."""

    guest: bool
    name: str
    password: Field = Field()
    unfinished: int = 0


class Lying(msgspec.Struct, frozen=True):
    """A letter in the folder."""

    number: int
    kind: str
    to: str
    subject: str
    text: str
    at: str
