"""Who may make an account: anybody, who was invited, or nobody at present."""

from datetime import timedelta

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db.models import Token
from app.services import clock, emails
from app.services.accounts import hashed
from app.services.club import BY_INVITATION, CLOSED, Club
from app.services.errors import BadLink, NeedsInvitation, RegistrationClosed
from app.services.server import Server

INVITATION = queries.INVITATION


async def new(session: AsyncSession, by_id: int, *, lasting: timedelta) -> str:
    """The secret of a link with which one person may make an account. There may be many such links."""
    token = emails.new_secret()
    expires = clock.now() + lasting
    session.add(Token(user_id=by_id, kind=INVITATION, token_hash=hashed(token), email="", expires_at=expires))
    return token


async def look_at_invitation(server: Server, token: str) -> bool:
    """Whether an invitation is still good."""
    try:
        async with server.sessions() as session:
            await emails.find_open(session, token, kind=INVITATION)
    except BadLink:
        return False
    return True


async def admit(session: AsyncSession, club: Club, *, invitation: str) -> None:
    """Lets one more person make an account. Raises :class:`RegistrationClosed`, :class:`NeedsInvitation`."""
    if club.registration == CLOSED:
        raise RegistrationClosed
    if club.registration != BY_INVITATION:
        return
    try:
        found, _ = await emails.find_open(session, invitation, kind=INVITATION, lock=True)
    except BadLink as fault:
        raise NeedsInvitation from fault
    found.used_at = clock.now()
