"""What each choice leads to, and how one turn passes into the next (5.6, 6, 8 to 12)."""

from msgspec.structs import replace

from app.engine.contract import Event, Step
from app.games.babylon import mining, outcomes, placing, scoring, tokens
from app.games.babylon.choices import KIND_OF, purse, site_of
from app.games.babylon.components import Box
from app.games.babylon.decorating import cells_altered
from app.games.babylon.events import (
    Decorated,
    Discarded,
    Finished,
    Kept,
    Laid,
    Mined,
    Paid,
    Placed,
    Removed,
    Returned,
    RoundBegan,
    Uncovered,
)
from app.games.babylon.garden import Decoration
from app.games.babylon.state import NONE, Decorate, End, Lay, Laying, Mine, Place, Player, Remove, State, Statue


def remove(box: Box, state: State, action: Remove) -> Step[State]:
    """A clay tile leaves the game; after the last one the first round begins (5.6)."""
    quarry, tile, events = _taken(box, state, action.x, action.y)
    events = (Removed(state.seat, action.x, action.y, tile), *events)
    removed = (*state.removed, tile)
    seats = len(state.players)
    state = replace(
        state, quarry=quarry, removed=removed, turn=state.turn + 1, seat=(state.first + len(removed)) % seats
    )
    reveals = len(events) > 1
    if len(removed) == seats * box.for_seats(seats).clay_removed_each:
        state, begun = begin_round(state)
        events += begun
    return Step(state, events, reveals)


def _taken(box: Box, state: State, x: int, y: int) -> tuple[tuple[tuple[str, ...], ...], str, tuple[Event, ...]]:
    """The quarry without the top tile of a stack, that tile, and what came to light under it."""
    number = y * box.quarry.width + x
    stack = state.quarry[number]
    left = stack[:-1]
    uncovered = (Uncovered(x, y, left[-1]),) if left else ()
    return (*state.quarry[:number], left, *state.quarry[number + 1 :]), stack[-1], uncovered


def mine(box: Box, state: State, action: Mine) -> Step[State]:
    """The tile comes into the hand, its pillars to the player, as far as the supply goes (8, 3.5).

    Mining is final, even where nothing comes to light under the tile (8.6).
    """
    player = state.players[state.seat]
    quarry, tile, uncovered = _taken(box, state, action.x, action.y)
    gain = mining.gain(
        state.heights,
        box.quarry.width,
        action.x,
        action.y,
        own_flower=box.tile_by_id[tile].flower == player.flower,
        effect=state.effect,
        values=box.mining,
    )
    singles = min(gain.total, state.supply.single_pillar)
    mined = Mined(
        seat=state.seat,
        tile=tile,
        x=action.x,
        y=action.y,
        sides=gain.sides,
        flower=gain.flower,
        token=gain.token,
        singles=singles,
        lost=gain.total - singles,
    )
    after = replace(
        state,
        phase="build",
        quarry=quarry,
        mined=tile,
        supply=state.supply.without(single_pillar=singles),
        players=_with(state, replace(player, singles=player.singles + singles)),
    )
    return Step(after, (mined, *uncovered), reveals=True)


def _with(state: State, player: Player) -> tuple[Player, ...]:
    """The players, that of the seat whose turn it is replaced."""
    return (*state.players[: state.seat], player, *state.players[state.seat + 1 :])


def place(state: State, action: Place) -> Step[State]:
    """The tile is on its way (9)."""
    player = state.players[state.seat]
    stored = "" if action.tile == player.stored else player.stored
    after = replace(
        state,
        phase="lay",
        mined="" if action.tile == state.mined else state.mined,
        players=_with(state, replace(player, stored=stored)),
        laying=Laying(action.tile, action.x, action.y, action.level),
    )
    return Step(after, (Placed(state.seat, action.tile, action.x, action.y, action.level),))


