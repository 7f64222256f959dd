"""One look at the table, worked out once for all its zones: from whose place, what may be done, what just changed."""

from app.engine import notation
from app.engine.look import OTHERS, Look
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.rules import Rules
from app.games.hanging_gardens.standing import Standing, standing
from app.games.hanging_gardens.state import (
    AUTOMATON,
    Bought,
    Buy,
    Choice,
    Complete,
    Completed,
    GardenerPlaced,
    Refilled,
    Take,
    TileRevealed,
    Took,
    View,
)

VIEWS = {"others": OTHERS}
"""What a page may be asked to show: the others in which order."""
LASTING = ("others",)
"""What a person may prefer for good."""
AUTOMATON_COLOUR = 5
"""The automaton plays in the colour of the last seat, so that nobody takes it for a second player."""


class Glance:
    """A viewer's look with what its zones ask for again and again.

    ``me``: the seat from whose place the table is seen, a spectator sees it from the first; ``mine``: whether
    it is the viewer's own; ``others``: the other seats in order. ``picks``: what may be clicked, by the
    pattern that a spot on the board stands for.
    """

    def __init__(self, game: Rules, look: Look[View, Choice]) -> None:
        self.box: Box = game.box
        self.rounds = game.setup_rules.rounds
        self.gardeners = game.setup_rules.gardeners
        self.markers = game.setup_rules.objectives
        self.look = look
        self.view = view = look.view
        self.seats = len(view.players)
        self.solo = view.automaton is not None
        self.me = look.seat if look.seat is not None else 0
        self.mine = look.seat is not None
        self.actions = look.actions if look.live else ()
        self.picks = {pattern for action in self.actions for pattern in patterns(action)}
        self.changed = frozenset([piece for event in look.latest for piece in _touched(event)])
        self.names = tuple([sitter.name for sitter in look.sitters])
        self.others = look.others(self.me, self.seats)
        self._standings: dict[int, Standing] = {}

    @property
    def winning(self) -> int:
        """The points that win alone with the automaton."""
        return min(verdict.least for verdict in self.box.contents.solo_verdict if verdict.win)

    def colour(self, seat: int) -> int:
        """The colour, shape and letter of a seat, from 1."""
        return colour_of(seat, solo=self.solo)

    def standing(self, seat: int) -> Standing:
        """How a seat's garden stands."""
        found = self._standings.get(seat)
        if found is None:
            found = self._standings[seat] = standing(self.box, self.view.players[seat], seats=self.seats)
        return found

    def pick(self, pattern: str) -> str:
        """The pattern when something that it stands for may be done now, else nothing."""
        return pattern if pattern in self.picks else ""

    def latest_gardener(self) -> tuple[int, int] | None:
        """Column and stand, from 1, of the gardener who came last, if one just came."""
        column = next(
            (event.column for event in reversed(self.look.latest) if isinstance(event, Took | GardenerPlaced)), 0
        )
        if not column or not self.view.ledges[column - 1]:
            return None
        return column, len(self.view.ledges[column - 1])


def colour_of(seat: int, *, solo: bool) -> int:
    """The colour, shape and letter of a seat, from 1; ``solo``: the automaton plays."""
    return AUTOMATON_COLOUR if solo and seat == AUTOMATON else seat + 1


def patterns(action: Choice) -> tuple[str, ...]:
    """The spots that an action is made of: each the action's words, with a star where it says nothing."""
    match action:
        case Take(column, row, level, x):
            return f"take:{column}:{row}:*:*", f"take:*:*:{level}:{x}"
        case Buy(cost, level, x):
            return f"buy:{cost}:*:*", f"buy:*:{level}:{x}"
        case Complete():
            return (notation.write(action),)
        case _:
            return ()


def _touched(event: object) -> tuple[object, ...]:
    """The pieces that an event put where they are: cards and tiles by id, markers by tile and space."""
    match event:
        case Took() | Refilled():
            return (event.card,)
        case Bought() | TileRevealed():
            return (event.tile,)
        case Completed():
            return ((event.tile, event.space),)
        case _:
            return ()
