"""What is mine to choose: look and language, how I play, whom I hear; and the page on which all of it stands."""

from functools import cache
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from app import games
from app.i18n import LANGUAGES
from app.services import clock, emails, mutes, preferences, push, sessions, wishes
from app.services.accounts import Me
from app.services.errors import BadChoice
from app.services.playing import Playing, offered
from app.services.preferences import Preferences
from app.web import moments
from app.web.accounts import complaint_of
from app.web.deps import LANGUAGE, YEAR, Visit, Visiting, set_cookie
from app.web.forms import Doors, Field, Person

router = APIRouter(prefix="/me")
HERE = "/me/preferences"
SAVED = ("preferences", "playing", "name", "email", "password", "sessions", "muted", "letter", "notices")


async def person(visit: Visit, me: Me, **fields: Any) -> Person:
    """All that the page shows, as it is stored, but for these fields."""
    contact = await emails.contact(visit.server, me)
    form = Person(
        guest=me.guest,
        language=visit.language,
        theme=me.theme,
        sound=me.sound,
        time_zone=me.time_zone,
        quiet=me.quiet,
        playing=me.playing,
        signed_in=await sessions.list_signed_in(visit.server, me),
        muted=await mutes.list_muted(visit.server, me),
        name=Field(me.name),
        email=Field(contact.email),
        confirmed=contact.confirmed,
    )
    return msgspec.structs.replace(form, **fields)


@router.get("/preferences")
async def show(visit: Visiting, saved: str = "") -> Response:
    """The page."""
    me = visit.known()
    return await shown(visit, await person(visit, me, saved=saved if saved in SAVED else ""))


async def again(visit: Visit, me: Me, status: int = 422, **fields: Any) -> Response:
    """The page with what was written, and what is wrong with it."""
    return await shown(visit, await person(visit, me, **fields), status)


async def shown(visit: Visit, form: Person, status: int = 200) -> Response:
    """The page as it stands."""
    now = clock.now()
    return await visit.page(
        "accounts/preferences.html",
        status,
        form=form,
        telling=await wishes.of(visit.server, visit.known()),
        key=await push.known_as(visit.server),
        keep=Doors(next=HERE, registration=(await visit.server.club.get()).registration),
        zones=zones_by_region(visit.language, form.time_zone),
        boards=boards(),
        seen={each.id: int((now - each.seen_at).total_seconds()) for each in form.signed_in},
    )


@cache
def boards() -> dict[str, dict[str, tuple[str, ...]]]:
    """By game, the ways to see its board that one may prefer."""
    return {slug: words for slug in games.games() if (words := offered(slug))}


@cache
def zones_by_region(language: str, chosen: str) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Every time zone with its city; of several that go by one city the chosen one, or the first."""
    regions: dict[str, dict[str, str]] = {}
    for zone in sorted(preferences.zones(), key=lambda each: each != chosen):
        region, _, rest = zone.partition("/")
        if rest:
            regions.setdefault(region, {}).setdefault(moments.city(zone, language=language), zone)
    return tuple(
        (region, tuple((zone, city) for city, zone in sorted(cities.items())))
        for region, cities in sorted(regions.items())
    )


@router.post("/preferences")
async def choose(
    visit: Visiting,
    language: Annotated[str, Form()] = "",
    theme: Annotated[str, Form()] = "",
    sound: Annotated[str, Form()] = "",
    time_zone: Annotated[str, Form()] = "",
    quiet_from: Annotated[str, Form()] = "",
    quiet_to: Annotated[str, Form()] = "",
) -> Response:
    """Look and language."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    quiet = f"{quiet_from}-{quiet_to}" if quiet_from or quiet_to else ""
    wish = Preferences(language=language, theme=theme, sound=bool(sound), time_zone=time_zone, quiet=quiet)
    try:
        await preferences.choose(visit.server, me, wish)
    except BadChoice as fault:
        return await again(
            visit,
            me,
            choices=Field(complaint=complaint_of(fault)),
            language=language if language in LANGUAGES else visit.language,
            theme=theme if theme in preferences.THEMES else me.theme,
            sound=bool(sound),
            time_zone=time_zone if time_zone in {"", *preferences.zones()} else me.time_zone,
            quiet=quiet[:10],
        )
    response = visit.go(f"{HERE}?saved=preferences")
    set_cookie(visit.edge, response, LANGUAGE, language, YEAR)
    return response


@router.post("/playing")
async def choose_playing(visit: Visiting, request: Request) -> Response:
    """How I like to play; the views of a board are fields like ``babylon.side``."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    form = {name: value for name, value in (await request.form()).items() if isinstance(value, str)}
    colour = form.get("colour", "0")
    wish = Playing(
        confirm=bool(form.get("confirm")),
        auto_pass=bool(form.get("auto_pass")),
        speed=form.get("speed", ""),
        palette=form.get("palette", ""),
        colour=int(colour) if colour.isascii() and colour.isdecimal() and len(colour) < 3 else -1,
        views=tuple(
            (slug, chosen)
            for slug in games.games()
            if (chosen := tuple((word, form[f"{slug}.{word}"]) for word in offered(slug) if f"{slug}.{word}" in form))
        ),
    )
    try:
        await preferences.choose_playing(visit.server, me, wish)
    except BadChoice as fault:
        return await again(visit, me, habits=Field(complaint=complaint_of(fault)), playing=wish)
    return visit.go(f"{HERE}?saved=playing#playing")


@router.post("/sound")
async def choose_sound(visit: Visiting, sound: Annotated[str, Form()] = "") -> Response:
    """Sound on or off, from the button of a table."""
    visit.edge.limits.check("post", visit.who)
    await preferences.choose_sound(visit.server, visit.known(), sound=bool(sound))
    return visit.keep(Response(status_code=204))


@router.post("/muted")
async def unmute(visit: Visiting, who: Annotated[str, Form()] = "") -> Response:
    """Hears somebody again."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    if who.isdecimal() and len(who) < 18:
        await mutes.unmute(visit.server, me, user_id=int(who))
    return visit.go(f"{HERE}?saved=muted#muted")
