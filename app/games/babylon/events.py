"""What happens at a table of Babylon, as facts. Nothing that happens is secret (14.1)."""

from app.engine.contract import Event
from app.games.babylon.garden import Cell


class Removed(Event, frozen=True, tag="removed"):
    """A clay tile left the game before it began (5.6)."""

    seat: int
    x: int
    y: int
    tile: str


class Uncovered(Event, frozen=True, tag="uncovered"):
    """A tile of the quarry came to light (8.6)."""

    x: int
    y: int
    tile: str


class Mined(Event, frozen=True, tag="mined"):
    """A tile was taken from the quarry.

    It brought ``singles`` pillars: one for each of ``sides``, ``flower`` more for the flower, ``token`` (0 or
    less) for the effect, never below 0, and ``lost`` of them because the supply had no more (8, 3.5).
    """

    seat: int
    tile: str
    x: int
    y: int
    sides: tuple[str, ...]
    flower: int
    token: int
    singles: int
    lost: int


class Placed(Event, frozen=True, tag="placed"):
    """A tile was put on a place; how it lies there is still to be chosen (9)."""

    seat: int
    tile: str
    x: int
    y: int
    level: int


class Laid(Event, frozen=True, tag="laid"):
    """A tile lies (9). Supports go clockwise from north-west: ``s``, ``d``, ``p`` a statue, ``-`` open.

    ``singles`` pillars left the player, two for each of ``exchanged`` doubles; ``token_doubles`` were used.
    ``open`` is the corner with the belvedere or ``none``; ``hides`` names the pieces that went out of sight.
    """

    seat: int
    tile: str
    flower: str
    x: int
    y: int
    level: int
    turned: int
    supports: str
    open: str
    singles: int
    token_doubles: int
    exchanged: int
    hides: tuple[str, ...]


class Decorated(Event, frozen=True, tag="decorated"):
    """A decoration was set (10). ``points`` is what it scores alone, ``altered`` which cells an effect altered."""

    seat: int
    piece: str
    decoration: str
    cells: tuple[Cell, ...]
    level: int
    altered: tuple[Cell, ...]
    points: int


class Returned(Event, frozen=True, tag="returned"):
    """Pillars that may not be kept went back to the supply (11.1, 11.2)."""

    seat: int
    singles: int
    doubles: int


class Discarded(Event, frozen=True, tag="discarded"):
    """A tile left the game, face up (11.3)."""

    seat: int
    tile: str


class Kept(Event, frozen=True, tag="kept"):
    """A seat's turn is over; it kept this tile in its slot, or ``none`` (11.3)."""

    seat: int
    tile: str


class RoundBegan(Event, frozen=True, tag="round_began"):
    """A round began under this token, ``none`` in round 1 (6.2)."""

    round: int
    token: str


class Paid(Event, frozen=True, tag="paid"):
    """The token paid a pillar at the start of a turn; ``count`` is 0 when the supply had none (6.4.1, 3.5)."""

    seat: int
    piece: str
    count: int


class Finished(Event, frozen=True, tag="finished"):
    """Only the end token was left: the game is over (6.3)."""

    round: int


EVENTS: tuple[type[Event], ...] = (
    Removed,
    Uncovered,
    Mined,
    Placed,
    Laid,
    Decorated,
    Returned,
    Discarded,
    Kept,
    RoundBegan,
    Paid,
    Finished,
)
