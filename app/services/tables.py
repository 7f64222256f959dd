"""At the table: acting, taking back, looking at any moment, and writing the game down."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from app.db.writer import Move, Unwritten
from app.engine import codec, log, notation, record
from app.engine.contract import AnyGame, Broken, Score
from app.engine.look import Asked, Look, Sitter
from app.services import endings
from app.services.accounts import Me, check_signed_in
from app.services.errors import (
    BadAction,
    DecisionPassed,
    GameOver,
    NotOver,
    NotSaved,
    NotStarted,
    NotSure,
    NotYourDecision,
    NotYourSeat,
    PlayedLate,
    Refusal,
    TablePaused,
    TimeUp,
)
from app.services.facts import TableFacts
from app.services.foresight import forced, last_step
from app.services.held import Held, Line
from app.services.ratings import settle_soon
from app.services.server import Server

TRIES = 8
MOST_FORCED = 40
"""So many forced choices follow one choice by themselves; then somebody is asked again."""
UNDO = "undo"
UNDO_TURN = "undo-turn"

Entering = Callable[[Held, log.Position[Any]], log.Position[Any]]


async def act(
    server: Server,
    table_id: int,
    *,
    seat: int,
    text: str,
    since: int,
    me: Me | None,
    bot: bool = False,
    sure: bool = True,
) -> Held:
    """Makes a seat's choice: ``text`` is an action, ``since`` the version its decision opened at.

    ``me`` sits there; a ``bot`` acts for a seat that a bot holds. Who is not ``sure`` is asked first where they wish
    to be. The table after it, and after what is forced by it and done for those who wish that. Raises
    :class:`NotSure`, :class:`NotYourSeat`, :class:`NotYourDecision`, :class:`DecisionPassed`, :class:`BadAction`,
    :class:`GameOver`, :class:`NotStarted`, :class:`NotSaved`, ``NoSuchTable``, and ``log.Refused`` with the rule.
    """

    def entering(held: Held, position: log.Position[Any]) -> log.Position[Any]:
        if seat not in position.waiting:
            answered = any(item.seat == seat and item.since == since for item in position.played)
            raise DecisionPassed if answered else NotYourDecision
        if since != position.waiting[seat]:
            raise DecisionPassed
        try:
            action = notation.parse(held.game, text)
        except notation.NotAnAction as fault:
            raise BadAction from fault
        after = log.act(held.game, position, seat, action)
        step = None if sure or not held.facts.seats[seat].confirms else last_step(held.game, position, seat, action)
        if step is not None:
            able = undo_fault(position, seat) is None
            raise NotSure(step=step, action=text, seat=seat, since=since, latest=latest_of(position, seat) * able)
        return after

    held = await _enter(server, table_id, seat=seat, text=text, me=me, bot=bot, entering=entering)
    return await _pass_on(server, held, begun=held.version)


async def _pass_on(server: Server, held: Held, *, begun: int) -> Held:
    """Does what is forced since then for those who wish it; whatever comes between is left to them."""
    for _ in range(MOST_FORCED):
        found = forced(held, begun=begun)
        if found is None:
            break
        seat, action, _ = found
        facts = held.facts.seats[seat]
        who = Me(id=facts.user_id or 0, name=facts.name)
        text = notation.write(action)

        def entering(
            held: Held,
            position: log.Position[Any],
            expected: tuple[int, Any, int] = found,
        ) -> log.Position[Any]:
            if forced(held, begun=begun) != expected:
                raise DecisionPassed
            return log.act(held.game, position, expected[0], expected[1])

        try:
            held = await _enter(server, held.facts.id, seat=seat, text=text, me=who, bot=False, entering=entering)
        except (Refusal, log.Refused):
            break
    return held


async def undo(server: Server, table_id: int, *, seat: int, latest: int, whole_turn: bool, me: Me) -> Held:
    """Takes back my latest action, or all of my turn as far as nothing was revealed by it.

    ``latest`` is the number of the action that the page showed as my latest, so that a second click takes
    back nothing more. A turn that a bot played because time was up, or that was made late, stays as it is. Raises as
    :func:`act`, :class:`TimeUp`, :class:`PlayedLate`, and ``log.CannotUndo``.
    """
    text = ""

    def entering(held: Held, position: log.Position[Any]) -> log.Position[Any]:
        nonlocal text
        if held.facts.status == "over":
            raise GameOver
        if latest_of(position, seat) != latest:
            raise DecisionPassed
        if held.played_for(seat):
            raise TimeUp if held.facts.pace.up == "bot" else PlayedLate
        entry = log.undo(position, seat, whole_turn=whole_turn)
        text = entry.text
        return log.append(held.game, position, entry)

    return await _enter(server, table_id, seat=seat, text=lambda: text, me=me, bot=False, entering=entering)


def latest_of(position: log.Position[Any], seat: int | None) -> int:
    """The number of a seat's latest action that stands; 0 when there is none."""
    return next((item.seq for item in reversed(position.played) if item.seat == seat), 0)


async def _enter(
    server: Server,
    table_id: int,
    *,
    seat: int | None,
    text: str | Callable[[], str],
    me: Me | None,
    bot: bool,
    entering: Entering,
) -> Held:
    for _ in range(TRIES):
        held = await server.states.get(table_id)
        async with held.lock:
            if server.states.known(table_id) is not held:
                continue  # it was forgotten while we waited
            try:
                _check_seat(held, seat, me=me, bot=bot)
                assert held.position is not None
                position = entering(held, held.position)
            except (Refusal, log.Refused):
                # What we remember may be old: look again before saying no.
                if not await _moved_on(server, held):
                    raise
                continue
            entry = text if isinstance(text, str) else text()
            if await _append(server, held, position, seat=seat, entry=entry, me=me):
                server.ring(table_id, held.version, held.facts.changed)
                if held.facts.status == "over":
                    await settle_soon(server, table_id)
                return held
            await check_signed_in(server, me)
            await server.states.newest(table_id)
    raise NotSaved


