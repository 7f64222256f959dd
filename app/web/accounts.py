"""Giving a nickname, an account of one's own, signing in and out, changing the language."""

from typing import Annotated

from fastapi import APIRouter, Form
from msgspec.structs import replace
from starlette.responses import Response

from app.i18n import LANGUAGES
from app.services import accounts, preferences, registration, sessions
from app.services.club import BY_INVITATION, OPEN
from app.services.errors import (
    BadEmail,
    BadName,
    BadPassword,
    HasAccount,
    Muted,
    NameTaken,
    NeedsInvitation,
    NoGuests,
    Refusal,
    RegistrationClosed,
    WrongPassword,
)
from app.services.names import name_key
from app.services.sessions import Wish
from app.web.cards import NameForm
from app.web.deps import LANGUAGE, YEAR, Visit, Visiting, own_path, set_cookie, tokens
from app.web.errors import status_of, word
from app.web.forms import Doors, Field

router = APIRouter()
LONGEST = 200
"""So much of what was written is sent back."""


async def introduced(visit: Visit, name: str, time_zone: str = "") -> None:
    """Makes the person who asks known by a nickname, whatever comes of what else they ask. Raises ``BadName``,
    ``NameTaken``, ``NoGuests``."""
    visit.edge.limits.check("name", visit.who)
    visit.me, visit.connection.state.token = await accounts.welcome(
        visit.server, name=name, language=visit.language, browser=visit.browser(time_zone)
    )
    visit.lost = False


async def named(visit: Visit, name: str) -> Field:
    """Makes whoever is nobody yet known by the nickname given in a form about something else; that field, with what
    is wrong with it."""
    if visit.me is None and name:
        try:
            await introduced(visit, name)
        except (BadName, NameTaken, NoGuests) as fault:
            return Field(name[:LONGEST], complaint_of(fault))
    return Field()


def complaint_of(fault: Refusal) -> str:
    """The refusal as ``_complaints.html`` knows it."""
    if isinstance(fault, BadName):
        return f"name_{fault.facts['reason']}"
    if isinstance(fault, BadPassword):
        return f"password_{fault.facts['flaw']}"
    return word(type(fault))


@router.get("/name")
async def name_form(visit: Visiting, next: str = "/") -> Response:  # noqa: A002 - the word in the address
    """The one field of a first visit."""
    form = NameForm(next=own_path(next))
    if visit.me is not None:
        form = replace(form, name=visit.me.name, person=visit.me.id)
    return await visit.page("pages/name.html", form=form)


@router.post("/name")
async def give_name(
    visit: Visiting,
    name: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the word in the address
    time_zone: Annotated[str, Form()] = "",
) -> Response:
    """Takes a nickname, and goes on to where one wanted."""
    onward = own_path(next)
    try:
        if visit.me is not None:
            visit.edge.limits.check("post", visit.who)
            await accounts.rename(visit.server, visit.me, name=name)
            return visit.go(onward)
        await introduced(visit, name, time_zone)
    except (BadName, NameTaken, NoGuests) as fault:
        person = visit.me.id if visit.me else 0
        form = NameForm(name=name[:LONGEST], person=person, next=onward, complaint=complaint_of(fault))
        return await visit.page("pages/name.html", status_of(fault), form=form)
    return visit.go(onward)


@router.get("/sign-in")
async def sign_in_form(
    visit: Visiting,
    next: str = "/",  # noqa: A002 - the word in the address
    lost: str = "",
    invitation: str = "",
) -> Response:
    """The ways in. Who has an account and is signed in is sent on."""
    if visit.me is not None and not visit.me.guest:
        return visit.go(own_path(next))
    return await doors(visit, Doors(next=own_path(next), lost=lost, invitation=invitation[:LONGEST]))


async def doors(visit: Visit, form: Doors, status: int = 200) -> Response:
    """The page with the ways in."""
    club = await visit.server.club.get()
    form = replace(form, registration=club.registration, guests=club.guests)
    if club.registration == BY_INVITATION and not form.complaint:
        good = form.invitation and await registration.look_at_invitation(visit.server, form.invitation)
        form = replace(form, registration=OPEN if good else BY_INVITATION)
    return await visit.page("accounts/sign_in.html", status, form=form, guest=visit.me.id if visit.me else 0)


@router.post("/sign-in")
async def sign_in(
    visit: Visiting,
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the word in the address
) -> Response:
    """Lets somebody in. After some wrong passwords for a name there is a rest."""
    visit.edge.limits.check("sign-in", visit.whence)
    onward, written = own_path(next), Field(name[:LONGEST])
    who = f"{name_key(name[:LONGEST])} {visit.whence}"
    limits = visit.edge.limits
    if not limits.left("password", who):
        return await doors(visit, Doors(onward, name=written, password=Field(complaint="password_rest")), 429)
    try:
        visit.me, visit.connection.state.token = await sessions.sign_in(
            visit.server, visit.me, name=name, password=password, browser=visit.browser()
        )
    except WrongPassword as fault:
        limits.check("password", who)
        wrong = Field(complaint=complaint_of(fault), left=limits.left("password", who))
        return await doors(visit, Doors(onward, name=written, password=wrong), 422)
    return visit.go(onward)


@router.post("/sign-up")
async def sign_up(
    visit: Visiting,
    name: Annotated[str, Form()] = "",
    password: Annotated[str, Form()] = "",
    email: Annotated[str, Form()] = "",
    invitation: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the word in the address
    time_zone: Annotated[str, Form()] = "",
) -> Response:
    """Makes an account; a guest stays the same person."""
    visit.edge.limits.check("sign-up", visit.whence)
    onward = own_path(next)
    form = Doors(
        onward, new_name=Field(name[:LONGEST]), email=Field(email[:LONGEST]), invitation=invitation[:LONGEST]
    )
    try:
        visit.me, visit.connection.state.token = await sessions.sign_up(
            visit.server,
            visit.me,
            Wish(name, password, email, invitation),
            language=visit.language,
            browser=visit.browser(time_zone),
            address=visit.site,
        )
    except HasAccount:
        return visit.go(onward)
    except (RegistrationClosed, NeedsInvitation) as fault:
        return await doors(visit, replace(form, complaint=complaint_of(fault)), 403)
    except (BadName, NameTaken, Muted) as fault:
        return await doors(visit, with_field(form, "new_name", name, fault), status_of(fault))
    except BadPassword as fault:
        return await doors(visit, with_field(form, "new_password", "", fault), 422)
    except BadEmail as fault:
        return await doors(visit, with_field(form, "email", email, fault), 422)
    return visit.go(onward)


def with_field(form: Doors, field: str, written: str, fault: Refusal) -> Doors:
    """The form with a complaint at one of its fields."""
    return replace(form, **{field: Field(written[:LONGEST], complaint_of(fault))})


@router.post("/sign-out")
async def sign_out(visit: Visiting) -> Response:
    """Signs this browser out, whatever cookies of ours it has."""
    for token in tokens(visit.edge, visit.connection)[:4]:
        me = await accounts.recognise(visit.server, token)
        if me is not None:
            await sessions.sign_out(visit.server, me)
    visit.connection.state.forget = True
    return visit.go("/")


@router.post("/language")
async def choose_language(
    visit: Visiting,
    language: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the word in the address
) -> Response:
    """Reads the page in another language."""
    visit.edge.limits.check("post", visit.who)
    response = visit.go(own_path(next))
    if language in LANGUAGES:
        if visit.me is not None:
            await preferences.choose_language(visit.server, visit.me, language=language)
        set_cookie(visit.edge, response, LANGUAGE, language, YEAR)
    return response
