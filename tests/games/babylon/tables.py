"""Tables of Babylon for tests: begun, dealt as wanted, and played on action by action."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from app.engine import log, notation
from app.engine.contract import Event
from app.engine.rng import Chance, Rng
from app.games.babylon.garden import Garden
from app.games.babylon.state import Player, State
from tests.games.babylon.script import rules

ALICE, BOB, CAROL = range(3)

LEVEL = {
    "first_player": ("0",),
    "boards": ("white", "pink", "purple", "yellow"),
}
"""Alice begins; white, pink, purple, yellow sit in this order."""


def begin(seats: int, *, tokens: Sequence[str] = (), deal: Mapping[str, Sequence[str]] | None = None) -> State:
    """The first state, Alice to begin, with these tokens on top and these piles dealt as they say."""
    dealt = {**LEVEL, **(deal or {})}
    if tokens:
        dealt["tokens"] = tuple(tokens)
    return rules().setup(seats, {}, Chance(Rng("test"), dealt))


def thinned(seats: int, *, tokens: Sequence[str] = (), deal: Mapping[str, Sequence[str]] | None = None) -> State:
    """The same after the clay was removed, the first stacks first."""
    state = begin(seats, tokens=tokens, deal=deal)
    while state.phase == "remove":
        state = rules().apply(state, state.seat, rules().actions(state, state.seat)[0]).state
    return state


def act(state: State, *texts: str) -> State:
    """The state after these actions of whoever's turn it is, each of them checked."""
    for text in texts:
        state = follow(state, text)[0]
    return state


def follow(state: State, text: str) -> tuple[State, tuple[Event, ...], bool]:
    """The state after one action, what happened, and whether something came to light."""
    game = rules()
    action = notation.parse(game, text)
    broken = game.why_not(state, state.seat, action)
    assert broken is None, f"{text}: {broken}"
    assert action in game.actions(state, state.seat)
    step = game.apply(state, state.seat, action)
    return step.state, step.events, step.reveals


def complaint(state: State, text: str, seat: int | None = None) -> str:
    """What the rules complain of when this action is tried; empty when they do not."""
    game = rules()
    seat = state.seat if seat is None else seat
    action = notation.parse(game, text)
    broken = game.why_not(state, seat, action)
    assert (broken is None) == (action in game.actions(state, seat)), f"{text}: {broken}"
    return "" if broken is None else broken.complaint


def legal(state: State, kind: str = "") -> list[str]:
    """The legal actions as text, those of one kind when one is named."""
    texts = [notation.write(action) for action in rules().actions(state, state.seat)]
    return [text for text in texts if text.split(":")[0] == kind] if kind else texts


def with_player(state: State, seat: int, player: Player) -> State:
    """The table with one player replaced."""
    return replace(state, players=(*state.players[:seat], player, *state.players[seat + 1 :]))


def holding(state: State, *, singles: int, stored: str | None = None, garden: Garden | None = None) -> State:
    """The table where the seat whose turn it is has these pillars (from nowhere), this tile and this garden."""
    player = state.players[state.seat]
    return with_player(
        state,
        state.seat,
        Player(
            flower=player.flower,
            garden=player.garden if garden is None else garden,
            singles=singles,
            stored=player.stored if stored is None else stored,
        ),
    )


def pass_turn(state: State) -> State:
    """Mines the first stack and ends the turn, keeping what was stored."""
    state = act(state, legal(state, "mine")[0])
    keep = state.players[state.seat].stored or "none"
    return act(state, f"end:{keep}")


def position(state: State) -> log.Position[State]:
    """A log position that begins with this state."""
    waiting = {decision.seat: 0 for decision in rules().decisions(state)}
    return log.Position(first=state, state=state, version=0, waiting=waiting, played=())
