"""What the picture over the board is made of: pieces, and places where they can go."""

import msgspec


class Mark(msgspec.Struct, frozen=True):
    """A drop on a card or place that the irrigation card marks.

    ``state``: ``met`` or ``wanted``. ``shifts``: the alignments in which the place is marked, as one digit
    each; empty when there is only one alignment left.
    """

    state: str
    shifts: str = ""


class Piece(msgspec.Struct, frozen=True, cache_hash=True):
    """One piece: where it is, in classes; which drawings it is made of; and what is written on it.

    ``pick``: what a click on it stands for, ``holds``: a piece may be laid on it; ``waits``: the click does no more
    than choose it, though there is one place only; ``tells``: what it brings can be told before its place is chosen.
    ``earns``: a letter for each part of the score that it earns. ``now``: what counts now, and where on the plinth it
    is written: the value of an animal or tree, or how many of what it likes a visitor finds.
    """

    id: str
    place: str
    faces: tuple[str, ...]
    pick: str = ""
    holds: bool = False
    waits: bool = False
    tells: bool = False
    changed: bool = False
    earns: str = ""
    mark: Mark | None = None
    now: tuple[float, int] | None = None


Garden = tuple[tuple[Piece, ...], tuple[Piece, ...]]
"""The cards that lie in a garden, and the tiles that lie on them."""


class Space(msgspec.Struct, frozen=True):
    """A place where no card lies yet; ``shape``: ``place``, or half of it at an end of level 1.

    ``ask``: what a click stands for where no card may go yet, so that one is told why.
    """

    place: str
    shape: str
    pick: str = ""
    ask: str = ""
    mark: Mark | None = None
