"""One look at the table, worked out once for all its zones: from whose place, what may be done, what just changed."""

from app.engine import notation
from app.engine.look import OTHERS, Look
from app.games.amyitis.actions import Choice, Swap
from app.games.amyitis.components import ROWS, TEMPLES, Box
from app.games.amyitis.events import (
    Blessed,
    Built,
    Discarded,
    Earned,
    Farmed,
    Flooded,
    GardenerTaken,
    Hired,
    Moved,
    Paid,
    Passed,
    Planted,
    Promoted,
    Recruited,
    RoundBegan,
    Sold,
    Swapped,
    TokenTaken,
    Waited,
    Worshipped,
)
from app.games.amyitis.rules import Rules
from app.games.amyitis.state import View

VIEWS = {"others": OTHERS}
"""What a page may be asked to show: the others in which order."""
LASTING = ("others",)
"""What a person may prefer for good."""


class Glance:
    """A viewer's look with what its zones ask for again and again.

    ``me``: the seat from whose place the table is seen, a spectator sees it from the first; ``mine``: whether
    it is the viewer's own; ``order``: all seats, the one at hand first. ``picks``: what may be clicked, by the
    pattern that a spot on the board stands for. ``touched``: what the newest entry changed.
    """

    def __init__(self, game: Rules, look: Look[View, Choice]) -> None:
        self.game = game
        self.box: Box = game.box
        self.look = look
        self.view = look.view
        self.realm = look.view.realm
        self.seats = self.realm.seats
        self.me = look.seat if look.seat is not None else 0
        self.mine = look.seat is not None
        self.actions = look.actions if look.live else ()
        self.picks = frozenset([pattern for action in self.actions for pattern in patterns(action)])
        self.names = tuple([sitter.name for sitter in look.sitters])
        self.order = (self.me, *look.others(self.me, self.seats))
        self.waiting = frozenset([decision.seat for decision in look.decisions])
        self.touched = frozenset([thing for event in look.latest for thing in _touched(self, event)])

    def pick(self, pattern: str) -> str:
        """The pattern when something that it stands for may be done now, else nothing."""
        return pattern if pattern in self.picks else ""

    def who(self, seat: int) -> tuple[str, int]:
        """A seat's name and colour."""
        return self.names[seat], seat + 1


def patterns(action: Choice) -> tuple[str, ...]:
    """The spots that an action is made of: each the action's words, with a star where it says nothing."""
    if isinstance(action, Swap):
        return f"swap:{action.given}:*", f"swap:*:{action.taken}"
    return (notation.write(action),)


def _touched(glance: Glance, event: object) -> tuple[object, ...]:
    """What an event changed: pieces by their id, belongings as seat and kind."""
    box, realm = glance.box, glance.realm
    match event:
        case RoundBegan():
            return ("market",)
        case Recruited():
            return f"k-{realm.round}-{event.row}-{event.card}", (event.seat, "talents")
        case Farmed():
            row = ROWS.index(event.row)
            return f"f-{row}-{realm.harvests[row]}-{event.place}", (event.seat, event.resource)
        case Worshipped():
            at = TEMPLES.index(event.temple)
            return (f"w-{at}-{realm.offered[at]}",)
        case Built() | Flooded():
            at = box.grid.channel_number[event.channel]
            cubes = len(realm.channels[at])
            count = event.cubes if isinstance(event, Flooded) else 1
            return tuple([f"c-{at}-{place}" for place in range(cubes - count + 1, cubes + 1)])
        case Moved():
            return "caravan", (event.seat, "camels")
        case Planted():
            return f"t-{event.tile}", (event.seat, "talents"), (event.seat, "camels")
        case Passed():
            return (f"p-{realm.round}-{event.seat}",)
        case Promoted():
            return ((event.seat, event.track),)
        case Paid() | Sold() | Discarded():
            return tuple([(event.seat, token) for token in event.tokens])
        case GardenerTaken():
            return ((event.seat, "gardeners"),)
        case TokenTaken():
            return ((event.seat, event.resource),)
        case Hired():
            return ((event.seat, "camels"),)
        case Swapped():
            return ((event.seat, event.taken),)
        case Earned() | Waited() | Blessed():
            given = [name for name in ("talents", "camels") if getattr(event, name, 0)]
            return tuple([(event.seat, name) for name in given])
        case _:
            return ()
