"""What the players own: a mat each, the court with all who hold its cards, and whose turn it is."""

import msgspec

from app.games.amyitis import scoring, stages
from app.games.amyitis.components import TRACKS
from app.games.amyitis.court import holders
from app.games.amyitis.glance import Glance
from app.games.amyitis.goods import storage
from app.games.amyitis.state import NOBODY, SOURCES, Player

LIVE = SOURCES[:7]
"""The parts of a score that grow during the game; the others come at its end."""


class Turn(msgspec.Struct, frozen=True):
    """A seat in turn order; ``now``: it must choose."""

    colour: int
    first: bool
    passed: bool
    now: bool


class Round(msgspec.Struct, frozen=True):
    """The line in the header. ``phase``: ``actions``, ``procession``, ``temples``, ``storage`` or ``over``."""

    round: int
    phase: str
    turns: tuple[Turn, ...]


class Good(msgspec.Struct, frozen=True):
    """A resource token on a mat; ``over``: more than can be stored; ``sealed``: chosen to be discarded."""

    kind: str
    over: bool = False
    sealed: bool = False
    changed: bool = False
    pick: str = ""


class Mat(msgspec.Struct, frozen=True):
    """What everybody may know about a player. ``order``: 0 for the one at hand, then from 1.

    ``levels``: caravaneer, banker, palace. ``goal``: the next number of tiles that brings points and how many (0:
    none is left), ``reached``: the points for tiles so far; ``end``: what the end would add as things stand.
    ``choosing``: still has tokens to discard; ``fresh``: belongings that just changed. Whose turn it is, is not said
    here, so that only the mats of those to whom something happened are sent.
    """

    seat: int
    colour: int
    order: int
    name: str
    first: bool
    passed: bool
    choosing: bool
    vp: int
    talents: int
    camels: int
    gardeners: int
    levels: tuple[int, int, int]
    goods: tuple[Good, ...]
    limit: int
    tiles: int
    goal: tuple[int, int]
    reached: int
    parts: tuple[tuple[str, int], ...]
    end: int
    over: bool
    fresh: tuple[str, ...]


class Level(msgspec.Struct, frozen=True):
    """A level of a court track: what it is worth, who holds it, how many copies are left; ``pick``: I may take it.

    ``moves``, ``storage``: of a caravaneer; ``talents``, ``vp``: of a banker or a palace; ``tokens`` lie on it.
    """

    number: int
    owners: tuple[int, ...]
    left: int
    moves: int = 0
    storage: int = 0
    talents: int = 0
    vp: int = 0
    tokens: tuple[str, ...] = ()
    mine: bool = False
    pick: str = ""


class Track(msgspec.Struct, frozen=True):
    """A court track."""

    name: str
    levels: tuple[Level, ...]


class Court(msgspec.Struct, frozen=True):
    """The court. ``gardeners``: who holds them, by colour; ``pool``: how many are left; ``pick``: I may take one."""

    tracks: tuple[Track, ...]
    gardeners: tuple[int, ...]
    pool: int
    pick: str


def current_round(glance: Glance) -> Round:
    """Which round and phase it is, and everybody in turn order."""
    realm = glance.realm
    phases = {
        stages.PROCESSION: "procession",
        stages.ISHTAR: "temples",
        stages.TAMMUZ_FIELD: "temples",
        stages.TAMMUZ_SWAP: "temples",
        stages.DISCARD: "storage",
        stages.OVER: "over",
    }
    acting = realm.active != NOBODY
    order = [(realm.start + step) % realm.seats for step in range(realm.seats)]
    turns = [
        Turn(seat + 1, seat == realm.start, passed=seat in realm.passed and acting, now=seat in glance.waiting)
        for seat in order
    ]
    return Round(realm.round, phases.get(realm.stage, "actions"), tuple(turns))


def mats(glance: Glance) -> dict[str, Mat]:
    """One mat a player, a zone each, the one at hand first."""
    return {f"player-{number}": _mat(glance, seat, number) for number, seat in enumerate(glance.order)}


def _mat(glance: Glance, seat: int, number: int) -> Mat:
    box, realm = glance.box, glance.realm
    player = realm.players[seat]
    over = glance.look.over
    ends = dict(zip(SOURCES, player.points, strict=True))
    reached = scoring.tile_bonus(box, len(player.tiles), seats=realm.seats)
    end = ends["bonus"] + ends["leftovers"] if over else reached + scoring.leftovers(box, player)
    return Mat(
        seat=seat,
        colour=seat + 1,
        order=number,
        name=glance.names[seat],
        first=realm.start == seat,
        passed=seat in realm.passed and realm.active != NOBODY,
        choosing=realm.stage == stages.DISCARD and seat in glance.waiting,
        vp=player.vp,
        talents=player.talents,
        camels=player.camels,
        gardeners=player.gardeners,
        levels=(player.caravaneer, player.banker, player.palace),
        goods=_goods(glance, seat, player),
        limit=storage(box, player),
        tiles=len(player.tiles),
        goal=scoring.next_bonus(box, len(player.tiles), seats=realm.seats) or (0, 0),
        reached=reached,
        parts=tuple([(name, ends[name]) for name in LIVE]),
        end=end,
        over=over,
        fresh=tuple([name for name in ("talents", "camels", "gardeners", *TRACKS) if (seat, name) in glance.touched]),
    )


def _goods(glance: Glance, seat: int, player: Player) -> tuple[Good, ...]:
    """The tokens one by one; the last ones are those too many."""
    box = glance.box
    limit = storage(box, player)
    sealed = glance.view.discards if seat == glance.look.seat else (0,) * len(box.resources)
    found: list[Good] = []
    for kind, count, put in zip(box.resource_ids, player.goods, sealed, strict=True):
        for number in range(count):
            away = number >= count - put
            pick = ""
            if seat == glance.me and not away:
                pick = glance.pick(f"discard:{kind}") or glance.pick(f"swap:{kind}:*")
            found.append(
                Good(
                    kind=kind,
                    over=len(found) >= limit,
                    sealed=away,
                    changed=number == count - 1 and (seat, kind) in glance.touched,
                    pick=pick,
                )
            )
    return tuple(found)


def court(glance: Glance) -> Court:
    """Who holds what at court, and what is left."""
    box, realm = glance.box, glance.realm
    tables = (box.court.caravaneer[1:], box.court.banker, box.court.palace)
    mine = realm.players[glance.me] if glance.mine else None
    tracks = []
    for track, table, copies in zip(TRACKS, tables, realm.court, strict=True):
        pick = glance.pick(f"court:{track}")
        levels = []
        for number, (level, left) in enumerate(zip(table, copies, strict=True), start=1):
            owned = getattr(mine, track, 0) if mine else 0
            levels.append(
                Level(
                    number=number,
                    owners=tuple([seat + 1 for seat in holders(realm, track, number)]),
                    left=left,
                    moves=getattr(level, "move_bonus", 0),
                    storage=getattr(level, "storage", 0),
                    talents=getattr(level, "talents", 0),
                    vp=getattr(level, "vp", 0),
                    tokens=realm.tokens if getattr(level, "token", False) else (),
                    mine=owned >= number,
                    pick=pick if owned + 1 == number else "",
                )
            )
        tracks.append(Track(track, tuple(levels)))
    held = tuple([seat + 1 for seat, player in enumerate(realm.players) for _ in range(player.gardeners)])
    return Court(tuple(tracks), held, realm.gardeners, glance.pick("court:gardener"))
