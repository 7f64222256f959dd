"""No more letters: by the link at the end of each, signed in, banned or neither, with one click of ours or a mail
program's."""

from typing import Annotated

from fastapi import APIRouter, Query
from itsdangerous import BadSignature, URLSafeSerializer
from starlette.responses import Response

from app.config import Settings
from app.services import wishes
from app.services.errors import BadLink
from app.web.deps import Anyone, Visit, read_secret

router = APIRouter()
LINK = "/unsubscribe"


def signer(settings: Settings) -> URLSafeSerializer:
    """Who vouches that a link came from a letter of ours."""
    return URLSafeSerializer(read_secret(settings.secret, settings.var), salt="no more letters")


def address_of(settings: Settings, *, site: str, user_id: int) -> str:
    """Where this person says that no more letters shall come."""
    return f"{site}{LINK}?token={signer(settings).dumps(user_id)}"


def person_of(visit: Visit, token: str) -> int:
    """Whose link it is. Raises :class:`BadLink`."""
    try:
        found = signer(visit.server.settings).loads(token)
    except BadSignature as fault:
        raise BadLink from fault
    if not isinstance(found, int):
        raise BadLink
    return found


@router.get(LINK)
async def ask(visit: Anyone, token: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Really? Opening a link changes nothing: programs open links as well."""
    person_of(visit, token)
    return await visit.page("notices/unsubscribe.html", token=token, done=False)


@router.post(LINK)
async def unsubscribe(visit: Anyone, token: Annotated[str, Query(max_length=200)] = "") -> Response:
    """Done; the same again changes nothing."""
    visit.edge.limits.check("post", visit.whence)
    if not await wishes.no_letters(visit.server, person_of(visit, token)):
        raise BadLink
    return await visit.page("notices/unsubscribe.html", token=token, done=True)