def lay(box: Box, state: State, action: Lay) -> Step[State]:
    """The tile lies on its supports; with three of them a belvedere comes on the open corner (9.3, 9.5)."""
    laying = state.laying
    assert laying, "this phase has a tile under way"
    player = state.players[state.seat]
    site = site_of(state, laying)
    form = next(form for form in site.forms if form.open == action.open)
    payment = purse(state).payment(form)
    tile = box.tile_by_id[laying.tile]
    built = placing.laid(player.garden, tile, site, turned=action.turned, form=form)
    laid = Laid(
        seat=state.seat,
        tile=tile.id,
        flower=tile.flower,
        x=laying.x,
        y=laying.y,
        level=laying.level,
        turned=action.turned,
        supports=form.supports,
        open=form.open,
        singles=payment.spent,
        token_doubles=payment.token_doubles,
        exchanged=payment.exchanged,
        hides=outcomes.hidden(player.garden, built),
    )
    after = replace(
        state,
        phase="build",
        laying=None,
        doubles=state.doubles - payment.token_doubles,
        # Exchanged singles go back to the supply; those set stay in the garden (3.5).
        supply=state.supply.without(
            single_pillar=-2 * payment.exchanged,
            double_pillar=payment.exchanged,
            belvedere=int(form.open != NONE),
        ),
        players=_with(state, replace(player, garden=built, singles=player.singles - payment.spent)),
    )
    return Step(after, (laid,))


def decorate(box: Box, state: State, action: Decorate) -> Step[State]:
    """The decoration stands; from now on no tile may be placed in this turn (6.4.4)."""
    player = state.players[state.seat]
    kind = KIND_OF[type(action)]
    cells = ((action.x, action.y),) if isinstance(action, Statue) else ((action.x, action.y), (action.x2, action.y2))
    decoration = Decoration(
        kind=kind,
        cells=cells,
        level=player.garden.height(cells[0]),
        after=len(player.garden.terraces),
        altered=cells_altered(cells, action.altered),
    )
    decorated = Decorated(
        seat=state.seat,
        piece=decoration.piece,
        decoration=kind,
        cells=cells,
        level=decoration.level,
        altered=decoration.altered,
        points=scoring.points_of(kind, decoration.level, box.scoring),
    )
    after = replace(
        state,
        phase="decorate",
        supply=state.supply.without(**{kind: 1}),
        players=_with(state, replace(player, garden=player.garden.with_decoration(decoration))),
    )
    return Step(after, (decorated,))


def end(box: Box, state: State, action: End) -> Step[State]:
    """One tile at most and a few pillars are kept, the rest leaves; the next turn begins (11)."""
    player = state.players[state.seat]
    excess = max(0, player.singles - box.storage.single_pillars)
    discarded = tuple(tile for tile in state.hand if tile != action.keep)
    events: list[Event] = []
    if excess or state.doubles:
        events.append(Returned(state.seat, excess, state.doubles))
    events += [Discarded(state.seat, tile) for tile in discarded]
    events.append(Kept(state.seat, action.keep))
    tidy = Player(
        flower=player.flower,
        garden=player.garden.settled(),
        singles=player.singles - excess,
        stored="" if action.keep == NONE else action.keep,
    )
    after = replace(
        state,
        phase="mine",
        turn=state.turn + 1,
        seat=(state.seat + 1) % len(state.players),
        mined="",
        doubles=0,
        supply=state.supply.without(single_pillar=-excess, double_pillar=-state.doubles),
        players=_with(state, tidy),
        discarded=state.discarded + discarded,
    )
    reveals = False
    if after.seat == after.first:
        reveals = bool(after.tokens)
        after, turned = begin_round(after)
        events += turned
    elif after.effect in tokens.PAYS:
        after, paid = _paid(after)
        events.append(paid)
    return Step(after, tuple(events), reveals)


def begin_round(state: State) -> tuple[State, tuple[Event, ...]]:
    """The next token is turned over and rules the next round; without one the game is over (6.2, 6.3)."""
    if not state.round:
        return replace(state, round=1, phase="mine"), (RoundBegan(1, NONE),)
    if not state.tokens:
        return replace(state, phase="over"), (Finished(state.round),)
    token = state.tokens[0]
    after = replace(state, round=state.round + 1, shown=(*state.shown, token), tokens=state.tokens[1:])
    began = RoundBegan(after.round, token)
    if token not in tokens.PAYS:
        return after, (began,)
    after, paid = _paid(after)
    return after, (began, paid)


def _paid(state: State) -> tuple[State, Paid]:
    """The token pays one pillar to the seat whose turn begins, if the supply has one (6.4.1, 3.5)."""
    piece = tokens.PAYS[state.effect]
    count = min(1, state.supply.left(piece))
    paid = Paid(state.seat, piece, count)
    state = replace(state, supply=state.supply.without(**{piece: count}))
    if piece == "double_pillar":
        return replace(state, doubles=count), paid
    player = state.players[state.seat]
    return replace(state, players=_with(state, replace(player, singles=player.singles + count))), paid
