"""What taking a card, buying a tile or a bonus does to one player; nothing else at the table is asked."""

import msgspec

from app.games.hanging_gardens.box import Box
from app.games.hanging_gardens.components import Bonus
from app.games.hanging_gardens.state import Player, Spot

replace = msgspec.structs.replace


def with_card(box: Box, player: Player, card: str, *, paid: int, level: int, x: int) -> Player:
    """The player who has paid so many tools, placed the card, and resolved its bonus (6.1-6.3).

    Tools that the card brings come after the payment, so they cannot be part of it (R-19).
    """
    player = replace(
        player,
        tools=player.tools - paid,
        gardeners=player.gardeners - 1,
        garden=(*player.garden, Spot(level, x, card)),
    )
    return richer(player, box.cards[card].bonus, level)


def with_tile(box: Box, player: Player, tile: str, *, level: int, x: int) -> Player:
    """The player who has bought the tile for the empty card there, and resolved its bonus (6.5, R-05)."""
    face = box.tiles[tile]
    garden = [replace(spot, tile=tile) if spot.level == level and spot.x == x else spot for spot in player.garden]
    player = replace(player, coins=player.coins - face.cost, garden=tuple(garden))
    return richer(player, face.bonus, level)


def richer(player: Player, bonus: Bonus, amount: int) -> Player:
    """The player with so many more coins or tools; a crown is worth neither (6.3)."""
    if bonus == "coin":
        return replace(player, coins=player.coins + amount)
    if bonus == "tool":
        return replace(player, tools=player.tools + amount)
    return player


def with_player(players: tuple[Player, ...], seat: int, player: Player) -> tuple[Player, ...]:
    """All players, one of them as given."""
    return (*players[:seat], player, *players[seat + 1 :])
