"""Letters in words, and the page on which the machine's owner reads those that nobody brings."""

from collections.abc import Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.config import Settings
from app.services.letters import Compose, Facts, Sheet
from app.services.news import News
from app.services.roads import letters_in
from app.web.deps import Visit, Visiting
from app.web.digest import context
from app.web.forms import Lying
from app.web.moments import moment
from app.web.plain import plain
from app.web.unsubscribing import address_of

router = APIRouter()
SHOWN = 50


def composer(settings: Settings) -> Compose:
    """Makes sentences of facts: the first line of a template is the subject, the rest the letter."""

    def compose(facts: Facts) -> Sheet:
        site = settings.address or str(facts.facts.get("address", ""))
        token = quote(str(facts.facts.get("token", "")))
        language = facts.language or "en"
        template = plain(language).get_template(f"letters/{facts.kind}.txt")
        told: Sequence[News] = facts.facts.get("news", ())
        more: dict[str, Any] = {}
        if told:
            zone = str(facts.facts["zone"])
            more = context(told, site=site, language=language, zone=zone)
            more["unsubscribe"] = address_of(settings, site=site, user_id=facts.facts["person"])
        whole = template.render(name=facts.name, site=site, token=token, facts=facts.facts, **more).strip()
        subject, _, text = whole.partition("\n")
        stop = str(more.get("unsubscribe", ""))
        return Sheet(facts.id, facts.kind, facts.to, subject.strip(), text.strip() + "\n", unsubscribe=stop)

    return compose


@router.get("/letters")
async def lying(visit: Visiting) -> Response:
    """The letters in the folder: a page only for an admin at this machine, and only while letters become files."""
    if not (visit.me and visit.me.admin and is_local(visit)) or visit.server.settings.smtp_host:
        raise HTTPException(404)
    found = letters_in(visit.server.settings.var)[:SHOWN]
    return await visit.page("accounts/letters.html", letters=tuple(read(file, visit) for file in found))


def is_local(visit: Visit) -> bool:
    """Whether the request comes from this machine."""
    client = visit.connection.client
    try:
        return client is not None and ip_address(client.host).is_loopback
    except ValueError:
        return False


def read(file: Path, visit: Visit) -> Lying:
    """A letter as it lies there."""
    message = message_from_bytes(file.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    number, _, kind = file.stem.partition("-")
    at = message["Date"].datetime
    assert isinstance(at, datetime)
    zone = visit.me.time_zone if visit.me else ""
    return Lying(
        number=int(number),
        kind=kind,
        to=str(message["To"]),
        subject=str(message["Subject"]),
        text=message.get_content(),
        at=moment(at, zone, language=visit.language),
    )
