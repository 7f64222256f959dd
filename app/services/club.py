"""The rules of the house that admins set while the server runs, as every request needs them: read now and then."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any

import msgspec

from app import games
from app.config import Settings
from app.db import bans, club, editions
from app.db.base import Sessions
from app.db.models import Ban
from app.engine.editions import HOUSE
from app.services import clock
from app.services.errors import Banned

FRESH = 2.0
"""Seconds for which what was read counts as new; what an admin changes is seen elsewhere after so long."""
OPEN, BY_INVITATION, CLOSED = "open", "invitation", "closed"
REGISTRATION = (OPEN, BY_INVITATION, CLOSED)


class Kept(msgspec.Struct, frozen=True):
    """A ban as it is checked at the door."""

    user_id: int | None
    addresses: IPv4Network | IPv6Network | None
    until: datetime | None
    reason: str

    def holds(self, user_id: int | None, address: str, *, at: datetime) -> bool:
        """Whether it keeps this person or this address out."""
        if self.until is not None and self.until <= at:
            return False
        if self.user_id is not None and self.user_id == user_id:
            return True
        return self.addresses is not None and is_within(address, self.addresses)

    def check(self, user_id: int | None, address: str, *, at: datetime) -> None:
        """Raises :class:`Banned`."""
        if self.holds(user_id, address, at=at):
            raise Banned(reason=self.reason, until=self.until.isoformat() if self.until else "")


def is_within(address: str, addresses: IPv4Network | IPv6Network) -> bool:
    """Whether an address lies in a range; what is no address lies nowhere."""
    try:
        found = ip_address(address)
    except ValueError:
        return False
    mapped = getattr(found, "ipv4_mapped", None)
    return (mapped or found) in addresses


class Club(msgspec.Struct, frozen=True):
    """How the house is run. ``defaults``: by game what a new table begins with; ``not_offered``: games that cannot be
    opened; ``talk``: who hears the seats at a new table; ``editions``: by game what may be chosen, the usual one
    first; ``announcements``: by language."""

    registration: str
    guests: bool
    guests_talk: bool
    talk: str
    tables_per_person: int
    waiting_hours: float
    idle_days: float
    warning_hours: float
    defaults: Mapping[str, Mapping[str, str]]
    not_offered: frozenset[str]
    editions: Mapping[str, tuple[str, ...]]
    announcements: Mapping[str, str]
    bans: tuple[Kept, ...]

    def offers(self, slug: str) -> bool:
        """Whether a table of that game may be opened."""
        return slug in games.games() and slug not in self.not_offered

    def editions_of(self, slug: str) -> tuple[str, ...]:
        """The editions of a game that a new table may have, the usual one first."""
        return self.editions.get(slug, (HOUSE,))

    def announcement(self, language: str) -> tuple[str, str]:
        """What is announced, in that language or the first there is; and in which it is."""
        if language in self.announcements:
            return self.announcements[language], language
        return next(((words, other) for other, words in self.announcements.items()), ("", ""))

    def check_banned(self, user_id: int | None, address: str, *, role: str = "") -> None:
        """Raises :class:`Banned` for who may not come in. Whoever has a role is not kept out by an address."""
        at = clock.now()
        for ban in self.bans:
            ban.check(user_id, "" if role else address, at=at)


class Memory:
    """What one process remembers of the rules of the house."""

    def __init__(self, sessions: Sessions, settings: Settings) -> None:
        self._sessions = sessions
        self._settings = settings
        self._club: Club | None = None
        self._read_at = -FRESH
        self._changed = False
        self._reading = asyncio.Lock()

    @property
    def latest(self) -> Club | Settings:
        """What was read last, or the configuration when nothing was: how long things last, without asking anybody."""
        return self._club or self._settings

    async def get(self) -> Club:
        """The rules as they were a moment ago at most."""
        club = self._fresh()
        if club is None and self._reading.locked() and not self._changed:
            club = self._club  # one reads for all; the others need not wait for what is a moment old
        if club is not None:
            return club
        async with self._reading:
            return self._fresh() or await self._read_again()

    def _fresh(self) -> Club | None:
        if self._changed or time.monotonic() - self._read_at >= FRESH:
            return None
        return self._club

    async def _read_again(self) -> Club:
        now, self._changed = time.monotonic(), False
        club = await self._read()
        self._club, self._read_at = club, now
        return club

    def forget(self) -> None:
        """Something was changed: reads them anew next time."""
        self._changed = True

    async def _read(self) -> Club:
        async with self._sessions() as session:
            kept = await club.list_settings(session)
            words = await club.list_announcements(session)
            standing = await bans.list_standing(session, at=clock.now())
            uploaded = await editions.list_all(session)
        return club_of(
            self._settings,
            kept,
            announcements=words,
            standing=kept_of(standing),
            uploaded=[(edition.slug, edition.name) for edition in uploaded if edition.offered],
        )


def kept_of(standing: Sequence[Ban]) -> tuple[Kept, ...]:
    """Stored bans as they are checked at the door."""
    return tuple(Kept(ban.user_id, network_of(ban.addresses), ban.until, ban.reason) for ban in standing)


def network_of(stored: Any) -> IPv4Network | IPv6Network | None:
    """A stored range of addresses."""
    return None if stored is None else ip_network(str(stored))


def club_of(
    settings: Settings,
    kept: Mapping[str, Any],
    *,
    announcements: Mapping[str, str],
    standing: tuple[Kept, ...],
    uploaded: list[tuple[str, str]],
) -> Club:
    """The rules of the house from what is stored; what was never set is as the configuration says, or usual."""
    withheld = set(kept.get("editions_withheld", ()))
    usual: Mapping[str, str] = kept.get("edition", {})
    offered: dict[str, tuple[str, ...]] = {}
    for slug in games.games():
        own = [name for name in games.editions(slug) if f"{slug}/{name}" not in withheld]
        names = own + [name for each, name in uploaded if each == slug]
        first = usual.get(slug, HOUSE)
        offered[slug] = tuple([name for name in names if name == first] + [name for name in names if name != first])
        offered[slug] = offered[slug] or (HOUSE,)
    return Club(
        registration=kept.get("registration", OPEN),
        guests=kept.get("guests", True),
        guests_talk=kept.get("guests_talk", True),
        talk=kept.get("talk", "open"),
        tables_per_person=kept.get("tables_per_person", settings.tables_per_person),
        waiting_hours=kept.get("waiting_hours", settings.waiting_hours),
        idle_days=kept.get("idle_days", settings.idle_days),
        warning_hours=settings.warning_hours,
        defaults=kept.get("defaults", {}),
        not_offered=frozenset(kept.get("not_offered", ())),
        editions=offered,
        announcements=announcements,
        bans=standing,
    )
