"""My account: name, address, password, browsers; taking my data along, and going."""

from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from fastapi import APIRouter, Form
from starlette.responses import Response

from app.services import accounts, deletion, emails, exports, recovery, sessions
from app.services.accounts import Me
from app.services.errors import BadEmail, BadName, BadPassword, NameTaken, TooManyLetters, WrongPassword
from app.web.accounts import LONGEST, complaint_of
from app.web.deps import Visit, Visiting
from app.web.forms import Field, Going
from app.web.preferences import HERE, again

router = APIRouter(prefix="/me")


@router.post("/name")
async def rename(visit: Visiting, name: Annotated[str, Form()] = "") -> Response:
    """Another name."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    try:
        await accounts.rename(visit.server, me, name=name)
    except (BadName, NameTaken) as fault:
        return await again(visit, me, name=Field(name[:LONGEST], complaint_of(fault)))
    return visit.go(f"{HERE}?saved=name#account")


async def with_password(visit: Visit, me: Me, do: Callable[[], Awaitable[None]]) -> Field | None:
    """Does what needs my password; the complaint about it when it was wrong (too often)."""
    limits, who = visit.edge.limits, f"user {me.id}"
    if not limits.left("password", who):
        return Field(complaint="password_rest")
    try:
        await do()
    except WrongPassword as fault:
        limits.check("password", who)
        return Field(complaint=complaint_of(fault), left=limits.left("password", who))
    return None


@router.post("/email")
async def set_email(
    visit: Visiting, email: Annotated[str, Form()] = "", password: Annotated[str, Form()] = ""
) -> Response:
    """Another address, or none."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    written = Field(email[:LONGEST])

    async def do() -> None:
        await emails.set_email(visit.server, me, email=email, password=password, address=visit.site)

    try:
        wrong = await with_password(visit, me, do)
    except (BadEmail, TooManyLetters) as fault:
        return await again(visit, me, email=Field(email[:LONGEST], complaint_of(fault)))
    if wrong is not None:
        return await again(visit, me, email=written, email_password=wrong)
    return visit.go(f"{HERE}?saved=email#account")


@router.post("/email/again")
async def ask_again(visit: Visiting) -> Response:
    """The letter with the link once more."""
    visit.edge.limits.check("letter", visit.whence)
    me = visit.known()
    try:
        await emails.ask_again(visit.server, me, address=visit.site)
    except TooManyLetters as fault:
        contact = await emails.contact(visit.server, me)
        return await again(visit, me, 429, email=Field(contact.email, complaint_of(fault)))
    return visit.go(f"{HERE}?saved=letter#account")


@router.post("/password")
async def change_password(
    visit: Visiting, password: Annotated[str, Form()] = "", new_password: Annotated[str, Form()] = ""
) -> Response:
    """Another password."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()

    async def do() -> None:
        await recovery.change(visit.server, me, old=password, new=new_password, address=visit.site)

    try:
        wrong = await with_password(visit, me, do)
    except BadPassword as fault:
        return await again(visit, me, new_password=Field(complaint=complaint_of(fault)))
    if wrong is not None:
        return await again(visit, me, password=wrong)
    return visit.go(f"{HERE}?saved=password#account")


@router.post("/sessions")
async def end_session(visit: Visiting, which: Annotated[str, Form()] = "") -> Response:
    """Signs one of my browsers out, or all but this one (``others``)."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()
    if which == "others":
        await sessions.end_others(visit.server, me)
    elif which.isdecimal() and len(which) < 18:
        await sessions.end(visit.server, me, login_id=int(which))
    return visit.go(f"{HERE}?saved=sessions#browsers")


@router.get("/export")
async def export(visit: Visiting) -> Response:
    """Everything that is stored of me, as a file."""
    visit.edge.limits.check("post", visit.who)
    found = await exports.export(visit.server, visit.known())
    text = msgspec.json.format(msgspec.json.encode(found), indent=2)
    headers = {"Content-Disposition": 'attachment; filename="semiramis-my-data.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.get("/delete")
async def deletion_form(visit: Visiting) -> Response:
    """Really?"""
    return await really(visit, visit.known())


async def really(visit: Visit, me: Me, status: int = 200, password: Field = Field()) -> Response:  # noqa: B008 - it is frozen
    """The page that asks."""
    unfinished = await deletion.count_unfinished(visit.server, me)
    form = Going(guest=me.guest, name=me.name, password=password, unfinished=unfinished)
    return await visit.page("accounts/delete.html", status, form=form)


@router.post("/delete")
async def delete(visit: Visiting, password: Annotated[str, Form()] = "") -> Response:
    """Goes for good."""
    visit.edge.limits.check("post", visit.who)
    me = visit.known()

    async def do() -> None:
        await deletion.delete_me(visit.server, me, password=password)

    wrong = await with_password(visit, me, do)
    if wrong is not None:
        return await really(visit, me, 422, wrong)
    visit.me, visit.connection.state.forget = None, True
    return await visit.page("accounts/gone.html")
