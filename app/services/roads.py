"""The roads that letters take: an SMTP server, or a folder where nobody but the machine's owner looks."""

import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from pathlib import Path
from urllib.parse import urlsplit

import aiosmtplib
from aiosmtplib.errors import SMTPDataError, SMTPException, SMTPRecipientRefused, SMTPResponseException

from app.config import Settings
from app.services import clock
from app.services.letters import Road, Sheet, Uncertain, Unreachable, Unwanted

PATIENCE = 15.0
"""Seconds that an answer may take."""
FOLDER = "letters"
UNSUBSCRIBE = "List-Unsubscribe"


class Lines(EmailPolicy):
    """As letters go over the line, but an address is never cut: mail programs would not find it any more."""

    def fold(self, name: str, value: str) -> str:
        """A header in as many lines as it needs."""
        return f"{name}: {value}{self.linesep}" if name == UNSUBSCRIBE else super().fold(name, value)

    def fold_binary(self, name: str, value: str) -> bytes:
        """The same as bytes."""
        return self.fold(name, value).encode() if name == UNSUBSCRIBE else super().fold_binary(name, value)


LINES = Lines(linesep="\r\n")
HandingOver = Callable[[], Awaitable[None]]


def sender_of(settings: Settings) -> str:
    """Whom letters are from."""
    return settings.smtp_from or f"semiramis@{urlsplit(settings.address).hostname or 'localhost'}"


def message_of(sheet: Sheet, *, sender: str) -> EmailMessage:
    """The letter as it goes over the line. The same letter always has the same id."""
    message = EmailMessage(policy=LINES)
    host = parseaddr(sender)[1].rpartition("@")[2]
    message["Subject"] = " ".join(sheet.subject.split())
    message["From"] = f"Semiramis <{sender}>" if "<" not in sender else sender
    message["To"] = sheet.to
    message["Date"] = format_datetime(clock.now())
    message["Message-ID"] = f"<letter-{sheet.id}@{host}>"
    message["Auto-Submitted"] = "auto-generated"
    if sheet.unsubscribe:
        message[UNSUBSCRIBE] = f"<{sheet.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    message.set_content(sheet.text, charset="utf-8", cte="quoted-printable")
    return message


class Smtp(Road):
    """Through a server that speaks SMTP."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def bring(self, sheet: Sheet, handing_over: HandingOver) -> None:
        """Brings it; nothing is final before the server has the text."""
        settings = self._settings
        sender = sender_of(settings)
        message = message_of(sheet, sender=sender)
        line = aiosmtplib.SMTP(
            hostname=settings.smtp_host,
            port=settings.smtp_port,
            timeout=PATIENCE,
            use_tls=settings.smtp_security == "tls",
            start_tls=settings.smtp_security == "starttls",
            tls_context=ssl.create_default_context() if settings.smtp_security != "none" else None,
            username=settings.smtp_user or None,
            password=settings.smtp_password or None,
        )
        try:
            try:
                await line.connect()
                await line.mail(parseaddr(sender)[1])
                await line.rcpt(sheet.to)
            except SMTPRecipientRefused as fault:
                raise (Unwanted if fault.code >= 500 else Unreachable)(said(fault)) from fault
            except (SMTPException, OSError, ValueError) as fault:
                raise Unreachable(said(fault)) from fault
            await handing_over()
            try:
                await line.data(message.as_bytes())
            except SMTPDataError as fault:
                raise (Unwanted if fault.code >= 500 else Unreachable)(said(fault)) from fault
            except (SMTPException, OSError) as fault:
                raise Uncertain(said(fault)) from fault
            with suppress(SMTPException, OSError):
                await line.quit()
        finally:
            line.close()


def said(fault: Exception) -> str:
    """What a server answered, in one line, without the address it was about."""
    if isinstance(fault, SMTPRecipientRefused):
        return f"{fault.code} the recipient was refused"
    if isinstance(fault, SMTPResponseException):
        return f"{fault.code} {' '.join(str(fault.message).split())[:200]}"
    return f"{type(fault).__name__} {' '.join(str(fault).split())[:200]}"


class Folder(Road):
    """Into a folder: one file a letter."""

    def __init__(self, settings: Settings) -> None:
        self._folder = settings.var / FOLDER
        self._sender = sender_of(settings)

    async def bring(self, sheet: Sheet, handing_over: HandingOver) -> None:
        """Writes the file; one that is there already is the same letter."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as fault:
            raise Unreachable(said(fault)) from fault
        await handing_over()
        file = self._folder / f"{sheet.id:08d}-{sheet.kind}.eml"
        begun = file.with_suffix(".part")
        begun.write_bytes(message_of(sheet, sender=self._sender).as_bytes())
        begun.rename(file)


def road_of(settings: Settings) -> Road:
    """The road that the settings name."""
    return Smtp(settings) if settings.smtp_host else Folder(settings)


def letters_in(var: Path) -> list[Path]:
    """The letters that lie in the folder, the newest first."""
    return sorted((var / FOLDER).glob("*.eml"), reverse=True)
