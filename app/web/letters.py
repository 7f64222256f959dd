"""Letters in words, and the page on which the machine's owner reads those that nobody brings."""

from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import quote

from fastapi import APIRouter
from jinja2 import Environment
from starlette.exceptions import HTTPException
from starlette.responses import Response

from app.config import Settings
from app.services.letters import Compose, Facts, Sheet
from app.services.roads import letters_in
from app.web.deps import Visit, Visiting
from app.web.drawing import environment, sentences
from app.web.forms import Lying
from app.web.moments import moment

router = APIRouter()
SHOWN = 50


@cache
def plain(language: str) -> Environment:
    """The templates for text that is no HTML."""
    made = environment(language).overlay(autoescape=False)
    made.globals = {**made.globals, **sentences(language, str)}
    return made


def composer(settings: Settings) -> Compose:
    """Makes sentences of facts: the first line of a template is the subject, the rest the letter."""

    def compose(facts: Facts) -> Sheet:
        site = settings.address or str(facts.facts.get("address", ""))
        token = quote(str(facts.facts.get("token", "")))
        template = plain(facts.language or "en").get_template(f"letters/{facts.kind}.txt")
        whole = template.render(name=facts.name, site=site, token=token, facts=facts.facts).strip()
        subject, _, text = whole.partition("\n")
        return Sheet(facts.id, facts.kind, facts.to, subject.strip(), text.strip() + "\n")

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
