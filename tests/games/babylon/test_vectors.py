"""The test vectors of the rules, as they are written there; rulings (``R``) and more of ours (``P``) beside them."""

import pytest

from tests.games.babylon.script import Scene, Vector, garden, play, read_vectors

VECTORS = read_vectors()


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_the_rules_say_what_the_vector_says(vector: Vector) -> None:
    play("\n".join(vector.lines))


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_a_garden_written_down_builds_itself_again(vector: Vector) -> None:
    built = play("\n".join(vector.lines)).garden
    assert garden(str(built)) == built


def numbers(letters: str) -> set[int]:
    """The numbers of the vectors that begin with these letters."""
    names = [str(vector).split("-") for vector in VECTORS]
    return {int(words[1]) for words in names if words[0] == letters}


def test_every_vector_is_here_or_is_told_in_words_in_a_test_that_names_it() -> None:
    in_words = {*range(35, 43), 48, 49}
    assert not numbers("TV") & in_words
    assert numbers("TV") | in_words == set(range(1, 53))


def test_every_ruling_is_here_or_is_about_turns_and_in_test_rulings() -> None:
    about_turns = {5, 14, 15, 16, 22, 23, 24, 27}
    assert not numbers("R") & about_turns
    assert numbers("R") | about_turns == set(range(1, 29))


@pytest.mark.parametrize(
    "claim",
    [
        "tile A L1 @(0,0) face[. ./. .] sup[ss/ss] white => illegal LEVEL_GAP",
        "tile A L2 @(0,0) face[. ./. .] sup[dd/dd] white",
        "tile A L1 @(0,0) face[. ./. .] sup[ss/ss] white singles=5 => ok singles=0",
        "score => height 2",
        "score => total 1, holes 64",
    ],
)
def test_a_vector_that_claims_too_much_fails(claim: str) -> None:
    with pytest.raises(AssertionError):
        Scene().play(claim)
