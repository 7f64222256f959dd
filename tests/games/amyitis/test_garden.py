"""Garden, channels, river (rule 4)."""

from app.games.amyitis import garden
from tests.games.amyitis.positions import (
    BOX,
    GRID,
    A,
    B,
    asked,
    channels,
    dealt,
    legal,
    play,
    refused,
    scored,
    squares,
    step,
    vp,
    watered,
    wet,
)

BANK = ["A4-B4", "B4-C4", "C4-D4", "D1-D2", "D2-D3", "D3-D4"]


def test_floors_and_the_quality_they_need() -> None:
    """Rule 4.1."""
    assert GRID.floors == (4, 3, 2, 1, 3, 3, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1)
    assert GRID.required == (3, 3, 2, 1, 3, 3, 2, 1, 2, 2, 2, 1, 1, 1, 1, 1)
    assert [GRID.floors.count(floor) for floor in (1, 2, 3, 4)] == [7, 5, 3, 1]


def test_twenty_four_channels_with_thirty_two_places() -> None:
    """Rule 4.3: two places beside floors 3 and 4."""
    assert len(GRID.channels) == 24
    assert sum(GRID.places) == 32
    two = [name for name, places in zip(GRID.channels, GRID.places, strict=True) if places == 2]
    assert two == ["A1-A2", "A1-B1", "A2-A3", "A2-B2", "B1-B2", "B1-C1", "B2-B3", "B2-C2"]
    for (one, other), places in zip(GRID.ends, GRID.places, strict=True):
        assert (places == 2) == (max(GRID.floors[one], GRID.floors[other]) >= 3)
    assert channels(GRID.bank) == BANK


def test_channels_touch_at_the_corners_of_squares() -> None:
    """Rule 4.3."""
    touching = {name: channels(mask) for name, mask in zip(GRID.channels, GRID.touches, strict=True)}
    assert touching["A1-A2"] == ["A1-B1", "A2-B2", "B1-B2"]
    assert touching["D3-D4"] == ["C3-C4", "C3-D3", "C4-D4"]
    assert touching["B2-C2"] == ["B1-B2", "B1-C1", "B2-B3", "B3-C3", "C1-C2", "C2-C3"]
    assert touching["C1-D1"] == ["C1-C2", "C2-D2", "D1-D2"]
    assert all(name in touching[other] for name, others in touching.items() for other in others)
    assert sum(len(others) for others in touching.values()) == 9 * 4 * 3


def test_the_first_engineer_digs_from_the_river() -> None:
    """T10; rules 4.4, 4.5."""
    state = asked(dealt(), A, "channel")
    assert legal(state, A) == [f"build:{name}" for name in BANK]
    state = play(state, "A build:D3-D4")
    assert scored(state, A) == {"channels": 2}
    assert wet(state) == (". . . .\n. . . .\n. . . #\n. . . #")
    within = ["A4-B4", "B4-C4", "C3-C4", "C3-D3", "C4-D4", "D1-D2", "D2-D3"]
    assert channels(garden.eligible(BOX, state.realm)) == within


def test_a_two_place_channel_carries_water_only_when_both_places_are_filled() -> None:
    """T11, Q6; rules 4.3, 4.4, 4.5."""
    state = watered(dealt(), "B4-C4[a], B3-C3[a], B2-C2[b]")
    assert not {"B2", "C2"} & set(squares(garden.irrigated(BOX, state.realm)))
    assert not {"B1-B2", "B1-C1", "C1-C2"} & set(channels(garden.eligible(BOX, state.realm)))
    assert "B2-C2" in channels(garden.eligible(BOX, state.realm))
    state = play(asked(state, A, "channel"), "A build:B2-C2")
    assert {"B2", "C2"} <= set(squares(garden.irrigated(BOX, state.realm)))
    assert {"B1-B2", "B1-C1", "C1-C2"} <= set(channels(garden.eligible(BOX, state.realm)))


