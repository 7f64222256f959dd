"""Resource tokens: counted, paid, stored (3.5, 7.3)."""

from collections.abc import Iterable, Sequence
from itertools import product

from app.games.amyitis.components import Box
from app.games.amyitis.state import Goods, Player

NONE = "-"
"""Written where an action has room for a second token and there is none."""


def added(goods: Goods, resource: int, count: int = 1) -> Goods:
    """The goods with so many more of a resource (by number)."""
    return (*goods[:resource], goods[resource] + count, *goods[resource + 1 :])


def without(goods: Goods, resources: Iterable[int]) -> Goods:
    """The goods less one token for each of the resources (by number)."""
    left = list(goods)
    for resource in resources:
        left[resource] -= 1
    return tuple(left)


def minus(goods: Goods, other: Goods) -> Goods:
    """The goods less other goods."""
    return tuple(map(int.__sub__, goods, other))


def names(box: Box, goods: Goods) -> tuple[str, ...]:
    """The tokens one by one, in the order of the box."""
    return tuple(name for name, count in zip(box.resource_ids, goods, strict=True) for _ in range(count))


def can_pay(box: Box, goods: Goods, price: Sequence[int]) -> bool:
    """Whether the goods pay the price, a list of resources, with wine for what is missing (3.5)."""
    left = list(goods)
    missing = 0
    for resource in price:
        if left[resource]:
            left[resource] -= 1
        else:
            missing += 1
    return missing <= left[box.wild]


def payments(box: Box, goods: Goods, price: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Every way to pay the price: tokens in its order, some of them wine; as little wine as can be first (3.5).

    Ways that hand over the same tokens count once.
    """
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    for tokens in sorted(product(*((resource, box.wild) for resource in price)), key=lambda way: way.count(box.wild)):
        if all(tokens.count(resource) <= goods[resource] for resource in tokens):
            found.setdefault(tuple(sorted(tokens)), tokens)
    return tuple(found.values())


def sales(goods: Goods) -> tuple[tuple[int, ...], ...]:
    """Every one or two tokens that can be sold, in the order of the box (3.4)."""
    held = [resource for resource, count in enumerate(goods) if count]
    ones = tuple((resource,) for resource in held)
    twos = tuple((one, two) for one in held for two in held if one < two or (one == two and goods[one] > 1))
    return ones + twos


def storage(box: Box, player: Player) -> int:
    """How many tokens the player may keep at the end of a round (7.3)."""
    return box.court.caravaneer[player.caravaneer].storage


def excess(box: Box, player: Player) -> int:
    """How many tokens the player must discard at the end of a round (7.3)."""
    return max(0, sum(player.goods) - storage(box, player))
