"""Links from letters: confirming an address, choosing a new password. Looking at a link changes nothing."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import emails, recovery
from app.services.errors import BadLink, BadPassword, EmailTaken
from app.web.accounts import LONGEST, complaint_of
from app.web.deps import Visiting
from app.web.forms import Field, Forgotten, NewPassword, Proof

router = APIRouter()


def link_path(page: str, token: str) -> str:
    """The link of a letter: where another language leads from what a form answered."""
    return f"/{page}?token={quote(token[:LONGEST])}"


@router.get("/forgotten")
async def forgotten_form(visit: Visiting) -> Response:
    """Who has forgotten a password?"""
    return await visit.page("accounts/forgotten.html", form=Forgotten())


@router.post("/forgotten")
async def forgotten(visit: Visiting, who: Annotated[str, Form()] = "") -> Response:
    """Has a letter written, and says the same whether there is somebody to write to or not."""
    visit.edge.limits.check("letter", visit.whence)
    if not who.strip():
        form = Forgotten(who=Field(complaint="name_empty"))
        return await visit.page("accounts/forgotten.html", 422, form=form)
    await recovery.forgotten(visit.server, who=who[:LONGEST], address=visit.site)
    return await visit.page("accounts/forgotten.html", form=Forgotten(Field(who[:LONGEST]), asked=True))


@router.get("/password")
async def password_form(visit: Visiting, token: str = "") -> Response:
    """A new password."""
    try:
        name = await recovery.look_at_link(visit.server, token)
    except BadLink:
        return await visit.page("accounts/password.html", 410, form=NewPassword(""))
    return await visit.page("accounts/password.html", form=NewPassword(token, name))


@router.post("/password")
async def choose_password(
    visit: Visiting, token: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
) -> Response:
    """Takes the new password, and lets its owner in."""
    visit.edge.limits.check("sign-in", visit.whence)
    try:
        visit.me, visit.connection.state.token = await recovery.choose(
            visit.server, visit.me, token=token, password=password, browser=visit.browser(), address=visit.site
        )
    except BadPassword as fault:
        name = await recovery.look_at_link(visit.server, token)
        form = NewPassword(token, name, Field(complaint=complaint_of(fault)))
        return await visit.page("accounts/password.html", 422, form=form, path=link_path("password", token))
    except BadLink:
        return await visit.page("accounts/password.html", 410, form=NewPassword(""))
    return visit.go("/me/preferences?saved=password#account")


@router.get("/confirm")
async def confirm_form(visit: Visiting, token: str = "") -> Response:
    """Is this address yours?"""
    try:
        name, email = await emails.look_at_confirmation(visit.server, token)
    except BadLink:
        return await visit.page("accounts/confirm.html", 410, form=Proof(complaint="bad_link"))
    return await visit.page("accounts/confirm.html", form=Proof(token, name, email))


@router.post("/confirm")
async def confirm(visit: Visiting, token: Annotated[str, Form()] = "") -> Response:
    """It is."""
    visit.edge.limits.check("sign-in", visit.whence)
    try:
        email = await emails.confirm(visit.server, token)
    except (BadLink, EmailTaken) as fault:
        status = 410 if isinstance(fault, BadLink) else 409
        path, form = link_path("confirm", token), Proof(complaint=complaint_of(fault))
        return await visit.page("accounts/confirm.html", status, form=form, path=path)
    return await visit.page("accounts/confirm.html", form=Proof(email=email, done=True), path="/")
