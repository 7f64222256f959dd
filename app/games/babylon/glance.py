"""One look at the table, worked out once for all its zones: from whose place, what may be done, what just changed."""

from app.engine import notation
from app.engine.look import OTHERS, Look
from app.games.babylon.components import Box
from app.games.babylon.events import Decorated, Laid, Mined, Placed, Uncovered
from app.games.babylon.faces import Faces, faces_of
from app.games.babylon.rules import Rules
from app.games.babylon.standing import Standing, standing
from app.games.babylon.state import (
    Bridge,
    Choice,
    End,
    Fountain,
    Lay,
    Mine,
    Place,
    Player,
    Remove,
    Stairs,
    Statue,
    View,
)

MINE = "mine"
VIEWS = {"side": ("0", "1", "2", "3"), "garden": (MINE, "0", "1", "2", "3"), "others": OTHERS}
"""What a page may be asked to show: from which side, whose garden (a seat) is at the centre, the others in which
order."""
LASTING = ("side", "others")
"""What a person may prefer for good."""


class Glance:
    """A viewer's look with what its zones ask for again and again.

    ``me``: the seat from whose place the table is seen, a spectator sees it from the first; ``mine``: whether it is
    the viewer's own. ``centre``: whose garden is large; ``others``: the other seats in order. ``picks``: what
    may be clicked, by the pattern that a spot on the board stands for.
    """

    def __init__(self, game: Rules, look: Look[View, Choice]) -> None:
        self.game = game
        self.box: Box = game.box
        self.faces: Faces = faces_of(game)
        self.look = look
        self.view = view = look.view
        self.seats = len(view.players)
        self.rounds = game.box.for_seats(self.seats).rounds
        self.me = look.seat if look.seat is not None else 0
        self.mine = look.seat is not None
        self.side = int(look.shown("side", "0"))
        asked = look.shown("garden", MINE)
        self.centre = int(asked) if asked != MINE and int(asked) < self.seats else self.me
        self.actions = look.actions if look.live else ()
        self.picks = {pattern for action in self.actions for pattern in patterns(action)}
        self.fresh = frozenset(piece for event in look.latest for piece in _touched(event))
        self.names = tuple([sitter.name for sitter in look.sitters])
        self.others = look.others(self.me, self.seats)

    @property
    def at_home(self) -> bool:
        """Whether the garden at the centre is the viewer's own."""
        return self.mine and self.centre == self.me

    @property
    def player(self) -> Player:
        """Whose garden is at the centre."""
        return self.view.players[self.centre]

    def standing(self, seat: int) -> Standing:
        """How a seat's garden stands."""
        return standing(self.view.players[seat].garden, self.box.scoring)

    def pick(self, pattern: str) -> str:
        """The pattern when something that it stands for may be done now, else nothing."""
        return pattern if pattern in self.picks else ""

    def fresh_in(self, seat: int) -> frozenset[str]:
        """What just changed in a seat's garden."""
        return self.fresh if self.look.actor == seat else frozenset()


def patterns(action: Choice) -> tuple[str, ...]:
    """The spots that an action is made of: each the action's words, with a star where it says nothing."""
    match action:
        case Place(tile, x, y, level):
            return f"place:{tile}:*:*:*", f"place:*:{x}:{y}:*", f"place:*:{x}:{y}:{level}"
        case Lay(turned, corner):
            return f"lay:{turned}:*", f"lay:*:{corner}"
        case Mine() | Remove() | Statue() | Fountain() | Bridge() | Stairs() | End():
            return (notation.write(action),)


def _touched(event: object) -> tuple[str, ...]:
    """The pieces that an event put where they are, by name."""
    match event:
        case Mined() | Uncovered() | Placed() | Laid():
            return (f"tile-{event.tile}",)
        case Decorated():
            return (event.piece,)
        case _:
            return ()
