"""What a person chose: language, theme, sound, time zone, and how they like to play."""

from functools import cache
from zoneinfo import available_timezones

import msgspec

from app import games
from app.db import accounts as queries
from app.db import belongings
from app.i18n import LANGUAGES
from app.services import quiet
from app.services.accounts import Me
from app.services.errors import BadChoice
from app.services.playing import COLOURS, PALETTES, SPEEDS, Playing, offered, playing_of, stored_of
from app.services.server import Server

THEMES = ("", "light", "dark")
"""Empty: as the device wishes."""


class Preferences(msgspec.Struct, frozen=True):
    """All of them as one form sends them."""

    language: str
    theme: str = ""
    sound: bool = False
    time_zone: str = ""
    quiet: str = ""


@cache
def zones() -> tuple[str, ...]:
    """Every time zone that people live in, by region."""
    regions = (
        "Africa",
        "America",
        "Antarctica",
        "Arctic",
        "Asia",
        "Atlantic",
        "Australia",
        "Europe",
        "Indian",
        "Pacific",
    )
    named = (zone for zone in available_timezones() if zone.split("/")[0] in regions and "/" in zone)
    return ("UTC", *sorted(named))


def known_zone(name: str) -> str:
    """The time zone a browser says it is in, if it is one."""
    return name if name in zones() else ""


async def choose(server: Server, me: Me, wish: Preferences) -> None:
    """Remembers them. Raises :class:`BadChoice`."""
    for field, value, choices in (
        ("language", wish.language, LANGUAGES),
        ("theme", wish.theme, THEMES),
        ("time_zone", wish.time_zone, ("", *zones())),
    ):
        if value not in choices:
            raise BadChoice(field=field)
    if not quiet.is_sound(wish.quiet):
        raise BadChoice(field="quiet")
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is not None:
            user.language, user.time_zone = wish.language, wish.time_zone
            user.quiet = wish.quiet
            user.preferences = {**user.preferences, "theme": wish.theme, "sound": wish.sound}


async def choose_language(server: Server, me: Me, *, language: str) -> None:
    """Remembers the language a person reads."""
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is not None:
            user.language = language


async def choose_sound(server: Server, me: Me, *, sound: bool) -> None:
    """Remembers whether a person wants to hear something."""
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is not None:
            user.preferences = {**user.preferences, "sound": sound}


async def choose_playing(server: Server, me: Me, wish: Playing) -> None:
    """Remembers how a person likes to play. The tables where they play hear of what the server does for them.

    Raises :class:`BadChoice`.
    """
    _check(wish)
    async with server.sessions.begin() as session:
        user = await queries.find_user(session, me.id, lock=True)
        if user is None:
            return
        before = playing_of(user.preferences)
        user.preferences = {**user.preferences, **stored_of(wish)}
    if (before.confirm, before.auto_pass) == (wish.confirm, wish.auto_pass):
        return
    async with server.sessions.begin() as session:
        told = await belongings.note_unfinished(session, me.id)
    for table_id, version, changed in told:
        server.ring(table_id, version, changed)


def _check(wish: Playing) -> None:
    for field, value, choices in (
        ("speed", wish.speed, SPEEDS),
        ("palette", wish.palette, PALETTES),
        ("colour", wish.colour, COLOURS),
    ):
        if value not in choices:
            raise BadChoice(field=field)
    for slug, words in wish.views:
        known = offered(slug) if slug in games.games() else {}
        for word, value in words:
            if value not in known.get(word, ()):
                raise BadChoice(field=word)
