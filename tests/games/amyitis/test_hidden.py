"""What is hidden: the craft deck, the tiles set aside, sealed discards, and chance (rule 2)."""

import msgspec

from app.engine import codec
from app.engine.rng import Rng
from app.games.amyitis import stages
from tests.games.amyitis.positions import (
    GAME,
    A,
    B,
    C,
    asked,
    changed,
    dealt,
    owning,
    play,
)


def test_a_view_tells_how_many_cards_and_tiles_are_hidden_and_nothing_of_them() -> None:
    """Rule 2."""
    for seats, deck, aside in ((2, 4, 7), (3, 5, 4), (4, 6, 4)):
        state = dealt(seats)
        for seat in (*range(seats), None):
            view = GAME.view(state, seat)
            assert (view.deck, view.aside) == (deck, aside)
            text = codec.encode(view).decode()
            assert "rng" not in text
            assert not any(f'"{tile}"' in text for tile in state.aside)


def test_what_is_imagined_fits_what_is_known_and_shuffles_the_rest() -> None:
    """The deck's order and the tiles set aside may be anything that is missing elsewhere."""
    state = dealt(4)
    view = GAME.view(state, A)
    imagined = [GAME.imagine(view, A, Rng(f"{number}")) for number in range(8)]
    assert len({other.deck for other in imagined}) > 1
    assert len({other.aside for other in imagined}) > 1
    for other in imagined:
        assert sorted(other.deck) == sorted(state.deck)
        assert sorted(other.aside) == sorted(state.aside)
        assert other.rng != state.rng
        assert codec.encode(GAME.view(other, A)) == codec.encode(view)


def test_sealed_discards_of_others_are_imagined() -> None:
    """Rule 7.3: any tokens they hold, as many as they sealed; one's own as they are."""
    state = owning(owning(dealt(), A, goods="salt salt wine wine"), B, goods="palm dates wine wine")
    state = asked(changed(state, passed=(0, 1, 2, 3)), 3, stages.PROCESSION)
    state = play(state, "D worship:marduk", "A discard:salt", "B discard:palm")
    view = GAME.view(state, B)
    assert view.sealed == (1, 1, 0, 0)
    imagined = [GAME.imagine(view, B, Rng(f"{number}")) for number in range(12)]
    assert {other.sealed[B] for other in imagined} == {state.sealed[B]}
    assert len({other.sealed[A] for other in imagined}) == 2
    for other in imagined:
        assert sum(other.sealed[A]) == 1
        assert codec.encode(GAME.view(other, B)) == codec.encode(view)
        assert GAME.decisions(other) == GAME.decisions(state)
    assert GAME.view(state, C).discards == (0, 0, 0, 0, 0)
    for nobody in (None, -1, 4):
        assert GAME.view(state, nobody).discards == (0, 0, 0, 0, 0)
    last = msgspec.structs.replace(state, sealed=(*state.sealed[:3], (1, 0, 0, 0, 0)))
    assert GAME.view(last, -1).discards == (0, 0, 0, 0, 0)
