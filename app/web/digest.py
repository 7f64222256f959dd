"""What there is to tell in words: for a letter, with what happened since somebody left, and for a browser."""

from collections.abc import Sequence
from typing import Any

import msgspec
from markupsafe import Markup

from app import games
from app.db import notices as kinds
from app.services.news import News
from app.services.push import Words
from app.web.drawing import environment
from app.web.moments import moment, offset
from app.web.plain import plain
from app.web.recap import Told, story
from app.web.render import seat_cards

MOST_LINES = 12
MOST_TOLD = 10
LONGEST = 240


class Telling(msgspec.Struct, frozen=True):
    """One table that there is something to tell of. ``lines``: what happened since; ``earlier``: how much more of it
    there is; ``until``: when the table is closed; ``called_off``: it ended without a result."""

    kind: str
    slug: str
    url: str
    others: tuple[str, ...]
    by: str
    lines: tuple[str, ...]
    earlier: int
    until: str
    called_off: bool


def context(told: Sequence[News], *, site: str, language: str, zone: str = "") -> dict[str, Any]:
    """What the templates of letters and notices know."""
    shown = tuple(telling(each, site=site, language=language, zone=zone) for each in told[:MOST_TOLD])
    waiting = sum(each.kind in {kinds.TURN, kinds.TIME_UP} for each in told)
    return {"told": shown, "more": len(told) - len(shown), "waiting": waiting, "count": len(told)}


def telling(told: News, *, site: str, language: str, zone: str) -> Telling:
    """One of them."""
    facts = told.held.facts
    lines = lines_of(told, language) if told.kind in {kinds.TURN, kinds.TIME_UP, kinds.OVER} else []
    return Telling(
        kind=told.kind,
        slug=facts.slug,
        url=f"{site}/tables/{facts.key}",
        others=tuple(seat.name for seat in facts.seats if seat.name and seat.user_id != told.user_id),
        by=told.by,
        lines=tuple(lines[-MOST_LINES:]),
        earlier=max(0, len(lines) - MOST_LINES),
        until=f"{moment(told.until, zone, language=language)} ({offset(zone)})" if told.until else "",
        called_off=facts.status == "cancelled",
    )


def lines_of(told: News, language: str) -> list[str]:
    """What happened since the person's last look, a line each, as their seat may know it."""
    held = told.held
    if held.position is None:
        return []
    seats = seat_cards(held, told.user_id)
    box = games.part(held.facts.slug, "board").box(held.game)
    folder = environment(language)
    log: Any = folder.get_template(f"games/{held.facts.slug}/_log.html").module
    words: Any = folder.get_template(f"games/{held.facts.slug}/_words.html").module

    def line(each: Told) -> str:
        events = [event for entry in each.entries[-1:] for event in entry.events]
        sentences = [bare(log.line(event, each.seat, seats, box)) for event in events]
        said = " · ".join(sentence for sentence in sentences if sentence)
        who = bare(words.sitter(each.seat, seats)) if each.seat is not None else ""
        return f"{who}: {said}"[:LONGEST] if who and said else said[:LONGEST]

    return [said for each in story(held, told.seat, told.seen) if (said := line(each))]


def bare(html: object) -> str:
    """What a reader of a page reads, without its marks."""
    return " ".join(Markup(str(html)).striptags().split())


def pushed(language: str, told: Sequence[News]) -> Words:
    """As a browser shows it: one thing with all its words, several as their number."""
    spoken = language or "en"
    whole = plain(spoken).get_template("notices/push.txt").render(**context(told, site="", language=spoken)).strip()
    title, _, body = whole.partition("\n")
    alone = told[0] if len(told) == 1 else None
    return Words(
        title=title.strip()[:LONGEST],
        body=" ".join(body.split())[:LONGEST],
        url=f"/tables/{alone.key}" if alone else "/",
        tag="semiramis",
        lang=spoken,
    )
