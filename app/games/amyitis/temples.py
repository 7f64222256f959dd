"""The temples: cubes that push each other out, and who stands first and second before each god (6)."""

import msgspec

from app.engine.contract import Event
from app.games.amyitis.components import TEMPLES, Box
from app.games.amyitis.events import Worshipped
from app.games.amyitis.state import NOBODY, Realm

ISHTAR, MARDUK, TAMMUZ = range(3)


def ranking(temple: tuple[int, ...]) -> tuple[int, ...]:
    """The seats with cubes in a temple: more cubes first, then the rightmost cube further right (6)."""
    seats = {cube for cube in temple if cube >= 0}
    return tuple(sorted(seats, key=lambda seat: (-temple.count(seat), temple[::-1].index(seat))))


def rewarded(box: Box, realm: Realm, temple: int) -> tuple[int, ...]:
    """The first and, where there is one, the second as the cubes lie now (6, Q2)."""
    ranked = ranking(realm.temples[temple])
    second = realm.seats > 2 or box.profile(realm.profile).second_rank_with_two_players
    return ranked[: 2 if second else 1]


def offered(
    box: Box, realm: Realm, cube: int, temple: int, *, procession: bool = False
) -> tuple[Realm, tuple[Event, ...]]:
    """A cube enters a temple at its first place; one that no longer fits goes home (6)."""
    before = (cube, *realm.temples[temple])
    kept, out = before[: box.temples.places], before[box.temples.places :]
    realm = msgspec.structs.replace(
        realm,
        temples=(*realm.temples[:temple], kept, *realm.temples[temple + 1 :]),
        offered=(*realm.offered[:temple], realm.offered[temple] + 1, *realm.offered[temple + 1 :]),
    )
    return realm, (Worshipped(cube, TEMPLES[temple], out[0] if out else NOBODY, procession),)
