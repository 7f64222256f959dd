"""Gardens and tables for the tests: positions drawn as text, actions as they stand in a record."""

from collections.abc import Mapping, Sequence

import msgspec

from app.engine import notation
from app.engine.contract import Event, Step
from app.engine.rng import Chance, Rng
from app.games import load
from app.games.hanging_gardens.garden import Place, legal_places
from app.games.hanging_gardens.rules import Rules
from app.games.hanging_gardens.state import Player, Spot, State, active

replace = msgspec.structs.replace


def rules() -> Rules:
    game = load("hanging_gardens")
    assert isinstance(game, Rules)
    return game


GAME = rules()
BOX = GAME.box


def garden(drawing: str, *, left: int = 0) -> tuple[Spot, ...]:
    """A garden as it lies: level 1 in the last line, ``.`` for a place without a card, ``G18+E12`` for a tile.

    The first word of each line is at x = ``left``.
    """
    lines = [line.split() for line in drawing.strip().splitlines()]
    spots = tuple(
        Spot(level, left + offset, *word.split("+"))
        for level, line in enumerate(reversed(lines), start=1)
        for offset, word in enumerate(line)
        if word != "."
    )
    cards = {(spot.level, spot.x) for spot in spots}
    assert all(spot.level == 1 or {(spot.level - 1, spot.x), (spot.level - 1, spot.x + 1)} <= cards for spot in spots)
    return spots


def player(
    drawing: str | Sequence[Spot] = "",
    *,
    irrigation: str = "I1",
    coins: int = 0,
    tools: int = 0,
    objectives: tuple[tuple[str, int], ...] = (),
) -> Player:
    """A player before that garden."""
    spots = garden(drawing) if isinstance(drawing, str) else tuple(drawing)
    return Player(irrigation, spots, coins, tools, 3, objectives)


def begin(seats: int, *, deal: Mapping[str, str] | None = None, seed: str = "test", **options: str) -> State:
    """The first state of a game; the piles of the deal as they stand in a record."""
    written = {pile.replace("_", "-"): cards.split() for pile, cards in (deal or {}).items()}
    if seats > 1:
        options.setdefault("first", "1")
    chance = Chance(Rng(seed), written)
    state = GAME.setup(seats, GAME.options_for(seats, options), chance)
    chance.done()
    return state


def table(
    *players: Player,
    market: Sequence[str] = ("G01 G02 G03 G04", "G05 G06 G07 G08", "G20 G22 G24 G26"),
    objectives: str = "O01 O02 O03 O04",
    holder: int = 0,
    ledges: tuple[tuple[int, ...], ...] = ((), (), ()),
    deal: Mapping[str, str] | None = None,
    **options: str,
) -> State:
    """A table at the first seat's turn, with those players and that market (left, middle, right; bottom first)."""
    state = begin(len(players), deal={"objectives": objectives, **(deal or {})}, **options)
    return replace(
        state,
        players=players,
        market=tuple(tuple(column.split()) for column in market),
        holder=holder,
        ledges=ledges,
    )


def act(state: State, text: str, *, seat: int | None = None) -> Step[State]:
    """The step after an action that must be legal; by default of the seat that must choose."""
    acting = GAME.decisions(state)[0].seat if seat is None else seat
    action = notation.parse(GAME, text)
    assert GAME.why_not(state, acting, action) is None, GAME.why_not(state, acting, action)
    return GAME.apply(state, acting, action)


def after(state: State, *texts: str) -> State:
    """The table after these actions, one after the other."""
    for text in texts:
        state = act(state, text).state
    return state


def events(state: State, *texts: str) -> list[Event]:
    """All that happened through these actions."""
    happened: list[Event] = []
    for text in texts:
        step = act(state, text)
        state = step.state
        happened += step.events
    return happened


def turn(state: State, text: str) -> State:
    """A whole turn: the card, and nothing bought or completed."""
    number = GAME.decisions(state)[0].turn
    state = after(state, text)
    while (decisions := GAME.decisions(state)) and decisions[0].turn == number:
        state = after(state, "pass" if state.phase == "enhance" else "end")
    return state


def anywhere(state: State, column: int, row: int) -> str:
    """Taking that card and placing it on the first legal place."""
    level, x = legal_places(state.players[active(state)].garden)[0]
    return f"take:{column}:{row}:{level}:{x}"


def choices(state: State) -> set[str]:
    """What may be chosen now, as text."""
    return {notation.write(action) for action in GAME.actions(state, GAME.decisions(state)[0].seat)}


def refused(state: State, text: str, *, seat: int | None = None) -> tuple[str, str]:
    """The complaint about an action, and the rule that it breaks."""
    acting = active(state) if seat is None else seat
    broken = GAME.why_not(state, acting, notation.parse(GAME, text))
    assert broken is not None, f"{text} is legal"
    return broken.complaint, broken.rule


def facts(state: State, text: str) -> dict[str, str | int]:
    """The facts in the complaint about an action."""
    broken = GAME.why_not(state, active(state), notation.parse(GAME, text))
    assert broken is not None, f"{text} is legal"
    return dict(broken.facts)


def places(*cards: Place) -> set[Place]:
    """Where the next card may go, when cards lie on these places."""
    return set(legal_places(tuple(Spot(level, x, "G01") for level, x in cards)))
