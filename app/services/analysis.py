"""Playing on from a moment of a table, privately: nothing is stored, and nothing told that the viewer may not know.

An analysis is a moment and a line of moves, all of it in its address. It is no table: it has no seats to take, no
place in the lobby, no rating, and no way back into the game it came from (``docs/decisions``).
"""

from collections import OrderedDict
from threading import RLock
from time import monotonic
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from app import games
from app.engine import log, notation
from app.engine.contract import Broken
from app.engine.look import Asked, Look, Sitter
from app.engine.rng import Rng
from app.services.errors import BadAction, NoSuchMoment, NotStarted
from app.services.held import Held

LONGEST = 700
MOST_BOT_MOVES = 80
LONGEST_ANSWER = 3.0
"""Seconds until bots that are not done yet are left to go on when the page is asked for again."""
KEPT = 40
"""So many lines of one table are kept in mind."""

Line = tuple[str, ...]


class Trial(msgspec.Struct, frozen=True):
    """A line of moves from a moment. ``known``: whose knowledge it begins with, ``all`` once the game is over.

    ``others``: the kind of bot that plays the seats but ``me``; empty: whoever looks plays all of them.
    """

    at: int
    known: str
    line: Line
    others: str
    me: int | None
    position: log.Position[Any]

    @property
    def acting(self) -> int | None:
        """The seat whose choice it is: of several the first, for it does not matter who is."""
        return min(self.position.waiting, default=None)

    @property
    def viewer(self) -> int | None:
        """From whose place the table is seen."""
        if self.others:
            return self.me
        return self.acting if self.acting is not None else self.me


Lines = OrderedDict[tuple[int, str, Line], log.Position[Any]]
_kept: WeakKeyDictionary[Held, Lines] = WeakKeyDictionary()
_one_at_a_time = RLock()  # bots think beside the loop, and their lines are kept too


def known_by(held: Held, seat: int | None) -> str:
    """Whose knowledge an analysis begins with."""
    return "all" if held.facts.status == "over" else "-" if seat is None else str(seat)


def begin(held: Held, seat: int | None, at: int) -> log.Position[Any]:
    """The moment after ``at`` entries. While the game goes on, what ``seat`` cannot know is dealt anew.

    Raises :class:`NotStarted`.
    """
    if held.position is None:
        raise NotStarted
    game, state = held.game, held.at(at).state
    if held.facts.status != "over":
        chance = Rng(f"analysis/{held.facts.key}/{at}")
        state = game.imagine(game.view(state, seat), seat, chance)
    return log.opened(game, state)


def trial(
    held: Held, seat: int | None, *, at: int | None = None, line: Line = (), others: str = "", me: int | None = None
) -> Trial:
    """A line of moves from a moment. Raises :class:`BadAction`, :class:`NotStarted`,
    :class:`NoSuchMoment`, ``log.Refused``."""
    if held.position is None:
        raise NotStarted
    at = held.version if at is None else at
    if not 0 <= at <= held.version:
        raise NoSuchMoment
    if len(line) > LONGEST:
        raise BadAction
    if others and (others not in games.bots(held.facts.slug) or held.facts.status != "over"):
        raise BadAction
    known = known_by(held, seat)
    with _one_at_a_time:
        position = _played(held, seat, at, known, line)
    mine = me if me is not None and 0 <= me < len(held.facts.seats) else seat
    if mine is None:
        mine = min(position.waiting, default=0)
    return Trial(at=at, known=known, line=line, others=others, me=mine, position=position)


def _played(held: Held, seat: int | None, at: int, known: str, line: Line) -> log.Position[Any]:
    """The position after the line; what was worked out lately is carried on."""
    kept, key = _kept.setdefault(held, OrderedDict()), (at, known, line)
    found = kept.get(key)
    if found is None:
        if line:
            found = _moved(held, _played_before(held, seat, at, known, line[:-1]), line[-1])
        else:
            found = begin(held, seat, at)
        kept[key] = found
        if len(kept) > KEPT:
            kept.popitem(last=False)
    else:
        kept.move_to_end(key)
    return found


