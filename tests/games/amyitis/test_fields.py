"""Fields (rule 5)."""

from app.games.amyitis import fields
from app.games.amyitis.events import Farmed, Harvested
from app.games.amyitis.state import NOBODY
from tests.games.amyitis.positions import (
    BOX,
    A,
    B,
    C,
    asked,
    changed,
    dealt,
    field,
    held,
    legal,
    play,
    player,
    refused,
    told,
)

UPPER, LOWER = 0, 1


def test_each_place_brings_its_resource() -> None:
    """Rule 5."""
    state = dealt()
    for name, row in (("upper", "salt palm barley dates wine"), ("lower", "barley dates salt palm wine")):
        for filled, resource in enumerate(row.split()):
            there = asked(field(state, name, "abcd"[:filled]), A, "field")
            assert fields.next_resource(BOX, there.realm, ("upper", "lower").index(name)) == resource
            assert held(play(there, f"A farm:{name}"), A) == resource


def test_the_other_row_stays_as_it_is() -> None:
    """Rule 5."""
    state = asked(field(field(dealt(), "upper", "abcd"), "lower", "ab"), C, "field")
    assert play(state, "C farm:lower").realm.fields == ((0, 1, 2, 3), (0, 1, 2))
    assert play(state, "C farm:upper").realm.fields == ((), (0, 1))
    assert play(state, "C farm:upper").realm.harvests == (1, 0)


def test_a_tie_in_a_full_row_brings_wine_and_no_gardener() -> None:
    """T4, Q3."""
    state = asked(field(dealt(), "upper", "abac"), B, "field")
    events = told(state, B, "farm:upper")
    assert Farmed(B, "upper", 5, "wine") in events
    assert Harvested("upper", (2, 2, 1, 0), NOBODY, False) in events
    state = play(state, "B farm:upper")
    assert held(state, B) == "wine"
    assert [each.gardeners for each in state.realm.players] == [0, 0, 0, 0]
    assert state.realm.gardeners == 4
    assert state.realm.fields[UPPER] == ()
    assert fields.next_resource(BOX, state.realm, UPPER) == "salt"


def test_the_majority_of_another_player_takes_the_last_gardener() -> None:
    """T5."""
    state = changed(asked(field(dealt(), "lower", "aaab"), C, "field"), gardeners=1)
    state = play(state, "C farm:lower")
    assert held(state, C) == "wine"
    assert player(state, A).gardeners == 1
    assert state.realm.gardeners == 0
    assert state.realm.fields == ((), ())
    assert state.realm.harvests == (0, 1)


def test_with_an_empty_pool_nobody_gets_a_gardener() -> None:
    """T6."""
    state = changed(asked(field(dealt(), "upper", "bbab"), B, "field"), gardeners=0)
    assert Harvested("upper", (1, 4, 0, 0), B, False) in told(state, B, "farm:upper")
    state = play(state, "B farm:upper")
    assert held(state, B) == "wine"
    assert [each.gardeners for each in state.realm.players] == [0, 0, 0, 0]
    assert state.realm.fields[UPPER] == ()


def test_both_rows_always_have_a_free_place() -> None:
    """Rule 5."""
    state = asked(field(field(dealt(), "upper", "abcd"), "lower", "abcd"), A, "field")
    assert legal(state, A) == ["farm:upper", "farm:lower"]
    assert (refused(state, A, "farm:middle").complaint, refused(state, A, "farm:middle").rule) == ("no_such_row", "5")


def test_a_page_can_ask_who_leads_a_row() -> None:
    """Rule 5."""
    state = field(field(dealt(), "upper", "aab"), "lower", "ab")
    assert fields.leading(state.realm, UPPER) == A
    assert fields.leading(state.realm, LOWER) == NOBODY
    assert fields.leading(dealt().realm, UPPER) == NOBODY
