"""The shared, finite supply (3.5)."""

from typing import Literal

import msgspec

from app.games.babylon.components import Pieces

PieceName = Literal["single_pillar", "double_pillar", "belvedere", "stairs", "fountain", "bridge", "statue"]


class Supply(msgspec.Struct, frozen=True):
    """How many of each piece are left. Pieces come back only by exchange and at the end of a turn."""

    single_pillar: int
    double_pillar: int
    belvedere: int
    stairs: int
    fountain: int
    bridge: int
    statue: int

    def left(self, piece: str) -> int:
        """How many are left of a piece."""
        count: int = getattr(self, piece)
        return count

    def without(self, **taken: int) -> "Supply":
        """The supply after pieces were taken from it, or put back where the number is negative."""
        changes = {piece: self.left(piece) - count for piece, count in taken.items() if count}
        return msgspec.structs.replace(self, **changes) if changes else self


def full(pieces: Pieces) -> Supply:
    """All pieces of the box (5.1)."""
    return Supply(*(getattr(pieces, name).count for name in Supply.__struct_fields__))
