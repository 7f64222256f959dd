"""What is stored of a table besides its log: who sits there, what was agreed, what befell it, what is said."""

from collections.abc import Sequence
from datetime import datetime

import msgspec
from sqlalchemy.ext.asyncio import AsyncSession

from app.db import marks as time_queries
from app.db import tables as queries
from app.db.audit import Act, list_acts
from app.db.invitations import Asked, list_asked
from app.db.models import Table
from app.db.talk import Said, list_latest, list_mutes
from app.services import editions, pace
from app.services.clocks import Mark
from app.services.errors import NoSuchTable
from app.services.pace import Pace
from app.services.playing import playing_of
from app.services.quiet import Span

REMARKS_KEPT = 30
"""Of each room of a table so many of the latest remarks are remembered, and one more: whether there are others."""


class SeatFacts(msgspec.Struct, frozen=True):
    """A seat: a person, a bot (its kind), or nobody.

    ``left``: the name of who left it to the bot and may come back (``left_id``); ``offer``: where a substitute may
    take it over, which only those who sit at the table are told. ``beside``: ``name`` is that of somebody who plays
    it on the person's device; ``opened``: what the seat knows may be seen there now. ``confirms`` and ``passes``:
    the person wants to be asked before a turn ends, or what is forced to be done by itself.
    """

    user_id: int | None
    name: str
    bot: str
    ready: bool = False
    language: str = ""
    seen_at: datetime | None = None
    left_id: int | None = None
    left: str = ""
    offer: str = ""
    beside: bool = False
    opened: bool = False
    quiet: str = ""
    cancels: bool = False
    conceded_id: int | None = None
    conceded_at: datetime | None = None
    confirms: bool = False
    passes: bool = False

    @property
    def free(self) -> bool:
        """Whether anybody may sit here."""
        return self.user_id is None and not self.bot


def seat_facts(row: queries.Sitting) -> SeatFacts:
    """The facts of a stored seat."""
    seat = row.seat
    playing = playing_of(row.preferences)
    return SeatFacts(
        user_id=seat.user_id,
        name=row.name,
        bot=seat.bot,
        ready=seat.ready,
        language=row.language,
        seen_at=row.seen_at,
        left_id=seat.left_id,
        left=row.left,
        offer=seat.offer_key or "",
        beside=row.beside,
        opened=row.opened,
        quiet=seat.quiet,
        cancels=seat.cancels,
        conceded_id=seat.conceded_id,
        conceded_at=seat.conceded_at,
        confirms=playing.confirm,
        passes=playing.auto_pass,
    )


def own_seat(seats: Sequence[SeatFacts], user_id: int | None) -> int | None:
    """Where a person sits; of several seats the one that is not for somebody beside."""
    if user_id is None:
        return None
    mine = [index for index, seat in enumerate(seats) if seat.user_id == user_id]
    return min(mine, key=lambda index: (seats[index].beside, index), default=None)


class TableFacts(msgspec.Struct, frozen=True):
    """What is stored of a table besides its log. ``lock``: its password's hash; ``asked``: who is asked to it;
    ``ended``: how it came to be over or cancelled when not by the rules; ``acts``: what admins did to it; ``marks``:
    what befell it besides its moves; ``gaps``: when none of our servers was there; ``talk``: who hears the seats;
    ``remarks``: the latest, of both rooms (:mod:`app.services.talk` says who hears them); ``mutes``: who does not
    want to hear whom of those who said them."""

    id: int
    key: str
    slug: str
    edition: str
    options: dict[str, str]
    deal: dict[str, list[str]]
    seed: str
    status: str
    public: bool
    host_id: int
    version: int
    changed: int
    seats: tuple[SeatFacts, ...]
    rematch: str | None
    created_at: datetime
    moved_at: datetime
    ended: str = ""
    hidden: bool = False
    paused: bool = False
    acts: tuple[Act, ...] = ()
    warned_at: datetime | None = None
    auto_start: bool = False
    lock: str | None = None
    asked: tuple[Asked, ...] = ()
    rematch_public: bool = False
    pace: Pace = pace.NONE
    started_at: datetime | None = None
    marks: tuple[Mark, ...] = ()
    gaps: tuple[Span, ...] = ()
    talk: str = "open"
    remarks: tuple[Said, ...] = ()
    mutes: frozenset[tuple[int, int]] = frozenset()

    def seat_of(self, user_id: int | None) -> int | None:
        """Where a person sits: of several seats at one device their own."""
        return own_seat(self.seats, user_id)

    def seat_left_by(self, user_id: int | None) -> int | None:
        """Which seat a person left and may take back."""
        if user_id is None:
            return None
        return next((index for index, seat in enumerate(self.seats) if seat.left_id == user_id), None)

    def belongs_to(self, user_id: int | None) -> bool:
        """Whether a person sits there, or left a seat or gave up there."""
        if user_id is None:
            return False
        return any(user_id in {seat.user_id, seat.left_id, seat.conceded_id} for seat in self.seats)

    def gave_up(self, user_id: int | None) -> bool:
        """Whether a person gave up there."""
        return user_id is not None and any(seat.conceded_id == user_id for seat in self.seats)


async def read_facts(session: AsyncSession, table_id: int, *, known: TableFacts | None = None) -> TableFacts:
    """The table without its log; ``known``: what was known of it before. Raises :class:`NoSuchTable`."""
    table = await queries.find_table(session, table_id)
    if table is None:
        raise NoSuchTable
    await editions.know(session, table.slug, table.edition)
    return await facts_of(session, table, known=known)


async def facts_of(session: AsyncSession, table: Table, *, known: TableFacts | None = None) -> TableFacts:
    """The facts of a stored table. Whatever an admin does to it, and whatever is said there, raises ``changed``; that
    somebody is not heard does not: only one person's pages change by it."""
    same = known is not None and known.changed == table.changed
    if known is not None and same:
        acts, remarks = known.acts, known.remarks
    else:
        acts = await list_acts(session, table.id)
        remarks = await list_latest(session, table.id, most=REMARKS_KEPT + 1)
    mutes = await list_mutes(session, {each.user_id for each in remarks})
    seats = await queries.list_seats(session, [table.id])
    rematch = await queries.find_table(session, table.rematch_id) if table.rematch_id else None
    marks = await time_queries.list_marks(session, table.id) if table.marks else []
    gaps = await time_queries.list_outages(session, since=table.started_at) if table.pace and table.started_at else []
    asked = await list_asked(session, table.id) if table.status == "waiting" or table.password_hash else []
    return TableFacts(
        id=table.id,
        key=table.key,
        slug=table.slug,
        edition=table.edition,
        options=table.options,
        deal=table.deal,
        seed=table.seed,
        status=table.status,
        public=table.public,
        host_id=table.host_id,
        version=table.version,
        changed=table.changed,
        seats=tuple(seat_facts(row) for row in seats),
        rematch=rematch.key if rematch else None,
        created_at=table.created_at,
        moved_at=table.moved_at,
        ended=table.ended,
        hidden=table.hidden,
        paused=table.paused,
        acts=acts,
        warned_at=table.warned_at,
        auto_start=table.auto_start,
        lock=table.password_hash,
        asked=tuple(asked),
        rematch_public=rematch is not None and rematch.public,
        pace=pace.read(table.pace),
        started_at=table.started_at,
        marks=tuple(Mark(each.at, each.version, each.kind, each.seat, each.turn) for each in marks),
        gaps=tuple(gaps),
        talk=table.talk,
        remarks=remarks,
        mutes=mutes,
    )
