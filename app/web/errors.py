"""A service's refusal becomes a status and a sentence."""

import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI, HTTPException
from fastapi.exceptions import RequestValidationError
from jinja2 import TemplateNotFound
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from app import metrics
from app.db.lost import LOST, is_outage, reason
from app.engine import log
from app.engine.contract import Broken
from app.i18n import LANGUAGES, negotiated
from app.services import errors
from app.services.errors import Refusal
from app.web.cards import Trouble
from app.web.deps import LANGUAGE, NeedName, TooFast, Visit, make_visit, name_page, sign_in_page
from app.web.drawing import draw
from app.web.protection import OtherSite, TooLarge

STATUS: dict[type[Exception], int] = {
    errors.NoSuchTable: 404,
    errors.NotYourSeat: 403,
    errors.NotHost: 403,
    errors.BadAction: 422,
    errors.BadTable: 422,
    errors.BadName: 422,
    errors.NameTaken: 422,
    errors.TooManyTables: 429,
    errors.NeedsPassword: 403,
    errors.NoOffer: 404,
    errors.SignedOut: 401,
    errors.NoSuchPerson: 404,
    errors.NeedsAccount: 403,
    errors.BadChoice: 422,
    errors.BadSubscription: 422,
    errors.BadPassword: 422,
    errors.BadEmail: 422,
    errors.BadLink: 410,
    errors.TooManyLetters: 429,
    errors.NotSaved: 503,
    errors.NotAllowed: 403,
    errors.NotImpartial: 403,
    errors.HigherRole: 403,
    errors.LastOwner: 409,
    errors.NeedsReason: 422,
    errors.BadAddress: 422,
    errors.BadTime: 422,
    errors.BadSetting: 422,
    errors.BadEdition: 422,
    errors.NoSuchEntry: 422,
    errors.BadRemark: 422,
    errors.TalkOff: 403,
    errors.LeftSeat: 403,
    errors.NoGuestTalk: 403,
    errors.NoSuchRemark: 404,
    errors.NoSuchMoment: 404,
    errors.Banned: 403,
    errors.Muted: 403,
    errors.NoGuests: 403,
    errors.RegistrationClosed: 403,
    errors.NeedsInvitation: 403,
    TooFast: 429,
    OtherSite: 403,
    TooLarge: 413,
    log.Refused: 422,
}
OTHERWISE = 409
Answer = Callable[[Request, Exception], Awaitable[Response]]
logger = logging.getLogger("app.web")


def word(fault: type[Exception] | str) -> str:
    """``TableFull`` as ``table_full``."""
    name = fault if isinstance(fault, str) else fault.__name__
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def status_of(fault: Exception) -> int:
    """The HTTP status of a refusal."""
    return next((STATUS[kind] for kind in type(fault).__mro__ if kind in STATUS), OTHERWISE)


def refusal(language: str, fault: Exception, *, slug: str = "") -> str:
    """The refusal as the zone that shows it beside the board."""
    broken = fault.broken if isinstance(fault, log.Refused) else Broken(word(type(fault)))
    facts: dict[str, Any] = dict(broken.facts)
    if isinstance(fault, Refusal):
        facts = dict(fault.facts)
    if isinstance(fault, errors.NotSure):
        return draw(language, "tables/sure.html", **facts)
    rules = isinstance(fault, log.Refused) and not isinstance(fault, log.CannotUndo) and broken != log.NOT_ASKED
    return draw(language, "tables/refusal.html", slug=slug if rules else "", broken=broken, facts=facts)


def partial_refusal(language: str, fault: Exception, *, slug: str = "") -> str:
    """The same, as htmx puts it in place."""
    html = refusal(language, fault, slug=slug)
    return f'<hx-partial hx-target="#zone-refusal" hx-swap="outerMorph">{html}</hx-partial>'


def sign_in_again(visit: Visit, table: str) -> str:
    """Where somebody signs in who was signed out meanwhile; afterwards the way goes back to where they were."""
    connection = visit.connection
    if connection.scope.get("method") == "GET":
        return sign_in_page(visit.path, lost="page")
    return sign_in_page(table or visit.back(), lost="move" if connection.url.path.endswith("/act") else "post")


