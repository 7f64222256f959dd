"""Who may do what: moderators keep the peace, admins run the house, the owner says who they are."""

from sqlalchemy.ext.asyncio import AsyncSession

from app.db import accounts as queries
from app.db.models import User
from app.services.accounts import Me
from app.services.errors import HigherRole, NoSuchPerson, NotAllowed

ROLES = ("", "moderator", "admin", "owner")
MODERATOR = frozenset({
    "glance", "tables", "see", "doctor", "pause", "hide", "people", "mute", "sign_out", "audit",
    "talk",
})  # fmt: skip
ADMIN = MODERATOR | {
    "end", "cancel", "rewind", "replace", "host", "export", "ban", "link", "merge", "role", "settings", "editions",
    "invite",
}  # fmt: skip
POWERS = {"": frozenset[str](), "moderator": MODERATOR, "admin": ADMIN, "owner": ADMIN | {"roles"}}


def powers(role: str) -> frozenset[str]:
    """What somebody of that role may do."""
    return POWERS.get(role, frozenset())


def rank(role: str) -> int:
    """How high a role is."""
    return ROLES.index(role) if role in ROLES else 0


def check(me: Me, power: str) -> None:
    """Raises :class:`NotAllowed` for a power that this person does not have."""
    if power not in powers(me.role):
        raise NotAllowed


async def acting(session: AsyncSession, me: Me, power: str) -> User:
    """The person who acts, as stored now: a role may have been taken away meanwhile. Raises :class:`NotAllowed`."""
    user = await queries.find_user(session, me.id)
    if user is None or user.deleted_at is not None or power not in powers(user.role):
        raise NotAllowed
    return user


async def subject(session: AsyncSession, actor: User, user_id: int) -> User:
    """Whom an act is about, held until the transaction ends. Raises :class:`NoSuchPerson`, :class:`HigherRole`."""
    user = await queries.find_user(session, user_id, lock=True)
    if user is None or user.deleted_at is not None:
        raise NoSuchPerson
    if user.id == actor.id or (rank(user.role) >= rank(actor.role) and actor.role != "owner"):
        raise HigherRole
    return user
