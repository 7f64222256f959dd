"""What is said at a table, as its pages show it to one viewer."""

from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from app.db.talk import Said
from app.services import clock, talk
from app.services.facts import REMARKS_KEPT, TableFacts
from app.web import moments
from app.web.drawing import draw

KEPT = 1_000
ABOUT = 4
"""Minutes after which a name is told again above what somebody goes on to say."""


class RemarkCard(msgspec.Struct, frozen=True):
    """One remark. ``seat``: where its speaker sat; ``day``: the day that begins with it (empty: the same as above);
    ``goes_on``: the speaker is that of the one above."""

    id: int
    who: str
    seat: int | None
    mine: bool
    among_watchers: bool
    private: bool
    removed: bool
    words: str
    at: str
    time: str
    day: str
    goes_on: bool


class TalkCard(msgspec.Struct, frozen=True):
    """The talk of a table for one viewer. ``room``: the one they speak in (empty: none); ``talk``: who hears the
    seats (``off``: nobody says anything); ``earlier``: before which remark there are more; ``local``: the times are
    the viewer's own already."""

    key: str
    lines: tuple[RemarkCard, ...]
    room: str
    talk: str
    over: bool
    waiting: bool
    host: bool
    known: bool
    earlier: int | None
    local: bool

    @property
    def latest(self) -> int:
        """The number of the latest remark; 0 when there is none."""
        return self.lines[-1].id if self.lines else 0


def cards(
    heard: Sequence[Said], user_id: int | None, language: str, *, zone: str, all_private: bool
) -> tuple[RemarkCard, ...]:
    """Remarks as they are shown. ``all_private``: that only the seats hear the talk need not be said of each."""
    made: list[RemarkCard] = []
    before: Said | None = None
    day = ""
    for each in heard:
        today = moments.day(each.at, zone, language=language)
        same = before is not None and _whence(before) == _whence(each) and today == day
        soon = before is not None and (each.at - before.at).total_seconds() < ABOUT * 60
        made.append(
            RemarkCard(
                id=each.id,
                who=each.name,
                seat=each.seat,
                mine=each.user_id == user_id,
                among_watchers=each.room == talk.WATCHERS,
                private=each.private and not all_private,
                removed=each.removed,
                words=each.words,
                at=stamp(each.at),
                time=moments.time(each.at, zone),
                day="" if today == day else today,
                goes_on=same and soon,
            )
        )
        before, day = each, today
    return tuple(made)


def _whence(said: Said) -> tuple[object, ...]:
    return said.user_id, said.seat, said.room, said.private


def stamp(at: datetime) -> str:
    """A moment as a page's script understands it."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def talk_of(facts: TableFacts, user_id: int | None, language: str, *, zone: str) -> TalkCard:
    """The newest of the talk of a table."""
    heard, more = talk.latest_heard(facts, user_id, most=REMARKS_KEPT)
    return card_of(facts, user_id, language, heard=heard, more=more, zone=zone)


def card_of(
    facts: TableFacts, user_id: int | None, language: str, *, heard: Sequence[Said], more: bool, zone: str
) -> TalkCard:
    """These remarks of a table; ``more``: there are earlier ones."""
    speaks = facts.talk != talk.OFF and user_id is not None
    return TalkCard(
        key=facts.key,
        lines=cards(heard, user_id, language, zone=zone, all_private=facts.talk == talk.CLOSED),
        room=(talk.own_room(facts, user_id) or "") if speaks else "",
        talk=facts.talk,
        over=facts.status == "over",
        waiting=facts.status == "waiting",
        host=user_id is not None and facts.host_id == user_id,
        known=user_id is not None,
        earlier=heard[0].id if more and heard else None,
        local=bool(zone),
    )


class Voices:
    """Draws the talk of tables, remembering what it drew for each viewer."""

    def __init__(self) -> None:
        self._drawn: OrderedDict[tuple[object, ...], tuple[str, int]] = OrderedDict()

    def zone(self, facts: TableFacts, user_id: int | None, language: str, *, zone: str) -> tuple[str, int]:
        """What is said there, as far as this person hears it, and its digest; ``zone``: that of their times."""
        muted = talk.muted_by(facts, user_id)
        key = (facts.id, facts.changed, facts.status, user_id, muted, language, zone, clock.now().date())
        found = self._drawn.get(key)
        if found is None:
            html = draw(language, "tables/talk.html", m=talk_of(facts, user_id, language, zone=zone))
            found = self._drawn[key] = html, hash(html)
            if len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        else:
            self._drawn.move_to_end(key)
        return found
