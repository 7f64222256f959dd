"""Temples, procession and rewards (rules 6 and 7.3)."""

from app.games.amyitis import stages, temples
from app.games.amyitis.events import Blessed, Worshipped
from app.games.amyitis.state import NEUTRAL, NOBODY, State
from tests.games.amyitis.positions import (
    A,
    B,
    C,
    D,
    all_passed_but,
    asked,
    changed,
    cubes,
    dealt,
    field,
    held,
    legal,
    letters,
    owning,
    play,
    player,
    refused,
    temple,
    told,
    vp,
)

ISHTAR, MARDUK, TAMMUZ = 0, 1, 2


def before_rewards(seats: int = 4, *, profile: str = "standard", **inside: str) -> State:
    """The procession is about to choose; temples are named."""
    state = dealt(seats, profile=profile)
    for name, text in inside.items():
        state = temple(state, name, text)
    return changed(asked(state, seats - 1, stages.PROCESSION), active=NOBODY)


def test_a_fifth_cube_pushes_the_last_one_out() -> None:
    """T7."""
    state = asked(temple(dealt(), "marduk", "abbc"), A, stages.TEMPLE)
    assert told(state, A, "worship:marduk")[0] == Worshipped(A, "marduk", C, False)
    assert letters(play(state, "A worship:marduk").realm.temples[MARDUK]) == "aabb"


def test_temples_fill_without_gaps_from_the_left() -> None:
    """Rule 6."""
    state = asked(dealt(), A, stages.TEMPLE)
    assert legal(state, A) == ["worship:ishtar", "worship:marduk", "worship:tammuz"]
    assert told(state, A, "worship:tammuz")[0] == Worshipped(A, "tammuz", NOBODY, False)
    state = asked(play(state, "A worship:tammuz"), B, stages.TEMPLE)
    state = play(state, "B worship:tammuz")
    assert letters(state.realm.temples[TAMMUZ]) == "ba"
    assert state.realm.offered == (0, 0, 2)
    assert refused(asked(state, C, stages.TEMPLE), C, "worship:zeus").complaint == "no_such_temple"


def test_a_tie_in_a_temple_goes_to_the_cube_further_right() -> None:
    """T8."""
    assert temples.ranking(cubes("abab")) == (B, A)
    state = changed(before_rewards(marduk="bab"), start=B)
    state = play(asked(state, A, stages.PROCESSION), "A worship:marduk")
    assert letters(state.realm.temples[MARDUK]) == "abab"
    assert vp(state) == (1, 2, 0, 0)


def test_more_cubes_come_first_wherever_they_stand_and_grey_ones_are_not_ranked() -> None:
    """Rule 6."""
    assert temples.ranking(cubes("aabN")) == (A, B)
    assert temples.ranking(cubes("NNNN")) == ()
    assert temples.ranking(cubes("dcba")) == (A, B, C, D)
    assert temples.ranking(cubes("dc")) == (C, D)


def test_a_god_with_one_worshipper_gives_only_the_first_reward() -> None:
    """T9."""
    state = before_rewards(ishtar="NaNN", marduk="NNNN", tammuz="NNNN")
    state = play(state, "D worship:marduk")
    assert letters(state.realm.temples[ISHTAR]) == "NNaN"
    assert (state.realm.seat, state.realm.stage) == (A, stages.ISHTAR)
    assert legal(state, A) == ["gift:camel", "gift:talent"]
    after = play(state, "A gift:talent")
    assert [event for event in told(state, A, "gift:talent") if isinstance(event, Blessed)] == [
        Blessed(A, "ishtar", 1, talents=1),
        Blessed(D, "marduk", 1, vp=2),
    ]
    assert [(each.talents, each.camels) for each in after.realm.players] == [(5, 1), (4, 1), (4, 1), (4, 1)]


def test_the_second_of_ishtar_gets_what_the_first_left() -> None:
    """Q21."""
    state = play(before_rewards(ishtar="abaN", marduk="NNNN", tammuz="NNNN"), "D worship:marduk")
    assert letters(state.realm.temples[ISHTAR]) == "Naba"
    for gift, first, second in (("talent", (5, 1), (4, 2)), ("camel", (4, 2), (5, 1))):
        after = play(state, f"A gift:{gift}")
        assert (player(after, A).talents, player(after, A).camels) == first
        assert (player(after, B).talents, player(after, B).camels) == second
    assert refused(state, A, "gift:wine").complaint == "no_such_gift"


