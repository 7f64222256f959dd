"""What happened, as facts. Seats are numbers, :data:`~app.games.amyitis.state.NEUTRAL` for grey cubes."""

from app.engine.contract import Event


class RoundBegan(Event, frozen=True, tag="round_began"):
    """The craft cards were shuffled and laid out, row by row; ``start`` begins (7.1)."""

    round: int
    start: int
    rows: tuple[tuple[str, ...], ...]


class Earned(Event, frozen=True, tag="earned"):
    """A banker's income (7.1)."""

    seat: int
    level: int
    talents: int
    vp: int


class Passed(Event, frozen=True, tag="passed"):
    """A seat is out for this round (7.2 A)."""

    seat: int


class Waited(Event, frozen=True, tag="waited"):
    """A passed seat took its talent as its turn came round (7.2 A, Q16)."""

    seat: int
    talents: int


class Recruited(Event, frozen=True, tag="recruited"):
    """A seat hired a character for so many talents; row and card are counted from 1 (7.2 B)."""

    seat: int
    row: int
    card: int
    craft: str
    talents: int


class Hired(Event, frozen=True, tag="hired"):
    """A merchant brought camels (7.2 B)."""

    seat: int
    camels: int


class Farmed(Event, frozen=True, tag="farmed"):
    """A cube went to a place (from 1) of a row of fields and brought its resource (5)."""

    seat: int
    row: str
    place: int
    resource: str


class Harvested(Event, frozen=True, tag="harvested"):
    """A row of fields was full: cubes by seat, who led (NOBODY: a tie), whether a gardener was left (5)."""

    row: str
    cubes: tuple[int, ...]
    leader: int
    gardener: bool


class Worshipped(Event, frozen=True, tag="worshipped"):
    """A cube entered a temple; ``pushed``: whose cube fell out at the other end (NOBODY: none) (6)."""

    seat: int
    temple: str
    pushed: int
    procession: bool


class Built(Event, frozen=True, tag="built"):
    """A cube went into a channel and completed it or not (4.4)."""

    seat: int
    channel: str
    vp: int
    complete: bool


class NothingToBuild(Event, frozen=True, tag="nothing_to_build"):
    """No channel could take the cube (Q7, Q8)."""

    seat: int


class Moved(Event, frozen=True, tag="moved"):
    """The caravan went on, so many steps for so many camels (3.2)."""

    seat: int
    origin: str
    city: str
    distance: int
    camels: int


class Paid(Event, frozen=True, tag="paid"):
    """The price of the city (3.5)."""

    seat: int
    tokens: tuple[str, ...]


class Sold(Event, frozen=True, tag="sold"):
    """A sale in Babylon (3.4)."""

    seat: int
    tokens: tuple[str, ...]
    vp: int


class Promoted(Event, frozen=True, tag="promoted"):
    """A seat took the court card of the next level; of a palace it scored the points at once (8.4)."""

    seat: int
    track: str
    level: int
    vp: int


class GardenerTaken(Event, frozen=True, tag="gardener_taken"):
    """A seat took a gardener from the pool for a four-coloured tile (8.4)."""

    seat: int


class TokenTaken(Event, frozen=True, tag="token_taken"):
    """The token that lay on the caravaneer (8.4)."""

    seat: int
    resource: str


class NothingAtCourt(Event, frozen=True, tag="nothing_at_court"):
    """A tile's court reward was lost: no step on that track, or none at all for ``choice`` (Q10)."""

    seat: int
    track: str


class Planted(Event, frozen=True, tag="planted"):
    """A square was planted with a plant of the card's quality and so many gardeners; the tile is the seat's (8.3)."""

    seat: int
    square: str
    tile: str
    quality: int
    gardeners: int
    vp: int
    talents: int
    camels: int


class Watered(Event, frozen=True, tag="watered"):
    """The water majority: cubes by seat; ``leader`` (NOBODY: a tie or no cube) scored (8.3)."""

    square: str
    cubes: tuple[int, ...]
    leader: int
    vp: int


class Flooded(Event, frozen=True, tag="flooded"):
    """Grey cubes filled a channel's free places (8.3)."""

    channel: str
    cubes: int


class CardTurned(Event, frozen=True, tag="card_turned"):
    """The plant card of a city shows its other face, 0 or 1 (8.2)."""

    city: str
    card: str
    face: int


class Blessed(Event, frozen=True, tag="blessed"):
    """A temple's reward for the first or the second (6)."""

    seat: int
    temple: str
    rank: int
    camels: int = 0
    talents: int = 0
    vp: int = 0


class Swapped(Event, frozen=True, tag="swapped"):
    """The second of Tammuz swapped a token (6)."""

    seat: int
    given: str
    taken: str


class Declined(Event, frozen=True, tag="declined"):
    """The second of Tammuz did without (Q19)."""

    seat: int


class Sealed(Event, frozen=True, tag="sealed"):
    """A seat chose a token to discard; which, only it may know until all have chosen (7.3)."""

    seat: int
    resource: str

    def seen_by(self, seat: int | None) -> "Sealed":
        return self if seat == self.seat else Sealed(self.seat, "")


class Discarded(Event, frozen=True, tag="discarded"):
    """What a seat could not store (7.3)."""

    seat: int
    tokens: tuple[str, ...]


class Ended(Event, frozen=True, tag="ended"):
    """So few tiles are left that the game is over (9)."""

    tiles_left: int


class Rewarded(Event, frozen=True, tag="rewarded"):
    """Final scoring of a seat: its bonus for tiles and its points for resources left over (9)."""

    seat: int
    tiles: int
    bonus: int
    tokens: int
    leftovers: int


EVENTS: tuple[type[Event], ...] = (
    RoundBegan,
    Earned,
    Passed,
    Waited,
    Recruited,
    Hired,
    Farmed,
    Harvested,
    Worshipped,
    Built,
    NothingToBuild,
    Moved,
    Paid,
    Sold,
    Promoted,
    GardenerTaken,
    TokenTaken,
    NothingAtCourt,
    Planted,
    Watered,
    Flooded,
    CardTurned,
    Blessed,
    Swapped,
    Declined,
    Sealed,
    Discarded,
    Ended,
    Rewarded,
)
