"""A table that fits what everybody knows: the hidden orders are shuffled anew (5.1)."""

from app.engine.rng import Rng
from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.state import Automaton, State, View


def imagined(box: Box, view: View, rng: Rng) -> State:
    """Every card not seen is in the deck, every tile not seen in its pile, every automaton card to come."""
    gardens = [spot for player in view.players for spot in player.garden]
    cards = {spot.card for spot in gardens} | {card for column in view.market for card in column}
    cards.update(view.discards)
    tiles = {spot.tile for spot in gardens} | {pile.top for pile in view.piles} | set(view.discarded_tiles)
    deck, rng = rng.shuffled([card for card in box.cards if card not in cards])
    piles = []
    for pile in view.piles:
        rest, rng = rng.shuffled(
            [tile.id for tile in box.tiles.values() if tile.cost == pile.cost and tile.id not in tiles]
        )
        piles.append((pile.top, *rest) if pile.left else ())
    automaton = None
    if view.automaton is not None:
        known = view.automaton
        cards_to_come, rng = rng.shuffled([card for card in box.automaton_cards if card not in known.used])
        automaton = Automaton(cards_to_come, known.used, known.gardeners, known.objectives)
    return State(
        players=view.players,
        market=view.market,
        ledges=view.ledges,
        deck=deck,
        piles=tuple(piles),
        objectives=view.objectives,
        spaces=view.spaces,
        holder=view.holder,
        round=view.round,
        starter=view.starter,
        turn=view.turn,
        phase=view.phase,
        automaton=automaton,
        difficulty=view.difficulty,
        discards=view.discards,
        discarded_tiles=view.discarded_tiles,
    )
