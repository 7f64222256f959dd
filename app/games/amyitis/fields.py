"""The fields: two rows that bring resources, wine at their end, and a gardener to who worked most (5)."""

import msgspec

from app.engine.contract import Event
from app.games.amyitis.components import ROWS, Box
from app.games.amyitis.events import Farmed, Harvested
from app.games.amyitis.goods import added
from app.games.amyitis.majority import leader
from app.games.amyitis.state import Realm, with_player


def next_resource(box: Box, realm: Realm, row: int) -> str:
    """What the next cube in a row (0 upper, 1 lower) brings (5)."""
    return box.resource_ids[box.field_rows[row][len(realm.fields[row])]]


def cubes(realm: Realm, row: int) -> tuple[int, ...]:
    """Each seat's cubes in a row (5)."""
    return tuple(realm.fields[row].count(seat) for seat in range(len(realm.players)))


def leading(realm: Realm, row: int) -> int:
    """Who would get the gardener as the cubes lie now; ``NOBODY`` on a tie or in an empty row (5, Q3)."""
    return leader(cubes(realm, row))


def farmed(box: Box, realm: Realm, seat: int, row: int) -> tuple[Realm, tuple[Event, ...]]:
    """The seat's cube on the leftmost free place of a row, with what follows when that fills it (5)."""
    line = (*realm.fields[row], seat)
    resource = box.field_rows[row][len(line) - 1]
    player = realm.players[seat]
    player = msgspec.structs.replace(player, goods=added(player.goods, resource))
    realm = msgspec.structs.replace(
        with_player(realm, seat, player), fields=(*realm.fields[:row], line, *realm.fields[row + 1 :])
    )
    told = Farmed(seat, ROWS[row], len(line), box.resource_ids[resource])
    if len(line) < len(box.field_rows[row]):
        return realm, (told,)
    realm, harvest = _harvested(realm, row)
    return realm, (told, harvest)


def _harvested(realm: Realm, row: int) -> tuple[Realm, Event]:
    counts = cubes(realm, row)
    first = leader(counts)
    awarded = first >= 0 and realm.gardeners > 0
    if awarded:
        player = realm.players[first]
        realm = with_player(realm, first, msgspec.structs.replace(player, gardeners=player.gardeners + 1))
    realm = msgspec.structs.replace(
        realm,
        gardeners=realm.gardeners - awarded,
        fields=(*realm.fields[:row], (), *realm.fields[row + 1 :]),
        harvests=(*realm.harvests[:row], realm.harvests[row] + 1, *realm.harvests[row + 1 :]),
    )
    return realm, Harvested(ROWS[row], counts, first, awarded)