async def _moved_on(server: Server, held: Held) -> bool:
    """Whether the stored table is another than the one remembered."""
    before = held.version, held.facts.changed
    await server.states.newest(held.facts.id)
    return before != (held.version, held.facts.changed)


def _check_seat(held: Held, seat: int | None, *, me: Me | None, bot: bool) -> None:
    if held.facts.status == "waiting":
        raise NotStarted
    if seat is not None:
        if not 0 <= seat < len(held.facts.seats):
            raise NotYourSeat
        sitting = held.facts.seats[seat]
        stands_in = bot and seat in held.stand_ins()
        if (bot and not sitting.bot and not stands_in) or (not bot and (me is None or sitting.user_id != me.id)):
            raise NotYourSeat
    if held.facts.status != "playing" or held.position is None:
        raise GameOver
    if held.facts.paused:
        raise TablePaused
    if not bot and seat is not None and seat in held.stand_ins():
        raise TimeUp


async def _append(
    server: Server, held: Held, position: log.Position[Any], *, seat: int | None, entry: str, me: Me | None
) -> bool:
    status = "over" if position.over else "playing"
    final = endings.ranked(held.facts, held.game.scores(position.state)) if position.over else None
    move = Move(
        table_id=held.facts.id,
        expected=position.version - 1,
        changed=held.facts.changed,
        seat=seat,
        user_id=me.id if me else None,
        text=entry,
        digest=codec.digest(position.state),
        waiting=dict(position.waiting),
        status=status,
        scores=msgspec.to_builtins(final),
        login=me.login if me else None,
    )
    try:
        stored = await server.writer.append(move)
    except Unwritten as fault:
        # Whether it was stored is not known; what we remember is read anew.
        server.states.forget(held.facts.id)
        raise NotSaved from fault
    if stored is not None:
        facts = msgspec.structs.replace(held.facts, version=position.version, status=status, moved_at=stored)
        held.take(position, Line(position.version, seat, entry, stored, me is not None), facts)
    return stored is not None


def look(
    held: Held, seat: int | None, *, at: int | None = None, undoer: int | None = None, asked: Asked = ()
) -> Look[Any, Any]:
    """The table as a seat (``None``: a spectator) sees it, now or after ``at`` entries; ``undoer``: the seat whose
    action may be taken back, if it is another; ``asked``: by its page.

    Raises :class:`NotStarted`.
    """
    if held.position is None:
        raise NotStarted
    live = (at is None or at >= held.version) and held.facts.status != "cancelled"
    position = held.position if at is None else held.at(at)
    game = held.game
    stopped = live and held.facts.status == "over" and not position.over
    decisions = game.decisions(position.state) if not stopped else ()
    choosing = live and held.facts.status == "playing" and not held.facts.paused and seat in position.waiting
    doer = seat if undoer is None else undoer
    undoing = live and held.facts.status == "playing" and not held.played_for(doer)
    fault = undo_fault(position, doer) if undoing else Broken("nothing_to_undo")
    last = position.played[-1] if position.played else None
    return Look(
        view=game.view(position.state, seat),
        seat=seat,
        actions=tuple(game.actions(position.state, seat)) if choosing and seat is not None else (),
        decisions=decisions,
        sitters=tuple(Sitter(each.name, each.bot) for each in held.facts.seats),
        latest=log.told(position.played[-1:], seat),
        earlier=log.told(position.played[-4:-1], seat),
        actor=last.seat if last else None,
        undo=fault,
        undo_more=fault is None and undo_is_long(position, doer),
        scores=endings.ranked(held.facts, game.scores(position.state)) if position.over or stopped else (),
        gave_up=frozenset(index for index, _ in endings.conceders(held.facts)),
        live=live,
        asked=asked if live or "at" in dict(asked) else (("at", str(at)), *asked),
    )


def undo_fault(position: log.Position[Any], seat: int | None) -> Broken | None:
    """Why the seat can take nothing back; ``None`` when it can."""
    if seat is None or position.over:
        return Broken("nothing_to_undo")
    try:
        log.undo(position, seat)
    except log.CannotUndo as fault:
        return fault.broken
    return None


def undo_is_long(position: log.Position[Any], seat: int | None) -> bool:
    """Whether taking back all of the turn, for a seat that can, takes back more than the latest action."""
    return seat is not None and log.undo(position, seat, whole_turn=True) != log.undo(position, seat)


def written(held: Held) -> str:
    """The game as a file, once it is over. Raises :class:`NotOver`."""
    if held.facts.status != "over":
        raise NotOver
    if held.position is None:
        raise NotStarted
    scores = held.game.scores(held.position.state) if held.position.over else ()
    return record.write(recorded(held.facts, held.game, held.lines, scores=scores))


def recorded(
    facts: TableFacts, game: AnyGame, lines: Iterable[Line], *, scores: Sequence[Score] = ()
) -> record.Record:
    """The log of a table as a game to be written down."""
    return record.record_of(
        game,
        seats=len(facts.seats),
        options=facts.options,
        seed=facts.seed,
        entries=[log.Entry(line.seat, line.text) for line in lines],
        scores=tuple(scores),
        deal={pile: tuple(items) for pile, items in facts.deal.items()},
    )
