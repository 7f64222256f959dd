"""The score sheet of a game that is over, and the panel of the solo opponent."""

import msgspec

from app.engine.contract import Score
from app.games.hanging_gardens.components import AutomatonCard, GardenCard
from app.games.hanging_gardens.glance import Glance
from app.games.hanging_gardens.standing import EARNS
from app.games.hanging_gardens.state import (
    AUTOMATON,
    CardDrawn,
    Completed,
    Discarded,
    GardenerPlaced,
    NothingHappened,
)


class Column(msgspec.Struct, frozen=True):
    """A seat's column of the score sheet."""

    seat: int
    colour: int
    name: str
    total: int
    winner: bool


class Row(msgspec.Struct, frozen=True):
    """A part of the score, seat by seat; ``best``: whether it is the most of the row."""

    part: str
    letter: str
    points: tuple[int, ...]
    best: tuple[bool, ...]


class Result(msgspec.Struct, frozen=True):
    """The score sheet; without columns while the game goes on.

    ``won``: how, as the viewer sees it: ``me``, ``other``, ``shared``, ``verdict``; ``by``: the points between the
    first and the second, 0 when the tie-break decided, ``None`` when all others gave up. ``left``: tools and coins
    by seat, only in a tie. ``ladder``: what a solo score must reach for each verdict, and whether it is a win;
    ``win``: the points that are one.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    won: str = ""
    by: int | None = 0
    left: tuple[int, ...] = ()
    verdict: str = ""
    ladder: tuple[tuple[str, int, bool], ...] = ()
    win: int = 0


class LastCard(msgspec.Struct, frozen=True):
    """The automaton's last card, and what came of it as far as the page knows.

    ``column``: where its gardener went, from 1 (0: not told); ``discarded``: the cards it threw away, ``why`` as
    in the event; ``bonus``: ``done``, ``nothing`` or not told; ``item``, ``count``: the objective completed.
    """

    card: AutomatonCard
    column: int = 0
    choice: int = 0
    discarded: tuple[GardenCard, ...] = ()
    why: str = ""
    bonus: str = ""
    item: str = ""
    count: int = 0


class Opponent(msgspec.Struct, frozen=True):
    """The automaton's panel; ``here`` is false where players play against each other.

    ``points``: what the player's garden is worth, ``ahead``: the next verdict and what it takes.
    """

    here: bool
    colour: int = 0
    deck: int = 0
    gardeners: int = 0
    markers: int = 0
    first: bool = False
    difficulty: str = ""
    last: LastCard | None = None
    used: tuple[AutomatonCard, ...] = ()
    points: int = 0
    ahead: tuple[str, int] = ("", 0)
    ladder: tuple[tuple[str, int, bool], ...] = ()


def result(glance: Glance) -> Result:
    """The sheet, once there is something to write on it."""
    scores = glance.look.scores
    if not glance.look.over or not scores:
        return Result()
    columns = tuple(
        [
            Column(score.seat, glance.colour(score.seat), glance.names[score.seat], score.total, score.rank == 1)
            for score in scores
        ]
    )
    rows = []
    for index, (part, _) in enumerate(scores[0].parts):
        points = tuple([score.parts[index][1] for score in scores])
        most = max(points)
        best = tuple([len(points) > 1 and value == most > 0 for value in points])
        rows.append(Row(part, EARNS.get(part, "o"), points, best))
    if glance.solo:
        return Result(
            columns, tuple(rows), "verdict", verdict=scores[0].verdict, ladder=_ladder(glance), win=glance.winning
        )
    winners = [score.seat for score in scores if score.rank == 1]
    won = "shared" if len(winners) > 1 else "me" if glance.mine and glance.me in winners else "other"
    tied = won == "shared" or glance.look.lead == 0
    return Result(
        columns=columns,
        rows=tuple(rows),
        won=won,
        by=0 if tied else glance.look.lead,
        left=tuple([_left(score) for score in scores]) if tied else (),
    )


def _left(score: Score) -> int:
    return score.tie_break[0]


def _ladder(glance: Glance) -> tuple[tuple[str, int, bool], ...]:
    return tuple(
        [(verdict.id, verdict.least, verdict.win) for verdict in glance.box.contents.solo_verdict if verdict.least]
    )


def _ahead(glance: Glance, points: int) -> tuple[str, int]:
    """The next verdict to reach, or the highest once it is."""
    verdicts = glance.box.contents.solo_verdict
    ahead = next((verdict for verdict in verdicts if verdict.least > points), verdicts[-1])
    return ahead.id, ahead.least


def opponent(glance: Glance) -> Opponent:
    """The automaton, if it plays."""
    known = glance.view.automaton
    if known is None:
        return Opponent(here=False)
    box = glance.box
    return Opponent(
        here=True,
        colour=glance.colour(AUTOMATON),
        deck=known.deck,
        gardeners=known.gardeners,
        markers=glance.markers - len(known.objectives),
        first=glance.view.holder == AUTOMATON,
        difficulty=glance.view.difficulty,
        last=_last_card(glance, known.used[-1]) if known.used else None,
        used=tuple([box.automaton_cards[card] for card in known.used[:-1]]),
        points=glance.standing(0).total,
        ahead=_ahead(glance, glance.standing(0).total),
        ladder=_ladder(glance),
    )


def _last_card(glance: Glance, card: str) -> LastCard:
    """What it did is told by the events of its turn, which is never more than a turn ago."""
    box = glance.box
    events = [*glance.look.earlier, *glance.look.latest]
    begin = next((index for index, event in enumerate(events) if event == CardDrawn(card)), len(events))
    found: dict[str, object] = {}
    for event in events[begin + 1 :]:
        match event:
            case GardenerPlaced(column, choice):
                found |= {"column": column, "choice": choice, "bonus": "done"}
            case Discarded():
                found |= {"discarded": tuple([box.cards[each] for each in event.cards]), "why": event.why}
            case Completed(seat=seat, tile=tile) if seat == AUTOMATON:
                found |= {"item": box.objectives[tile].item, "count": box.objectives[tile].count}
            case NothingHappened():
                found |= {"bonus": "nothing"}
            case _:
                pass
    return msgspec.structs.replace(LastCard(box.automaton_cards[card]), **found)
