"""Giving a nickname, changing the language."""

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.i18n import LANGUAGES
from app.services import accounts
from app.services.errors import BadName
from app.web.cards import NameForm
from app.web.deps import LANGUAGE, YEAR, Visit, Visiting, own_path, set_cookie

router = APIRouter()


async def introduced(visit: Visit, name: str) -> None:
    """Makes the person who asks known by a nickname, whatever comes of what else they ask. Raises ``BadName``."""
    visit.edge.limits.check("name", visit.who)
    visit.me, visit.connection.state.token = await accounts.welcome(visit.server, name=name, language=visit.language)


@router.get("/name")
async def name_form(visit: Visiting, next: str = "/") -> Response:  # noqa: A002 - the word in the address
    """The one field of a first visit."""
    form = NameForm(name=visit.me.name if visit.me else "", next=own_path(next))
    return await visit.page("pages/name.html", form=form)


@router.post("/name")
async def give_name(
    visit: Visiting,
    name: Annotated[str, Form()] = "",
    next: Annotated[str, Form()] = "/",  # noqa: A002 - the word in the address
) -> Response:
    """Takes a nickname, and goes on to where one wanted."""
    onward = own_path(next)
    try:
        if visit.me is not None:
            visit.edge.limits.check("post", visit.who)
            await accounts.rename(visit.server, visit.me, name=name)
            return visit.go(onward)
        await introduced(visit, name)
    except BadName as fault:
        form = NameForm(name=name[:200], next=onward, complaint=f"name_{fault.facts['reason']}")
        return await visit.page("pages/name.html", 422, form=form)
    return visit.go(onward)


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
            await accounts.choose_language(visit.server, visit.me, language=language)
        set_cookie(visit.edge, response, LANGUAGE, language, YEAR)
    return response