def install(app: FastAPI) -> None:
    """Answers every fault with a page or a part of one; never with a bare 500."""

    def answer(kind: type[Exception], handler: Answer) -> None:
        """A page says who asks: a refusal while the database is lost is told as that."""

        async def safely(request: Request, fault: Exception) -> Response:
            try:
                return await handler(request, fault)
            except LOST as lost:
                return await database(request, lost)

        app.add_exception_handler(kind, safely)

    async def refused(request: Request, fault: Exception) -> Response:
        visit = await make_visit(request)
        if isinstance(fault, NeedName):
            return visit.go(name_page(fault.next))
        key = request.path_params.get("key", "")
        if isinstance(fault, errors.SignedOut):
            return visit.go(sign_in_again(visit, f"/tables/{key}" if key else ""))
        back = f"/tables/{key}" if key and not isinstance(fault, errors.NoSuchTable) else ""
        if visit.by_htmx:
            slug = getattr(request.state, "slug", "")
            return visit.part(partial_refusal(visit.language, fault, slug=slug), status_of(fault))
        if isinstance(fault, errors.NotSure):
            html = refusal(visit.language, fault)
            return await visit.page("tables/ask.html", question=html, key=key, asked=fault.facts)
        if isinstance(fault, log.Refused):
            slug = getattr(request.state, "slug", "")
            html = refusal(visit.language, fault, slug=slug)
            return await visit.page("pages/refused.html", status_of(fault), refusal=html, back=back)
        facts = tuple(fault.facts.items()) if isinstance(fault, Refusal) else ()
        return await trouble(visit, status_of(fault), complaint=word(type(fault)), back=back, facts=facts)

    for kind in (Refusal, log.Refused, NeedName, TooFast):
        answer(kind, refused)

    async def senseless(request: Request, fault: Exception) -> Response:
        assert isinstance(fault, RequestValidationError)
        if any(each["loc"] == ("query", "at") for each in fault.errors()):
            return await refused(request, errors.NoSuchMoment())
        visit = await make_visit(request)
        if visit.by_htmx:
            return visit.part(partial_refusal(visit.language, errors.BadAction()), 422)
        key = request.path_params.get("key", "")
        return await trouble(visit, 422, complaint=word(errors.BadAction), back=f"/tables/{key}" if key else "")

    answer(RequestValidationError, senseless)

    async def http(request: Request, fault: Exception) -> Response:
        assert isinstance(fault, StarletteHTTPException)
        return await trouble(await make_visit(request), fault.status_code)

    answer(StarletteHTTPException, http)
    answer(HTTPException, http)

    async def database(request: Request, fault: Exception) -> Response:
        level = logging.DEBUG if is_outage(fault) else logging.ERROR  # the sweep says for all that it is lost
        logger.log(level, "database: %s", reason(fault))
        return bare(request, 503)

    async def broken(request: Request, fault: Exception) -> Response:
        metrics.FAULTS.inc()
        logger.exception("unexpected", exc_info=fault)
        return bare(request, 500)

    for lost in LOST:
        app.add_exception_handler(lost, database)
    app.add_exception_handler(TemplateNotFound, broken)
    app.add_exception_handler(Exception, broken)


async def trouble(
    visit: Visit, status: int, *, complaint: str = "", back: str = "", facts: tuple[tuple[str, str | int], ...] = ()
) -> Response:
    """A page that says what is the matter and where the way goes on."""
    said = Trouble(status=status, complaint=complaint, back=back, facts=facts)
    return await visit.page("pages/error.html", status, trouble=said)


def bare(request: Request, status: int) -> Response:
    """The same page, or part of one, when the database cannot be asked."""
    trouble = Trouble(status=status, retry=5, id=request.state.request_id if status == 500 else "")
    answer = unasked(request, trouble, errors.NotSaved())
    answer.headers.update({"Retry-After": "5", "X-Request-ID": request.state.request_id})
    return answer


def at_the_door(scope: Scope, fault: Exception) -> Response:
    """What is refused before it reaches a route."""
    return unasked(Request(scope), Trouble(status=status_of(fault), complaint=word(type(fault))), fault)


def unasked(request: Request, trouble: Trouble, fault: Exception) -> Response:
    """A page of trouble, or for htmx the refusal that it is, for nobody in particular: nothing is asked of the
    database, and the language is the one that the browser names."""
    wished = request.cookies.get(LANGUAGE, "")
    language = wished if wished in LANGUAGES else negotiated(request.headers.get("accept-language", ""))
    if request.headers.get("hx-request") == "true":
        html = partial_refusal(language, fault)
    else:
        html = draw(language, "pages/error.html", me=None, path="/", here=0, trouble=trouble)
    return Response(html, status_code=trouble.status, media_type="text/html")
