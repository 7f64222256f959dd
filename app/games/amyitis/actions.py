"""What a seat can choose, one small step at a time (7.5)."""

from app.engine.contract import Action


class Pass(Action, frozen=True, tag="pass"):
    """Puts a cube on the pass space: out for this round (7.2 A)."""


class Recruit(Action, frozen=True, tag="recruit"):
    """Hires a face-up character: the row and the card in it, both counted from 1 (7.2 B)."""

    row: int
    card: int


class Move(Action, frozen=True, tag="move"):
    """Leads the caravan on to a city; to the one where it stands: a full lap (3.2)."""

    city: str


class Pay(Action, frozen=True, tag="pay"):
    """Pays the city's price with these tokens, the city's own resource first; ``-`` where none (3.5)."""

    first: str
    second: str


class Sell(Action, frozen=True, tag="sell"):
    """Sells one or two tokens in Babylon, in the order of the box; ``-`` for no second (3.4)."""

    first: str
    second: str


class Plant(Action, frozen=True, tag="plant"):
    """Plants a square with the plant that was bought (8.1)."""

    square: str


class Build(Action, frozen=True, tag="build"):
    """Puts a cube into a channel (4.4)."""

    channel: str


class Farm(Action, frozen=True, tag="farm"):
    """Puts a cube into the ``upper`` or the ``lower`` row of fields (5)."""

    row: str


class Worship(Action, frozen=True, tag="worship"):
    """Puts a cube into a temple: a priest's, or that of the procession (6)."""

    temple: str


class Court(Action, frozen=True, tag="court"):
    """Takes the next card of a court track, or a ``gardener`` (8.4)."""

    track: str


class Token(Action, frozen=True, tag="token"):
    """Takes the caravaneer of the last level on which that resource lies (8.4)."""

    resource: str


class Gift(Action, frozen=True, tag="gift"):
    """Takes a ``camel`` or a ``talent`` from Ishtar (6)."""

    gift: str


class Swap(Action, frozen=True, tag="swap"):
    """Gives one token to Tammuz and takes another (6)."""

    given: str
    taken: str


class Decline(Action, frozen=True, tag="decline"):
    """Does without the swap of Tammuz (Q19)."""


class Discard(Action, frozen=True, tag="discard"):
    """Seals one token to be discarded; all are opened together (7.3)."""

    resource: str


Choice = (
    Pass
    | Recruit
    | Move
    | Pay
    | Sell
    | Plant
    | Build
    | Farm
    | Worship
    | Court
    | Token
    | Gift
    | Swap
    | Decline
    | Discard
)
