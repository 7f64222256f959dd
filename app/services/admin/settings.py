"""The rules of the house, changed while the server runs; every change is a line in the record."""

from collections.abc import Mapping
from typing import Any

import msgspec

from app import games
from app.db import club as queries
from app.i18n import LANGUAGES
from app.services.accounts import Me
from app.services.admin import audit, rights
from app.services.club import REGISTRATION
from app.services.errors import BadSetting
from app.services.server import Server
from app.services.talk import OPEN, TALKS

MOST_TABLES = 1000
LONGEST_WAIT = 24 * 366
LONGEST_GAME = 3660
LONGEST_WORDS = 500


class Wish(msgspec.Struct, frozen=True):
    """How the house is to be run. ``talk``: who hears the seats at a new table; ``defaults``: by game what it begins
    with; ``edition``: by game which is the usual one; ``not_offered``: games that cannot be opened."""

    registration: str
    guests: bool
    tables_per_person: int
    waiting_hours: int = 72
    idle_days: int = 30
    guests_talk: bool = True
    talk: str = OPEN
    not_offered: tuple[str, ...] = ()
    defaults: Mapping[str, Mapping[str, str]] = {}
    edition: Mapping[str, str] = {}


def check(wish: Wish) -> None:
    """Raises :class:`BadSetting` for what cannot be kept."""
    if wish.registration not in REGISTRATION:
        raise BadSetting(field="registration")
    if not 1 <= wish.tables_per_person <= MOST_TABLES:
        raise BadSetting(field="tables_per_person")
    if not 1 <= wish.waiting_hours <= LONGEST_WAIT:
        raise BadSetting(field="waiting_hours")
    if not 1 <= wish.idle_days <= LONGEST_GAME:
        raise BadSetting(field="idle_days")
    if wish.talk not in TALKS:
        raise BadSetting(field="talk")
    if not set(wish.not_offered) < set(games.games()):
        raise BadSetting(field="not_offered")
    for slug, chosen in wish.defaults.items():
        offered = {(option.name, value) for option in games.games()[slug].options for value in option.choices}
        for name, value in chosen.items():
            if (name, value) not in offered:
                raise BadSetting(field=f"default.{slug}.{name}")


async def change(server: Server, me: Me, wish: Wish, *, reason: str = "") -> int:
    """Runs the house like that from now on; how many settings are others than before.

    Raises ``NotAllowed``, :class:`BadSetting`.
    """
    check(wish)
    server.club.forget()
    now = await server.club.get()
    for slug, name in wish.edition.items():
        if slug not in games.games() or name not in now.editions_of(slug):
            raise BadSetting(field=f"edition.{slug}")
    kept: dict[str, Any] = {
        "registration": wish.registration,
        "guests": wish.guests,
        "guests_talk": wish.guests_talk,
        "talk": wish.talk,
        "tables_per_person": wish.tables_per_person,
        "waiting_hours": wish.waiting_hours,
        "idle_days": wish.idle_days,
        "not_offered": sorted(wish.not_offered),
        "defaults": {slug: dict(chosen) for slug, chosen in wish.defaults.items() if chosen},
        "edition": dict(wish.edition),
    }
    before: dict[str, Any] = {
        "registration": now.registration,
        "guests": now.guests,
        "guests_talk": now.guests_talk,
        "talk": now.talk,
        "tables_per_person": now.tables_per_person,
        "waiting_hours": now.waiting_hours,
        "idle_days": now.idle_days,
        "not_offered": sorted(now.not_offered),
        "defaults": {slug: dict(chosen) for slug, chosen in now.defaults.items()},
        "edition": {slug: now.editions_of(slug)[0] for slug in wish.edition},
    }
    changes = [name for name, value in kept.items() if value != before[name]]
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "settings")
        why = audit.clean_reason(reason, needed=False)
        for name in changes:
            await queries.keep(session, name, kept[name])
            facts = {"name": name, "before": before[name], "after": kept[name]}
            await audit.note(session, actor, "setting", reason=why, facts=facts)
    server.club.forget()
    return len(changes)


async def announce(server: Server, me: Me, words: Mapping[str, str]) -> int:
    """Writes on every page what is announced, by language; nothing where it is empty. How many are others now.

    Raises ``NotAllowed``, :class:`BadSetting`.
    """
    kept = {language: " ".join(words.get(language, "").split()) for language in LANGUAGES}
    for language, sentence in kept.items():
        if len(sentence) > LONGEST_WORDS:
            raise BadSetting(field=f"announcement.{language}")
    changes = 0
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "settings")
        before = await queries.list_announcements(session)
        for language, sentence in kept.items():
            if sentence != before.get(language, ""):
                await queries.announce(session, language, sentence)
                facts = {"language": language, "words": sentence}
                await audit.note(session, actor, "announce", facts=facts)
                changes += 1
    server.club.forget()
    return changes
