"""Editions of a game's box: uploaded, checked, kept for ever under a name, offered for new tables or not."""

import asyncio
import re

import msgspec
from sqlalchemy.exc import IntegrityError

from app import games
from app.db import club as kept
from app.db import editions as queries
from app.db.models import BoxEdition
from app.engine.contract import AnyGame, Edition
from app.engine.editions import HOUSE, NAME, EditionRefused, find_edition, line_of
from app.engine.playout import playout
from app.services import clock
from app.services.accounts import Me
from app.services.admin import audit, rights
from app.services.editions import edition_of
from app.services.errors import BadEdition, EditionTaken
from app.services.server import Server

LARGEST = 200_000
SEEDS = ("one", "two", "three")
"""Of the games that are played to try an edition, with every number of seats."""
WITHHELD = "editions_withheld"


class Kept(msgspec.Struct, frozen=True):
    """An edition. ``id`` is 0 for one that came with the game; ``tables``: how many were opened with it."""

    id: int
    slug: str
    name: str
    digest: str
    offered: bool
    tables: int

    @property
    def key(self) -> str:
        """What it is called in addresses."""
        return f"{self.slug}/{self.name}"


async def list_all(server: Server, me: Me) -> tuple[Kept, ...]:
    """Every edition of every game, those that came with it first. Raises ``NotAllowed``."""
    async with server.sessions() as session:
        await rights.acting(session, me, "editions")
        uploaded = await queries.list_all(session)
        tables = await queries.count_tables(session)
        withheld = set((await kept.list_settings(session)).get(WITHHELD, ()))
    found = []
    for slug in games.games():
        for name in games.editions(slug):
            digest = games.load(slug, name).edition.digest
            offered = f"{slug}/{name}" not in withheld
            found.append(Kept(0, slug, name, digest, offered, tables.get((slug, name), 0)))
        for each in uploaded:
            if each.slug == slug:
                count = tables.get((slug, each.name), 0)
                found.append(Kept(each.id, slug, each.name, each.digest, each.offered, count))
    return tuple(found)


async def upload(server: Server, me: Me, *, slug: str, name: str, file: str, contents: bytes) -> str:
    """Keeps an edition under a name, for ever, and offers it for new tables; the name.

    Raises ``NotAllowed``, :class:`BadEdition`, :class:`EditionTaken`.
    """
    rights.check(me, "editions")
    shown = re.sub(r"[^\w.-]+", "-", file)[:80] or "edition.toml"
    if slug not in games.games():
        raise BadEdition(file=shown, line=0, key="game", flaw=f"no game is called {slug[:40]}")
    if not NAME.fullmatch(name):
        raise BadEdition(file=shown, line=0, key="name", flaw="small letters, digits, - and _, at most 40")
    if name in games.editions(slug):
        raise EditionTaken(name=name)
    text = decoded(shown, contents)
    edition = edition_of(name, text)
    await asyncio.to_thread(checked, slug, msgspec.structs.replace(edition, file=shown))
    try:
        async with server.sessions.begin() as session:
            actor = await rights.acting(session, me, "editions")
            if await queries.find(session, slug, name):
                raise EditionTaken(name=name)
            row = BoxEdition(slug=slug, name=name, contents=text, digest=edition.digest, by_id=actor.id, offered=True)
            row.created_at = clock.now()
            session.add(row)
            facts = {"slug": slug, "name": name, "digest": edition.digest}
            await audit.note(session, actor, "edition", facts=facts)
    except IntegrityError as fault:  # somebody was faster
        raise EditionTaken(name=name) from fault
    server.club.forget()
    return name


def decoded(file: str, contents: bytes) -> str:
    """The text of a file. Raises :class:`BadEdition`."""
    if len(contents) > LARGEST:
        raise BadEdition(file=file, line=0, key="(file)", flaw=f"larger than {LARGEST} bytes")
    try:
        text = contents.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as fault:
        line = contents[: fault.start].count(b"\n") + 1
        raise BadEdition(file=file, line=line, key="(file)", flaw="not UTF-8") from fault
    if "\0" in text:
        raise BadEdition(file=file, line=text[: text.index("\0")].count("\n") + 1, key="(file)", flaw="not a text")
    return text


def checked(slug: str, edition: Edition) -> AnyGame:
    """The game with that box, which was played to the end with every number of seats. Raises :class:`BadEdition`."""
    try:
        game = games.games()[slug](edition)
    except EditionRefused as fault:
        line = line_of(edition.text, fault.key, fault.reason)
        raise BadEdition(file=edition.file, line=line, key=fault.key, flaw=fault.reason) from fault
    except Exception as fault:  # what a game did not think of is no reason to fall over
        flaw = f"{type(fault).__name__}: {fault}"[:200]
        raise BadEdition(file=edition.file, line=0, key="(contents)", flaw=flaw) from fault
    random = games.bots(slug)["random"]
    for seats in game.seats:
        for seed in SEEDS:
            try:
                for _ in playout(game, seats=seats, seed=seed, bots=(random,)):
                    pass
            except Exception as fault:  # a box too small, or whatever else only playing shows
                flaw = f"a game with {seats} seats cannot be played: {type(fault).__name__}: {fault}"[:200]
                raise BadEdition(file=edition.file, line=0, key="(play)", flaw=flaw) from fault
    return game


async def set_offered(server: Server, me: Me, *, slug: str, name: str, offered: bool) -> None:
    """Offers an edition for new tables, or no longer; those that have it keep it.

    Raises ``NotAllowed``, :class:`BadEdition`.
    """
    async with server.sessions.begin() as session:
        actor = await rights.acting(session, me, "editions")
        found = await queries.find(session, slug, name)
        if found is not None:
            idle = found.offered == offered
            found.offered = offered
        elif slug in games.games() and name in games.editions(slug) and name != HOUSE:
            withheld = set((await kept.list_settings(session)).get(WITHHELD, ()))
            key = f"{slug}/{name}"
            idle = offered == (key not in withheld)
            await kept.keep(session, WITHHELD, sorted(withheld - {key} if offered else withheld | {key}))
        else:
            raise BadEdition(file="", line=0, key="name", flaw="the house edition is always there")
        if not idle:
            await audit.note(session, actor, "offer" if offered else "withhold", facts={"slug": slug, "name": name})
    server.club.forget()


async def read(server: Server, me: Me, *, slug: str, name: str) -> Edition:
    """An edition's text. Raises ``NotAllowed``, :class:`BadEdition`."""
    async with server.sessions() as session:
        await rights.acting(session, me, "editions")
        found = await queries.find(session, slug, name)
    if found is not None:
        return edition_of(found.name, found.contents)
    if slug not in games.games() or name not in games.editions(slug):
        raise BadEdition(file="", line=0, key="name", flaw="there is no such edition")
    return find_edition(f"app.games.{slug}", name)
