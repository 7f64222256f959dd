"""A game of a real table is entered as it goes on: the deal grows, and nothing that was played is changed by it."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from app import games
from app.config import ROOT
from app.engine import codec, log, notation, record
from app.engine.bots import RandomBot
from app.engine.contract import AnyGame
from app.engine.playout import playout
from app.engine.record import Record
from app.engine.rng import UNSEEN, Chance, Rng

Piles = Mapping[str, Sequence[str]]
GAMES = sorted(games.games())
COUNTS = [(slug, seats) for slug in GAMES for seats in games.load(slug).seats]


class Noted(Chance):
    """Keeps in mind how each pile came to lie."""

    piles: dict[str, tuple[str, ...]]

    def shuffled(self, pile: str, items: Sequence[str]) -> tuple[str, ...]:
        order = super().shuffled(pile, items)
        self.piles = {**getattr(self, "piles", {}), pile: order}
        return order


def dealt(game: AnyGame, seats: int, seed: str, deal: Piles | None = None, *, steady: bool) -> Noted:
    chance = Noted(Rng(seed), deal, steady=steady)
    game.setup(seats, game.options_for(seats), chance)
    chance.done()
    return chance


@pytest.mark.parametrize(("slug", "seats"), COUNTS)
def test_naming_what_would_come_changes_nothing(slug: str, seats: int) -> None:
    """Of any pile, as much as one likes."""
    game = games.load(slug)
    free = record.read(f"game: {slug}\nseats: {seats}\n")
    first = codec.encode(record.first_position(game, free).state)
    piles = dealt(game, seats, record.seed_of(free), steady=True).piles
    for pile, order in piles.items():
        for seen in {0, 1, len(order) // 2, len(order)}:
            named = record.read(f"game: {slug}\nseats: {seats}\ndeal.{pile}: {' '.join(order[:seen])}\n")
            assert codec.encode(record.first_position(game, named).state) == first, (pile, seen)


@pytest.mark.parametrize(("slug", "seats"), COUNTS)
def test_naming_something_else_changes_no_other_pile_and_nothing_before_it(slug: str, seats: int) -> None:
    game = games.load(slug)
    free = dealt(game, seats, "s", steady=True)
    for pile, order in free.piles.items():
        if len(set(order)) == 1:
            continue
        at = next(index for index in range(len(order) - 1, -1, -1) if order[index] != order[0])
        for seen in ((order[at],), (UNSEEN, order[0]), (*order[:1], order[-1])):
            named = dealt(game, seats, "s", {pile: seen}, steady=True)
            assert named.rng == free.rng
            assert {**named.piles, pile: ()} == {**free.piles, pile: ()}, pile
            assert sorted(named.piles[pile]) == sorted(order)
            lying = zip(named.piles[pile], seen, strict=False)
            assert all(wanted in (item, UNSEEN) for item, wanted in lying)


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_say_which_piles_there_are_and_show_how_a_game_is_entered(slug: str) -> None:
    game = games.load(slug)
    text = (ROOT / "app" / "games" / slug / "RULES.md").read_text(encoding="utf-8")
    section = text.partition("\n## Entering a game of a real table\n")[2]
    for seats in game.seats:
        for pile in dealt(game, seats, "s", steady=True).piles:
            stem, dash, last = pile.rpartition("-")
            assert f"`{pile}`" in section or (f"`{stem}-" in section and f"`{dash}{last}`" in section), pile
    examples = re.findall(r"^```\n(game: .+?)^```$", section, re.DOTALL | re.MULTILINE)
    assert examples
    for example in examples:
        written = record.read(example)
        assert written.game == slug
        assert written.deal
        assert not written.seed
        assert record.replay(game, written).version == len(written.entries) > 1


# ---- what people at a real table have seen


def seen_in_the_hanging_gardens(state: Any, piles: Piles) -> Piles:
    tops = [
        len(piles[f"enhancements-{cost}"]) - len(pile) + 1 for cost, pile in zip((2, 3, 4), state.piles, strict=True)
    ]
    known = {
        "deck": piles["deck"][: len(piles["deck"]) - len(state.deck)],
        **{
            f"enhancements-{cost}": piles[f"enhancements-{cost}"][:top]
            for cost, top in zip((2, 3, 4), tops, strict=True)
        },
        "objectives": piles["objectives"][: len(state.objectives)],
        "irrigation": piles["irrigation"][: len(state.players)],
    }
    if state.automaton is None:
        return {**known, "first": piles["first"][:1]}
    return {**known, "automaton": piles["automaton"][: len(piles["automaton"]) - len(state.automaton.deck)]}


def seen_in_babylon(state: Any, piles: Piles) -> Piles:
    return {
        "boards": piles["boards"][: len(state.players)],
        "first_player": piles["first_player"][:1],
        "tokens": piles["tokens"][: len(state.shown)],
        **{
            layer: [
                tile if height <= level else UNSEEN for tile, height in zip(piles[layer], state.heights, strict=True)
            ]
            for level, layer in enumerate(("basalt", "granite", "clay"), start=1)
        },
    }


def seen_in_amyitis(state: Any, piles: Piles) -> Piles:
    """All lies open but the tiles set aside and the craft cards that are not laid out."""
    realm = state.realm
    laid = tuple(card for row in realm.market for card in row.cards)
    now = "craft" if realm.round == 1 else f"craft-{realm.round}"
    aside = set(state.aside)
    known = {name: [item for item in order if item not in aside] for name, order in piles.items() if name != "craft"}
    return {**known, "start": piles["start"][:1], now: laid}


SEEN: Mapping[str, Callable[[Any, Piles], Piles]] = {
    "amyitis": seen_in_amyitis,
    "babylon": seen_in_babylon,
    "hanging_gardens": seen_in_the_hanging_gardens,
}


@pytest.mark.parametrize(("slug", "seats"), [each for each in COUNTS if each[0] in SEEN])
def test_what_was_played_stands_whatever_is_seen_afterwards(slug: str, seats: int) -> None:
    """The game of a real table, line by line: its deal says only what had been seen by then."""
    game = games.load(slug)
    piles = dealt(game, seats, "real", steady=False).piles
    truth = list(playout(game, seats=seats, seed="real", bots=(RandomBot(),)))
    entries = tuple(log.Entry(item.seat, notation.write(item.action)) for item in truth[-1].played)
    deal: Piles = {}
    changes = 0
    for number, position in enumerate(truth):
        seen = {**deal, **SEEN[slug](position.state, piles)}
        if seen == deal:
            continue
        changes += 1
        if number:
            entered(game, seats, deal, entries[:number])
        deal = seen
        now = entered(game, seats, deal, entries[:number])
        assert now.played == position.played
        for seat in (None, *range(seats)):
            assert game.view(now.state, seat) == game.view(position.state, seat), (number, seat)
    assert changes > 3
    last = entered(game, seats, deal, entries)
    assert game.scores(last.state) == game.scores(truth[-1].state)


def entered(game: AnyGame, seats: int, deal: Piles, entries: tuple[log.Entry, ...]) -> log.Position[Any]:
    """What has been written down so far, read and replayed. Raises ``RecordRefused``."""
    written = Record(
        game=game.slug,
        revision=game.revision,
        edition=game.edition.name,
        digest=game.edition.digest,
        seats=seats,
        options=game.options_for(seats),
        seed="",
        deal={pile: tuple(items) for pile, items in deal.items()},
        entries=entries,
        lines=(),
    )
    return record.replay(game, record.read(record.write(written)))
