"""The court: caravaneers, bankers, palaces, and the gardeners (8.4)."""

from collections.abc import Sequence

import msgspec

from app.engine.contract import Event
from app.games.amyitis.components import GARDENER, TRACKS, Banker, Box
from app.games.amyitis.events import GardenerTaken, Promoted, TokenTaken
from app.games.amyitis.goods import added
from app.games.amyitis.state import Player, Realm, scored, with_player

CHOICE = "choice"


def level(player: Player, track: str) -> int:
    """The player's level on a track."""
    found: int = getattr(player, track)
    return found


def top(realm: Realm, track: str) -> int:
    """The highest level of a track."""
    return len(realm.court[TRACKS.index(track)])


def left(realm: Realm, track: str, number: int) -> int:
    """How many copies of that level (from 1) can still be taken."""
    return realm.court[TRACKS.index(track)][number - 1]


def holders(realm: Realm, track: str, number: int) -> tuple[int, ...]:
    """The seats that own the card of that level."""
    return tuple(seat for seat, player in enumerate(realm.players) if level(player, track) >= number)


def obstacle(realm: Realm, seat: int, track: str) -> str:
    """Why the seat cannot take the next step (or a gardener), as a complaint; empty when it can (8.4, Q11)."""
    if track == GARDENER:
        return "" if realm.gardeners else "no_gardener_left"
    at = level(realm.players[seat], track)
    if at >= top(realm, track):
        return "top_level"
    return "" if left(realm, track, at + 1) else "level_gone"


def open_tracks(realm: Realm, seat: int, tracks: Sequence[str]) -> tuple[str, ...]:
    """Those of the tracks on which the seat can take a step (8.4)."""
    return tuple(track for track in tracks if not obstacle(realm, seat, track))


def income(box: Box, player: Player) -> Banker | None:
    """The banker that pays the player each round: only the highest one (7.1, Q25)."""
    return box.court.banker[player.banker - 1] if player.banker else None


def promoted(box: Box, realm: Realm, seat: int, track: str) -> tuple[Realm, tuple[Event, ...]]:
    """The seat takes the next card of a track, or a gardener; tokens on caravaneers are taken apart (8.4)."""
    player = realm.players[seat]
    if track == GARDENER:
        player = msgspec.structs.replace(player, gardeners=player.gardeners + 1)
        realm = msgspec.structs.replace(realm, gardeners=realm.gardeners - 1)
        return with_player(realm, seat, player), (GardenerTaken(seat),)
    number = level(player, track) + 1
    vp = 0
    if track == "caravaneer":
        player = msgspec.structs.replace(player, caravaneer=number)
    elif track == "banker":
        player = msgspec.structs.replace(player, banker=number)
    else:
        vp = box.court.palace[number - 1].vp
        player = scored(msgspec.structs.replace(player, palace=number), "palaces", vp)
    at = TRACKS.index(track)
    copies = realm.court[at]
    copies = (*copies[: number - 1], copies[number - 1] - 1, *copies[number:])
    realm = msgspec.structs.replace(realm, court=(*realm.court[:at], copies, *realm.court[at + 1 :]))
    return with_player(realm, seat, player), (Promoted(seat, track, number, vp),)


def tokens_to_choose(box: Box, realm: Realm, seat: int) -> tuple[str, ...]:
    """The tokens among which a seat that just became caravaneer chooses; none if its level carries none (8.4)."""
    levels = box.court.caravaneer
    return tuple(dict.fromkeys(realm.tokens)) if levels[realm.players[seat].caravaneer].token else ()


def token_taken(box: Box, realm: Realm, seat: int, resource: str) -> tuple[Realm, tuple[Event, ...]]:
    """The seat takes the token that lay on its caravaneer (8.4)."""
    at = realm.tokens.index(resource)
    player = realm.players[seat]
    player = msgspec.structs.replace(player, goods=added(player.goods, box.resource_number[resource]))
    realm = msgspec.structs.replace(realm, tokens=(*realm.tokens[:at], *realm.tokens[at + 1 :]))
    return with_player(realm, seat, player), (TokenTaken(seat, resource),)
