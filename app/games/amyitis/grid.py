"""The garden as numbers: its squares, the channels between them, and what touches what (4.1, 4.3)."""

from collections.abc import Iterable, Mapping, Sequence


def members(mask: int) -> Iterable[int]:
    """The numbers whose bits are set, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Grid:
    """Squares and channels by number, in reading order, with sets of either as bit masks.

    A channel lies on every side shared by two squares. It ends in two grid corners; channels with a common
    corner touch, and one that ends on a river side of the rim is a bank channel. Made once an edition.
    """

    def __init__(
        self,
        *,
        columns: str,
        floors: Sequence[Sequence[int]],
        required: Sequence[int],
        river: Iterable[str],
        places: Mapping[str, int],
    ) -> None:
        wide, high = len(columns), len(floors)
        cells = [(column, row) for row in range(high) for column in range(wide)]
        self.squares = tuple(f"{columns[column]}{row + 1}" for column, row in cells)
        self.square_number = {name: number for number, name in enumerate(self.squares)}
        self.floors = tuple(floors[row][column] for column, row in cells)
        self.required = tuple(required[floor - 1] for floor in self.floors)
        sides = sorted(
            (self.squares[number], self.squares[other])
            for number, (column, row) in enumerate(cells)
            for other in (
                *((number + 1,) if column + 1 < wide else ()),
                *((number + wide,) if row + 1 < high else ()),
            )
        )
        self.channels = tuple(f"{one}-{two}" for one, two in sides)
        self.channel_number = {name: number for number, name in enumerate(self.channels)}
        self.ends = tuple((self.square_number[one], self.square_number[two]) for one, two in sides)
        self.places = tuple(places.get(name, 0) for name in self.channels)
        self.sides = tuple(
            tuple(number for number, ends in enumerate(self.ends) if square in ends) for square in range(len(cells))
        )
        self.waters = tuple((1 << one) | (1 << two) for one, two in self.ends)
        """For each channel the two squares beside it, as a mask."""
        corners = [_corners(cells[one], cells[two]) for one, two in self.ends]
        self.touches = tuple(
            sum(1 << other for other, theirs in enumerate(corners) if other != number and mine & theirs)
            for number, mine in enumerate(corners)
        )
        """For each channel those that touch it, as a mask."""
        sides_of_river = set(river)
        self.bank = sum(
            1 << number
            for number, ends in enumerate(corners)
            if any(
                (row == high and "bottom" in sides_of_river) or (column == wide and "right" in sides_of_river)
                for column, row in ends
            )
        )
        """The channels that touch the river, as a mask."""


def _corners(one: tuple[int, int], two: tuple[int, int]) -> frozenset[tuple[int, int]]:
    """The two grid corners between which the side shared by two neighbouring cells runs."""
    (column, row), (other, _) = one, two
    if other > column:
        return frozenset({(other, row), (other, row + 1)})
    return frozenset({(column, row + 1), (column + 1, row + 1)})