def test_the_river_itself_irrigates_nothing() -> None:
    """Q5; rule 4.5."""
    assert wet(dealt()) == "\n".join([". . . ."] * 4)
    assert garden.ready(BOX, dealt().realm) == 0


def test_a_complete_channel_cut_off_from_the_river_is_no_path_but_irrigates() -> None:
    """Q24; rules 4.4, 4.5."""
    state = watered(dealt(profile="rulebook"), "B2-C2[N,N], D3-D4[a]")
    assert channels(garden.complete(BOX, state.realm)) == ["B2-C2", "D3-D4"]
    assert channels(garden.connected(BOX, state.realm)) == ["D3-D4"]
    assert not {"B1-B2", "C1-C2", "B3-C3"} & set(channels(garden.eligible(BOX, state.realm)))
    assert {"B2", "C2"} <= set(squares(garden.irrigated(BOX, state.realm)))
    joined = watered(state, "B2-C2[N,N], D3-D4[a], C3-D3[b], C2-C3[b]")
    assert "B2-C2" in channels(garden.connected(BOX, joined.realm))


def test_whose_cubes_form_the_path_does_not_matter() -> None:
    """Rule 4.4."""
    state = watered(dealt(), "C4-D4[b], C3-C4[N]")
    assert {"B3-C3", "B3-B4"} <= set(channels(garden.eligible(BOX, state.realm)))


def test_a_channel_takes_no_cube_when_it_is_full_or_out_of_reach() -> None:
    """Rules 4.3, 4.4."""
    state = asked(watered(dealt(), "C4-D4[b]"), A, "channel")
    assert (refused(state, A, "build:C4-D4").complaint, refused(state, A, "build:C4-D4").rule) == (
        "channel_full",
        "4.3",
    )
    assert (refused(state, A, "build:A1-A2").complaint, refused(state, A, "build:A1-A2").rule) == (
        "not_connected",
        "4.4",
    )
    assert refused(state, A, "build:A1-D4").complaint == "no_such_channel"


def test_with_two_players_the_channels_of_the_empty_squares_work() -> None:
    """Q26; rule 4.2."""
    state = asked(dealt(2), A, "channel")
    state = play(state, "A build:D1-D2")
    assert {"C1-D1", "C2-D2", "C1-C2"} <= set(channels(garden.eligible(BOX, state.realm)))
    state = play(asked(state, A, "channel"), "A build:C2-D2")
    assert garden.plantable(BOX, state.realm, quality=2, gardeners=4) == (GRID.square_number["C2"],)
    assert {"D1", "D2", "C2"} == set(squares(garden.irrigated(BOX, state.realm)))


def test_an_outlook_says_what_a_cube_would_bring() -> None:
    """For the page: rules 4.4, 4.5."""
    state = watered(dealt(), "C4-D4[b]")
    seen = garden.outlook(BOX, state.realm, GRID.channel_number["C3-C4"])
    assert seen == garden.Outlook(complete=True, squares=("C3",), channels=("B3-B4", "B3-C3"))
    state = watered(state, "B4-C4[a], B3-C3[a]")
    half = garden.outlook(BOX, state.realm, GRID.channel_number["B2-C2"])
    assert half == garden.Outlook(complete=False, squares=(), channels=())


def test_cubes_of_a_half_filled_channel_count_for_whom_they_belong_to() -> None:
    """Q17; rule 8.3."""
    state = watered(dealt(), "B4-C4[a], B3-C3[a], B2-C2[b,b], B2-B3[a], C1-C2[N]")
    assert garden.water(BOX, state.realm, GRID.square_number["B2"]) == (1, 2, 0, 0)
    assert garden.water(BOX, state.realm, GRID.square_number["C2"]) == (0, 2, 0, 0)


def test_an_engineers_cube_counts_two_points_for_him_alone() -> None:
    """Rule 7.2."""
    done = step(asked(dealt(), B, "channel"), B, "build:D1-D2")
    assert vp(done.state) == (0, 2, 0, 0)