def _played_before(held: Held, seat: int | None, at: int, known: str, line: Line) -> log.Position[Any]:
    known_already = _kept[held].get((at, known, line))
    if known_already is not None:
        return known_already
    position = begin(held, seat, at)
    for text in line:
        position = _moved(held, position, text)
    return position


def _moved(held: Held, position: log.Position[Any], text: str) -> log.Position[Any]:
    """One move more, by whoever must choose. Raises :class:`BadAction`, ``log.Refused``."""
    if position.over:
        raise BadAction
    try:
        action = notation.parse(held.game, text)
    except notation.NotAnAction as fault:
        raise BadAction from fault
    return log.act(held.game, position, min(position.waiting), action)


def after(held: Held, seat: int | None, tried: Trial, text: str) -> Trial:
    """The same line with one move more, and with the answers of the bots. Raises as :func:`trial`."""
    return answered(held, seat, _with(held, seat, tried, (*tried.line, text)))


def answered(held: Held, seat: int | None, tried: Trial) -> Trial:
    """The same line with the moves of the bots, as far as it is theirs to choose."""
    if not tried.others:
        return tried
    bot = games.bots(held.facts.slug)[tried.others]
    ends = monotonic() + LONGEST_ANSWER
    for _ in range(MOST_BOT_MOVES):
        if tried.acting is None or tried.acting == tried.me or monotonic() > ends:
            break
        state, acting = tried.position.state, tried.acting
        chance = Rng(f"analysis/{held.facts.key}/{tried.at}/{len(tried.line)}")
        choice = bot.choose(
            held.game, held.game.view(state, acting), acting, held.game.actions(state, acting), chance
        )
        tried = _with(held, seat, tried, (*tried.line, notation.write(choice)))
    return tried


def taken_back(held: Held, seat: int | None, tried: Trial, *, whole_turn: bool = False) -> Trial:
    """The same line without my latest move, or without all of that turn; the bots' answers go with it."""
    played = tried.position.played
    mine = [index for index, item in enumerate(played) if not tried.others or item.seat == tried.me]
    if not mine:
        return tried
    last = mine[-1]
    if whole_turn:
        last = next(index for index in mine if played[index].turn == played[mine[-1]].turn)
    return _with(held, seat, tried, tried.line[:last])


def _with(held: Held, seat: int | None, tried: Trial, line: Line) -> Trial:
    return trial(held, seat, at=tried.at, line=line, others=tried.others, me=tried.me)


def look(held: Held, tried: Trial, *, asked: Asked = ()) -> Look[Any, Any]:
    """The analysis as whoever plays it sees it, always from a place that may choose; ``asked``: by its page."""
    game, position, seat = held.game, tried.position, tried.viewer
    choosing = seat is not None and seat == tried.acting
    played = position.played or (held.at(tried.at).played if not tried.line else ())
    last = played[-1] if played else None
    told_to = seat if position.played or held.facts.status == "over" else _own(tried)
    return Look(
        view=game.view(position.state, seat),
        seat=seat,
        actions=tuple(game.actions(position.state, seat)) if choosing and seat is not None else (),
        decisions=game.decisions(position.state),
        sitters=tuple(Sitter(each.name, each.bot) for each in held.facts.seats),
        latest=log.told(played[-1:], told_to),
        earlier=log.told(played[-4:-1], told_to),
        actor=last.seat if last else None,
        undo=None if tried.line else Broken("nothing_to_undo"),
        undo_more=len(tried.line) > 1,
        scores=game.scores(position.state) if position.over else (),
        live=True,
        asked=asked,
    )


def _own(tried: Trial) -> int | None:
    """The seat whose knowledge the analysis began with."""
    return int(tried.known) if tried.known.isdecimal() else None