def test_tammuz_lets_the_first_farm_and_the_second_swap() -> None:
    """T27, Q19, Q20."""
    state = before_rewards(ishtar="NNNN", marduk="NNNN", tammuz="aaNb")
    state = owning(field(state, "upper", "bbba"), B, goods="wine")
    state = play(temple(state, "tammuz", "aabN"), "D worship:marduk")
    assert letters(state.realm.temples[TAMMUZ]) == "Naab"
    assert (state.realm.seat, state.realm.stage) == (A, stages.TAMMUZ_FIELD)
    assert legal(state, A) == ["farm:upper", "farm:lower"]
    assert refused(state, A, "decline").complaint == "not_asked"
    assert told(state, A, "farm:upper")[0] == Blessed(A, "tammuz", 1)
    state = play(state, "A farm:upper")
    assert held(state, A) == "wine"
    assert player(state, B).gardeners == 1
    assert state.realm.fields[0] == ()
    assert (state.realm.seat, state.realm.stage) == (B, stages.TAMMUZ_SWAP)
    assert legal(state, B) == ["decline", "swap:wine:barley", "swap:wine:dates", "swap:wine:salt", "swap:wine:palm"]
    assert held(play(state, "B swap:wine:palm"), B) == "palm"
    assert held(play(state, "B decline"), B) == "wine"


def test_what_is_taken_from_tammuz_is_never_wine_nor_the_same() -> None:
    """Q19."""
    state = asked(owning(dealt(), B, goods="salt"), B, stages.TAMMUZ_SWAP)
    assert legal(state, B) == ["decline", "swap:salt:barley", "swap:salt:dates", "swap:salt:palm"]
    assert refused(state, B, "swap:salt:wine").complaint == "cannot_be_taken"
    assert refused(state, B, "swap:salt:salt").complaint == "same_resource"
    assert refused(state, B, "swap:palm:salt").complaint == "not_held"


def test_the_second_of_tammuz_is_not_asked_with_empty_hands() -> None:
    """Rule 7.5: the decision is skipped."""
    state = play(before_rewards(ishtar="NNNN", marduk="NNNN", tammuz="aabN"), "D worship:marduk", "A farm:lower")
    assert state.realm.round == 2


def test_the_procession_is_led_by_the_start_players_right_hand_neighbour() -> None:
    """T23, Q4: not by the last to pass."""
    state = changed(dealt(), start=2)
    state = play(all_passed_but(state, A), "A pass")
    assert (state.realm.seat, state.realm.stage) == (B, stages.PROCESSION)
    events = told(state, B, "worship:marduk")
    assert events[:3] == (
        Worshipped(B, "marduk", NOBODY, True),
        Worshipped(NEUTRAL, "ishtar", NOBODY, True),
        Worshipped(NEUTRAL, "tammuz", NOBODY, True),
    )
    state = play(state, "B worship:marduk")
    assert [letters(inside) for inside in state.realm.temples] == ["N", "b", "N"]
    assert (state.realm.round, state.realm.start) == (2, 3)
    state = play(all_passed_but(state, B), "B pass")
    assert (state.realm.seat, state.realm.stage) == (C, stages.PROCESSION)


def test_cubes_stay_in_the_temples_after_the_rewards() -> None:
    """Rule 6."""
    state = play(before_rewards(marduk="abcd"), "D worship:marduk")
    assert [letters(inside) for inside in state.realm.temples] == ["N", "dabc", "N"]


def test_with_two_players_the_profiles_differ_on_the_second_rank() -> None:
    """Q2."""
    inside = {"ishtar": "aab", "marduk": "aab", "tammuz": "NNNN"}
    state = play(before_rewards(2, **inside), "B worship:tammuz", "A gift:camel")
    assert vp(state) == (2, 1)
    assert (player(state, A).camels, player(state, B).talents) == (2, 5)
    state = play(before_rewards(2, profile="rulebook", **inside), "B worship:tammuz", "A gift:camel")
    assert vp(state) == (2, 0)
    assert (player(state, A).camels, player(state, B).talents) == (2, 4)
    state = play(before_rewards(3, profile="rulebook", **inside), "C worship:tammuz", "A gift:camel")
    assert vp(state) == (2, 1, 0)


def test_with_two_players_by_the_rulebook_nobody_swaps() -> None:
    """Q2."""
    state = owning(before_rewards(2, profile="rulebook", tammuz="ab"), A, goods="salt")
    state = play(state, "B worship:ishtar", "B gift:talent", "B farm:upper")
    assert (state.realm.round, state.realm.stage) == (2, stages.ACT)
