"""The games: every package in this folder is one; there is no list to edit."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from app.engine.bots import Bot, GreedyBot, RandomBot
from app.engine.contract import AnyGame, Edition
from app.engine.editions import HOUSE, EditionRefused, find_edition, list_editions

_added: dict[tuple[str, str], Edition] = {}
"""Editions that did not come with a game. Under one name there is ever only one, so they may be remembered."""


class NoSuchGame(LookupError):
    """A slug that no game goes by."""


@cache
def games() -> Mapping[str, type[AnyGame]]:
    """Every game by its slug."""
    found: dict[str, type[AnyGame]] = {}
    for module in iter_modules(__path__):
        if module.ispkg:
            rules: type[AnyGame] = import_module(f"{__name__}.{module.name}.rules").Rules
            assert rules.slug == module.name, f"{module.name}: its slug is {rules.slug}"
            found[rules.slug] = rules
    return found


@cache
def load(slug: str, edition: str = HOUSE) -> AnyGame:
    """The rules of a game with what is in that box.

    Raises :class:`NoSuchGame`, ``NoSuchEdition``, ``EditionRefused``.
    """
    if slug not in games():
        raise NoSuchGame(slug)
    return _opened(slug, _added.get((slug, edition)) or find_edition(f"{__name__}.{slug}", edition))


def _opened(slug: str, edition: Edition) -> AnyGame:
    """The game with that box; what its checks did not think of is a fault of the file as well."""
    try:
        return games()[slug](edition)
    except EditionRefused:
        raise
    except Exception as fault:
        raise EditionRefused(edition.file, "(contents)", f"{type(fault).__name__}: {fault}"[:200]) from fault


def load_all() -> None:
    """Every game with every box that came with it, so that one with a fault is found before anybody plays.

    Raises ``EditionRefused``.
    """
    for slug in games():
        for edition in (HOUSE, *(name for name in editions(slug) if name != HOUSE)):
            load(slug, edition)


def knows(slug: str, edition: str) -> bool:
    """Whether :func:`load` finds an edition."""
    return (slug, edition) in _added or edition in editions(slug)


def add_edition(slug: str, edition: Edition) -> AnyGame:
    """Lets :func:`load` find an edition that did not come with the game; the game with it.

    Raises ``EditionRefused``.
    """
    game = games()[slug](edition)
    _added[slug, edition.name] = edition
    return game


@cache
def editions(slug: str) -> tuple[str, ...]:
    """The names of the editions that come with a game, the house edition first."""
    return list_editions(f"{__name__}.{slug}")


def part(slug: str, name: str) -> ModuleType:
    """A module of a game's folder that every game has: ``board``, ``bots``."""
    return import_module(f"{__name__}.{slug}.{name}")


@cache
def bots(slug: str) -> Mapping[str, Bot]:
    """The bots that can play a game, weakest first; a game's own take the place of the generic ones."""
    own: tuple[Bot, ...] = part(slug, "bots").BOTS
    generic: tuple[Bot, ...] = (RandomBot(), GreedyBot())
    known = {bot.name: bot for bot in generic}
    known.update({bot.name: bot for bot in own})
    return known
