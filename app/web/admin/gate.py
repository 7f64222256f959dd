"""Who may come to these pages: whoever has a role; for all others there is nothing here. And what they share."""

from typing import Annotated, Any

import msgspec
from fastapi import Depends, HTTPException
from starlette.responses import Response

from app.services.accounts import Me
from app.services.admin import reports, rights
from app.services.admin.audit import ACTS
from app.services.errors import Refusal
from app.web.deps import Visit, Visiting
from app.web.errors import status_of, word

LONGEST = 400
"""So much of what was written is sent back."""


class Said(msgspec.Struct, frozen=True):
    """What a page says first: that something was done (``done``, the word of an act), or a complaint with its
    facts, beside what was written."""

    done: str = ""
    complaint: str = ""
    facts: tuple[tuple[str, str | int], ...] = ()
    written: tuple[tuple[str, str], ...] = ()


NOTHING = Said()


class Keeper(msgspec.Struct, frozen=True):
    """Somebody with a role, and the visit."""

    visit: Visit
    me: Me
    powers: frozenset[str]

    def need(self, power: str) -> None:
        """Raises ``NotAllowed``."""
        rights.check(self.me, power)

    async def page(
        self, template: str, part: str, status: int = 200, *, said: Said = NOTHING, **context: Any
    ) -> Response:
        """A page of ours; ``part``: which of them."""
        return await self.visit.page(
            f"admin/{template}.html",
            status,
            part=part,
            powers=self.powers,
            role=self.me.role,
            said=said,
            written=dict(said.written),
            known_acts=ACTS,
            reported=await reports.count_open(self.visit.server),
            **context,
        )

    def check_speed(self) -> None:
        """Raises ``TooFast``."""
        self.visit.edge.limits.check("post", self.visit.who)


async def keeper(visit: Visiting) -> Keeper:
    """Whoever has a role. There is no such page for anybody else."""
    if visit.me is None or not visit.me.role:
        raise HTTPException(404)
    return Keeper(visit, visit.me, rights.powers(visit.me.role))


Keeping = Annotated[Keeper, Depends(keeper)]


def refused(fault: Refusal, **written: str) -> tuple[int, Said]:
    """The status of a refusal, and how a page tells it, keeping what was written."""
    kept = tuple((name, value[:LONGEST]) for name, value in written.items())
    return status_of(fault), Said(complaint=word(type(fault)), facts=tuple(fault.facts.items()), written=kept)


def plain(written: str, most: int = 100) -> str:
    """What was written, without what no database keeps."""
    return written.replace("\0", "")[:most]


def number_in(written: str) -> int | None:
    """A whole number as somebody wrote it."""
    text = written.strip()
    return int(text) if text.isdecimal() and text.isascii() and len(text) < 10 else None
