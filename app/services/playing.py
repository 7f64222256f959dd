"""How a person likes to play, wherever they sit: what is asked once more, what is done by itself, how it looks."""

from collections.abc import Mapping
from typing import Any

import msgspec

from app import games

SPEEDS = ("", "slow", "quick", "off")
"""How fast pieces glide; empty: as usual."""
PALETTES = ("", "safe")
"""In which colours the seats are painted; ``safe``: told apart by those who see few colours."""
COLOURS = range(6)
"""Of which seat I always have the colour; 0: of the one I sit on."""

Views = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


class Playing(msgspec.Struct, frozen=True):
    """All of it. ``confirm``: what ends my turn is asked once more; ``auto_pass``: what is forced is done by itself;
    ``views``: by game, how its board is seen unless a page asks for something else (words of ``board.LASTING``)."""

    confirm: bool = False
    auto_pass: bool = False
    speed: str = ""
    palette: str = ""
    colour: int = 0
    views: Views = ()

    def views_of(self, slug: str) -> dict[str, str]:
        """How this person likes to see the board of a game."""
        return dict(dict(self.views).get(slug, ()))


def offered(slug: str) -> dict[str, tuple[str, ...]]:
    """The ways to see a game's board that one may prefer for good, the usual one first."""
    board = games.part(slug, "board")
    views: dict[str, tuple[str, ...]] = getattr(board, "VIEWS", {})
    return {word: views[word] for word in getattr(board, "LASTING", ())}


def playing_of(stored: Mapping[str, Any]) -> Playing:
    """What is stored of it; whatever is not offered any more is as if it had never been chosen."""
    speed, palette, colour, views = (stored.get(name) for name in ("speed", "palette", "colour", "views"))
    return Playing(
        confirm=stored.get("confirm") is True,
        auto_pass=stored.get("auto_pass") is True,
        speed=speed if speed in SPEEDS else "",
        palette=palette if palette in PALETTES else "",
        colour=colour if type(colour) is int and colour in COLOURS else 0,
        views=tuple((slug, tuple(words.items())) for slug, words in views.items() if isinstance(words, dict))
        if isinstance(views, dict)
        else (),
    )


def stored_of(playing: Playing) -> dict[str, Any]:
    """The same as it is stored."""
    return {
        "confirm": playing.confirm,
        "auto_pass": playing.auto_pass,
        "speed": playing.speed,
        "palette": playing.palette,
        "colour": playing.colour,
        "views": {slug: dict(words) for slug, words in playing.views},
    }
