"""Victory points: where they came from, what the end adds, and how near the end is (9)."""

import msgspec

from app.engine.contract import Event, Score, ranked
from app.games.amyitis.components import Box
from app.games.amyitis.events import Ended, Rewarded
from app.games.amyitis.state import SOURCES, Player, Realm, scored


def tiles_left(realm: Realm) -> int:
    """The tiles still on the board."""
    return len(realm.tiles) - realm.tiles.count("")


def ends(box: Box, realm: Realm) -> bool:
    """Whether so few tiles are left that this round is the last (9)."""
    return tiles_left(realm) <= box.end.tiles_left.at(realm.seats)


def tile_bonus(box: Box, tiles: int, *, seats: int) -> int:
    """The points at the end for so many tiles (9)."""
    return max((line.vp for line in box.end.bonus.at(seats) if tiles >= line.tiles), default=0)


def next_bonus(box: Box, tiles: int, *, seats: int) -> tuple[int, int] | None:
    """The next line of the bonus as tiles and points; ``None`` at the last (9)."""
    return next(((line.tiles, line.vp) for line in box.end.bonus.at(seats) if line.tiles > tiles), None)


def leftovers(box: Box, player: Player) -> int:
    """The points at the end for resource tokens still held (9)."""
    return sum(player.goods) * box.end.token_vp


def if_it_ended_now(box: Box, realm: Realm, seat: int) -> int:
    """The points that the seat would have if the game ended as things stand (9)."""
    player = realm.players[seat]
    return player.vp + tile_bonus(box, len(player.tiles), seats=realm.seats) + leftovers(box, player)


def rewarded(box: Box, realm: Realm) -> tuple[Realm, tuple[Event, ...]]:
    """Final scoring of every seat (9)."""
    told: list[Event] = [Ended(tiles_left(realm))]
    players = []
    for seat, player in enumerate(realm.players):
        bonus = tile_bonus(box, len(player.tiles), seats=realm.seats)
        rest = leftovers(box, player)
        players.append(scored(scored(player, "bonus", bonus), "leftovers", rest))
        told.append(Rewarded(seat, len(player.tiles), bonus, sum(player.goods), rest))
    return msgspec.structs.replace(realm, players=tuple(players)), tuple(told)


def scores(realm: Realm) -> tuple[Score, ...]:
    """Points by seat and source; there is no tie-break, so equal seats share their rank (9)."""
    return ranked(
        Score(seat, player.vp, tuple(zip(SOURCES, player.points, strict=True)), 0)
        for seat, player in enumerate(realm.players)
    )
